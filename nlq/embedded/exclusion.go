package embedded

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/grammar"
)

// asksForExclusion are the words without which nobody means rows that are not
// among others.
var asksForExclusion = regexp.MustCompile(`(?i)\b(?:` + english.Auxiliaries.Pattern() + `|wo|ca|would|should|must)n['’]?t\b|\b` + english.Denials.Pattern() + `\b`)

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

// denyOnce returns a derivation that leaves out the rows of which something is known,
// where it leaves out those of which it is not and the text says no but once: cleaners
// who never got a complaint are not among those that have one.
func (g *grounding) denyOnce(tokens []grammar.Token) []grammar.Token {
	if len(asksForExclusion.FindAllString(g.text, 2)) != 1 || asksForUnknown.MatchString(g.text) {
		return tokens
	}
	said := slices.Clone(tokens)
	excluded := false
	for i, t := range said {
		switch {
		case isExclusion(t):
			excluded = true
		case excluded && t.Kind == grammar.Symbol && t.String() == "null":
			said[i] = token("!null")
		}
	}
	return said
}

// isExclusion reports whether a token leaves out rows that are among others.
func isExclusion(t grammar.Token) bool {
	return t.Kind == grammar.Symbol && slices.Contains([]string{"!in", "EXCEPT"}, t.String())
}
