package embedded

import (
	"fmt"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// respelled returns a text in which words that many questions have are spelled right, and
// written out where they were typed in a hurry. What the translator knows as a word, and
// names and values of the data, stay as they are.
func (r *reader) respelled(text string) string {
	text = english.Typed(text, r.isOfData)
	var b strings.Builder
	at := 0
	for _, t := range lex.Tokens(text) {
		word := strings.ToLower(t.Text)
		right, ok := english.Respell(word)
		if !ok || word != t.Text || r.vectors.Known(word) || r.isOfData(word) {
			continue
		}
		b.WriteString(text[at:t.Start])
		b.WriteString(right)
		at = t.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// isOfData reports whether a word names something in the data, or is a value there.
func (r *reader) isOfData(word string) bool {
	isColumn := slices.ContainsFunc(r.whole.Columns, func(c schema.Column) bool { return strings.EqualFold(c.Name, word) })
	return isColumn || r.whole.ColumnNamed(word) || r.whole.HasValue(word) || r.whole.MentionsTable(word)
}

// rephrased returns a text in which one word of the names and values of the data stands
// for phrases that mean the same, and a note for each.
func (r *reader) rephrased(text string) (said string, notes []string) {
	said, replaced := english.Rephrase(text, func(word string) bool {
		return r.whole.ColumnNamed(word) || r.whole.HasValue(word) || r.whole.MentionsTable(word)
	})
	for _, by := range replaced {
		notes = append(notes, fmt.Sprintf("I read %q as %q.", by[0], by[1]))
	}
	return said, notes
}
