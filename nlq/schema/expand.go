package schema

import (
	"reflect"
	"slices"
	"strings"

	"quern/tree"
)

// Expand writes the measures and named conditions of a query out, in place, and
// returns what it used of what is taught, in sentences. ok is false when the query
// makes something of them that makes no sense. The conditions that always hold are
// added unless the question lifts them.
func (v View) Expand(q *tree.Query, question string) (used []string, ok bool) {
	ok = true
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		e := expansion{view: v, from: q.Select.From, ok: true}
		e.aggregate(q)
		e.name(q.Select)
		q.Select.Where, q.Select.Having = e.cond(q.Select.Where), e.cond(q.Select.Having)
		tree.ReplaceValues(q, e.value)
		e.addRules(q.Select, question)
		used, ok = append(used, e.used...), ok && e.ok
	})
	slices.Sort(used)
	return slices.Compact(used), ok
}

// expansion is the work on one select.
type expansion struct {
	view View
	from []tree.Source
	used []string
	ok   bool
}

// column returns the column of the view that a value is, and its source.
func (e *expansion) column(value tree.Expr) (of *Column, source string) {
	c, ok := value.(tree.Column)
	if !ok {
		return nil, ""
	}
	for _, s := range e.from {
		if c.Source != s.Ref() && !(c.Source == "" && len(e.from) == 1) {
			continue
		}
		for _, i := range e.view.ColumnsOf(s) {
			if e.view.Columns[i].Name == c.Name {
				return &e.view.Columns[i], s.Ref()
			}
		}
	}
	return nil, ""
}

// measure returns the column when it is one that something is taught of.
func (e *expansion) measure(value tree.Expr) *Column {
	c, _ := e.column(value)
	if c == nil || c.Aggregate == "" && c.Formula == nil && len(c.Never) == 0 {
		return nil
	}
	return c
}

// aggregate takes of several rows what a measure usually means, where a query shows
// nothing but measures or one value of each group.
func (e *expansion) aggregate(q *tree.Query) {
	s := q.Select
	bare := func(i tree.Item) bool {
		c := e.measure(i.Expr)
		return c != nil && c.Formula != nil && c.Formula.Value != nil && c.Aggregate != ""
	}
	alone := !slices.ContainsFunc(s.Items, func(i tree.Item) bool { return !bare(i) }) && len(q.Order) == 0 && q.Limit == nil && !s.Distinct
	if !alone && len(s.Group) == 0 {
		return
	}
	for i := range s.Items {
		if bare(s.Items[i]) && !slices.ContainsFunc(s.Group, func(g tree.Expr) bool { return reflect.DeepEqual(g, s.Items[i].Expr) }) {
			c := e.measure(s.Items[i].Expr)
			s.Items[i].Expr = tree.Aggregate{Func: c.Aggregate, Arg: s.Items[i].Expr}
		}
	}
}

var aggregateNames = map[tree.Func]string{tree.Sum: "total_", tree.Avg: "average_", tree.Min: "min_", tree.Max: "max_", tree.Median: "median_", tree.Count: "count_"}

// name gives values that are made of measures the measures' names.
func (e *expansion) name(s *tree.Select) {
	for i := range s.Items {
		prefix, value := "", s.Items[i].Expr
		if a, ok := value.(tree.Aggregate); ok {
			prefix, value = aggregateNames[a.Func], a.Arg
		}
		c := e.measure(value)
		if c == nil || c.Formula == nil || c.Formula.Value == nil || s.Items[i].Alias != "" {
			continue
		}
		s.Items[i].Alias = prefix + strings.Join(strings.Fields(c.Name), "_")
	}
}

// value writes a measure out. A condition is no value.
func (e *expansion) value(value tree.Expr) tree.Expr {
	switch x := value.(type) {
	case tree.Aggregate:
		x.Where = e.cond(x.Where)
		if c := e.argument(x.Arg); c != nil && slices.Contains(c.Never, string(x.Func)) {
			e.ok = false
		}
		return x
	case tree.Share:
		x.Where = e.cond(x.Where)
		return x
	}
	c, source := e.column(value)
	if c == nil || c.Formula == nil {
		return value
	}
	e.used = append(e.used, c.Formula.Note)
	if c.Formula.Value == nil {
		e.ok = false
		return value
	}
	return sourced(c.Formula.Value, source)
}

