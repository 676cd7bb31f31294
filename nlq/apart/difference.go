package apart

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// apart are how one asks how far a number of one kind of rows is from that of another: how many
// more loans of garden tools than of power tools, by how much does the fee of Osei differ from
// that of Lind.
var apart = regexp.MustCompile(`(?i)^\W*(?:and |so )*(?:` +
	`how (?P<number>many|much)(?: (?P<unit>\w+))? (?P<how>more|fewer|less)(?: (?P<of>.+?))? than (?P<second>[^?.!]+?)` +
	`|by how much (?:does|do|did) (?P<what>.+?) differ from (?:that|those) (?P<other>[^?.!]+?)` +
	`|(?:(?:what is|what's|whats|what was) )?(?:the )?(?:difference (?:in|of) (?P<measure>.+?)|(?P<quantity>\w+) difference) between (?P<one>.+?) and (?P<two>[^?.!]+?)` +
	`)[\s?.!]*$`)

// readApart reads a text that asks how far the number of one kind of rows is from that of another,
// where both are values of one column: as the text about the first kind, whose number is then
// taken of each. ok is false when it is no such text.
func (r Reader) readApart(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	m, ok := english.Groups(apart, w.Text)
	if !ok {
		return t, false, nil
	}
	second, both := r.kindAndRest(m.Text("second") + m.Text("other") + m.Text("two"))
	var as string
	switch {
	case m.Has("number"):
		as = "How " + m.Text("number") + " " + m.Text("unit") + " " + m.Text("of")
	case m.Has("what"):
		as = "What is " + m.Text("what")
	default:
		as = "What is the " + strings.TrimPrefix(m.Text("measure")+m.Text("quantity"), "the ") + " of " + m.Text("one")
	}
	as = strings.Join(strings.Fields(as+" "+both), " ") + "?"
	less := m.Has("how") && !strings.EqualFold(m.Text("how"), "more")
	return r.reread(ctx, w, as, func(q *tree.Query) bool {
		return m.Has("how") && r.subtractPeriod(q, second, less) || r.subtractKind(q, second, less)
	})
}

// kindAndRest returns what a text says up to the first value of a column of kinds, and what it says
// behind that, which is true of the other kind as well: kit, this year.
func (r Reader) kindAndRest(text string) (kind, rest string) {
	first := saidValue{start: len(text)}
	for _, c := range r.Whole.Columns {
		if c.Type != quern.Text || c.Values == nil {
			continue
		}
		if said, ok := valueIn(c, text); ok && (said.start < first.start || said.start == first.start && said.end > first.end) {
			first = said
		}
	}
	if first.value == "" {
		return text, ""
	}
	return text[:first.end], text[first.end:]
}

// oneNumber returns the number that a query shows and nothing else.
func oneNumber(q *tree.Query) (number tree.Aggregate, ok bool) {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || q.Limit != nil {
		return number, false
	}
	number, ok = s.Items[0].Expr.(tree.Aggregate)
	return number, ok && number.Where == nil
}

// rowNumber returns the number that a query lists of one row, which a condition tells by what it is
// called, as the sum of it.
func (r Reader) rowNumber(q *tree.Query) (number tree.Aggregate, ok bool) {
	s := q.Select
	column, ok := ground.Listed(q)
	if !ok {
		return number, false
	}
	id, known := r.Whole.ColumnOf(s.From, column)
	isOne := slices.ContainsFunc(tree.Conjuncts(s.Where), func(c tree.Cond) bool {
		compare, isCompare := c.(tree.Compare)
		of, isColumn := compare.Left.(tree.Column)
		told, isKnown := r.Whole.ColumnOf(s.From, of)
		return isCompare && isColumn && isKnown && compare.Op == tree.Equal && r.Whole.Columns[told].Distinct == r.Whole.Columns[told].Rows
	})
	return tree.Aggregate{Func: tree.Sum, Arg: column}, known && isOne && r.Whole.Columns[id].Type.Numeric()
}

// subtractKind makes the one number of a query, of rows of one kind, what it is more than that of
// the kind which a text names, or less.
func (r Reader) subtractKind(q *tree.Query, text string, less bool) bool {
	number, ok := oneNumber(q)
	if !ok {
		number, ok = r.rowNumber(q)
	}
	if !ok {
		return false
	}
	s := q.Select
	held := tree.Conjuncts(s.Where)
	for i, c := range held {
		compare, ok := c.(tree.Compare)
		column, isColumn := compare.Left.(tree.Column)
		said, isLiteral := compare.Right.(tree.Literal)
		id, known := r.Whole.ColumnOf(s.From, column)
		if !ok || !isColumn || !isLiteral || !known || compare.Op != tree.Equal || r.Whole.Columns[id].Values == nil {
			continue
		}
		other, found := valueIn(r.Whole.Columns[id], text)
		if !found || other.value == said.Text || strings.TrimSpace(text[other.end:]) != "" {
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

// subtractPeriod makes the one number of a query, of a stretch of time, what it is more than that of
// another which a text names, or less: this August than last August.
func (r Reader) subtractPeriod(q *tree.Query, text string, less bool) bool {
	number, ok := oneNumber(q)
	if !ok {
		return false
	}
	s := q.Select
	from, until, isPeriod := lex.ReadPeriod(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "in "), r.Question.Now)
	held := tree.Conjuncts(s.Where)
	at := slices.IndexFunc(held, func(c tree.Cond) bool { _, is := c.(tree.Period); return is })
	if !isPeriod || from.IsZero() || until.IsZero() || at < 0 {
		return false
	}
	own := held[at].(tree.Period)
	if own.From.Text == from.Format(time.DateOnly) { // last August is that before this one
		from, until = from.AddDate(-1, 0, 0), until.AddDate(-1, 0, 0)
	}
	other := own
	if own.From.Kind != tree.Date {
		return false
	}
	other.From.Text, other.Until.Text = from.Format(time.DateOnly), until.Format(time.DateOnly)
	first, second := number, number
	first.Where, second.Where = own, other
	if less {
		first, second = second, first
	}
	s.Items[0] = tree.Item{Expr: tree.Arith{Op: '-', Left: first, Right: second}, Alias: "difference"}
	s.Where = tree.All(slices.Delete(slices.Clone(held), at, at+1)...)
	return true
}
