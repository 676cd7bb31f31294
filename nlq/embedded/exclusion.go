package embedded

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/grammar"
)

// asksForExclusion are the words without which nobody means rows that are not
// among others.
var asksForExclusion = regexp.MustCompile(`(?i)n['’]?t\b|\b` + english.Denials.Pattern() + `\b`)

// excludesUnasked reports whether a reading leaves out rows that are among others,
// and the text has no word for it: nearly always the opposite of what is meant.
func (g *grounding) excludesUnasked(tokens []grammar.Token) bool {
	return !asksForExclusion.MatchString(g.text) && slices.ContainsFunc(tokens, func(t grammar.Token) bool {
		return t.Kind == grammar.Symbol && slices.Contains([]string{"!in", "EXCEPT"}, t.String())
	})
}
