package follow

import (
	"regexp"

	"quern/english"
	"quern/tree"
)

// hasMost asks which of the rows before has the most of what a column says: "who has the most hours?".
var hasMost = regexp.MustCompile(`^` + openers + `(?:who|which one|which of ` + plural + `|who of ` + plural + `) (?:has|have|had|did|does|got|gets|gave|works?|worked)(?: the)? ` +
	`(?P<end>most|fewest|least|highest|lowest|longest|shortest|largest|biggest|smallest|greatest) (?P<what>[a-z]+(?: [a-z]+)?)$`)

// mostOf keeps the one of the rows before that has the most of what a column of theirs says. Who asks so of
// some rows hardly means all there are, but may.
func mostOf(e *editor) bool {
	s := e.query.Select
	m, ok := english.Groups(hasMost, e.text)
	if !ok || e.oneRow() || e.query.Limit != nil || s.Where == nil || s.Distinct || len(s.Group) > 0 {
		return false
	}
	column, ok := e.column(m.Text("what"))
	id, known := e.view.ColumnOf(s.From, column)
	source, shown := e.shownSource()
	if !ok || !known || !shown || column.Source != source.Ref() || !e.view.Columns[id].Type.Numeric() || e.identifies(id) {
		return false
	}
	if asksWho.MatchString(e.text) && !e.view.IsOfPeople(e.view.Columns[id].Table) {
		return false
	}
	if pronouns.FindString(e.text) == "" {
		e.doubt("I looked only among the %s of the answer before.", source.Dataset.Dataset)
	}
	up, _, _ := english.End(m.Text("end"))
	one := int64(1)
	e.query.Order, e.query.Limit = []tree.Order{{Expr: column, Desc: up, Nulls: tree.NullsLast}}, &one
	return true
}
