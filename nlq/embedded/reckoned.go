package embedded

import (
	"slices"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/lex"
)

// reckonedCues are the words that ask for what a symbol of the grammar reckons.
var reckonedCues = map[string]english.Set{
	"median": english.MedianCues, "percentile": english.MedianCues, "percent": english.ShareCues, "portion": english.ShareCues,
	"only": english.Compared, "change": english.Compared, "peers": english.Peers,
}

// reckonsUnasked reports whether a reading reckons what no word of the text asks for:
// the days since something where the question is how often it happened.
func (g *grounding) reckonsUnasked(tokens []grammar.Token) bool {
	words := lex.Lower(lex.Tokens(g.text))
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
