package embedded

import (
	"cmp"
	"regexp"
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

// asksForNumbers are the words by which one asks for what rows are numbered by.
var asksForNumbers = english.AskNumber.Finder()

// asksWho is how one asks for the names of people.
var asksWho = regexp.MustCompile(`(?i)^who\b`)

// labelRows returns a reading that lists nothing but the numbers of rows, or all that
// is known of them where the text asks who they are, with what people call the rows
// instead, where there is such a column and the text does not ask for numbers.
func (g *grounding) labelRows(c *candidate) *candidate {
	s := c.query.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || s.Distinct || asksForNumbers.MatchString(g.text) {
		return c
	}
	star, all := s.Items[0].Expr.(tree.Star)
	shown, ok := s.Items[0].Expr.(tree.Column)
	number := all && asksWho.MatchString(g.text)
	if number {
		shown.Source = cmp.Or(star.Source, s.From[0].Ref())
	}
	if !ok && !number {
		return c
	}
	var label tree.Expr
	g.eachColumn(c, func(column tree.Column, of schema.Column, _ int) {
		switch {
		case column.Source != shown.Source:
		case column == shown:
			number = of.Key() && isNumbering(of)
		case label == nil && g.isLabel(of):
			label = column
		}
	})
	if !number || label == nil {
		return c
	}
	return g.change(c, func(q *tree.Query) { q.Select.Items[0] = tree.Item{Expr: label} })
}

// isNumbering reports whether a column is named like a number of rows.
func isNumbering(c schema.Column) bool { return slices.ContainsFunc(c.Words, english.Numbering.Has) }

// isLabel reports whether people call rows by a column: it is a name or a title,
// or is named like its dataset.
func (g *grounding) isLabel(c schema.Column) bool {
	if taught := g.view.Tables[c.Table].Label; taught != "" {
		return tree.SameName(taught, c.Name)
	}
	if c.Type != quern.Text {
		return false
	}
	words := english.Stems(c.Words)
	if len(words) == 1 && slices.Contains(english.Stems(english.Labels.Words()), words[0]) {
		return true
	}
	return slices.Equal(words, english.Stems(g.view.Tables[c.Table].Words))
}
