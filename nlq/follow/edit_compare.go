package follow

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq"
	"quern/nlq/lex"
	"quern/tree"
)

// comparePattern asks how far a number is from that of other rows: "how much more is
// that than in 2023?".
var comparePattern = regexp.MustCompile(`^` + openers + `(?:how (?:many|much) |what's the difference |by how (?:many|much) )` +
	`(?:(?P<up>more|higher|larger|greater|longer)|(?P<down>fewer|less|lower|smaller|shorter)) (?:is|was|are|were) (?:that|this|it|` + plural +
	`) (?:than|compared to|compared with) (?P<other>.+)$`)

// compareRows takes the previous number and the same of other rows from each other.
func compareRows(e *editor) bool {
	m, ok := english.Groups(comparePattern, e.text)
	s := e.query.Select
	if !ok || len(s.Items) != 1 || len(s.Group) > 0 || e.query.Limit != nil {
		return false
	}
	number, ok := s.Items[0].Expr.(tree.Aggregate)
	other := newEditor(e.view, nlq.Turn{Question: e.previous, Query: e.query}, lex.Tokens(m.Text("other")), e.now)
	other.text = m.Text("other")
	said := other.conditions()
	if !ok || number.Where != nil || len(said) != 1 || len(said[0]) != 1 || !other.understoodAll() {
		return false
	}
	c := said[0][0]
	conds := tree.Conjuncts(s.Where)
	own := slices.DeleteFunc(slices.Clone(conds), func(o tree.Cond) bool { return !replaces(c, o) })
	shared := slices.DeleteFunc(slices.Clone(conds), func(o tree.Cond) bool { return replaces(c, o) })
	if len(own) == 0 {
		return false // it has the other rows in it
	}
	before, now := number, number
	before.Where, now.Where = c, tree.All(own...)
	if m.Has("down") {
		before, now = now, before
	}
	s.Items, s.Where = []tree.Item{{Expr: tree.Arith{Op: '-', Left: now, Right: before}}}, tree.All(shared...)
	e.score, e.doubts = min(e.score, other.score), append(e.doubts, other.doubts...)
	return true
}
