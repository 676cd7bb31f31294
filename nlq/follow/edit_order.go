package follow

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
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
	narrowing    = regexp.MustCompile(`\b(?:only|just)\b`)
	openingWords = regexp.MustCompile(`^` + english.Openers.With(english.Suggestions).Pattern() + ` `)
	ends         = english.Ascending.With(english.Descending).Pattern()
	// endWords are superlatives, the longer ones first.
	endWords    = english.EndWords.With(english.LateEnds, english.EarlyEnds, english.Cheapest, english.Dearest, english.Extremes).Pattern()
	sortPattern = regexp.MustCompile(`^` + openers + `(?:(?:sort|order|rank|arrange)(?:ed)?` +
		`(?: (?:it|that|this|` + theRows + `))? (?:in (?:the )?order of|by)|(?:(?:sort|order|list|show|put)(?:ed)?(?: (?:it|that|` + theRows + `))? )?` +
		`(?P<alphabet>alphabetically|(?:in )?alphabetical(?: order)?|from a to z|a to z)(?: by| of)?) ?` +
		`(?:the |their |its )?(?P<by>.*?)(?: (?:in )?(?P<direction>desc|descending|asc|ascending)(?: order)?)?(?:,? (?:with )?(?:the )?(?P<first>` + ends + `) first)?$`)
	// byFirst is an order without a word for it: "by date, earliest first".
	byFirst    = regexp.MustCompile(`^` + openers + `by (?:the |their |its )?(?P<by>.+?),? (?:with )?(?:the )?(?P<first>` + endWords + `) first$`)
	topPattern = regexp.MustCompile(`^(?:and |now |only |just |show |give me |me )*(?:the )?` +
		`(?P<which>top|first|best|bottom|last|only|just|make it|make that) (?:the )?(?P<number>.+?)` +
		`(?: (?:of them|of those|of these|ones|rows|results))?(?: only)?$`)
	// endsPattern keeps some of the rows by what is the most of them: "the three biggest".
	endsPattern = regexp.MustCompile(`^` + openers + `(?:(?:only|just|show|give|list)(?: me)? )*(?:the )?(?P<number>[a-z0-9]+)(?: (?:ones|rows|of them))?` +
		`(?: (?:who|that|which|with)(?: [a-z]+){0,3}?(?: the)?)? (?P<end>` + endWords + `)(?: ones| rows)?(?P<noun> [a-z]+)?(?: only)?$`)
	reversePattern = regexp.MustCompile(`^` + openers + `(?:(?:sort|order|show|list)(?: (?:it|that|` + theRows + `))? )?` +
		`(?:the other way a?round|(?:in )?(?:the )?(?:reverse|reversed|opposite)(?: order)?|reverse (?:it|that|the order|` + theRows + `)|` +
		`(?:in )?(?:descending|ascending)(?: order)?)$`)
	topOnePattern = regexp.MustCompile(`^` + openers + `(?:who|which|what)(?: ones?| of ` + plural + `|(?P<noun> [a-z]+))?` +
		`(?: (?:has|have|had|is|was|got|gets|did|does|were|are|made|makes|brought in|took in|took|sold|earned|came|rated|paid|owes?|costs?))*(?: the)? ` +
		`(?P<end>` + endWords + `)(?: one| of ` + plural + `| of all)?$`)
	firstPattern = regexp.MustCompile(`^` + openers + `(?:with )?(?:the )?(?P<end>` + endWords + `)(?: ones?|(?P<noun> [a-z]+))? ` +
		`(?:first|at the top|on top|on the top|to the top)$`)
	extremePattern = regexp.MustCompile(`^` + asides + `(?:the )?(?P<extreme>` + english.Extremes.Pattern() + `)(?: ones?)?$`)
)

// isDescending reports whether a word asks for the largest first.
func isDescending(word string) bool {
	return english.Descending.Has(word) || word == "maximum" || word == "descending" || word == "desc"
}

// end returns the order that a superlative asks for of the previous rows: by the number
// of each group, or by the column that it is about. ok is false when nothing, or more
// than one thing, can be meant.
func (e *editor) end(word string) (o tree.Order, ok bool) {
	up, names, known := english.End(word)
	late, early := english.LateEnds.Has(word), english.EarlyEnds.Has(word)
	o.Nulls = tree.NullsLast
	switch {
	case late || early:
		o.Desc = late
		o.Expr, ok = e.timeOrdered()
		return o, ok
	case !known:
		return o, false
	}
	o.Desc = up
	if len(e.query.Select.Group) > 0 {
		o.Expr, ok = e.measure()
		return e.judge(o, word, names), ok
	}
	if len(names) == 0 {
		o.Expr, ok = e.measure()
		return o, ok
	}
	var found []tree.Column
	if english.Cheapest.Has(word) || english.Dearest.Has(word) || slices.Contains(names, "price") {
		found = e.pricesOrTimes(false)
	} else {
		found = e.columnsOf(names)
	}
	if len(found) != 1 {
		found = slices.DeleteFunc(found, func(c tree.Column) bool { return !e.lists(c) })
	}
	if len(found) == 1 {
		o.Expr = found[0]
	}
	return o, len(found) == 1
}

