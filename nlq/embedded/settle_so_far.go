package embedded

import (
	"regexp"
	"slices"
	"time"

	"quern/tree"
)

// soFar says of what has a time that it is over, or of today.
var soFar = regexp.MustCompile(`(?i)\b(?:so far|(?:up )?(?:to|until|till) (?:date|now)|as of (?:now|today))\b`)

// settleSoFar leaves out what is still to come where the text asks for what was so far, and only
// one time of what is read reaches beyond today: screenings that are planned are none of those so far.
func (g *grounding) settleSoFar(q *tree.Query) {
	if q.Select == nil || !soFar.MatchString(g.text) {
		return
	}
	today := g.question.Now.UTC().Format(time.DateOnly)
	var ahead []tree.Column
	times := 0
	for _, source := range q.Select.From {
		for _, t := range g.whole.TimesOf(source) {
			if times++; t.Of.Max > today {
				ahead = append(ahead, t.Column)
			}
		}
	}
	if times != 1 || len(ahead) != 1 || slices.ContainsFunc(tree.Conjuncts(q.Select.Where), isTimeOf(ahead[0])) {
		return
	}
	tomorrow := tree.Literal{Kind: tree.Date, Text: g.question.Now.UTC().AddDate(0, 0, 1).Format(time.DateOnly)}
	q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.Compare{Op: tree.Less, Left: ahead[0], Right: tomorrow})...)
}

// isTimeOf reports of a condition whether it compares a column with a time.
func isTimeOf(column tree.Column) func(tree.Cond) bool {
	return func(c tree.Cond) bool {
		compared, ok := timeCompared(c)
		return ok && compared == column
	}
}
