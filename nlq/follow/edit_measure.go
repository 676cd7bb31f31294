package follow

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/tree"
)

var (
	// measureLead is what stands before a number that is asked for instead.
	measureLead = `(?:` + english.Openers.With(english.Suggestions).Pattern() + ` |(?:show|give|tell)(?: me| us)? |the same (?:for|with) |` +
		`what(?:'s| is| was| are| were) )*(?P<of>the |their |its |his |her |in |on )?`
	// instead is what is asked for no more: "instead of the number".
	insteadOf      = `(?: instead(?: of (?:the )?.+)?)?`
	measurePattern = regexp.MustCompile(`^` + measureLead + `(?P<function>` + english.Functions.Pattern() + `)(?: value)?` +
		`(?: of (?:` + theRows + `|that|it|this))?(?: of)?(?: (?:the |their |its )?(?P<column>[a-z].*?))?` + insteadOf + `$`)
	numberPattern = regexp.MustCompile(`^` + measureLead + `(?:number|count)(?: of (?P<noun>[a-z].*?))?` + insteadOf + `$`)
	// howManyPattern counts something of the rows before: "how many units is that?".
	howManyPattern = regexp.MustCompile(`^` + openers + `(?:on |in |for )?how many (?P<noun>[a-z].*?)` +
		`(?P<that> (?:is|was|are|were|does|do) (?:that|this|` + plural + `)(?: make| come to)?)?(?: ` + english.Totals.Pattern() + `)*$`)
	onAveragePattern = regexp.MustCompile(`^` + asides + `(?:(?:per|for each|for every|for one) (?P<noun>[a-z]+) )?on average$`)
	comesToPattern   = regexp.MustCompile(`^` + openers + `(?:how much (?:is|was|are|were|do|does|did) (?:that|this|` +
		`(?:it|all of ` + plural + `|` + plural + `)(?: all)? ` + english.Totalling.With(english.Totals).Pattern() + `)|` +
		`what (?:is|was|are|were|do|does|did) (?:it|that|this|all of ` + plural + `|` + plural + `)(?: all)? ` + english.Totalling.Pattern() + `)` +
		`(?: ` + english.Totals.Pattern() + `)*$`)
	howMuchPattern = regexp.MustCompile(`^` + openers + `how much (?:(?:is|are|was|were|do|does|did|have|has|had) (?:that|they|it|these|those|we|he|she) )?` +
		`(?:(?:is|are|was|were) )?(?P<verb>[a-z]+)(?: us| you)?(?: ` + english.Totals.Pattern() + `)*$`)
	percentPattern = regexp.MustCompile(`^` + openers + `(?:what|which) ` + english.Shares.Pattern() + `(?: of (?:all )?(?:the )?(?P<noun>[a-z ]+?))? ` +
		`(?:is|are|was|were) (?:that|this|it|` + plural + `)$`)
	eachEnd = regexp.MustCompile(` (?:(?:for|in|per|of|from|by|on) )?(?:each|every)(?: one)?(?P<noun> [a-z]+)?(?: of ` + plural + `)?$`)
)

// changeMeasure makes another number of the same rows: "and the average?", "the number
// of jobs instead", "what percentage of all orders is that?".
func changeMeasure(e *editor) bool {
	s := e.query.Select
	each, ok := e.cutEach()
	if !ok || e.query.Limit != nil || s.Distinct {
		return false
	}
	if m, ok := english.Groups(percentPattern, e.text); ok && !each {
		return e.shareOfAll(m.Text("noun"))
	}
	number, whole, ok := e.numberAsked(each)
	if !ok || !e.readOnce(number) {
		return false
	}
	if whole && !each && s.Having == nil {
		return e.showOne(number)
	}
	groups := slices.DeleteFunc(slices.Clone(s.Items), func(i tree.Item) bool { return !e.isGroup(i) })
	if slices.ContainsFunc(s.Items, func(i tree.Item) bool { return reflect.DeepEqual(i.Expr, number) }) && len(groups)+1 == len(s.Items) {
		return false // it is what is shown
	}
	s.Items = append(groups, tree.Item{Expr: number})
	e.query.Order = slices.DeleteFunc(e.query.Order, func(o tree.Order) bool { return HasAggregate(tree.Item{Expr: o.Expr}) })
	if len(s.Group) == 0 {
		e.query.Order = nil
	}
	return true
}

