package embedded

import (
	"regexp"
	"slices"

	"quern"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// numbered are the words by which one asks for what rows are numbered by.
var numbered = regexp.MustCompile(`(?i)\b(ids?|identi\w+|numbers?|nos?|nr|codes?|keys?|refs?|references?|tags?)\b`)

// titled gives a reading that lists nothing but the numbers of rows with what
// people call the rows instead, where there is such a column and the question does
// not ask for numbers.
func (r *reader) titled(c *candidate) *candidate {
	s := c.query.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || s.Distinct || numbered.MatchString(r.question.Text) {
		return c
	}
	shown, ok := s.Items[0].Expr.(tree.Column)
	if !ok {
		return c
	}
	var number bool
	var title tree.Expr
	r.each(c, func(column tree.Column, of schema.Column, _ int) {
		switch {
		case column.Source != shown.Source:
		case column == shown:
			number = of.Key() && numbers(of)
		case title == nil && r.isTitle(of):
			title = column
		}
	})
	if !number || title == nil {
		return c
	}
	return r.changed(c, func(q *tree.Query) { q.Select.Items[0] = tree.Item{Expr: title} })
}

// numbers reports whether a column is named like a number of rows.
func numbers(c schema.Column) bool {
	return slices.ContainsFunc(c.Words, func(w string) bool { return w == "id" || w == "number" || w == "code" })
}

// isTitle reports whether people call rows by a column: it is a name or a title,
// or is named like its dataset.
func (r *reader) isTitle(c schema.Column) bool {
	words := lex.Stems(c.Words)
	return c.Type == quern.Text &&
		(slices.Equal(words, []string{lex.Stem("name")}) || slices.Equal(words, []string{lex.Stem("title")}) || slices.Equal(words, lex.Stems(r.schema.Tables[c.Table].Words)))
}
