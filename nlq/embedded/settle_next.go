package embedded

import (
	"regexp"
	"time"

	"quern/english"
	"quern/tree"
)

// nextOne asks for the first of some rows that is still to come: the next event.
var nextOne = regexp.MustCompile(`(?i)\bnext (?P<what>[a-z]{3,})\b`)

// settleNext passes over what is past where the text asks for the next of something and the
// reading takes the first of all.
func (g *grounding) settleNext(q *tree.Query) {
	m, ok := english.Groups(nextOne, g.text)
	if !ok || q.Select == nil || q.Limit == nil || len(q.Order) != 1 || q.Order[0].Desc || !g.whole.MentionsTable(m.Text("what")) {
		return
	}
	when, ok := q.Order[0].Expr.(tree.Column)
	id, known := g.view.ColumnOf(q.Select.From, when)
	if !ok || !known || !g.view.Columns[id].Type.Temporal() || tests(q.Select.Where, when) {
		return
	}
	today := tree.Literal{Kind: tree.Date, Text: g.question.Now.UTC().Format(time.DateOnly)}
	if g.view.Columns[id].Max < today.Text {
		return // there is nothing to come
	}
	q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.Compare{Op: tree.GreaterEq, Left: when, Right: today})...)
}
