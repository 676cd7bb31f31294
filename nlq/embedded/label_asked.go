package embedded

import (
	"slices"

	"quern"
	"quern/english"
	"quern/tree"
)

// nameAsked shows what rows are called where the text asks which of them and the reading shows a
// text that several of them share and no word names: which house is dearest is no street.
func (g *grounding) nameAsked(q *tree.Query) {
	s := q.Select
	m, ok := english.Groups(whichAsked, g.text)
	if !ok || len(s.Items) != 1 || len(s.Group) > 1 {
		return
	}
	shown, isColumn := s.Items[0].Expr.(tree.Column)
	id, known := g.view.ColumnOf(s.From, shown)
	if !isColumn || !known || g.timesNamed(id) > 0 {
		return
	}
	of := g.view.Columns[id]
	t := g.view.Tables[of.Table]
	labels := g.view.LabelsOf(of.Table)
	isRows := len(t.Words) > 0 && english.Stem(t.Words[len(t.Words)-1]) == english.Stem(m.Text("what"))
	if !isRows || of.Type != quern.Text || of.Key() || len(labels) == 0 || slices.Contains(labels, id) || isSaid(s.Where, tree.Column{Source: shown.Source, Name: g.view.Columns[labels[0]].Name}) {
		return
	}
	key, hasKey := g.view.KeyOf(of.Table)
	if len(s.Group) == 1 && (s.Group[0] != tree.Expr(shown) || !hasKey) {
		return
	}
	s.Items, s.Distinct = nil, false
	for _, label := range labels {
		var name tree.Expr = tree.Column{Source: shown.Source, Name: g.view.Columns[label].Name}
		if len(s.Group) == 1 {
			name = tree.Aggregate{Func: tree.Any, Arg: name}
		}
		s.Items = append(s.Items, tree.Item{Expr: name})
	}
	if len(s.Group) == 1 {
		s.Group = []tree.Expr{tree.Column{Source: shown.Source, Name: g.view.Columns[key].Name}}
	}
}
