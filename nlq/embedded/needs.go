package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
)

// needsOne says of something that it has none of what it ought to have.
var needsOne = regexp.MustCompile(`(?i)\b(?:(?:still|yet|currently) )?needs? (?:a|an) (?P<what>[a-z]+)(?P<end>\W*$|\W+(?:this|next|today|tomorrow|on|in|from|before|after|by|and|or|at)\b)`)

// inNeeds returns the words of a text by which something needs what a column says as those by which
// it has none, where nobody filled it in for some: visits that still need a walker have no walker.
func (r *reader) inNeeds(text string) []english.Change {
	m, ok := english.Groups(needsOne, text)
	if !ok {
		return nil
	}
	what := strings.ToLower(m.Text("what"))
	for id, c := range r.whole.Columns {
		if slices.Equal(c.Words, []string{what}) && r.whole.HasNull(id) {
			start, _ := m.Span("")
			_, end := m.Span("what")
			return []english.Change{{Start: start, End: end, By: "have no " + what}}
		}
	}
	return nil
}