// cutEach cuts "for each" off the end of the follow-up. ok is false when there are no
// groups, or others than it names.
func (e *editor) cutEach() (each, ok bool) {
	m, each := english.Groups(eachEnd, e.text)
	if !each {
		return false, true
	}
	start, _ := m.Span("")
	e.text = e.text[:start]
	noun := strings.TrimSpace(m.Text("noun"))
	grouped := len(e.query.Select.Group) > 0 || e.groupByRows()
	return true, grouped && (noun == "" || e.namesGroup(noun))
}

// namesGroup reports whether a noun names what the rows are grouped by.
func (e *editor) namesGroup(noun string) bool {
	return slices.ContainsFunc(e.query.Select.Group, func(g tree.Expr) bool {
		switch g := g.(type) {
		case tree.Column:
			i, ok := e.view.ColumnOf(e.query.Select.From, g)
			table := ok && e.isNamed(e.view.Columns[i].Table, noun) && e.view.Columns[i].Key()
			return ok && named(e.view.Columns[i], nameStems(noun)) != notAtAll || table
		case tree.Call:
			return periodFunctions[english.Singular(noun)] == g.Func
		}
		return false
	})
}

// readOnce reports whether each row that a number is made of is read once: a join may
// repeat the rows of one table for every row of another.
func (e *editor) readOnce(number tree.Expr) bool {
	a, _ := number.(tree.Aggregate)
	column, ok := a.Arg.(tree.Column)
	if !ok || len(e.query.Select.From) == 1 || a.Func == tree.Min || a.Func == tree.Max {
		return true
	}
	counted, ok := countedSource(e.view, e.query.Select)
	return ok && counted.Ref() == column.Source
}

// isGroup reports whether an item says which group a row is, and is no number of it.
func (e *editor) isGroup(i tree.Item) bool {
	if a, ok := i.Expr.(tree.Aggregate); ok && a.Func == tree.Any {
		return true
	}
	return slices.ContainsFunc(e.query.Select.Group, func(g tree.Expr) bool { return reflect.DeepEqual(g, i.Expr) })
}

// numberAsked returns the number that a follow-up asks for; whole says that it is of
// all the rows, whatever groups they are in.
func (e *editor) numberAsked(each bool) (number tree.Expr, whole, ok bool) {
	if m, ok := english.Groups(measurePattern, e.text); ok {
		if e.text == m.Text("function") && !e.oneRow() && len(e.query.Select.Group) == 0 {
			return nil, false, false
		}
		column, found := e.measured(m.Text("column"))
		number = tree.Aggregate{Func: tree.Func(english.FunctionOf(m.Text("function"))), Arg: column}
		return number, isPossessive(m.Text("of")), found
	}
	if onAveragePattern.MatchString(e.text) {
		column, ok := e.measuredColumn()
		return tree.Aggregate{Func: tree.Avg, Arg: column}, false, ok
	}
	if m, ok := english.Groups(numberPattern, e.text); ok && (e.instead || m.Has("of") || openingWords.MatchString(e.text)) {
		number, ok = e.counted(m.Text("noun"))
		return number, isPossessive(m.Text("of")), ok
	}
	if m, ok := english.Groups(howManyPattern, e.text); ok && (each || m.Has("that")) {
		number, ok = e.counted(m.Text("noun"))
		return number, false, ok
	}
	if comesToPattern.MatchString(e.text) && !e.oneRow() {
		column, ok := e.measured("")
		return tree.Aggregate{Func: tree.Sum, Arg: column}, true, ok
	}
	if m, ok := english.Groups(howMuchPattern, e.text); ok {
		column, ok := e.money(m.Text("verb"))
		return tree.Aggregate{Func: tree.Sum, Arg: column}, false, ok
	}
	return nil, false, false
}

func isPossessive(word string) bool { return english.Possessives.Has(strings.TrimSpace(word)) }

