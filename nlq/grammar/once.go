package grammar

import (
	"slices"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// rowsOnce changes a select whose joins repeat the rows that it counts, adds up or
// lists, so that each takes part once: tables that do nothing but restrict those
// rows become conditions, and what still counts repeated rows counts their keys.
// It returns the path of the tables that stay joined.
func (b *builder) rowsOnce(p *part, w joinPath) joinPath {
	if len(w.tables) == 1 || b.question.Repeats || !b.mindsRepeats(p) {
		return w
	}
	countRows(p)
	used := b.usedTables(p)
	counted := -1
	if countsStar(p) {
		if counted = b.countedTable(p, w); counted < 0 {
			return w
		}
		used = append(used, counted)
	}
	if len(used) == 0 || len(used) == 1 && !w.pairs() && b.pricesEach(p, used[0]) {
		return w
	}
	w = b.restrict(p, w, used)
	if counted < 0 && len(w.between(used)) == 1 {
		return b.among(p, w, used[0])
	}
	b.countKeys(p, w, counted)
	if counted >= 0 {
		w = w.part(w.tables, counted) // what is counted comes first: it names the rows
	}
	return w
}

// pricesEach reports whether a select adds up what something costs, of a list of prices that
// the question does not name: the price of every appointment is that of its treatment, as
// often as that was given.
func (b *builder) pricesEach(p *part, table int) bool {
	stems := english.Stems(lex.Lower(b.question.Tokens))
	isNamed := func(word string) bool { return slices.Contains(stems, english.Stem(word)) }
	view := schema.View{Schema: b.schema}
	if !b.isList(table) || view.IsOfPeople(table) || slices.ContainsFunc(b.schema.Tables[table].Words, isNamed) {
		return false
	}
	adds, others := false, false
	p.eachValue(func(e tree.Expr) tree.Expr {
		if a, ok := e.(tree.Aggregate); ok {
			c, isColumn := a.Arg.(tree.Column)
			id, known := view.ColumnOf([]tree.Source{{Dataset: b.schema.Tables[table].Path}}, c)
			isPrice := isColumn && known && slices.ContainsFunc(b.schema.Columns[id].Words, english.ListPrices.Has)
			adds, others = adds || isPrice && a.Func == tree.Sum, others || !isPrice || a.Func != tree.Sum
		}
		return e
	})
	return adds && !others
}

// isList reports whether the rows of a table are what there is rather than what happened: they
// have no time and belong to no others.
func (b *builder) isList(table int) bool {
	t := b.schema.Tables[table]
	isTime := func(c schema.Column) bool { return c.Type.Temporal() }
	return !slices.ContainsFunc(b.schema.Columns[t.First:t.First+t.Len], isTime) &&
		!slices.ContainsFunc(b.schema.Links, func(l schema.Link) bool { return b.schema.Columns[l.From].Table == table })
}

// among makes a select of rows of one table that a path repeats one of the rows whose
// key is among those that the path finds: where a condition is on several tables at
// once, nothing less will do.
func (b *builder) among(p *part, w joinPath, table int) joinPath {
	key, ok := b.key(table)
	if !ok || !w.repeats(table) {
		return w
	}
	p.Where = tree.In{Expr: key, Query: &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: key}}, From: w.part(w.tables, table).sources(), Where: p.Where,
	}}}
	return w.part([]int{table}, table)
}

// mindsRepeats reports whether a select gives something else where its rows are
// repeated. Rows that are listed within another query, or as a side of a set
// operation, may be.
func (b *builder) mindsRepeats(p *part) bool {
	aggregated, minds, parts := len(p.Group) > 0, false, false
	p.eachValue(func(e tree.Expr) tree.Expr {
		switch e := e.(type) {
		case tree.Aggregate:
			aggregated = true
			extreme := e.Func == tree.Min || e.Func == tree.Max || e.Func == tree.Any
			minds = minds || !extreme && !e.Distinct
		case tree.Share, tree.Portion:
			parts = true // of the rows that there are
		}
		return e
	})
	switch {
	case parts:
		return false
	case aggregated:
		return minds
	}
	return !p.Distinct && b.depth == 1 && b.is(symEnd)
}

// eachValue replaces the values of a select outside its conditions on rows, inner
// ones first.
func (p *part) eachValue(fn func(tree.Expr) tree.Expr) {
	q := &tree.Query{Select: &tree.Select{Items: p.Items, Group: p.Group, Having: p.Having}, Order: p.order}
	tree.ReplaceValues(q, fn)
	p.Having = q.Select.Having
}

// usedTables returns the tables that a select needs for more than conditions on
// rows.
func (b *builder) usedTables(p *part) (used []int) {
	p.eachValue(func(e tree.Expr) tree.Expr {
		ref := ""
		switch e := e.(type) {
		case tree.Column:
			ref = e.Source
		case tree.Star:
			ref = e.Source
		}
		if t := b.tableCalled(p, ref); t >= 0 && !slices.Contains(used, t) {
			used = append(used, t)
		}
		return e
	})
	return used
}

