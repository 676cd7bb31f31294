package tally

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

// topKinds asks for the first of some things by a number that comes together over several rows.
var topKinds = regexp.MustCompile(`(?i)\b(?:top|best|biggest|largest|main|most generous)(?: (?:\d+|two|three|four|five|six|seven|eight|nine|ten))? (?P<kind>[a-z]+)\b`)

// TopKinds adds up the number by which rows are ordered for each of what the text asks for, where
// the reading shows of the first rows whose they are: the top five donors are those that gave most in
// all, each once.
func (g Rules) TopKinds(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.From) != 1 || len(s.Items) == 0 || len(s.Group) > 0 || q.Limit == nil || len(q.Order) == 0 {
		return
	}
	kind, isKind := s.Items[0].Expr.(tree.Column)
	by, isColumn := q.Order[0].Expr.(tree.Column)
	isOther := func(i tree.Item) bool { return i.Expr != tree.Expr(kind) && i.Expr != tree.Expr(by) }
	if !isKind || !isColumn || !g.asksTop(s.From, kind, by) || slices.ContainsFunc(s.Items, isOther) {
		return
	}
	total := tree.Aggregate{Func: tree.Sum, Arg: by}
	for i := range s.Items {
		if s.Items[i].Expr == tree.Expr(by) {
			s.Items[i].Expr = total
		}
	}
	s.Group, s.Distinct = []tree.Expr{kind}, false
	q.Order = []tree.Order{{Expr: total, Desc: q.Order[0].Desc, Nulls: q.Order[0].Nulls}}
	s.Where = tree.All(append(tree.Conjuncts(s.Where), tree.Not{Cond: tree.IsNull{Expr: kind}})...)
}

// asksTop reports whether the text asks for the first of what a column is called, which is that of
// several rows, by a number that adds up.
func (g Rules) asksTop(from []tree.Source, kind, by tree.Column) bool {
	m, ok := english.Groups(topKinds, g.Text)
	id, known := g.View.ColumnOf(from, kind)
	of, isKnown := g.View.ColumnOf(from, by)
	if !ok || !known || !isKnown || !ground.IsAdditive(g.View.Columns[of]) || g.View.Columns[id].Key() {
		return false
	}
	stem := english.Stem(strings.ToLower(m.Text("kind")))
	return slices.Contains(english.Stems(g.View.Columns[id].Words), stem)
}
