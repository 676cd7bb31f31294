package grammar

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"quern/nlq/lex"
	"quern/tree"
)

// percentile reads a percentile: how much lies below, and of what.
func (b *builder) percentile(p *part) tree.Expr {
	b.take()
	n, ok := percentOf(b.nextText())
	if !ok {
		b.fail("no percentile")
	}
	return tree.Aggregate{Func: tree.Percentile, Percent: n, Arg: b.value(p)}
}

// percentOf reads the place of a percentile: 90th, 90th percentile, first quartile,
// top 10 percent.
func percentOf(text string) (int, bool) {
	words := strings.Fields(strings.ToLower(text))
	each := 1
	if n := len(words); n > 1 {
		switch strings.TrimSuffix(words[n-1], "s") {
		case "quartile", "quarter":
			each, words = 25, words[:n-1]
		case "decile":
			each, words = 10, words[:n-1]
		case "percentile", "percent":
			words = words[:n-1]
		}
	}
	switch {
	case len(words) == 1 && (words[0] == "lower" || words[0] == "bottom"):
		return each, each > 1
	case len(words) == 1 && (words[0] == "upper" || words[0] == "top"):
		return 100 - each, each > 1
	}
	decimal, ok := lex.Number(strings.Join(words, " "))
	n, err := strconv.Atoi(decimal)
	n *= each
	return n, ok && err == nil && n > 0 && n < 100
}

// filtered reads a measure of the rows that pass a test, its share of all rows, or
// the portion of a group.
func (b *builder) filtered(p *part) tree.Expr {
	kind := symbols[b.take().ID]
	if kind == symPortion {
		return tree.Portion{Of: b.aggregate(p)}
	}
	where := b.test(p)
	a := b.aggregate(p)
	if kind == symOnly {
		a.Where = where
		return a
	}
	share := tree.Share{Where: where}
	if _, rows := a.Arg.(tree.Star); !rows {
		share.Of = a
	}
	return share
}

// test reads the condition on the rows of a measure.
func (b *builder) test(p *part) tree.Cond {
	at := b.at
	c := b.cond(p)
	if slices.ContainsFunc(b.tokens[at:b.at], func(t Token) bool { return t == symbol(symSelect) || t == symbol(symPeers) }) {
		b.fail("a query in a test")
	}
	return c
}

// change reads a measure of the rows that pass each of two tests, and returns both
// and what the second has more than the first.
func (b *builder) change(p *part) []tree.Expr {
	b.take()
	before, after := b.test(p), b.test(p)
	a := b.aggregate(p)
	if reflect.DeepEqual(before, after) {
		b.fail("a change from something to itself")
	}
	first, second := a, a
	first.Where, second.Where = before, after
	return []tree.Expr{first, second, tree.Arith{Op: '-', Left: second, Right: first}}
}

// peersAlias is what the rows are called that another is compared with.
const peersAlias = "peers"

// peers reads an aggregate over the rows that are alike in a column.
func (b *builder) peers(p *part) tree.Expr {
	b.take()
	f := tree.Func(symbols[b.take().ID])
	of, alike := b.peek().ID, b.tokens[b.at+1].ID
	b.column(p)
	own := b.column(p)
	if b.schema.Columns[of].Table != b.schema.Columns[alike].Table {
		b.fail("peers of another table")
	}
	inner := func(name string) tree.Column { return tree.Column{Source: peersAlias, Name: name} }
	return tree.Subquery{Query: &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Aggregate{Func: f, Arg: inner(b.schema.Columns[of].Name)}}},
		From:  []tree.Source{{Dataset: b.schema.Tables[b.schema.Columns[of].Table].Path, Alias: peersAlias}},
		Where: tree.Compare{Op: tree.Equal, Left: inner(own.Name), Right: own},
	}}}
}

// startAtGroup puts the table of the first group before the others: its rows are
// kept.
func (b *builder) startAtGroup(p *part) {
	if len(p.Group) == 0 || p.Distinct {
		b.fail("nothing is grouped")
		return
	}
	if c, ok := p.Group[0].(tree.Column); ok {
		at := slices.IndexFunc(p.tables, func(t int) bool { return b.schema.Tables[t].Path.Dataset == c.Source })
		p.tables = append([]int{p.tables[at]}, slices.Delete(slices.Clone(p.tables), at, at+1)...)
		return
	}
	b.fail("rows are kept for a column")
}

// keepEmptyGroups makes the rows of the first table stay that have no partner:
// joins are outer ones, rows are counted by the column that joins them, and
// conditions on other tables say which rows an aggregate takes.
func (b *builder) keepEmptyGroups(p *part, w joinPath) {
	first := b.schema.Tables[w.tables[0]].Path.Dataset
	if len(w.tables) < 2 || w.tables[0] != p.tables[0] || len(p.counted) > 0 && slices.ContainsFunc(p.counted, func(t int) bool { return t != p.counted[0] }) {
		b.fail("there are no groups without rows")
		return
	}
	for i := range p.From[1:] {
		p.From[i+1].Outer = true
	}
	var kept, moved []tree.Cond
	for _, c := range tree.Conjuncts(p.Where) {
		own := true
		tree.EachColumn(&tree.Query{Select: &tree.Select{Where: c}}, func(c tree.Column) { own = own && c.Source == first })
		if own {
			kept = append(kept, c)
		} else {
			moved = append(moved, c)
		}
	}
	p.Where = tree.All(kept...)
	count := b.countedColumn(p, w)
	change := func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		if !ok {
			b.failOnPercentage(e)
			return e
		}
		if _, rows := a.Arg.(tree.Star); rows && count != nil {
			a.Arg = *count
		}
		a.Where = tree.All(append(slices.Clone(moved), tree.Conjuncts(a.Where)...)...)
		return a
	}
	q := &tree.Query{Select: &p.Select, Order: p.order}
	tree.ReplaceValues(q, change)
	p.order = q.Order
}

// failOnPercentage fails for a percentage, which has no groups without rows.
func (b *builder) failOnPercentage(e tree.Expr) {
	switch e.(type) {
	case tree.Share, tree.Portion:
		b.fail("a percentage of groups without rows")
	}
}

// countedColumn returns the column that is there where a counted row is; nil when the
// rows of the first table are counted.
func (b *builder) countedColumn(p *part, w joinPath) *tree.Column {
	if len(p.counted) == 0 {
		return nil
	}
	at := slices.Index(w.tables, p.counted[0])
	if at < 1 {
		return nil
	}
	column := columnOf(b.schema, w.on[at-1][1])
	return &column
}
