package embedded

import (
	"slices"

	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/lex"
)

// settleBounds returns a derivation whose numbers and dates are compared as the words
// behind them say: a queen from 2022 or earlier is of 2022 at the latest.
func (g *grounding) settleBounds(tokens []grammar.Token) []grammar.Token {
	ordering := []grammar.Token{equals, token(">"), token(">="), token("<"), token("<=")}
	var settled []grammar.Token
	for i, t := range tokens {
		settled = append(settled, t)
		if t != token("VAL") || i == 0 || i+2 >= len(tokens) || !slices.Contains(ordering, tokens[i-1]) {
			continue
		}
		last := tokens[i+2].ID
		if kind := g.features.Kinds[last]; kind != feature.NumberKind && kind != feature.DateKind {
			continue
		}
		if bound := lex.BoundBehind(g.text[g.features.Tokens[last].End:]); bound != "" {
			settled[i-1] = token(bound)
		}
	}
	return settled
}

// settlePeers returns a derivation that takes the end of each group that the text names:
// the oldest dog of each breed is the one that was born first.
func (g *grounding) settlePeers(tokens []grammar.Token) []grammar.Token {
	text := bounds.ReplaceAllString(g.text, "")
	late, early := lateEnds.MatchString(text), earlyEnds.MatchString(text)
	if late == early || fewEnds.MatchString(text) || manyEnds.MatchString(lateEnds.ReplaceAllString(text, "")) {
		return tokens
	}
	end := map[bool]grammar.Token{true: token("max"), false: token("min")}
	settled := slices.Clone(tokens)
	for i, t := range tokens {
		if t != token("peers") || i == 0 || tokens[i-1] != equals || i+2 >= len(tokens) || tokens[i+2].Kind != grammar.Column {
			continue
		}
		of := g.view.Columns[tokens[i+2].ID]
		switch {
		case of.Type.Temporal() || isYear(of):
			settled[i+1] = end[late]
		case of.Type.Numeric() && slices.Contains(of.Words, "age"):
			settled[i+1] = end[early]
		}
	}
	return settled
}
