package period

import (
	"slices"

	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/lex"
)

// Bounds returns a derivation whose numbers and dates are compared as the words
// behind them say: a queen from 2022 or earlier is of 2022 at the latest.
func (g Rules) Bounds(tokens []grammar.Token) []grammar.Token {
	ordering := []grammar.Token{ground.Equals, ground.Token(">"), ground.Token(">="), ground.Token("<"), ground.Token("<=")}
	var settled []grammar.Token
	for i, t := range tokens {
		settled = append(settled, t)
		if t != ground.Token("VAL") || i == 0 || i+2 >= len(tokens) || !slices.Contains(ordering, tokens[i-1]) {
			continue
		}
		last := tokens[i+2].ID
		if kind := g.Features.Kinds[last]; kind != feature.NumberKind && kind != feature.DateKind {
			continue
		}
		if bound := lex.BoundBehind(g.Text[g.Features.Tokens[last].End:]); bound != "" {
			settled[i-1] = ground.Token(bound)
		}
	}
	return settled
}

// Peers returns a derivation that takes the end of each group that the text names:
// the oldest dog of each breed is the one that was born first.
func (g Rules) Peers(tokens []grammar.Token) []grammar.Token {
	text := bounds.ReplaceAllString(g.Text, "")
	late, early := lateEnds.MatchString(text), earlyEnds.MatchString(text)
	if late == early || fewEnds.MatchString(text) || manyEnds.MatchString(lateEnds.ReplaceAllString(text, "")) {
		return tokens
	}
	end := map[bool]grammar.Token{true: ground.Token("max"), false: ground.Token("min")}
	settled := slices.Clone(tokens)
	for i, t := range tokens {
		if t != ground.Token("peers") || i == 0 || tokens[i-1] != ground.Equals || i+2 >= len(tokens) || tokens[i+2].Kind != grammar.Column {
			continue
		}
		of := g.View.Columns[tokens[i+2].ID]
		switch {
		case of.Type.Temporal() || ground.IsYear(of):
			settled[i+1] = end[late]
		case of.Type.Numeric() && slices.Contains(of.Words, "age"):
			settled[i+1] = end[early]
		}
	}
	return settled
}
