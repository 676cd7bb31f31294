package period

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

var (
	// newest asks for the last of something: the latest reading.
	newest = regexp.MustCompile(`(?i)\b(?P<last>latest|newest|last|most recent|most recently recorded|last known)\s+(?P<what>[a-z]{3,}(?: [a-z]{3,})?)\b`)
	// whenItWas asks for the time of it instead.
	whenItWas = regexp.MustCompile(`(?i)\b(?:when|dates?|days?|times?|timestamps?|how long|since)\b`)
)

// newestAlias is what the rows are called of which one is the newest.
const newestAlias = "latest"

// Newest gives the value that the newest row has, of all or of each group, where the text
// asks for the last of what one column is called and the reading gives the time of it: the latest
// reading of each meter is no date.
func (g Rules) Newest(q *tree.Query) {
	m, ok := english.Groups(newest, g.Text)
	if !ok || q.Select == nil || whenItWas.MatchString(g.Text) {
		return
	}
	at, when, ok := g.newestTime(q)
	if !ok {
		return
	}
	value, ok := g.valueNamed(q.Select.From, when, m.Text("last"), strings.ToLower(m.Text("what")))
	if !ok || ground.UsesColumn(q, value) {
		return
	}
	if len(q.Select.Group) == 0 {
		g.NewestOfAll(q, at, when, value)
		return
	}
	g.newestOfEach(q, at, when, value)
}

// newestTime returns which item of a query is the newest time of the rows, or of the newest row,
// and that time.
func (g Rules) newestTime(q *tree.Query) (at int, when tree.Column, ok bool) {
	n := 0
	for i, item := range q.Select.Items {
		e := item.Expr
		if a, isAggregate := e.(tree.Aggregate); isAggregate {
			if a.Func != tree.Max || a.Where != nil {
				return 0, when, false
			}
			e = a.Arg
		}
		c, isColumn := e.(tree.Column)
		id, known := g.View.ColumnOf(q.Select.From, c)
		if isColumn && known && g.View.Columns[id].Type.Temporal() {
			at, when, n = i, c, n+1
		}
	}
	if n != 1 {
		return 0, when, false
	}
	_, isAggregate := aggregateAt(q, at)
	first := len(q.Order) == 1 && q.Order[0].Desc && q.Limit != nil && *q.Limit == 1
	isNewest := isAggregate || first && len(q.Select.Group) == 0 && tree.Expr(when) == q.Order[0].Expr
	return at, when, isNewest
}

// aggregateAt returns the aggregate that an item of a query is.
func aggregateAt(q *tree.Query, at int) (a tree.Aggregate, ok bool) {
	a, ok = q.Select.Items[at].Expr.(tree.Aggregate)
	return a, ok
}

// valueNamed returns the one column beside a time that some words are the name of, or the first of
// which is a word of its name: no time, no key, and none that is called the last itself.
func (g Rules) valueNamed(from []tree.Source, when tree.Column, last, what string) (value tree.Column, ok bool) {
	id, _ := g.View.ColumnOf(from, when)
	table := g.View.Tables[g.View.Columns[id].Table]
	words := strings.Fields(what)
	var whole, part []string
	for at := table.First; at < table.First+table.Len; at++ {
		c := g.View.Columns[at]
		if slices.Contains(c.Words, strings.ToLower(last)) {
			return value, false
		}
		isNumbered := c.Key() && (at == table.First || !c.Type.Numeric() || slices.ContainsFunc(c.Words, english.KeyNames.Has))
		if c.Type.Temporal() || isNumbered || g.IsLinked(at) || english.PeriodUnits.Has(words[0]) {
			continue
		}
		switch stems := english.Stems(c.Words); {
		case slices.Equal(stems, english.Stems(words)), slices.Equal(stems, english.Stems(words[:1])):
			whole = append(whole, c.Name)
		case slices.Contains(stems, english.Stem(words[0])) && c.Type.Numeric() && !slices.Contains(english.Stems(table.Words), english.Stem(words[0])):
			part = append(part, c.Name)
		}
	}
	if len(whole) == 0 {
		whole = part
	}
	if len(whole) != 1 {
		return value, false
	}
	return tree.Column{Source: when.Source, Name: whole[0]}, true
}

// newestOfEach shows a value of the newest row of each group, where the rows with the times are
// grouped by one column of their own or by the key of what they belong to.
func (g Rules) newestOfEach(q *tree.Query, at int, when, value tree.Column) {
	s := q.Select
	by, ok := s.Group[0].(tree.Column)
	if !ok || len(s.Group) != 1 || s.Having != nil || len(q.Order) > 0 || q.Limit != nil {
		return
	}
	own, ok := ownOf(s.From, by, when.Source)
	source := slices.IndexFunc(s.From, func(f tree.Source) bool { return f.Ref() == when.Source })
	if !ok || slices.ContainsFunc(s.From, func(f tree.Source) bool { return f.Outer }) {
		return
	}
	inner := func(c tree.Column) tree.Column { return tree.Column{Source: newestAlias, Name: c.Name} }
	held := []tree.Cond{tree.Compare{Op: tree.Equal, Left: inner(own), Right: own}, tree.Not{Cond: tree.IsNull{Expr: inner(value)}}}
	for _, c := range tree.Conjuncts(s.Where) {
		if moved, isOwn := heldBy(c, when.Source, inner); isOwn {
			held = append(held, moved)
		}
	}
	last := tree.Subquery{Query: &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Aggregate{Func: tree.Max, Arg: inner(when)}}},
		From:  []tree.Source{{Dataset: s.From[source].Dataset, Alias: newestAlias}},
		Where: tree.All(held...),
	}}}
	for i, item := range s.Items {
		if a, isAny := item.Expr.(tree.Aggregate); isAny && a.Func == tree.Any {
			s.Items[i].Expr = a.Arg
		}
	}
	s.Items[at], s.Group = tree.Item{Expr: value}, nil
	s.Where = tree.All(append(tree.Conjuncts(s.Where), tree.Compare{Op: tree.Equal, Left: when, Right: last}, tree.Not{Cond: tree.IsNull{Expr: value}})...)
}

// ownOf returns the column of a source that has the same value as another in each row: itself, or
// the one by which the rows belong together.
func ownOf(from []tree.Source, c tree.Column, source string) (own tree.Column, ok bool) {
	if c.Source == source {
		return c, true
	}
	for _, f := range from {
		for _, p := range f.On {
			switch {
			case p.Left == c && p.Right.Source == source:
				return p.Right, true
			case p.Right == c && p.Left.Source == source:
				return p.Left, true
			}
		}
	}
	return own, false
}

// heldBy returns a condition with the columns of a source renamed; ok is false when it has others,
// or a query inside.
func heldBy(c tree.Cond, source string, rename func(tree.Column) tree.Column) (moved tree.Cond, ok bool) {
	q := tree.Clone(&tree.Query{Select: &tree.Select{Where: c}})
	ok = true
	tree.EachQuery(q, func(inner *tree.Query) { ok = ok && inner == q })
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		column, isColumn := e.(tree.Column)
		if !isColumn {
			return e
		}
		ok = ok && column.Source == source
		return rename(column)
	})
	return q.Select.Where, ok
}