// tableCalled returns the table that a column of a select says it is of; -1 when
// there is none.
func (b *builder) tableCalled(p *part, ref string) int {
	for _, t := range p.tables {
		if b.schema.Tables[t].Path.Dataset == ref {
			return t
		}
	}
	return -1
}

// countRows makes counts of what groups a select counts of rows: each group has one value
// of it, and as many rows as are joined with that.
func countRows(p *part) {
	p.eachValue(func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		c, isColumn := a.Arg.(tree.Column)
		groups := ok && isColumn && slices.ContainsFunc(p.Group, func(by tree.Expr) bool {
			column, is := by.(tree.Column)
			return is && column == c
		})
		if groups && a.Func == tree.Count && !a.Distinct {
			a.Arg = tree.Star{}
			return a
		}
		return e
	})
}

func countsStar(p *part) (counts bool) {
	p.eachValue(func(e tree.Expr) tree.Expr {
		counts = counts || isStarCount(e)
		return e
	})
	return counts
}

func isStarCount(e tree.Expr) bool {
	a, ok := e.(tree.Aggregate)
	_, star := a.Arg.(tree.Star)
	return ok && star && a.Func == tree.Count
}

// countKeys makes the counts of rows that a path repeats counts of their keys, where
// they have one.
func (b *builder) countKeys(p *part, w joinPath, counted int) {
	p.eachValue(func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		if !ok || a.Func != tree.Count || a.Distinct {
			return e
		}
		if isStarCount(a) {
			key, ok := b.key(counted)
			if ok && w.repeats(counted) {
				a.Distinct, a.Arg = true, key
				return a
			}
			return e
		}
		c, ok := a.Arg.(tree.Column)
		if !ok {
			return e
		}
		t := b.tableCalled(p, c.Source)
		a.Distinct = t >= 0 && w.repeats(t) && b.isKey(t, c)
		return a
	})
}

// key returns the column that tells all rows of a table apart.
func (b *builder) key(table int) (tree.Column, bool) {
	t := b.schema.Tables[table]
	for i := t.First; i < t.First+t.Len; i++ {
		if c := b.schema.Columns[i]; c.Key() && c.Rows >= t.Rows {
			return columnOf(b.schema, i), true
		}
	}
	return tree.Column{}, false
}

func (b *builder) isKey(table int, column tree.Column) bool {
	t := b.schema.Tables[table]
	return slices.ContainsFunc(b.schema.Columns[t.First:t.First+t.Len], func(c schema.Column) bool {
		return c.Name == column.Name && c.Key()
	})
}

// restrict turns the tables of a path that do nothing but restrict the rows of the
// used ones, and repeat them, into conditions of the select.
func (b *builder) restrict(p *part, w joinPath, used []int) joinPath {
	core, rest := w.between(used), w.tables
	for i := range w.on {
		near, far := w.join(i)
		if slices.Contains(core, far.table) {
			near, far = far, near
		}
		if !slices.Contains(core, near.table) || slices.Contains(core, far.table) {
			continue
		}
		branch := w.side(i, far.table)
		within := w.part(branch, far.table)
		if b.schema.Columns[far.column].Key() && !within.repeats(far.table) {
			continue
		}
		moved, kept, ok := b.splitConds(p.Where, branch)
		if !ok {
			continue
		}
		p.Where = tree.All(append(kept, tree.In{Expr: columnOf(b.schema, near.column), Query: &tree.Query{Select: &tree.Select{
			Items: []tree.Item{{Expr: columnOf(b.schema, far.column)}}, From: within.sources(), Where: tree.All(moved...),
		}}})...)
		rest = slices.DeleteFunc(slices.Clone(rest), func(t int) bool { return slices.Contains(branch, t) })
	}
	if len(rest) == len(w.tables) {
		return w
	}
	return w.part(rest, used[len(used)-1])
}

// splitConds parts conditions into those on the tables of a branch and the others;
// ok is false when one is on both.
func (b *builder) splitConds(where tree.Cond, branch []int) (moved, kept []tree.Cond, ok bool) {
	for _, c := range tree.Conjuncts(where) {
		in, out := false, false
		tree.EachColumn(&tree.Query{Select: &tree.Select{Where: c}}, func(column tree.Column) {
			of := slices.ContainsFunc(branch, func(t int) bool { return b.schema.Tables[t].Path.Dataset == column.Source })
			in, out = in || of, out || !of
		})
		switch {
		case in && out:
			return nil, nil, false
		case in:
			moved = append(moved, c)
		default:
			kept = append(kept, c)
		}
	}
	return moved, kept, true
}
