package absence

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// hasGot asks who has something now: who's got the ladder?
	hasGot = regexp.MustCompile(`(?i)\bwho(?:['’]?s| has| have|['’]ve) (?:still |currently |now )?(?:got|borrowed)? ?(?:the|our|my)\b`)
	// everHad asks for more than who has it now, or for how much somebody has.
	everHad = regexp.MustCompile(`(?i)\b(?:ever|before|already|times|often|most|least|fewest|more|less|\w{3,}est|first|last|never|not)\b|\bborrowed\b`)
)

// Out takes what has not come back where the text asks who has something now, and one time of
// what is read says when a thing came back: whoever brought the ladder back has not got it.
func (g Rules) Out(q *tree.Query) {
	if everHad.MatchString(g.Text) || !hasGot.MatchString(g.Text) {
		return
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		var back []tree.Column
		for _, source := range q.Select.From {
			for _, t := range g.Asked.Whole.TimesOf(source) {
				if isReturn(t.Of) {
					back = append(back, t.Column)
				}
			}
		}
		if len(back) == 1 && !ground.UsesColumn(q, back[0]) {
			q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.IsNull{Expr: back[0]})...)
		}
	})
}

// isReturn reports whether a column says when something came back, not when it is due back.
func isReturn(c schema.Column) bool {
	return slices.ContainsFunc(c.Words, english.Returns.Has) && !slices.ContainsFunc(c.Words, english.Dues.Has)
}

// NoteOut says that what came back was left out.
func NoteOut(r *ground.Asked, t *nlq.Translation) {
	if !hasGot.MatchString(r.Question.Text) {
		return
	}
	ground.NoteCondition(t, func(from []tree.Source, c tree.Cond) string {
		is, ok := c.(tree.IsNull)
		column, isColumn := is.Expr.(tree.Column)
		id, known := r.Whole.ColumnOf(from, column)
		if !ok || !isColumn || !known || !isReturn(r.Whole.Columns[id]) {
			return ""
		}
		return fmt.Sprintf("What came back, with a %s, is left out.", strings.ToLower(english.Spaced(column.Name)))
	})
}
