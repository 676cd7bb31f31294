package absence

import (
	"regexp"
	"slices"

	"quern/tree"
)

var (
	// partTime and fullTime are how one says that somebody works a part of the week, or all of it.
	partTime = regexp.MustCompile(`(?i)\bpart[- ]?tim(?:e|ers?)\b`)
	fullTime = regexp.MustCompile(`(?i)\bfull[- ]?tim(?:e|ers?)\b`)
	// notTimed denies it.
	notTimed = regexp.MustCompile(`(?i)(?:\b(?:not|non|no|except|without)|\b(?:is|are|was|were|has|have|had|do|does|did)n['’]?t)[\s-]+(?:(?:work|working|works|a|an|the|in)\s+)*(?:part|full)[- ]?tim`)
)

// PartTime tests for no where a reading tests a column of yes and no that says who works full
// time for yes, and the text asks for part-timers alone; and the other way round.
func (g Rules) PartTime(q *tree.Query) {
	part, full := partTime.MatchString(g.Text), fullTime.MatchString(g.Text)
	if q.Select == nil || q.Select.Where == nil || part == full || notTimed.MatchString(g.Text) {
		return
	}
	opposite := []string{"full", "time"}
	if full {
		opposite = []string{"part", "time"}
	}
	q.Select.Where = tree.MapConds(q.Select.Where, func(c tree.Cond) tree.Cond {
		is, ok := c.(tree.Compare)
		column, isColumn := is.Left.(tree.Column)
		said, isLiteral := is.Right.(tree.Literal)
		id, known := g.View.ColumnOf(q.Select.From, column)
		if !ok || !isColumn || !isLiteral || !known || is.Op != tree.Equal || !slices.Equal(g.View.Columns[id].Words, opposite) {
			return c
		}
		if yes, no, isTruth := g.View.Columns[id].Truth(); isTruth && said.Text == yes {
			said.Text = no
			is.Right = said
		}
		return is
	})
}
