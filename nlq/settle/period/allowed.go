package period

import (
	"regexp"
	"slices"

	"quern/tree"
)

// saysBound is how one names the least or the most that something may be.
var saysBound = regexp.MustCompile(`(?i)\b(?:min(?:imum)?|max(?:imum)?|least|most|limit(?:ed)?|exactly)\b`)

// saysFor says for whom, or for how many, something is.
var saysFor = regexp.MustCompile(`(?i)\b(?:for|take|takes|fit|fits|accommodate|handle|room)\b`)

// Allowed takes what is allowed at a number for what its least and its most allow, where
// the text does not ask for those themselves: what is right for four-year-olds has a minimum
// age of four or less.
func (g Rules) Allowed(q *tree.Query) {
	if q.Select == nil || saysBound.MatchString(g.Text) || !saysFor.MatchString(g.Text) {
		return
	}
	conds := tree.Conjuncts(q.Select.Where)
	for i, c := range conds {
		compare, ok := c.(tree.Compare)
		column, isColumn := compare.Left.(tree.Column)
		k, isLiteral := compare.Right.(tree.Literal)
		id, known := g.View.ColumnOf(q.Select.From, column)
		if !ok || !isColumn || !isLiteral || !known || compare.Op != tree.Equal || k.Kind != tree.Number {
			continue
		}
		switch words := g.View.Columns[id].Words; {
		case slices.Contains(words, "minimum"):
			compare.Op = tree.LessEq
		case slices.Contains(words, "maximum"):
			compare.Op = tree.GreaterEq
		}
		conds[i] = compare
	}
	q.Select.Where = tree.All(conds...)
}
