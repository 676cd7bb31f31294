package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
)

var (
	// needsOne says of something that it has none of what it ought to have.
	needsOne = regexp.MustCompile(`(?i)\b(?:(?:still|yet|currently) )?needs? (?:a|an) (?P<what>[a-z]+(?: [a-z]+)?)(?P<end>\W*$|\W+(?:this|next|today|tomorrow|on|in|from|before|after|by|and|or|at)\b)`)
	// saidTo says what somebody answered to something.
	saidTo = regexp.MustCompile(`(?i)\b(?:said|say|says|have said|has said) (?P<answer>yes|no) to (?:the |our |a |being on the |getting the )?(?P<what>[a-z]+)\b`)
)

// inNeeds returns the words of a text by which something needs what a column says as those by which
// it has none, where nobody filled it in for some: visits that still need a walker have no walker.
func (r Rules) inNeeds(text string) []english.Change {
	m, ok := english.Groups(needsOne, text)
	if !ok {
		return nil
	}
	what := strings.ToLower(m.Text("what"))
	for id, c := range r.Whole.Columns {
		if strings.Join(c.Words, " ") == what && r.Whole.HasNull(id) {
			start, _ := m.Span("")
			_, end := m.Span("what")
			return []english.Change{{Start: start, End: end, By: "have no " + what}}
		}
	}
	return nil
}

// inAnswers returns the words of a text by which somebody said yes or no to what a column of yes and no is called
// as those by which they have it, or not.
func (r Rules) inAnswers(text string) []english.Change {
	m, ok := english.Groups(saidTo, text)
	if !ok {
		return nil
	}
	what := strings.ToLower(m.Text("what"))
	for _, c := range r.Whole.Columns {
		if _, _, ok := c.Truth(); !ok || !slices.Contains(c.Words, what) {
			continue
		}
		start, end := m.Span("")
		by := "have the " + what
		if strings.EqualFold(m.Text("answer"), "no") {
			by = "have no " + what
		}
		return []english.Change{{Start: start, End: end, By: by}}
	}
	return nil
}
