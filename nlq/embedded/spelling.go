package embedded

import (
	"strings"

	"quern/english"
	"quern/nlq/lex"
)

// respelled returns a text in which words that many questions have are spelled right.
// What the translator knows as a word, and names and values of the data, stay as they are.
func (r *reader) respelled(text string) string {
	var b strings.Builder
	at := 0
	for _, t := range lex.Tokens(text) {
		word := strings.ToLower(t.Text)
		right, ok := english.Respell(word)
		if !ok || word != t.Text || r.vectors.Known(word) || r.whole.ColumnNamed(word) || r.whole.HasValue(word) || r.whole.MentionsTable(word) {
			continue
		}
		b.WriteString(text[at:t.Start])
		b.WriteString(right)
		at = t.End
	}
	b.WriteString(text[at:])
	return b.String()
}
