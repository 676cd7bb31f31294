package follow

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

// Beginnings that say nothing of what they stand before.
var (
	openers = `(?:` + english.Openers.Pattern() + ` )*`
	// asides are openers and words that ask the same of other rows.
	asides  = `(?:` + english.Openers.With(english.Suggestions).Pattern() + ` )*`
	theRows = english.PluralPronouns.With(english.RowNames).Pattern()
)

var (
	ends        = english.Ascending.With(english.Descending).Pattern()
	sortPattern = regexp.MustCompile(`^` + openers + `(?:sort|order|rank)(?:ed)?` +
		`(?: (?:it|that|this|` + theRows + `))? by (?:the )?(?P<by>.+?)` +
		`(?: (?:in )?(?P<direction>desc|descending|asc|ascending)(?: order)?)?(?:,? (?P<first>` + ends + `) first)?$`)
	topPattern = regexp.MustCompile(`^(?:and |now |only |just |show |give me |me )*(?:the )?` +
		`(?P<which>top|first|best|only|just|make it|make that) (?:the )?(?P<number>.+?)` +
		`(?: (?:of them|of those|of these|ones|rows|results))?$`)
	reversePattern = regexp.MustCompile(`^` + openers + `(?:(?:sort|order|show|list)(?: (?:it|that|` + theRows + `))? )?` +
		`(?:the other way a?round|(?:in )?(?:the )?(?:reverse|reversed|opposite)(?: order)?|reverse (?:it|that|the order|` + theRows + `)|` +
		`(?:in )?(?:descending|ascending)(?: order)?|(?:the )?` + ends + ` first)$`)
	topOnePattern = regexp.MustCompile(`^` + openers + `(?:who|which|what)(?: ones?| of ` + plural + `)?(?: has| have| had| is| was| got)?(?: the)? ` +
		`(?P<extreme>` + english.Extremes.Pattern() + `)(?: one| of ` + plural + `| of all)?$`)
	adjectivePattern = regexp.MustCompile(`^` + openers + `(?:the )?(?P<adjective>` +
		english.Cheapest.With(english.Dearest, english.LateEnds, english.EarlyEnds).Pattern() + `)(?: ones?)? first$`)
	extremePattern = regexp.MustCompile(`^` + asides + `(?:the )?(?P<extreme>` + english.Extremes.Pattern() + `)(?: ones?)?$`)
)

// isDescending reports whether a word asks for the largest first.
func isDescending(word string) bool {
	return english.Descending.Has(word) || word == "maximum" || word == "descending" || word == "desc"
}

// topOfGroups asks which of the groups before has the most or the least: "who has the
// most?".
func topOfGroups(e *editor) bool {
	m, ok := english.Groups(topOnePattern, e.text)
	numbers := aggregated(e.query.Select.Items)
	if !ok || len(e.query.Select.Group) == 0 || e.query.Limit != nil || len(numbers) != 1 {
		return false
	}
	one := int64(1)
	e.query.Order = []tree.Order{{Expr: numbers[0].Expr, Desc: isDescending(m.Text("extreme")), Nulls: tree.NullsLast}}
	e.query.Limit = &one
	return true
}

// sortByAdjective orders the previous rows by what an adjective is about: the cheapest
// first are those with the lowest price, the newest those with the latest time.
func sortByAdjective(e *editor) bool {
	m, ok := english.Groups(adjectivePattern, e.text)
	if !ok || e.query.Limit != nil || e.oneRow() || len(e.query.Select.Group) > 0 {
		return false
	}
	word := m.Text("adjective")
	found := e.pricesOrTimes(english.LateEnds.With(english.EarlyEnds).Has(word))
	hidden := len(found) == 1 && e.query.Select.Distinct && !e.lists(found[0])
	if len(found) != 1 || hidden {
		return false
	}
	desc := english.LateEnds.Has(word) || english.Dearest.Has(word)
	e.query.Order = []tree.Order{{Expr: found[0], Desc: desc, Nulls: tree.NullsLast}}
	return true
}

// pricesOrTimes returns the columns of the query's tables that hold times, or those that
// hold money: of several, what one of them costs.
func (e *editor) pricesOrTimes(times bool) []tree.Column {
	var found, priced []tree.Column
	for _, source := range e.query.Select.From {
		for _, i := range e.view.ColumnsOf(source) {
			c := e.view.Columns[i]
			isMoney := !times && c.Type.Numeric() && slices.ContainsFunc(c.Words, english.Money.Has)
			column := tree.Column{Source: source.Ref(), Name: c.Name}
			if isMoney || times && c.Type.Temporal() {
				found = append(found, column)
			}
			if isMoney && english.UnitPrices.Has(c.Words[len(c.Words)-1]) {
				priced = append(priced, column)
			}
		}
	}
	if len(found) > 1 && !times {
		return priced
	}
	return found
}

