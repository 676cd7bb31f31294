package amount

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

// Adjective turns the order of a reading round where the text has an adjective
// that is taught to mean the other end of the column.
func (g Rules) Adjective(q *tree.Query) {
	if q.Select == nil || len(q.Order) == 0 {
		return
	}
	column, ok := q.Order[0].Expr.(tree.Column)
	if !ok {
		return
	}
	id, ok := g.View.ColumnOf(q.Select.From, column)
	if !ok {
		return
	}
	for _, a := range g.View.Columns[id].Adjectives {
		word, opposite := saysDegree(g.Text, a.Word), saysDegree(g.Text, a.Opposite)
		if word == opposite {
			continue
		}
		least := regexp.MustCompile(`(?i)\bleast\s+` + regexp.QuoteMeta(a.Word) + `\b`).MatchString(g.Text)
		q.Order[0].Desc = (a.Highest == word) != least
	}
}

// saysDegree reports whether a text has an adjective in some degree.
func saysDegree(text, adjective string) bool {
	words := lex.Lower(lex.Tokens(text))
	return slices.ContainsFunc(english.Degrees(adjective), func(form string) bool { return slices.Contains(words, form) })
}
