package follow

import (
	"regexp"
	"strings"

	"quern/english"
	"quern/tree"
)

// filled reads that rows have something, or lack it: "with a phone", "without an email",
// of a column that some rows have no value in.
func (e *editor) filled() []tree.Cond {
	m, ok := english.Groups(hasPattern, e.text)
	if !ok {
		return nil
	}
	column, ok := e.columnHad(m.Text("what"))
	i, known := e.view.ColumnOf(e.query.Select.From, column)
	if !ok || !known || !e.view.HasNull(i) || e.saysYes(column) {
		return nil
	}
	return e.hasOrLacks(m, tree.Not{Cond: tree.IsNull{Expr: column}})
}

// owned reads that rows of another table belong to the rows, or that none do: "with a deposit".
func (e *editor) owned() []tree.Cond {
	m, ok := english.Groups(hasPattern, e.text)
	if !ok {
		return nil
	}
	if _, isColumn := e.columnHad(m.Text("what")); isColumn {
		return nil
	}
	has, ok := e.hasRows(m.Text("what"))
	if !ok {
		return nil
	}
	return e.hasOrLacks(m, has)
}

// columnHad returns the column that a noun names, of those that are shown too.
func (e *editor) columnHad(noun string) (tree.Column, bool) {
	if column, ok := e.column(noun); ok {
		return column, true
	}
	return e.shownColumn(noun)
}

// hasOrLacks takes all words of a text that says that rows have something or lack it.
func (e *editor) hasOrLacks(m english.Match, has tree.Cond) []tree.Cond {
	e.take(0, len(e.words))
	e.lacks = exclusion.MatchString(e.text) || m.Has("no") || strings.Contains(e.text, "lack") || strings.Contains(e.text, "missing")
	if e.lacks {
		has = e.negate(has)
	}
	return []tree.Cond{has}
}

// hasRows returns the condition that rows of a table that a noun names belong to the
// previous ones.
func (e *editor) hasRows(noun string) (tree.Cond, bool) {
	for i, t := range e.view.Tables {
		if !e.isNamed(i, noun) || e.reads(i) {
			continue
		}
		return e.view.LinkedTo(e.query.Select.From[0], &tree.Query{Select: &tree.Select{
			Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{{Dataset: t.Path}}}})
	}
	return nil, false
}

// hasPattern is how one says that rows have something or lack it.
var hasPattern = regexp.MustCompile(`^` + openers + `(?:(?:only|just|which|who|of ` + plural + `|` + plural + `|the ones|ones|that|which of ` + plural + `|who of ` + plural + `),? )*` +
	`(?:do |does |did )?(?:have|has|had|with|without|lack|lacks|lacking|do not have|don't have|missing)(?P<no> no| not)?(?: an?| any| the| their)? (?P<what>[a-z][a-z -]*?)` +
	`(?: (?:on file|entered|recorded|given|assigned|filled in|known|listed|set))?(?: only)?$`)
