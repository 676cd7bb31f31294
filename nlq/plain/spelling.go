package plain

import (
	"fmt"

	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// Changed returns a text with its changes made, which are in their order.
func Changed(text string, changes []english.Change) string {
	var b strings.Builder
	at := 0
	for _, c := range changes {
		b.WriteString(text[at:c.Start])
		b.WriteString(c.By)
		at = c.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// IsQuoted reports whether a token stands in quotes.
func IsQuoted(text string, t lex.Token) bool { return strings.Count(text[:t.Start], `"`)%2 == 1 }

// IsOfData reports whether a word names something in the data, or is a value there.
func (r Rules) IsOfData(word string) bool {
	isColumn := slices.ContainsFunc(r.Whole.Columns, func(c schema.Column) bool { return strings.EqualFold(c.Name, word) })
	return isColumn || r.Whole.ColumnNamed(word) || r.Whole.HasValue(word) || r.Whole.MentionsTable(word)
}

// ReadAs is what a text says, and what it was read as.
type ReadAs struct{ Said, As string }

// Note tells what was read as what.
func (r ReadAs) Note() string { return fmt.Sprintf("I read %q as %q.", r.Said, r.As) }

// rephrased returns a text in which one word of the names and values of the data stands
// for phrases that mean the same, and which.
func (r Rules) rephrased(text string) (said string, read []ReadAs) {
	said, replaced := english.Rephrase(text, func(word string) bool {
		return r.Whole.ColumnNamed(word) || r.Whole.HasValue(word) || r.Whole.MentionsTable(word)
	})
	for _, by := range replaced {
		read = append(read, ReadAs{by[0], by[1]})
	}
	return said, read
}
