package grammar

import (
	"reflect"
	"slices"

	"quern/nlq/schema"
	"quern/tree"
)

// StableOrder returns a query whose rows come in the same order each time: rows that
// its order leaves equal follow by what groups them, in the same direction where only the first
// are kept, or by their table's key.
// The query itself stays as it is.
func StableOrder(s *schema.Schema, q *tree.Query) *tree.Query {
	steady := tree.Clone(q)
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

// ties returns what tells the rows of a query apart.
func ties(s *schema.Schema, q *tree.Query) []tree.Expr {
	if len(q.Select.Group) > 0 {
		return q.Select.Group
	}
	if slices.ContainsFunc(q.Select.Items, func(i tree.Item) bool { return hasAggregate(i.Expr) }) ||
		slices.ContainsFunc(q.Order, func(o tree.Order) bool { return hasAggregate(o.Expr) }) {
		return nil
	}
	var keys []tree.Expr
	for _, source := range q.Select.From {
		for _, t := range s.Tables {
			if tree.SamePath(t.Path, source.Dataset) {
				keys = append(keys, keyOf(s, t, source.Ref())...)
			}
		}
	}
	return keys
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