// sortRows orders the previous rows: "sort by price". It leaves rows that were cut
// off alone: the first of another order would be other rows.
func sortRows(e *editor) bool {
	m, ok := english.Groups(sortPattern, e.text)
	if !ok || e.query.Limit != nil {
		return false
	}
	desc := isDescending(m.Text("direction")) || isDescending(m.Text("first"))
	if e.oneRow() {
		return e.sortParts(m.Text("by"), desc)
	}
	what, ok := e.namedValue(m.Text("by"))
	hidden := e.query.Select.Distinct && !e.lists(what)
	if !ok || hidden {
		return false
	}
	e.query.Order = []tree.Order{{Expr: what, Desc: desc}}
	return true
}

// sortParts orders the parts of one number, or the rows behind it: one number has
// no order.
func (e *editor) sortParts(phrase string, desc bool) bool {
	var made []*tree.Query
	parts := target{e.view, tree.Clone(e.query)}
	counts := e.lists(tree.Aggregate{Func: tree.Count, Arg: tree.Star{}})
	column, found := parts.columnOrJoin(phrase)
	countsOne := counts && len(parts.query.Select.From) == 1
	if found && !parts.aggregates(column) && !countsOne {
		s := parts.query.Select
		s.Items = append([]tree.Item{{Expr: column}}, s.Items...)
		s.Group, parts.query.Order = []tree.Expr{column}, []tree.Order{{Expr: column, Desc: desc}}
		made = append(made, parts.query)
	}
	if rows, ok := e.rowsBehind(); ok {
		if column, found := rows.column(phrase); found {
			rows.query.Select.Items, rows.query.Select.Distinct = []tree.Item{{Expr: tree.Star{}}}, false
			rows.query.Order, rows.query.Limit = []tree.Order{{Expr: column, Desc: desc}}, nil
			made = append(made, rows.query)
		}
	}
	return e.use(made)
}

// rowsBehind returns the query of the rows that the previous one makes a number
// of; ok is false when it reads more than one table or has groups.
func (e *editor) rowsBehind() (target, bool) {
	rows, ok := RowsOf(e.view, e.query, e.previous)
	if !ok {
		return target{}, false
	}
	s := rows.query.Select
	return target{e.view, rows.query}, s != nil && len(s.From) == 1 && len(s.Group) == 0
}

// limitRows keeps the first of the previous rows: "only the top 3". The top of
// groups without an order are those with the most.
func limitRows(e *editor) bool {
	m, ok := english.Groups(topPattern, e.text)
	if !ok || e.oneRow() {
		return false
	}
	n, ok := wholeNumber(m.Text("number"))
	if !ok || n < 1 {
		return false
	}
	which := m.Text("which")
	other := which == "top" || which == "best" || strings.HasPrefix(which, "make")
	if e.query.Limit == nil || n < *e.query.Limit || other {
		e.query.Limit = &n
	}
	if len(e.query.Order) > 0 || which == "first" {
		return true
	}
	if best, ok := e.measure(); ok {
		e.query.Order = []tree.Order{{Expr: best, Desc: true}}
	}
	return true
}

func wholeNumber(text string) (int64, bool) {
	decimal, ok := lex.Number(text)
	var n int64
	for _, d := range decimal {
		if d < '0' || d > '9' || n > 1e15 {
			return 0, false
		}
		n = 10*n + int64(d-'0')
	}
	return n, ok && decimal != ""
}

// reverseOrder turns the order of the previous rows: "the other way round",
// "largest first", "and the fewest?".
func reverseOrder(e *editor) bool {
	desc, said := false, false
	if m, ok := english.Groups(extremePattern, e.text); ok && e.query.Limit != nil {
		desc, said = isDescending(m.Text("extreme")), true
	} else if !reversePattern.MatchString(e.text) {
		return false
	}
	if e.oneRow() {
		return false
	}
	if len(e.query.Order) == 0 {
		best, ok := e.measure()
		if !ok {
			return false
		}
		e.query.Order = []tree.Order{{Expr: best}}
	}
	for _, w := range e.words {
		if isDescending(w) || w == "ascending" || strings.HasSuffix(w, "est") {
			desc, said = isDescending(w), true
		}
	}
	if !said {
		desc = !e.query.Order[0].Desc
	}
	for i := range e.query.Order {
		e.query.Order[i].Desc = desc
	}
	return true
}
