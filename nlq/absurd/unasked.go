package absurd

import (
	"slices"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/settle/absence"
)

// excludesUnasked reports whether a reading leaves out rows that are among others,
// and the text has no word for it: nearly always the opposite of what is meant.
func (g Rules) excludesUnasked(tokens []grammar.Token) bool {
	return !absence.AsksForExclusion.MatchString(g.Text) && slices.ContainsFunc(tokens, absence.IsExclusion)
}

// negatesTwice reports whether a reading leaves out the rows of which something is
// not so, and the text says no but once: "which ships have not paid" asks for those
// that have not, not for those of which that cannot be said.
func (g Rules) negatesTwice(tokens []grammar.Token) bool {
	if len(absence.AsksForExclusion.FindAllString(g.Text, 2)) != 1 {
		return false
	}
	excluded := false
	for i, t := range tokens {
		switch {
		case absence.IsExclusion(t):
			excluded = true
		case excluded && t == absence.TruthOf["null"] && i > 0 && tokens[i-1] == ground.Equals:
			return true
		}
	}
	return false
}

// reckonedCues are the words that ask for what a symbol of the grammar reckons.
var reckonedCues = map[string]english.Set{
	"median": english.MedianCues, "percentile": english.MedianCues, "percent": english.ShareCues, "portion": english.ShareCues,
	"only": english.Compared, "change": english.Compared, "peers": english.Peers,
}

// reckonsUnasked reports whether a reading reckons what no word of the text asks for:
// the days since something where the question is how often it happened.
func (g Rules) reckonsUnasked(tokens []grammar.Token) bool {
	words := lex.Lower(lex.Tokens(g.Text))
	return slices.ContainsFunc(tokens, func(t grammar.Token) bool {
		if t.Kind != grammar.Symbol {
			return false
		}
		cues, ok := reckonedCues[t.String()]
		switch {
		case grammar.IsUnit(t.String()):
			cues, ok = english.Durations, true
		case grammar.TakesTime(t.String()):
			cues, ok = english.TimeParts, true
		}
		return ok && !slices.ContainsFunc(words, cues.Has)
	})
}
