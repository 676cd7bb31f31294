package period

import (
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/ground"
)

// Clock returns a derivation in which no time of day is asked of a column of days, which
// have none, where a column beside it holds times of day: flights that were down for before
// eight took off before eight.
func (g Rules) Clock(tokens []grammar.Token) []grammar.Token {
	settled := make([]grammar.Token, 0, len(tokens))
	for i := 0; i < len(tokens); i++ {
		if tokens[i] == ClockOf && i+1 < len(tokens) && g.IsDay(tokens[i+1]) {
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

// ClockOf takes the time of day of a time.
var ClockOf = ground.Token("clock")

// IsDay reports whether a token is a column of days.
func (g Rules) IsDay(t grammar.Token) bool {
	return t.Kind == grammar.Column && g.View.Columns[t.ID].Type == quern.Date
}

// clockBeside returns the column of times of day in the dataset of another column: the only one,
// the only one that the text points to, or the only one that says when something began.
func (g Rules) clockBeside(column int) (clock int, ok bool) {
	var all, pointed, begin []int
	t := g.View.Tables[g.View.Columns[column].Table]
	for id := t.First; id < t.First+t.Len; id++ {
		c := &g.View.Columns[id]
		if !c.HoldsClocks() {
			continue
		}
		all = append(all, id)
		if g.Accounts().Points(id) {
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
