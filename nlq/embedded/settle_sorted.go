package embedded

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

var (
	// sortsBy is how a text asks for an order of rows.
	sortsBy = regexp.MustCompile(`(?i)\b(?:sort(?:ed)?|order(?:ed)?) by\b`)
	// saysFirst is how it says what comes first.
	saysFirst = regexp.MustCompile(`(?i)\b(?:first|last|top|desc\w*|decreas\w*|reverse\w*|down\w*|backwards?)\b`)
)

// settleSorted puts the least first where the text asks for an order by a column and does
// not say what comes first: sort by price.
func (g *grounding) settleSorted(q *tree.Query) {
	if q.Limit != nil || !sortsBy.MatchString(g.text) || saysFirst.MatchString(g.text) ||
		slices.ContainsFunc(lex.Lower(lex.Tokens(g.text)), english.Descending.Has) {
		return
	}
	for i, o := range q.Order {
		if _, isColumn := o.Expr.(tree.Column); isColumn {
			q.Order[i].Desc = false
		}
	}
}
