package embedded

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// hasGot asks who has something now: who's got the ladder?
	hasGot = regexp.MustCompile(`(?i)\bwho(?:['’]?s| has| have|['’]ve) (?:still |currently |now )?(?:got|borrowed)? ?(?:the|our|my)\b`)
	// everHad asks for more than who has it now, or for how much somebody has.
	everHad = regexp.MustCompile(`(?i)\b(?:ever|before|already|times|often|most|least|fewest|more|less|\w{3,}est|first|last|never|not)\b|\bborrowed\b`)
)

// settleOut takes what has not come back where the text asks who has something now, and one time of
// what is read says when a thing came back: whoever brought the ladder back has not got it.
func (g *grounding) settleOut(q *tree.Query) {
	if everHad.MatchString(g.text) || !hasGot.MatchString(g.text) {
		return
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		var back []tree.Column
		for _, source := range q.Select.From {
			for _, t := range g.whole.TimesOf(source) {
				if isReturn(t.Of) {
					back = append(back, t.Column)
				}
			}
		}
		if len(back) == 1 && !usesColumn(q, back[0]) {
			q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.IsNull{Expr: back[0]})...)
		}
	})
}

// isReturn reports whether a column says when something came back, not when it is due back.
func isReturn(c schema.Column) bool {
	return slices.ContainsFunc(c.Words, english.Returns.Has) && !slices.ContainsFunc(c.Words, english.Dues.Has)
}

// noteOut says that what came back was left out.
func (r *reader) noteOut(t *nlq.Translation) {
	if !hasGot.MatchString(r.question.Text) {
		return
	}
	noteCondition(t, func(from []tree.Source, c tree.Cond) string {
		is, ok := c.(tree.IsNull)
		column, isColumn := is.Expr.(tree.Column)
		id, known := r.whole.ColumnOf(from, column)
		if !ok || !isColumn || !known || !isReturn(r.whole.Columns[id]) {
			return ""
		}
		return fmt.Sprintf("What came back, with a %s, is left out.", strings.ToLower(english.Spaced(column.Name)))
	})
}

// noteCondition adds to an answer what is to be told of its conditions, the last of it: tell says
// nothing of most.
func noteCondition(t *nlq.Translation, tell func(from []tree.Source, c tree.Cond) string) {
	if t.Query == nil {
		return
	}
	var note string
	tree.EachQuery(t.Query, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		for _, c := range tree.Conjuncts(q.Select.Where) {
			note = cmp.Or(tell(q.Select.From, c), note)
		}
	})
	if note != "" {
		t.Notes = append(t.Notes, note)
	}
}