// measured returns the column of numbers that a phrase names, or when it is empty the
// one that the previous numbers are of, or the only one that there is.
func (e *editor) measured(phrase string) (tree.Column, bool) {
	column, ok := e.measuredColumn()
	if phrase != "" && !english.RowNouns.Has(phrase) {
		if column, ok = e.shownColumn(phrase); !ok && english.Money.Has(phrase) {
			found := e.moneyColumns()
			column, ok = first(found), len(found) == 1
		}
	} else if !ok && !HasAggregate(e.query.Select.Items...) {
		column, ok = e.onlyNumber()
	}
	i, known := e.view.ColumnOf(e.query.Select.From, column)
	return column, ok && known && e.view.Columns[i].Type.Numeric()
}

// first returns the first of some columns, if there is one.
func first(columns []tree.Column) (c tree.Column) {
	if len(columns) > 0 {
		c = columns[0]
	}
	return c
}

// counted returns the number that "how many" asks for with a noun: of rows where it
// names them, the sum of a column of numbers where it names that.
func (e *editor) counted(noun string) (tree.Expr, bool) {
	if noun == "" || noun == "times" || e.isTable(noun) || english.RowNouns.Has(noun) || e.isConstrained(noun) {
		return rowCount, true
	}
	column, ok := e.summed(noun)
	return tree.Aggregate{Func: tree.Sum, Arg: column}, ok
}

// isConstrained reports whether a noun is a word of the name of a column of yes and no
// that a condition is about: the reminders, where one was sent.
func (e *editor) isConstrained(noun string) bool {
	return slices.ContainsFunc(tree.Conjuncts(e.query.Select.Where), func(c tree.Cond) bool {
		column, ok := condSubject(c).(tree.Column)
		i, known := e.view.ColumnOf(e.query.Select.From, column)
		return ok && known && e.saysYes(column) && named(e.view.Columns[i], nameStems(noun)) != notAtAll
	})
}

// summed returns the column of numbers that can be added up which a noun names.
func (e *editor) summed(noun string) (tree.Column, bool) {
	column, ok := e.column(noun)
	i, known := e.view.ColumnOf(e.query.Select.From, column)
	return column, ok && known && e.view.Columns[i].Type.Numeric() && !e.identifies(i) && !english.Unsummed.Has(noun)
}

// money returns the column of what is paid: the one that a verb names, or the only one
// of money, which is a guess.
func (e *editor) money(verb string) (tree.Column, bool) {
	if column, ok := e.column(verb); ok {
		i, known := e.view.ColumnOf(e.query.Select.From, column)
		return column, known && e.view.Columns[i].Type.Numeric()
	}
	found := e.pricesOrTimes(false)
	var by []tree.Column
	for _, c := range e.moneyColumns() {
		if i, ok := e.view.ColumnOf(e.query.Select.From, c); ok && slices.ContainsFunc(e.view.Columns[i].Words, func(w string) bool {
			return english.Stem(w) == english.Stem(verb)
		}) {
			by = append(by, c)
		}
	}
	if len(by) == 1 {
		return by[0], true
	}
	if len(found) != 1 || !english.Earning.Has(verb) && !english.Totalling.Has(verb) {
		return tree.Column{}, false
	}
	e.doubt("I took %q to be about the column %s.", verb, found[0].Name)
	return found[0], true
}

// doubt says why the outcome is to be doubted.
func (e *editor) doubt(format string, values ...any) {
	e.doubts = append(e.doubts, fmt.Sprintf(format, values...))
}

// shareOfAll asks how much of all rows those of the previous count are.
func (e *editor) shareOfAll(noun string) bool {
	s := e.query.Select
	if len(s.Items) != 1 || !e.lists(rowCount) || s.Where == nil || len(s.Group) > 0 || noun != "" && !e.isTable(noun) && !english.RowNouns.Has(noun) {
		return false
	}
	s.Items, s.Where = []tree.Item{{Expr: tree.Share{Where: s.Where}}}, nil
	return true
}

// measuredColumn returns the one column that the previous numbers are of.
func (e *editor) measuredColumn() (tree.Column, bool) {
	var found []tree.Column
	for _, i := range e.query.Select.Items {
		a, ok := i.Expr.(tree.Aggregate)
		if !ok || a.Func == tree.Any {
			continue
		}
		column, ok := a.Arg.(tree.Column)
		if !ok {
			return tree.Column{}, false
		}
		found = append(found, column)
	}
	if len(found) != 1 {
		return tree.Column{}, false
	}
	return found[0], true
}
