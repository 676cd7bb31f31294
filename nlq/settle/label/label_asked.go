package label

import (
	"regexp"
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

// nameAsked shows what rows are called where the text asks which of them and the reading shows a
// text that several of them share and no word names: which house is dearest is no street.
func (g Rules) nameAsked(q *tree.Query) {
	s := q.Select
	if len(s.Items) != 1 || len(s.Group) > 1 {
		return
	}
	shown, isColumn := s.Items[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(s.From, shown)
	if !isColumn || !known || !g.isShownInstead(id) {
		return
	}
	of := g.View.Columns[id].Table
	labels := g.View.LabelsOf(of)
	key, hasKey := g.View.KeyOf(of)
	isOther := len(s.Group) == 1 && (s.Group[0] != tree.Expr(shown) || !hasKey)
	if len(labels) == 0 || slices.Contains(labels, id) || isOther || ground.IsSaid(s.Where, tree.Column{Source: shown.Source, Name: g.View.Columns[labels[0]].Name}) {
		return
	}
	s.Items, s.Distinct = nil, false
	for _, label := range labels {
		var name tree.Expr = tree.Column{Source: shown.Source, Name: g.View.Columns[label].Name}
		if len(s.Group) == 1 {
			name = tree.Aggregate{Func: tree.Any, Arg: name}
		}
		s.Items = append(s.Items, tree.Item{Expr: name})
	}
	if len(s.Group) == 1 {
		s.Group = []tree.Expr{tree.Column{Source: shown.Source, Name: g.View.Columns[key].Name}}
	}
}

// asksFurther is how one says behind a question what is to be shown: which party? Give me its
// address.
var asksFurther = regexp.MustCompile(`(?i)[.?!;] *(?:please )?(?:give|list|show|return|tell|find)\b`)

// isShownInstead reports whether a column of texts that several rows share stands for rows that
// the text asks which of, and no word names it.
func (g Rules) isShownInstead(column int) bool {
	m, ok := english.Groups(ground.WhichAsked, g.Text)
	of := g.View.Columns[column]
	t := g.View.Tables[of.Table]
	isRows := ok && len(t.Words) > 0 && english.Stem(t.Words[len(t.Words)-1]) == english.Stem(m.Text("what"))
	return isRows && of.Type == quern.Text && !of.Key() && g.TimesNamed(column) == 0 && !asksFurther.MatchString(g.Text)
}
