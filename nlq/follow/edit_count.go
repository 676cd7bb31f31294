package follow

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

var (
	// countTail is what may stand behind "how many" and say nothing of what is counted.
	countTail = `(?: (?:is|are|was|were|do|does|makes?|left|that|there|it|this|we have|of ` + plural + `|` + plural + `|` +
		english.Totals.Pattern() + `|` + english.Asides.Pattern() + `))*`
	countPattern = regexp.MustCompile(`^` + openers + `(?:how many|count)` + countTail + `$`)
	// countNounPattern counts by a noun: "how many people is that?".
	countNounPattern = regexp.MustCompile(`^` + openers + `how many (?P<noun>[a-z][a-z -]*?) (?:is|are|was|were|does|do) (?:that|this|it|` +
		plural + `)` + countTail + `$`)
	oftenPattern = regexp.MustCompile(`^` + openers + english.HowOften.Pattern() + `(?: (?:is|was|did) (?:that|it|this)(?: happen)?)?$`)
	// countsRows is how one asks for the number of rows behind another number.
	countsRows = regexp.MustCompile(`\b(?:there|` + plural + `)\b`)
)

// rowCount is how many rows there are.
var rowCount = tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}

// countRows asks how many rows the previous query has: "how many is that?", "how many
// people are those?".
func countRows(e *editor) bool {
	if oftenPattern.MatchString(e.text) {
		return e.countOften()
	}
	if countPattern.MatchString(e.text) {
		return e.countAll()
	}
	m, ok := english.Groups(countNounPattern, e.text)
	if !ok {
		return false
	}
	noun := m.Text("noun")
	if _, isNumber := e.summed(noun); isNumber {
		return false
	}
	switch {
	case english.People.Has(noun) || english.RowNouns.Has(noun):
		return e.countAll()
	case e.isTable(noun):
		return e.countBehind()
	}
	return false
}

// firstOf returns the number of rows by which the previous query takes the first group; ok is
// false when it takes none, or shows that number.
func (e *editor) firstOf() (number tree.Expr, ok bool) {
	q := e.query
	if q.Limit == nil || *q.Limit != 1 || len(q.Select.Group) == 0 || len(q.Order) == 0 {
		return nil, false
	}
	a, isAggregate := q.Order[0].Expr.(tree.Aggregate)
	return a, isAggregate && a.Func == tree.Count && !e.lists(a)
}

// countAll counts the rows of the previous query as they are shown.
func (e *editor) countAll() bool {
	s := e.query.Select
	if share, ok := s.Items[0].Expr.(tree.Share); ok && len(s.Items) == 1 {
		s.Where = addConds(s.Where, tree.Conjuncts(share.Where)...)
		return e.showOne(rowCount)
	}
	if e.oneRow() {
		if e.lists(rowCount) {
			return !countsRows.MatchString(e.text) // the number itself is asked for again
		}
		return countsRows.MatchString(e.text) && e.showOne(rowCount)
	}
	if s.Having != nil && strings.HasSuffix(e.text, " exactly") {
		return e.showBound()
	}
	if number, ok := e.firstOf(); ok {
		s.Items = append(s.Items, tree.Item{Expr: number})
		return true
	}
	if e.query.Limit != nil || s.Having != nil {
		return e.countShown()
	}
	switch {
	case len(s.Group) == 1:
		return e.showOne(tree.Aggregate{Func: tree.Count, Distinct: true, Arg: s.Group[0]})
	case len(s.Group) > 1:
		return false
	case s.Distinct && len(s.Items) == 1:
		return e.showOne(tree.Aggregate{Func: tree.Count, Distinct: true, Arg: e.named(s.Items[0].Expr)})
	case s.Distinct:
		return false
	}
	return e.showOne(rowCount)
}

