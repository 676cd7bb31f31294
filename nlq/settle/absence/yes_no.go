package absence

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/ground"
)

// asksForUnknown are the words for what nobody filled in.
var asksForUnknown = english.Unknown.Finder()

// saysYet is how one asks for what is not there so far.
var saysYet = regexp.MustCompile(`(?i)\bno\b.*\byet\b`)

// TestTruth returns a derivation in which no column of yes and no is asked to have
// a value: "without a deposit" means that it says no, unless the text speaks of what
// is unknown.
func (g Rules) TestTruth(tokens []grammar.Token) []grammar.Token {
	if asksForUnknown.MatchString(g.Text) {
		return tokens
	}
	var said []grammar.Token
	for i, t := range tokens {
		if i > 0 && testsNull(t) && g.isTruth(tokens[i-1]) && !g.isOpen(tokens[i-1].ID) {
			said = append(said, ground.Equals, TruthOf[t.String()])
			continue
		}
		said = append(said, t)
	}
	return slices.Clip(said)
}

// isOpen reports whether the text asks for what is not yet so, and some rows do not say:
// no result yet is neither yes nor no.
func (g Rules) isOpen(column int) bool {
	return saysYet.MatchString(g.Text) && g.View.HasNull(column)
}

// ShowTruth returns a derivation that does not test the column of yes and no that it
// shows, where the text names it once: "the active status of every member" is asked
// about all of them.
func (g Rules) ShowTruth(tokens []grammar.Token) []grammar.Token {
	where := slices.Index(tokens, ground.Token("WHERE"))
	if where < 0 || len(tokens) < where+5 {
		return tokens
	}
	tested := tokens[where+1]
	isTest := tokens[where+2] == ground.Equals && (tokens[where+3] == TruthOf["null"] || tokens[where+3] == TruthOf["!null"])
	isShown := g.isTruth(tested) && slices.Contains(tokens[:where], tested)
	if !isTest || !isShown || g.TimesNamed(tested.ID) != 1 {
		return tokens
	}
	if tokens[where+4] == ground.Token("AND") {
		return slices.Delete(slices.Clone(tokens), where+1, where+5)
	}
	return slices.Delete(slices.Clone(tokens), where, where+4)
}

// testsNull reports whether a token asks whether there is a value.
func testsNull(t grammar.Token) bool {
	_, known := TruthOf[t.String()]
	return t.Kind == grammar.Symbol && known
}

// isTruth reports whether a token is a column of yes and no.
func (g Rules) isTruth(t grammar.Token) bool {
	if t.Kind != grammar.Column {
		return false
	}
	_, _, ok := g.View.Columns[t.ID].Truth()
	return ok
}

// TruthOf is the constant that a test for a missing value, or for one that is there, stands for in a
// column of yes and no.
var TruthOf = map[string]grammar.Token{"null": ground.Token("'false'"), "!null": ground.Token("'true'")}