// argument returns the column whose values an aggregate takes, which were written
// out before the aggregate was seen.
func (e *expansion) argument(arg tree.Expr) *Column {
	if c := e.measure(arg); c != nil {
		return c
	}
	for _, s := range e.from {
		for _, i := range e.view.ColumnsOf(s) {
			c := &e.view.Columns[i]
			if c.Formula != nil && c.Formula.Value != nil && reflect.DeepEqual(sourced(c.Formula.Value, s.Ref()), arg) {
				return c
			}
		}
	}
	return nil
}

// cond writes named conditions out.
func (e *expansion) cond(c tree.Cond) tree.Cond {
	switch c := c.(type) {
	case tree.And:
		return tree.And{Conds: e.conds(c.Conds)}
	case tree.Or:
		return tree.Or{Conds: e.conds(c.Conds)}
	case tree.Not:
		return tree.Not{Cond: e.cond(c.Cond)}
	case tree.Compare:
		of, source := e.column(c.Left)
		if of == nil || of.Formula == nil || of.Formula.Cond == nil {
			return c
		}
		literal, ok := c.Right.(tree.Literal)
		if !ok || literal.Kind != tree.Boolean || c.Op != tree.Equal && c.Op != tree.NotEqual {
			e.ok = false
			return c
		}
		e.used = append(e.used, of.Formula.Note)
		holds := sourcedCond(of.Formula.Cond, source)
		if (literal.Text == "true") != (c.Op == tree.Equal) {
			return tree.Not{Cond: holds}
		}
		return holds
	}
	return c
}

func (e *expansion) conds(all []tree.Cond) []tree.Cond {
	made := make([]tree.Cond, len(all))
	for i, c := range all {
		made[i] = e.cond(c)
	}
	return made
}

// addRules adds the conditions that always hold for the datasets that a select
// reads, unless the question lifts them or the select has a condition on the same
// column.
func (e *expansion) addRules(s *tree.Select, question string) {
	for _, source := range s.From {
		t, ok := e.view.TableOf(source)
		if !ok {
			continue
		}
		for _, rule := range e.view.Tables[t].Rules {
			holds := sourcedCond(rule.Cond, source.Ref())
			lifted := slices.ContainsFunc(rule.Lift, func(w string) bool { return Says(question, w) })
			if lifted || sharesColumn(s.Where, holds) {
				continue
			}
			s.Where = tree.All(append(slices.Clone(tree.Conjuncts(s.Where)), holds)...)
			e.used = append(e.used, "As always here, rows are only those that are "+strings.ToLower(rule.Name)+".")
		}
	}
}

// sharesColumn reports whether two conditions are about the same column.
func sharesColumn(a, b tree.Cond) bool {
	own := columnsOf(a)
	return slices.ContainsFunc(columnsOf(b), func(c tree.Column) bool { return slices.Contains(own, c) })
}

func columnsOf(c tree.Cond) (all []tree.Column) {
	q := &tree.Query{Select: &tree.Select{Where: c}}
	tree.EachColumn(q, func(c tree.Column) { all = append(all, c) })
	return all
}

// sourced returns a value of a dataset's columns as one of a source.
func sourced(value tree.Expr, source string) tree.Expr {
	q := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: tree.CloneExpr(value)}}}}
	fromSource(q, source)
	return q.Select.Items[0].Expr
}

func sourcedCond(c tree.Cond, source string) tree.Cond {
	q := &tree.Query{Select: &tree.Select{Where: tree.CloneCond(c)}}
	fromSource(q, source)
	return q.Select.Where
}

func fromSource(q *tree.Query, source string) {
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if c, ok := e.(tree.Column); ok {
			return tree.Column{Source: source, Name: c.Name}
		}
		return e
	})
}
