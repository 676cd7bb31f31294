package tree

import (
	"reflect"
	"slices"

	"quern"
)

// Validate holds a tree against a schema: its datasets and columns exist, its
// values have types that fit, its aggregates stand where they can. The error is
// a Problem that suggests the nearest name.
func Validate(q *Query, s Schema) error {
	c := &checker{schema: s}
	c.query(q, nil)
	if c.err != nil {
		return c.err
	}
	return nil
}

type checker struct {
	schema Schema
	err    *Problem
}

func (c *checker) fail(p *Problem) {
	if c.err == nil {
		c.err = p
	}
}

// scope is what names may mean at a place.
type scope struct {
	refs   []string
	tables []Table
	items  []Item // the result's columns, for an order
	outer  *scope
}

// query checks a query and returns the classes of its columns.
func (c *checker) query(q *Query, outer *scope) []quern.Class {
	if q.Set != nil {
		return c.set(q, outer)
	}
	s := q.Select
	sc := c.bind(s, outer)
	if c.err != nil {
		return nil
	}
	c.cond(s.Where, sc, false)
	var classes []quern.Class
	for _, i := range s.Items {
		classes = append(classes, c.item(i, sc)...)
	}
	for _, g := range s.Group {
		c.value(g, sc, false)
	}
	c.cond(s.Having, sc, true)
	ordered := *sc
	ordered.items = s.Items
	for _, o := range q.Order {
		c.value(o.Expr, &ordered, true)
	}
	c.checkGroups(q, &ordered)
	return classes
}

func (c *checker) set(q *Query, outer *scope) []quern.Class {
	left, right := c.query(q.Set.Left, outer), c.query(q.Set.Right, outer)
	if c.err == nil && len(left) != len(right) {
		c.fail(problem("", "the two sides of %s have %d and %d columns", q.Set.Op, len(left), len(right)))
	}
	return left
}

// bind finds the tables of a select and checks its joins.
func (c *checker) bind(s *Select, outer *scope) *scope {
	sc := &scope{outer: outer}
	for _, source := range s.From {
		t, ok := c.schema.Table(source.Dataset)
		if !ok {
			c.fail(unknown("dataset", source.Dataset.Dataset, c.schema.datasets()))
			return sc
		}
		if slices.ContainsFunc(sc.refs, func(ref string) bool { return SameName(ref, source.Ref()) }) {
			c.fail(problem(source.Ref(), "the name %q stands for two datasets; give one an alias", source.Ref()))
			return sc
		}
		sc.refs, sc.tables = append(sc.refs, source.Ref()), append(sc.tables, t)
		for _, on := range source.On {
			c.requireComparable(on.Left, on.Right, c.value(on.Left, sc, false), c.value(on.Right, sc, false))
		}
	}
	return sc
}

func (c *checker) item(i Item, sc *scope) []quern.Class {
	star, ok := i.Expr.(Star)
	if !ok {
		return []quern.Class{c.value(i.Expr, sc, true)}
	}
	var all []quern.Class
	found := star.Source == ""
	for n, ref := range sc.refs {
		if star.Source != "" && !SameName(star.Source, ref) {
			continue
		}
		found = true
		for _, column := range sc.tables[n].Columns {
			all = append(all, column.Type.Class())
		}
	}
	if !found {
		c.fail(unknown("dataset", star.Source, sc.refs))
	}
	return all
}

// column finds what a column means, in the innermost query that has it.
func (c *checker) column(col Column, sc *scope) quern.Class {
	for at := sc; at != nil; at = at.outer {
		cl, found := c.columnIn(col, at)
		if found || c.err != nil {
			return cl
		}
	}
	if col.Source == "" {
		var names []string
		for _, t := range sc.tables {
			names = append(names, columnNames(t)...)
		}
		c.fail(unknown("column", col.Name, names))
		return quern.ClassUnknown
	}
	c.fail(unknown("dataset", col.Source, sc.refs))
	return quern.ClassUnknown
}

// columnIn finds a column in one scope.
func (c *checker) columnIn(col Column, sc *scope) (cl quern.Class, found bool) {
	if col.Source == "" {
		for _, i := range sc.items {
			if i.Alias != "" && SameName(i.Alias, col.Name) {
				return quern.ClassUnknown, true
			}
		}
	}
	for n, t := range sc.tables {
		if col.Source != "" && !SameName(col.Source, sc.refs[n]) {
			continue
		}
		has, ok := t.Column(col.Name)
		switch {
		case ok && found:
			c.fail(problem(col.Name, "the column %q could be that of two datasets; say which", col.Name))
		case ok:
			cl, found = has.Type.Class(), true
		case col.Source != "":
			c.fail(unknownColumn(t, col.Name))
		}
	}
	return cl, found
}

func columnNames(t Table) []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

func unknownColumn(t Table, name string) *Problem {
	p := unknown("column", name, columnNames(t))
	p.Message += " in " + quoteName(t.Path.Dataset)
	if near := nearest(name, columnNames(t)); near != "" {
		p.Message = problem(name, "there is no column %q in %q; did you mean %q?", name, t.Path.Dataset, near).Message
	}
	return p
}

// checkGroups checks that what is not an aggregate is the same in all rows of a
// group.
func (c *checker) checkGroups(q *Query, sc *scope) {
	s := q.Select
	outputs := make([]Expr, 0, len(s.Items)+len(q.Order))
	for _, i := range s.Items {
		outputs = append(outputs, i.Expr)
	}
	grouped := len(s.Group) > 0 || s.Having != nil || slices.ContainsFunc(outputs, aggregates)
	for _, o := range q.Order {
		grouped = grouped || aggregates(o.Expr)
		outputs = append(outputs, o.Expr)
	}
	if !grouped || c.err != nil {
		return
	}
	for _, e := range outputs {
		c.requireOnePerGroup(e, s, sc)
	}
}

// aggregates reports whether a value has an aggregate in it.
func aggregates(e Expr) (found bool) {
	mapExpr(e, func(e Expr) Expr {
		switch e.(type) {
		case Aggregate, Share, Portion:
			found = true
		}
		return e
	})
	return found
}

// requireOnePerGroup checks that a value is one for each group.
func (c *checker) requireOnePerGroup(e Expr, s *Select, sc *scope) {
	for _, g := range s.Group {
		if sameValue(e, g) {
			return
		}
	}
	switch e := e.(type) {
	case Column:
		for _, i := range s.Items {
			if e.Source == "" && i.Alias != "" && SameName(i.Alias, e.Name) {
				return
			}
		}
		if _, own := c.columnIn(e, &scope{refs: sc.refs, tables: sc.tables}); own {
			c.fail(problem(e.Name, "the column %q is neither grouped by nor in an aggregate", e.Name))
		}
	case Star:
		c.fail(problem("", "all columns cannot be listed beside groups or aggregates"))
	case Arith:
		c.requireOnePerGroup(e.Left, s, sc)
		c.requireOnePerGroup(e.Right, s, sc)
	case Duration:
		c.requireOnePerGroup(e.From, s, sc)
		c.requireOnePerGroup(e.Until, s, sc)
	case Call:
		for _, a := range e.Args {
			c.requireOnePerGroup(a, s, sc)
		}
	}
}

// sameValue reports whether two values are the same, whether or not they say
// whose column they mean.
func sameValue(a, b Expr) bool {
	x, okX := a.(Column)
	y, okY := b.(Column)
	if !okX || !okY {
		return reflect.DeepEqual(a, b)
	}
	return SameName(x.Name, y.Name) && (x.Source == "" || y.Source == "" || SameName(x.Source, y.Source))
}
