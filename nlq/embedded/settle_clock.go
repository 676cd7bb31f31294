package embedded

import (
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/grammar"
)

// settleClock returns a derivation in which no time of day is asked of a column of days, which
// have none, where a column beside it holds times of day: flights that were down for before
// eight took off before eight.
func (g *grounding) settleClock(tokens []grammar.Token) []grammar.Token {
	settled := make([]grammar.Token, 0, len(tokens))
	for i := 0; i < len(tokens); i++ {
		if tokens[i] == clockOf && i+1 < len(tokens) && g.isDay(tokens[i+1]) {
			if at, ok := g.clockBeside(tokens[i+1].ID); ok {
				settled = append(settled, grammar.Token{Kind: grammar.Column, ID: at})
				i++
				continue
			}
		}
		settled = append(settled, tokens[i])
	}
	return settled
}

// clockOf takes the time of day of a time.
var clockOf = token("clock")

// isDay reports whether a token is a column of days.
func (g *grounding) isDay(t grammar.Token) bool {
	return t.Kind == grammar.Column && g.view.Columns[t.ID].Type == quern.Date
}

// clockBeside returns the column of times of day in the dataset of another column: the only one,
// the only one that the text points to, or the only one that says when something began.
func (g *grounding) clockBeside(column int) (clock int, ok bool) {
	var all, pointed, begin []int
	t := g.view.Tables[g.view.Columns[column].Table]
	for id := t.First; id < t.First+t.Len; id++ {
		c := &g.view.Columns[id]
		if !c.HoldsClocks() {
			continue
		}
		all = append(all, id)
		if g.accounts().Points(id) {
			pointed = append(pointed, id)
		}
		if slices.ContainsFunc(c.Words, english.TimeStarts.Has) {
			begin = append(begin, id)
		}
	}
	for _, some := range [][]int{pointed, all, begin} {
		if len(some) == 1 {
			return some[0], true
		}
	}
	return 0, false
}

// asksClockOfDay reports whether a derivation asks a column of days for a time of day.
func (g *grounding) asksClockOfDay(tokens []grammar.Token) bool {
	for i := range tokens[:max(0, len(tokens)-1)] {
		if tokens[i] == clockOf && g.isDay(tokens[i+1]) {
			return true
		}
	}
	return false
}
