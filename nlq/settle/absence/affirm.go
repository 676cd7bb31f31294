package absence

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/lex"
)

// denies finds the beginnings of names that say what is not so.
var denies = regexp.MustCompile(`(?i)^(?:un|non|not|no)`)

// Affirm makes a test for no one for yes where the text says the whole name of a column
// that is itself a denial, and denies nothing more: unannounced visits are those that are
// unannounced.
func (g Rules) Affirm(tokens []grammar.Token) []grammar.Token {
	if slices.ContainsFunc(lex.Lower(lex.Tokens(g.Text)), english.Negations.Has) {
		return tokens
	}
	said := slices.Clone(tokens)
	for i := 0; i+2 < len(said); i++ {
		if said[i+1] == ground.Equals && said[i+2] == TruthOf["null"] && g.isTruth(said[i]) && denies.MatchString(g.View.Columns[said[i].ID].Name) && g.saysWhole(said[i].ID) {
			said[i+2] = TruthOf["!null"]
		}
	}
	return said
}

// saysWhole reports whether a word of the text is a column's whole name.
func (g Rules) saysWhole(column int) bool {
	return slices.ContainsFunc(g.Features.Columns, func(row []uint8) bool { return ground.IsWholeName(row[column]) })
}
