package ground

import (
	"quern/nlq/grammar"
	"quern/tree"
)

// NullColumn returns the column that a condition wants to be missing.
func NullColumn(c tree.Cond) (column tree.Column, ok bool) {
	if null, is := c.(tree.IsNull); is {
		column, ok = null.Expr.(tree.Column)
	}
	return column, ok
}

// IsPlain reports whether an expression is a column as it is.
func IsPlain(e tree.Expr) bool {
	_, ok := e.(tree.Column)
	return ok
}

// Tests reports whether a condition that all rows fulfil is on a column.
func Tests(where tree.Cond, column tree.Column) bool {
	return UsesColumn(&tree.Query{Select: &tree.Select{Where: where}}, column)
}

// UsesColumn reports whether a query's own select, or its order, has to do with a column.
func UsesColumn(q *tree.Query, column tree.Column) (uses bool) {
	tree.EachColumn(q, func(c tree.Column) { uses = uses || c == column })
	return uses
}

// ReplaceValues replaces the values of a query and of those inside it; from is what the select reads
// whose value it is.
func ReplaceValues(q *tree.Query, fn func(from []tree.Source, e tree.Expr) tree.Expr) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select != nil {
			tree.ReplaceValues(q, func(e tree.Expr) tree.Expr { return fn(q.Select.From, e) })
		}
	})
}

// ReplaceConds replaces the conditions on the rows of a query's own select, and on those that its
// aggregates and shares are of.
func ReplaceConds(q *tree.Query, fn func(tree.Cond) tree.Cond) {
	replace := func(where tree.Cond) tree.Cond {
		if where == nil {
			return nil
		}
		return tree.MapConds(where, fn)
	}
	q.Select.Where = replace(q.Select.Where)
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		switch e := e.(type) {
		case tree.Share:
			e.Where = replace(e.Where)
			return e
		case tree.Aggregate:
			e.Where = replace(e.Where)
			return e
		}
		return e
	})
}

// Listed returns the column that a query lists, if it does nothing else with its rows
// than to choose them.
func Listed(q *tree.Query) (tree.Column, bool) {
	if q.Select == nil || len(q.Select.Items) != 1 || len(q.Select.Group) > 0 || q.Select.Having != nil || q.Limit != nil {
		return tree.Column{}, false
	}
	c, ok := q.Select.Items[0].Expr.(tree.Column)
	return c, ok
}

// LeavesOut reports whether a query or one inside it leaves rows out.
func LeavesOut(q *tree.Query) bool {
	found := false
	tree.EachQuery(q, func(q *tree.Query) { found = found || q.Set != nil })
	tree.EachCond(q, func(c tree.Cond) {
		switch c := c.(type) {
		case tree.Not, tree.IsNull:
			found = true
		case tree.Compare:
			found = found || c.Op == tree.NotEqual || c.Op == tree.Less || c.Op == tree.LessEq
		}
	})
	return found
}

// IsRowCount reports whether a value is a number of rows.
func IsRowCount(e tree.Expr) bool {
	a, ok := e.(tree.Aggregate)
	_, star := a.Arg.(tree.Star)
	return ok && star && a.Func == tree.Count && a.Where == nil
}

// IsCount reports whether a value is a number of rows, or of values.
func IsCount(e tree.Expr) bool {
	a, ok := e.(tree.Aggregate)
	return ok && a.Func == tree.Count
}

// TimeCompared returns the column that a condition compares with a time.
func TimeCompared(c tree.Cond) (tree.Column, bool) {
	switch c := c.(type) {
	case tree.Period:
		column, ok := c.Expr.(tree.Column)
		return column, ok
	case tree.Compare:
		k, ok := c.Right.(tree.Literal)
		column, isColumn := c.Left.(tree.Column)
		isTime := k.Kind == tree.Date || k.Kind == tree.Timestamp
		return column, ok && isColumn && isTime
	}
	return tree.Column{}, false
}

// Equals is the symbol that compares for being the same.
var Equals = Token("=")

// Token reads a symbol of the grammar.
func Token(name string) grammar.Token {
	t, err := grammar.ParseToken(name)
	if err != nil {
		panic(err)
	}
	return t
}
