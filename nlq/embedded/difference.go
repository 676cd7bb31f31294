package embedded

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/tree"
)

// apart are how one asks how far a number of one kind of rows is from that of another: how many
// more loans of garden tools than of power tools, by how much does the fee of Osei differ from
// that of Lind.
var apart = regexp.MustCompile(`(?i)^\W*(?:and |so )*(?:` +
	`how (?P<number>many|much)(?: (?P<unit>\w+))? (?P<how>more|fewer|less)(?: (?P<of>.+?))? than (?P<second>[^?.!]+?)` +
	`|by how much (?:does|do|did) (?P<what>.+?) differ from (?:that|those) (?P<other>[^?.!]+?)` +
	`|(?:what is|what's|whats|what was) the difference (?:in|of) (?P<measure>.+?) between (?P<one>.+?) and (?P<two>[^?.!]+?)` +
	`)[\s?.!]*$`)

// readApart reads a text that asks how far the number of one kind of rows is from that of another,
// where both are values of one column: as the text about the first kind, whose number is then
// taken of each. ok is false when it is no such text.
func (r *reader) readApart(ctx context.Context, w wording) (t nlq.Translation, ok bool, err error) {
	m, ok := english.Groups(apart, w.text)
	if !ok {
		return t, false, nil
	}
	var as, second string
	switch {
	case m.Has("number"):
		as, second = "How "+strings.Join(strings.Fields(m.Text("number")+" "+m.Text("unit")+" "+m.Text("of")), " ")+"?", m.Text("second")
	case m.Has("what"):
		as, second = "What is "+m.Text("what")+"?", m.Text("other")
	default:
		as, second = "What is the "+strings.TrimPrefix(m.Text("measure"), "the ")+" of "+m.Text("one")+"?", m.Text("two")
	}
	less := m.Has("how") && !strings.EqualFold(m.Text("how"), "more")
	return r.reread(ctx, w, as, func(q *tree.Query) bool { return r.subtractKind(q, second, less) })
}

// subtractKind makes the one number of a query, of rows of one kind, what it is more than that of
// the kind which a text names, or less.
func (r *reader) subtractKind(q *tree.Query, text string, less bool) bool {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || q.Limit != nil {
		return false
	}
	number, isNumber := s.Items[0].Expr.(tree.Aggregate)
	if !isNumber || number.Where != nil {
		return false
	}
	held := tree.Conjuncts(s.Where)
	for i, c := range held {
		compare, ok := c.(tree.Compare)
		column, isColumn := compare.Left.(tree.Column)
		said, isLiteral := compare.Right.(tree.Literal)
		id, known := r.whole.ColumnOf(s.From, column)
		if !ok || !isColumn || !isLiteral || !known || compare.Op != tree.Equal || r.whole.Columns[id].Values == nil {
			continue
		}
		other, found := valueIn(r.whole.Columns[id], text)
		if !found || other.value == said.Text {
			continue
		}
		first, second := number, number
		first.Where = compare
		compare.Right = tree.Literal{Kind: said.Kind, Text: other.value}
		second.Where = compare
		if less {
			first, second = second, first
		}
		s.Items[0] = tree.Item{Expr: tree.Arith{Op: '-', Left: first, Right: second}, Alias: "difference"}
		s.Where = tree.All(slices.Delete(slices.Clone(held), i, i+1)...)
		return true
	}
	return false
}
