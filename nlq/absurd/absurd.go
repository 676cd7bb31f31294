// Package absurd knows readings that nobody means: that count what there is one of, rank what only
// names rows, leave out what nobody excluded, or hold rows to what none can be. Networks propose such
// readings; none of them is run.
//
// It looks at a text, a derivation and its query, never at rows. The failure it is built around is the
// odd question that is meant all the same: each rule is silent where a word of the text asks for it.
package absurd

import (
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/tree"
)

// Rules tell which readings of one text are absurd.
type Rules struct{ *ground.Grounding }

// Of returns the rules for a text.
func Of(g *ground.Grounding) Rules { return Rules{g} }

// CannotMean reports whether nobody who says the text means a reading.
func (g Rules) CannotMean(tokens []grammar.Token, q *tree.Query) bool {
	return g.Own == 0 && g.reckonsUnasked(tokens) || g.IsAbsurd(tokens, q)
}

// IsAbsurd reports whether nobody means a reading, whatever the words of the text ask for.
func (g Rules) IsAbsurd(tokens []grammar.Token, q *tree.Query) bool {
	return g.Own == 0 && (g.excludesUnasked(tokens) || g.asksClockOfDay(tokens) || g.negatesTwice(tokens) || g.countsSingleRows(q) ||
		g.ranksNames(q) || g.endsAlphabet(q) || g.showsWhatIsSaid(q) || g.addsUpNames(q) ||
		g.addsUpForNumber(q) || g.countsWithoutTimes(q) || g.countsForDegree(q) || g.takesVerb(q) || g.testsRate(q))
}