// judge returns the order in which the best or the worst come first: the worst are the highest of
// what nobody wants. Of numbers that are no ratings it is a guess which end is the good one.
func (e *editor) judge(o tree.Order, word string, names []string) tree.Order {
	if word != "best" && word != "worst" {
		return o
	}
	var words []string
	if a, ok := o.Expr.(tree.Aggregate); ok {
		column, _ := a.Arg.(tree.Column)
		if i, known := e.view.ColumnOf(e.query.Select.From, column); known {
			words = e.view.Columns[i].Words
		}
	}
	switch {
	case slices.ContainsFunc(words, english.Adverse.Has):
		o.Desc = !o.Desc
	case !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(names, w) || english.Money.Has(w) }):
		end := "lowest"
		if o.Desc {
			end = "highest"
		}
		e.doubt("I took the %s to be the %s.", end, word)
	}
	return o
}

// timeOrdered returns the time by which rows are newer or older: their group where that
// is a stretch of time, the one that is listed, or the only one.
func (e *editor) timeOrdered() (tree.Expr, bool) {
	s := e.query.Select
	if len(s.Group) > 0 {
		_, isCall := s.Group[0].(tree.Call)
		return s.Group[0], isCall
	}
	found := e.pricesOrTimes(true)
	if len(found) > 1 {
		if shown := slices.DeleteFunc(slices.Clone(found), func(c tree.Column) bool { return !e.lists(c) }); len(shown) == 1 {
			found = shown
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

// columnsOf returns the columns of numbers that have one of some words in their name.
func (e *editor) columnsOf(words []string) []tree.Column {
	return e.columnsThat(func(c schema.Column) bool {
		return c.Type.Numeric() && slices.ContainsFunc(c.Words, func(w string) bool { return slices.Contains(words, w) })
	})
}

// topOfGroups asks for the first of the previous rows or groups by what is the most of
// them: "who has the most?", "which is the cheapest?".
func topOfGroups(e *editor) bool {
	m, ok := english.Groups(topOnePattern, e.text)
	if !ok || e.oneRow() || e.query.Limit != nil || e.query.Select.Distinct {
		return false
	}
	noun := strings.TrimSpace(m.Text("noun"))
	isNamed := noun == "" || english.Auxiliaries.Has(noun) || noun == "had" || e.namesGroup(noun) || len(e.query.Select.Group) == 0 && pronouns.MatchString(e.text) && e.isTable(noun)
	o, ok := e.end(m.Text("end"))
	if !ok || !isNamed {
		return false
	}
	one := int64(1)
	e.query.Order, e.query.Limit = []tree.Order{o}, &one
	return true
}

// sortFirst orders the previous rows by what a superlative is about: the cheapest first
// are those with the lowest price, the newest those with the latest time. Where they
// are ordered already it turns that order.
func sortFirst(e *editor) bool {
	m, ok := english.Groups(firstPattern, e.text)
	if !ok || e.oneRow() {
		return false
	}
	noun := strings.TrimSpace(m.Text("noun"))
	isNamed := noun == "" || e.namesGroup(noun) || e.isTable(noun) || strings.HasSuffix(noun, "ing")
	o, ok := e.end(m.Text("end"))
	if len(e.query.Order) > 0 && !ok {
		o, ok = e.query.Order[0], true
		o.Desc = isDescending(m.Text("end"))
	}
	if hidden := e.query.Select.Distinct && !e.lists(o.Expr); !ok || !isNamed || hidden {
		return false
	}
	if e.query.Limit != nil { // the first of another order would be other rows
		return len(e.query.Order) == 1 && reflect.DeepEqual(e.query.Order[0].Expr, o.Expr) && e.query.Order[0].Desc == o.Desc
	}
	e.query.Order = []tree.Order{o}
	return true
}

// pricesOrTimes returns the columns of the query's tables that hold times, or those that
// hold money: of several, what one of them costs.
func (e *editor) pricesOrTimes(times bool) []tree.Column {
	if times {
		return e.columnsThat(func(c schema.Column) bool { return c.Type.Temporal() })
	}
	found := e.moneyColumns()
	if len(found) > 1 {
		return e.columnsThat(func(c schema.Column) bool { return isMoney(c) && english.UnitPrices.Has(c.Words[len(c.Words)-1]) })
	}
	return found
}

// moneyColumns returns the columns of the query's tables that hold money.
func (e *editor) moneyColumns() []tree.Column { return e.columnsThat(isMoney) }

func isMoney(c schema.Column) bool {
	return c.Type.Numeric() && slices.ContainsFunc(c.Words, english.Money.Has)
}

// columnsThat returns the columns of the query's tables of which something is so.
func (t target) columnsThat(is func(schema.Column) bool) []tree.Column {
	var found []tree.Column
	for _, source := range t.query.Select.From {
		for _, i := range t.view.ColumnsOf(source) {
			if c := t.view.Columns[i]; is(c) {
				found = append(found, tree.Column{Source: source.Ref(), Name: c.Name})
			}
		}
	}
	return found
}

// sortRows orders the previous rows: "sort by price", "alphabetically". It leaves rows
// that were cut off alone: the first of another order would be other rows.
func sortRows(e *editor) bool {
	m, ok := english.Groups(sortPattern, e.text)
	alphabet := ok && m.Has("alphabet")
	if !ok {
		m, ok = english.Groups(byFirst, e.text)
	}
	if !ok || e.query.Limit != nil {
		return false
	}
	by, desc := m.Text("by"), e.isLast(m.Text("first"))
	if !alphabet && sortPattern.MatchString(e.text) {
		desc = desc || isDescending(m.Text("direction"))
	}
	if e.oneRow() {
		return e.sortParts(by, desc)
	}
	what, ok := e.sortedBy(by, alphabet)
	hidden := e.query.Select.Distinct && !e.lists(what)
	if !ok || hidden {
		return false
	}
	e.query.Order = []tree.Order{{Expr: what, Desc: desc}}
	return true
}

// isLast reports whether a superlative asks for the upper end to come first.
func (e *editor) isLast(word string) bool {
	up, _, _ := english.End(word)
	return up || isDescending(word) || english.LateEnds.Has(word)
}

// sortedBy returns what a phrase asks to order by: a number or column that it names, the
// number that was asked for last where it says "that", or what rows are called.
func (e *editor) sortedBy(phrase string, alphabet bool) (tree.Expr, bool) {
	numbers := aggregated(e.query.Select.Items)
	switch {
	case phrase == "" && alphabet && len(e.query.Select.Group) > 0:
		return e.query.Select.Group[0], true
	case phrase == "" && alphabet:
		label, ok := e.rowsLabel()
		return label, ok
	case (phrase == "that" || phrase == "it" || phrase == "this") && len(numbers) > 0:
		return numbers[len(numbers)-1].Expr, true
	}
	if what, ok := e.namedValue(phrase); ok {
		return what, true
	}
	if len(e.query.Select.Group) > 0 {
		return nil, false
	}
	return e.shownColumn(phrase)
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

// limitRows keeps the first of the previous rows: "only the top 3", "the three
// biggest". The top of groups without an order are those with the most.
func limitRows(e *editor) bool {
	if e.oneRow() {
		return false
	}
	if e.limitToEnd() {
		return true
	}
	m, ok := english.Groups(topPattern, e.text)
	if !ok {
		return false
	}
	n, ok := wholeNumber(m.Text("number"))
	which := m.Text("which")
	year := n > 1000 && (which == "only" || which == "just")
	if !ok || n < 1 || year {
		return false
	}
	if which == "first" {
		e.orderAsShown()
	}
	last := which == "bottom" || which == "last"
	other := which == "top" || which == "best" || last || strings.HasPrefix(which, "make")
	if e.query.Limit == nil || n < *e.query.Limit || other {
		e.query.Limit = &n
	}
	return e.orderTop(which, last)
}

// limitToEnd keeps some of the rows by what is the most of them: "the three biggest".
func (e *editor) limitToEnd() bool {
	m, ok := english.Groups(endsPattern, e.text)
	if !ok || e.query.Limit != nil || e.query.Select.Distinct {
		return false
	}
	n, isNumber := wholeNumber(m.Text("number"))
	noun := strings.TrimSpace(strings.TrimSuffix(m.Text("noun"), " only"))
	isNamed := noun == "" || e.namesGroup(noun) || e.isTable(noun) && narrowing.MatchString(e.text)
	o, found := e.end(m.Text("end"))
	if !isNumber || n < 1 || !found || !isNamed {
		return false
	}
	e.query.Order, e.query.Limit = []tree.Order{o}, &n
	return true
}

// orderTop orders rows of which the first are kept, where they have no order or the last
// of them are meant.
func (e *editor) orderTop(which string, last bool) bool {
	if len(e.query.Order) > 0 {
		for i := range e.query.Order {
			e.query.Order[i].Desc = e.query.Order[i].Desc != last
		}
		return true
	}
	if which == "first" {
		return true
	}
	if best, ok := e.measure(); ok {
		e.query.Order = []tree.Order{{Expr: best, Desc: !last}}
		return true
	}
	return which == "only" || which == "just" || strings.HasPrefix(which, "make")
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
// "descending", "and the fewest?".
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
