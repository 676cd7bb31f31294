package embedded

import (
	"regexp"
	"slices"

	"quern/nlq/grammar"
)

// unknowns are the words for what nobody filled in.
var unknowns = regexp.MustCompile(`(?i)\b(missing|unknown|empty|blank|null|unset|undefined|known|recorded|information|filled|given|specified|stated)\b`)

// truths gives a derivation in which no column of yes and no is asked to have a
// value: "without a deposit" means that it says no, unless the question speaks of
// what is unknown.
func (r *reader) truths(tokens []grammar.Token) []grammar.Token {
	if unknowns.MatchString(r.question.Text) {
		return tokens
	}
	var said []grammar.Token
	for i, t := range tokens {
		if i == 0 || t.Kind != grammar.Symbol || tokens[i-1].Kind != grammar.Column || t.String() != "null" && t.String() != "!null" {
			said = append(said, t)
			continue
		}
		if _, _, ok := r.schema.Columns[tokens[i-1].ID].Truth(); !ok {
			said = append(said, t)
			continue
		}
		said = append(said, equals, truthOf[t.String()])
	}
	return slices.Clip(said)
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
