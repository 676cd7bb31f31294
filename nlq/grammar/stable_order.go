package grammar

import (
	"reflect"
	"slices"

	"quern/nlq/schema"
	"quern/tree"
)

// StableOrder returns a query whose rows come in the same order each time: rows that
// its order leaves equal follow by what groups them, in the same direction where only the first
// are kept, or by their table's key. Groups of kinds that have no order come largest first.
// The query itself stays as it is.
func StableOrder(s *schema.Schema, q *tree.Query) *tree.Query {
	steady := tree.Clone(q)
	groupOrder(s, steady)
	tree.EachQuery(steady, func(q *tree.Query) {
		if q.Select == nil || len(q.Order) == 0 || q.Select.Distinct {
			return
		}
		for _, e := range ties(s, q) {
			if !slices.ContainsFunc(q.Order, func(o tree.Order) bool { return reflect.DeepEqual(o.Expr, e) }) {
				q.Order = append(q.Order, tree.Order{Expr: e, Desc: q.Limit != nil && len(q.Select.Group) > 0 && q.Order[0].Desc})
			}
		}
	})
	return steady
}

// groupOrder puts groups that come in no order by what they are of, where that has an order of its own
// (days, years), or by the one number that is told of each, the largest first.
func groupOrder(s *schema.Schema, q *tree.Query) {
	if q.Select == nil || q.Select.Distinct || len(q.Order) > 0 || len(q.Select.Group) == 0 || q.Limit != nil {
		return
	}
	for _, e := range q.Select.Group {
		by, isColumn := e.(tree.Column)
		if !isColumn {
			return
		}
		id, known := schema.View{Schema: s}.ColumnOf(q.Select.From, by)
		if known && !s.Columns[id].Key() && (s.Columns[id].Type.Temporal() || s.Columns[id].Type.Numeric()) {
			q.Order = append(q.Order, tree.Order{Expr: by})
		}
	}
	if number, ok := onlyNumber(q.Select); ok && len(q.Order) == 0 {
		q.Order = []tree.Order{{Expr: number, Desc: true}}
	}
}

// onlyNumber returns the one number that a query tells of each of its groups.
func onlyNumber(s *tree.Select) (number tree.Expr, ok bool) {
	for _, i := range s.Items {
		if a, isAggregate := i.Expr.(tree.Aggregate); !hasAggregate(i.Expr) || isAggregate && a.Func == tree.Any {
			continue
		}
		if number != nil {
			return nil, false
		}
		number = i.Expr
	}
	return number, number != nil
}

// ties returns what tells the rows of a query apart, those that it orders by something of before others.
func ties(s *schema.Schema, q *tree.Query) []tree.Expr {
	if len(q.Select.Group) > 0 {
		return q.Select.Group
	}
	if slices.ContainsFunc(q.Select.Items, func(i tree.Item) bool { return hasAggregate(i.Expr) }) ||
		slices.ContainsFunc(q.Order, func(o tree.Order) bool { return hasAggregate(o.Expr) }) {
		return nil
	}
	var keys []tree.Expr
	from := slices.Clone(q.Select.From)
	by, _ := q.Order[0].Expr.(tree.Column)
	slices.SortStableFunc(from, func(a, b tree.Source) int { return isRef(b, by) - isRef(a, by) })
	for _, source := range from {
		for _, t := range s.Tables {
			if tree.SamePath(t.Path, source.Dataset) {
				keys = append(keys, keyOf(s, t, source.Ref())...)
			}
		}
	}
	return keys
}

// isRef returns 1 for the source that a column is of.
func isRef(source tree.Source, column tree.Column) int {
	if source.Ref() == column.Source {
		return 1
	}
	return 0
}

// keyOf returns the first column of a table that tells its rows apart, or none.
func keyOf(s *schema.Schema, t schema.Table, ref string) []tree.Expr {
	for i := t.First; i < t.First+t.Len; i++ {
		if s.Columns[i].Key() {
			return []tree.Expr{tree.Column{Source: ref, Name: s.Columns[i].Name}}
		}
	}
	return nil
}

// SQL writes a query for the engine, with its rows in a steady order.
func SQL(s *schema.Schema, q *tree.Query) (string, error) {
	return tree.SQL(StableOrder(s, q))
}
