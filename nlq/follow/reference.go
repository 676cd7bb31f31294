package follow

import (
	"reflect"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

// Rows are the rows of a query, as another question means them: by "them", or as
// those that are counted.
type Rows struct {
	Table  int         // whose rows they are
	Source tree.Source // the table in the query
	Nested bool        // whether they are of a query nested in it
	view   schema.View
	query  *tree.Query // the select that they are rows of
	// replaceable says that a condition of the next question takes the place of
	// one about the same column: "how many are from Oslo?".
	replaceable bool
}

// RowsOf returns the rows that a question, which was read as a query, is about; ok
// is false when the query has none that a condition can tell.
func RowsOf(v schema.View, q *tree.Query, question string) (*Rows, bool) {
	if q == nil {
		return nil, false
	}
	q = tree.Clone(q)
	s := q.Select
	if q.Set != nil && q.Set.Op != tree.Union && q.Set.Left.Select != nil && oneColumn(q.Set.Left.Select) {
		s = q.Set.Left.Select
	}
	if s == nil {
		return nil, false
	}
	p, ok := subject(v, s, question)
	if p.Nested != nil {
		q = p.Nested
	}
	return &Rows{Table: p.Table, Source: p.Source, Nested: p.Nested != nil, view: v, query: q}, ok
}

// oneColumn reports whether a select lists the values of one column.
func oneColumn(s *tree.Select) bool {
	_, column := s.Items[0].Expr.(tree.Column)
	return len(s.Items) == 1 && column
}

// names returns what the rows are called: many of them, and one.
func (r *Rows) names() (many, one string) {
	words := slices.Clone(r.view.Tables[r.Table].Words)
	last := len(words) - 1
	single := english.Singular(words[last])
	words[last] = single
	one = strings.Join(words, " ")
	words[last] = english.Plural(single)
	return strings.Join(words, " "), one
}

// Restrict leaves of a query's rows those that belong to the rows. It reports
// false when nothing connects the two.
func (r *Rows) Restrict(q *tree.Query) bool {
	if q.Set != nil {
		ok := r.Restrict(q.Set.Left)
		if ok && q.Set.Op == tree.Union {
			ok = r.Restrict(q.Set.Right)
		}
		return ok
	}
	s := q.Select
	for _, source := range s.From {
		if t, known := r.view.TableOf(source); known && t == r.Table {
			return r.restrictOwn(s, source)
		}
	}
	rows, ok := r.overTable()
	if !ok {
		return false
	}
	if rows.Select.Where == nil && rows.Limit == nil {
		return true // they are all rows
	}
	var nearest tree.Cond
	for _, source := range s.From {
		c, ok := r.view.LinkedTo(source, rows)
		nearer := nearest == nil || nesting(c) < nesting(nearest)
		if ok && nearer {
			nearest = c
		}
	}
	s.Where = addConds(s.Where, nearest)
	return nearest != nil
}

// restrictOwn restricts a select that reads the table of the rows.
func (r *Rows) restrictOwn(s *tree.Select, source tree.Source) bool {
	conds, ok := r.reuse(s)
	if !ok {
		conds, ok = r.Conditions(source.Ref())
	}
	r.restrictExtremes(s)
	if r.replaceable {
		conds = slices.DeleteFunc(slices.Clone(conds), func(c tree.Cond) bool {
			return condSubject(c) != nil && slices.ContainsFunc(tree.Conjuncts(s.Where), func(o tree.Cond) bool {
				return reflect.DeepEqual(condSubject(o), condSubject(c))
			})
		})
	}
	s.Where = addConds(s.Where, conds...)
	return ok
}

// reuse returns the conditions of the rows unchanged when a select has the same
// FROM clause and counts the same table. Each of the rows must be read once: one
// that is read with many others can have one for the condition before and another
// for the next.
func (r *Rows) reuse(s *tree.Select) ([]tree.Cond, bool) {
	rows := r.query.Select
	if rows == nil || r.query.Limit != nil || rows.Having != nil || len(rows.From) < 2 {
		return nil, false
	}
	counted, ok := countedSource(r.view, rows)
	if !ok || counted.Ref() != r.Source.Ref() || !reflect.DeepEqual(rows.From, s.From) {
		return nil, false
	}
	return tree.Conjuncts(rows.Where), true
}

// overTable returns the rows as those of a query over their table alone.
func (r *Rows) overTable() (*tree.Query, bool) {
	if s := r.query.Select; s != nil && len(s.From) == 1 && len(s.Group) == 0 && s.Having == nil {
		return r.query, true
	}
	path := r.view.Tables[r.Table].Path
	conds, ok := r.Conditions(path.Dataset)
	return &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{{Dataset: path}}, Where: tree.All(conds...)}}, ok
}

