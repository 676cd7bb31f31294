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
	return !asksForExclusion.MatchString(g.text) && slices.ContainsFunc(tokens, isExclusion)
}

// negatesTwice reports whether a reading leaves out the rows of which something is
// not so, and the text says no but once: "which ships have not paid" asks for those
// that have not, not for those of which that cannot be said.
func (g *grounding) negatesTwice(tokens []grammar.Token) bool {
	if len(asksForExclusion.FindAllString(g.text, 2)) != 1 {
		return false
	}
	excluded := false
	for i, t := range tokens {
		switch {
		case isExclusion(t):
			excluded = true
		case excluded && t == truthOf["null"] && i > 0 && tokens[i-1] == equals:
			return true
		}
	}
	return false
}

// isExclusion reports whether a token leaves out rows that are among others.
func isExclusion(t grammar.Token) bool {
	return t.Kind == grammar.Symbol && slices.Contains([]string{"!in", "EXCEPT"}, t.String())
}
