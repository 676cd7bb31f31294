package embedded

import (
	"slices"

	"quern/english"
	"quern/nlq/grammar"
)

// asksForUnknown are the words for what nobody filled in.
var asksForUnknown = english.Unknown.Finder()

// testTruth returns a derivation in which no column of yes and no is asked to have
// a value: "without a deposit" means that it says no, unless the text speaks of what
// is unknown.
func (g *grounding) testTruth(tokens []grammar.Token) []grammar.Token {
	if asksForUnknown.MatchString(g.text) {
		return tokens
	}
	var said []grammar.Token
	for i, t := range tokens {
		if i > 0 && testsNull(t) && g.isTruth(tokens[i-1]) {
			said = append(said, equals, truthOf[t.String()])
			continue
		}
		said = append(said, t)
	}
	return slices.Clip(said)
}

// testsNull reports whether a token asks whether there is a value.
func testsNull(t grammar.Token) bool {
	_, known := truthOf[t.String()]
	return t.Kind == grammar.Symbol && known
}

// isTruth reports whether a token is a column of yes and no.
func (g *grounding) isTruth(t grammar.Token) bool {
	if t.Kind != grammar.Column {
		return false
	}
	_, _, ok := g.view.Columns[t.ID].Truth()
	return ok
}

var (
	equals  = token("=")
	truthOf = map[string]grammar.Token{"null": token("'false'"), "!null": token("'true'")}
)

// token reads a symbol of the grammar.
func token(name string) grammar.Token {
	t, err := grammar.ParseToken(name)
	if err != nil {
		panic(err)
	}
	return t
}