// nesting counts the queries that a condition is nested in.
func nesting(c tree.Cond) (n int) {
	in, ok := c.(tree.In)
	for ; ok && in.Query != nil; n++ {
		in, ok = in.Query.Select.Where.(tree.In)
	}
	return n
}

// restrictExtremes restricts the nested queries that find the largest or the
// smallest value: it is to be that of the rows.
func (r *Rows) restrictExtremes(s *tree.Select) {
	for _, c := range tree.Conjuncts(s.Where) {
		compare, ok := c.(tree.Compare)
		sub, isQuery := compare.Right.(tree.Subquery)
		if !ok || !isQuery || sub.Query.Select == nil {
			continue
		}
		a, ok := sub.Query.Select.Items[0].Expr.(tree.Aggregate)
		t, known := r.view.TableOf(sub.Query.Select.From[0])
		extreme := a.Func == tree.Min || a.Func == tree.Max
		if ok && extreme && known && t == r.Table {
			r.Restrict(sub.Query)
		}
	}
}

// Conditions returns what is true of the rows, of a source by that name; ok is
// false when no condition can tell them.
func (r *Rows) Conditions(name string) ([]tree.Cond, bool) {
	q := r.query
	if s := q.Select; s != nil && len(s.Group) > 0 {
		return r.groupConditions(name)
	}
	if s := q.Select; s != nil && len(s.From) == 1 && q.Limit == nil && s.Having == nil && r.Source.Ref() == name {
		return tree.Conjuncts(s.Where), true
	}
	return r.membership(name)
}

// groupConditions returns what is true of rows that were put into groups: what was
// true of them before, and that their group is one of those shown where not all
// are.
func (r *Rows) groupConditions(name string) ([]tree.Cond, bool) {
	cut := r.query.Limit != nil || r.query.Select.Having != nil
	counted, ok := countedSource(r.view, r.query.Select)
	isCounted := ok && counted.Ref() == r.Source.Ref()
	if cut && !isCounted {
		return r.membership(name) // a row is a group: a customer of many orders
	}
	single := tree.Clone(r.query)
	single.Select.Items = []tree.Item{{Expr: tree.Star{}}}
	single.Select.Group, single.Select.Having, single.Order, single.Limit = nil, nil, nil, nil
	ungrouped := &Rows{Table: r.Table, Source: r.Source, view: r.view, query: single}
	conds, ok := ungrouped.Conditions(name)
	if !ok || !cut {
		return conds, ok
	}
	within, ok := r.membership(name)
	return slices.Concat(conds, within), ok
}

// membership returns the condition that a source by that name is among the rows,
// or in one of their groups.
func (r *Rows) membership(name string) ([]tree.Cond, bool) {
	inner := tree.Clone(r.query)
	column, ok := r.keyColumn(inner)
	if !ok {
		return nil, false
	}
	if inner.Select != nil {
		inner.Select.Items, inner.Select.Distinct = []tree.Item{{Expr: column}}, false
	}
	if inner.Limit == nil {
		inner.Order = nil
	}
	return []tree.Cond{tree.In{Expr: tree.Column{Source: name, Name: column.Name}, Query: inner}}, true
}

// keyColumn returns the column that tells the rows from others: what they are
// grouped by, or their key.
func (r *Rows) keyColumn(q *tree.Query) (tree.Column, bool) {
	if q.Set != nil {
		c, ok := q.Set.Left.Select.Items[0].Expr.(tree.Column)
		return c, ok
	}
	for _, g := range q.Select.Group {
		if c, ok := g.(tree.Column); ok && c.Source == r.Source.Ref() {
			return c, true
		}
	}
	if len(q.Select.Group) > 0 {
		return tree.Column{}, false
	}
	t := r.view.Tables[r.Table]
	for _, c := range r.view.Columns[t.First : t.First+t.Len] {
		if c.Key() {
			return tree.Column{Source: r.Source.Ref(), Name: c.Name}, true
		}
	}
	return tree.Column{}, false
}
