package follow

import (
	"slices"

	"quern/tree"
)

// groupByRows makes each of the rows that are listed a group of the rows that belong to
// it, so that these can be counted: of customers who were chosen by their orders, the
// orders of each. It reports false when nothing tells which rows belong to them.
func (e *editor) groupByRows() bool {
	if e.query.Limit != nil || HasAggregate(e.query.Select.Items...) || !e.joinNested() {
		return false
	}
	s := e.query.Select
	p, ok := subject(e.view, s, e.previous)
	if !ok || p.Nested != nil {
		return false
	}
	counted, ok := countedSource(e.view, s)
	key, hasKey := e.keyOf(p.Source)
	if !ok || !hasKey || counted.Ref() == p.Source.Ref() {
		return false
	}
	s.Items = nil
	for _, label := range e.labels(p.Source) {
		var shown tree.Expr = label
		if label != key {
			shown = tree.Aggregate{Func: tree.Any, Arg: label}
		}
		s.Items = append(s.Items, tree.Item{Expr: shown})
	}
	s.Group, s.Distinct, e.query.Order = []tree.Expr{key}, false, nil
	return true
}

// joinNested reads the rows of the query that a condition lists values of beside those
// that are listed. It reports whether the query reads more than one table then.
func (e *editor) joinNested() bool {
	s := e.query.Select
	if len(s.From) > 1 {
		return true
	}
	conds := tree.Conjuncts(s.Where)
	at := slices.IndexFunc(conds, func(c tree.Cond) bool {
		in, ok := c.(tree.In)
		return ok && in.Query != nil
	})
	if at < 0 {
		return false
	}
	in, _ := conds[at].(tree.In)
	inner := in.Query.Select
	key, ok := in.Expr.(tree.Column)
	simple := inner != nil && in.Query.Limit == nil && len(inner.From) == 1 && len(inner.Group) == 0 && len(inner.Items) == 1
	if !ok || !simple || !e.view.IsKey(s.From, key) {
		return false
	}
	refers, ok := inner.Items[0].Expr.(tree.Column)
	if !ok || inner.From[0].Ref() == s.From[0].Ref() {
		return false
	}
	source := inner.From[0]
	source.On = []tree.Pair{{Left: key, Right: refers}}
	s.From = append(s.From, source)
	s.Where = addConds(tree.All(slices.Delete(slices.Clone(conds), at, at+1)...), tree.Conjuncts(inner.Where)...)
	return true
}