// named returns what tells apart the rows that a value is the name of, where several have that name and
// the question before asked for them: eight bikes of six models are eight.
func (e *editor) named(value tree.Expr) tree.Expr {
	column, ok := value.(tree.Column)
	id, known := e.view.ColumnOf(e.query.Select.From, column)
	if !ok || !known {
		return value
	}
	c := e.view.Columns[id]
	key, hasKey := e.view.KeyOf(c.Table)
	m, asks := english.Groups(askedRows, e.previous)
	said := english.Stems(lex.Words(e.previous, nil))
	isSaid := slices.ContainsFunc(english.Stems(c.Words), func(w string) bool { return slices.Contains(said, w) })
	if !hasKey || c.Key() || !asks || e.view.Mention(m.Text("what"), c.Table) != 0 || isSaid {
		return value
	}
	return tree.Column{Source: column.Source, Name: e.view.Columns[key].Name}
}

// askedRows asks for rows by what they are.
var askedRows = regexp.MustCompile(`(?i)^\W*(?:and |so |now )?(?:(?:which|what|list|show|name)(?: me)?(?: all)?(?: the| our| my)?) (?P<what>\w+)`)

// showBound shows the number of each group that a condition chose the groups by: "how
// many exactly?", behind who has more than three.
func (e *editor) showBound() bool {
	number := condSubject(e.query.Select.Having)
	if number == nil || !HasAggregate(tree.Item{Expr: number}) {
		return false
	}
	if !e.lists(number) {
		e.query.Select.Items = append(e.query.Select.Items, tree.Item{Expr: number})
	}
	return true
}

// countBehind counts the rows that a number was made of, or those that are listed.
func (e *editor) countBehind() bool {
	if e.oneRow() && !e.lists(rowCount) && e.query.Limit == nil && e.query.Select.Having == nil {
		return e.showOne(rowCount)
	}
	return e.countAll()
}

// countOften counts how many times something was so: the rows behind values that are
// shown once, or those that a condition lists values of. How often somebody was there
// is how many visits there were, not how many people.
func (e *editor) countOften() bool {
	if e.query.Limit != nil || e.query.Select.Having != nil {
		return false
	}
	conds := tree.Conjuncts(e.query.Select.Where)
	if len(conds) == 1 {
		if in, ok := conds[0].(tree.In); ok && in.Query != nil && in.Query.Select != nil {
			e.query = in.Query
		}
	}
	e.query.Select.Group = nil
	return e.showOne(rowCount)
}

// countShown counts rows that were cut off, or groups that a condition chose: those of
// their table that are among them.
func (e *editor) countShown() bool {
	if len(e.query.Select.Group) > 0 {
		return e.countGroups()
	}
	rows, ok := RowsOf(e.view, e.query, e.previous)
	if !ok || rows.Nested {
		return false
	}
	source := tree.Source{Dataset: rows.Source.Dataset}
	conds, ok := rows.membership(source.Ref())
	if !ok {
		return false
	}
	e.query = &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: rowCount}}, From: []tree.Source{source}, Where: tree.All(conds...)}}
	return true
}

// countGroups counts the groups that a condition chose, or that were not cut off.
func (e *editor) countGroups() bool {
	s := e.query.Select
	by, ok := s.Group[0].(tree.Column)
	at := slices.IndexFunc(s.From, func(source tree.Source) bool { return source.Ref() == by.Source })
	if !ok || len(s.Group) > 1 || at < 0 || s.From[at].Alias != "" && s.From[at].Alias != s.From[at].Dataset.Dataset {
		return false
	}
	inner := tree.Clone(e.query)
	inner.Select.Items = []tree.Item{{Expr: by}}
	if inner.Limit == nil {
		inner.Order = nil
	}
	e.query = &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Aggregate{Func: tree.Count, Distinct: true, Arg: by}}},
		From:  []tree.Source{{Dataset: s.From[at].Dataset, Alias: s.From[at].Alias}}, Where: tree.In{Expr: by, Query: inner}}}
	return true
}

// showOne makes the previous query show one number of its rows.
func (e *editor) showOne(number tree.Expr) bool {
	s := e.query.Select
	s.Items, s.Group, s.Distinct = []tree.Item{{Expr: number}}, nil, false
	e.query.Order = nil
	return true
}
