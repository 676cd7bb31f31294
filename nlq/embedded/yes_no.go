package embedded

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/grammar"
)

// asksForUnknown are the words for what nobody filled in.
var asksForUnknown = english.Unknown.Finder()

// saysYet is how one asks for what is not there so far.
var saysYet = regexp.MustCompile(`(?i)\bno\b.*\byet\b`)

// testTruth returns a derivation in which no column of yes and no is asked to have
// a value: "without a deposit" means that it says no, unless the text speaks of what
// is unknown.
func (g *grounding) testTruth(tokens []grammar.Token) []grammar.Token {
	if asksForUnknown.MatchString(g.text) {
		return tokens
	}
	var said []grammar.Token
	for i, t := range tokens {
		if i > 0 && testsNull(t) && g.isTruth(tokens[i-1]) && !g.isOpen(tokens[i-1].ID) {
			said = append(said, equals, truthOf[t.String()])
			continue
		}
		said = append(said, t)
	}
	return slices.Clip(said)
}

// isOpen reports whether the text asks for what is not yet so, and some rows do not say:
// no result yet is neither yes nor no.
func (g *grounding) isOpen(column int) bool {
	return saysYet.MatchString(g.text) && g.view.HasNull(column)
}

// showTruth returns a derivation that does not test the column of yes and no that it
// shows, where the text names it once: "the active status of every member" is asked
// about all of them.
func (g *grounding) showTruth(tokens []grammar.Token) []grammar.Token {
	where := slices.Index(tokens, token("WHERE"))
	if where < 0 || len(tokens) < where+5 {
		return tokens
	}
	tested := tokens[where+1]
	isTest := tokens[where+2] == equals && (tokens[where+3] == truthOf["null"] || tokens[where+3] == truthOf["!null"])
	isShown := g.isTruth(tested) && slices.Contains(tokens[:where], tested)
	if !isTest || !isShown || g.timesNamed(tested.ID) != 1 {
		return tokens
	}
	if tokens[where+4] == token("AND") {
		return slices.Delete(slices.Clone(tokens), where+1, where+5)
	}
	return slices.Delete(slices.Clone(tokens), where, where+4)
}

// timesNamed returns how many words of the text are of a column's name.
func (g *grounding) timesNamed(column int) int {
	times := 0
	for _, related := range g.features.Columns {
		if match := related[column] / feature.ValueRelations; match == feature.NamePartial || match == feature.NameExact {
			times++
		}
	}
	return times
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
