package absence

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/ground"
)

// AsksForExclusion are the words without which nobody means rows that are not
// among others.
var AsksForExclusion = regexp.MustCompile(`(?i)\b(?:` + english.Auxiliaries.Pattern() + `|wo|ca|would|should|must)n['’]?t\b|\b` + english.Denials.Pattern() + `\b`)

// DenyOnce returns a derivation that leaves out the rows of which something is known,
// where it leaves out those of which it is not and the text says no but once: cleaners
// who never got a complaint are not among those that have one.
func (g Rules) DenyOnce(tokens []grammar.Token) []grammar.Token {
	if len(AsksForExclusion.FindAllString(g.Text, 2)) != 1 || asksForUnknown.MatchString(g.Text) {
		return tokens
	}
	said := slices.Clone(tokens)
	excluded := false
	for i, t := range said {
		switch {
		case IsExclusion(t):
			excluded = true
		case excluded && t.Kind == grammar.Symbol && t.String() == "null":
			said[i] = ground.Token("!null")
		}
	}
	return said
}

// IsExclusion reports whether a token leaves out rows that are among others.
func IsExclusion(t grammar.Token) bool {
	return t.Kind == grammar.Symbol && slices.Contains([]string{"!in", "EXCEPT"}, t.String())
}
