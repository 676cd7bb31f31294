package apart

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/nlq/settle/amount"
	"quern/nlq/settle/tally"
	"quern/tree"
)

// moreThan is how one compares two kinds of rows: more women than men, renewables
// generated more than nuclear energy.
var moreThan = regexp.MustCompile(`(?i)\b(?P<how>more|fewer|less)\s(?P<first>(?:[\w'/-]+\s+){0,4}?)than\s(?P<second>[^?.!,]+)`)

// howMuchMore asks how far two kinds are from each other, not where one is more.
var howMuchMore = regexp.MustCompile(`(?i)^\W*(?:and |so )*(?:by )?how (?:many|much)\b`)

// readMoreThan reads a text that asks for those of which there is more of one kind than of
// another, where both are values of one column: as the text about the first kind alone,
// whose rows are then grouped and the two compared in each group. ok is false when it is no
// such text.
func (r Reader) readMoreThan(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	m, ok := english.Groups(moreThan, w.Text)
	if !ok || howMuchMore.MatchString(w.Text) {
		return t, false, nil
	}
	start, end := m.Span("")
	before, second := w.Text[:start]+m.Text("first"), m.Text("second")
	for _, c := range r.Whole.Columns {
		if c.Type != quern.Text || !c.Category() {
			continue
		}
		first, okFirst := valueIn(c, before)
		other, okSecond := valueIn(c, second)
		if !okFirst || !okSecond || first.value == other.value {
			continue
		}
		// Without the second kind, and what compares.
		rest := strings.TrimSpace(before) + " " + strings.TrimSpace(second[:other.start]+second[other.end:]) + w.Text[end:]
		k := kinds{column: c, more: first.value, than: other.value, less: !strings.EqualFold(m.Text("how"), "more"), counted: first.start >= start}
		return r.reread(ctx, w, strings.TrimSpace(rest), func(q *tree.Query) bool { return r.compareKinds(q, k) })
	}
	return t, false, nil
}

// saidValue is a value that a text has, and where.
type saidValue struct {
	value      string
	start, end int
}

// valueIn returns the value of a column that a text has, the longest where it has several.
func valueIn(c schema.Column, text string) (found saidValue, ok bool) {
	return valueWhere(c, text, func(saidValue) bool { return true })
}

// valueWhere returns the longest value of a column that a text has in such a place.
func valueWhere(c schema.Column, text string, such func(saidValue) bool) (found saidValue, ok bool) {
	const most = 60 // tokens: whoever names two kinds says little more
	tokens := lex.Tokens(text)
	if len(tokens) > most {
		return found, false
	}
	for i := range tokens {
		for j := i; j < len(tokens); j++ {
			said := saidValue{"", tokens[i].Start, tokens[j].End}
			if said.end-said.start <= found.end-found.start || !such(said) {
				continue
			}
			if value, alike := c.Values.Alike(schema.KeyOf(text[said.start:said.end])); alike {
				said.value = value
				found, ok = said, true
			}
		}
	}
	return found, ok
}

// kinds are two kinds of rows that are compared.
type kinds struct {
	column     schema.Column
	more, than string
	less       bool // the first is to be less
	counted    bool // the text speaks of more of them: more women than men; otherwise they do more
}

// compareKinds makes of a list of what has rows of one kind one of what has more of it than
// of another.
func (r Reader) compareKinds(q *tree.Query, k kinds) bool {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || q.Limit != nil {
		return false
	}
	item := s.Items[0].Expr
	if _, aggregate := item.(tree.Aggregate); aggregate || item == (tree.Expr)(tree.Star{}) {
		return false
	}
	var of tree.Column
	held := slices.Clone(tree.Conjuncts(s.Where))
	held = slices.DeleteFunc(held, func(c tree.Cond) bool {
		compare, ok := c.(tree.Compare)
		column, isColumn := compare.Left.(tree.Column)
		literal, isLiteral := compare.Right.(tree.Literal)
		isKind := ok && isColumn && isLiteral && compare.Op == tree.Equal && column.Name == k.column.Name && literal.Text == k.more
		if isKind {
			of = column
		}
		return isKind
	})
	if of.Name == "" {
		return false
	}
	measure := tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}
	if column, ok := r.amountOf(s.From, of.Source); ok {
		measure = tree.Aggregate{Func: tree.Sum, Arg: column}
	} else if !k.counted {
		return false
	}
	number := func(kind string) tree.Expr {
		a := measure
		a.Where = tree.Compare{Op: tree.Equal, Left: of, Right: tree.Literal{Kind: tree.Text, Text: kind}}
		if a.Func == tree.Sum { // nothing is no unknown sum
			return amount.OrNothing(a)
		}
		return a
	}
	op := tree.Greater
	if k.less {
		op = tree.Less
	}
	s.Where, s.Distinct, q.Order = tree.All(held...), false, nil
	s.Group, s.Having = []tree.Expr{item}, tree.Compare{Op: op, Left: number(k.more), Right: number(k.than)}
	return true
}

// amountOf returns the column of a source that says how many or how much each row stands
// for: a tally, a quantity, or the only number that may be added up.
func (r Reader) amountOf(from []tree.Source, ref string) (tree.Column, bool) {
	var all, pieces []tree.Column
	for _, source := range from {
		if source.Ref() != ref {
			continue
		}
		for _, id := range r.Whole.ColumnsOf(source) {
			c := r.Whole.Columns[id]
			column := tree.Column{Source: ref, Name: c.Name}
			if !ground.IsAdditive(c) && !tally.IsTally(c) {
				continue
			}
			all = append(all, column)
			if ground.EndsIn(c, english.Quantities) || ground.EndsIn(c, english.Tallies) {
				pieces = append(pieces, column)
			}
		}
	}
	switch {
	case len(pieces) == 1:
		return pieces[0], true
	case len(all) == 1:
		return all[0], true
	}
	return tree.Column{}, false
}
