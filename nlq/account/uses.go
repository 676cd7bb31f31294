package account

import (
	"strings"

	"quern/nlq/schema"
	"quern/tree"
)

// uses is what a query uses.
type uses struct {
	columns, tables map[int]bool
	tested          map[int][]constant // by column, what it is compared with
	constants       []constant
	functions       string // the names of all, with spaces between
	limited         bool
	ordered         bool
	unique          bool // DISTINCT, a group or a set operation
	grouped         bool
	negates         bool
	periods         bool
	computes        bool // arithmetic, or a share
	shares          bool
	keeps           bool // groups without rows
}

// constant is what a value is compared with.
type constant struct {
	column  int // -1: no column
	op      string
	literal tree.Literal
}

// usesOf collects what a query and those inside it use.
func usesOf(v schema.View, q *tree.Query) *uses {
	q = tree.Clone(q)
	u := &uses{columns: map[int]bool{}, tables: map[int]bool{}, tested: map[int][]constant{}}
	tree.EachQuery(q, func(q *tree.Query) {
		u.limited = u.limited || q.Limit != nil
		u.ordered = u.ordered || len(q.Order) > 0
		if q.Limit != nil {
			u.addConstant(constant{column: -1, op: "limit", literal: number(*q.Limit)})
		}
		if q.Set != nil {
			u.unique = true
			u.negates = u.negates || q.Set.Op == tree.Except
			return
		}
		u.addSelect(v, q)
	})
	return u
}

func (u *uses) addSelect(v schema.View, q *tree.Query) {
	s := q.Select
	u.unique = u.unique || s.Distinct || len(s.Group) > 0
	u.grouped = u.grouped || len(s.Group) > 0
	for _, source := range s.From {
		u.keeps = u.keeps || source.Outer
		if t, ok := v.TableOf(source); ok {
			u.tables[t] = true
		}
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		u.addValue(v, s, e)
		return e
	})
	tree.EachCond(q, func(c tree.Cond) { u.addCond(v, s, c) })
}

func (u *uses) addValue(v schema.View, s *tree.Select, e tree.Expr) {
	switch e := e.(type) {
	case tree.Column:
		if id, ok := v.ColumnOf(s.From, e); ok {
			u.columns[id] = true
		}
	case tree.Aggregate:
		u.functions += " " + string(e.Func)
		u.unique = u.unique || e.Distinct
		if e.Func == tree.Percentile {
			u.addConstant(constant{-1, "=", number(int64(e.Percent))})
		}
	case tree.Call:
		u.functions += " " + strings.ToLower(e.Func)
	case tree.Arith:
		u.computes = true
		if e.Op == '/' {
			u.functions += " quotient"
		}
	case tree.Duration:
		u.computes, u.functions = true, u.functions+" diff"
	case tree.Share, tree.Portion:
		u.computes, u.shares = true, true
	}
}

func (u *uses) addCond(v schema.View, s *tree.Select, c tree.Cond) {
	column := func(e tree.Expr) int { return columnIn(v, s, e) }
	switch c := c.(type) {
	case tree.Compare:
		u.negates = u.negates || c.Op == tree.NotEqual || isFalse(c.Right)
		if k, ok := c.Right.(tree.Literal); ok {
			u.addConstant(constant{column(c.Left), string(c.Op), k})
		}
	case tree.Between:
		for _, bound := range []tree.Expr{c.Low, c.High} {
			if k, ok := bound.(tree.Literal); ok {
				u.addConstant(constant{column(c.Expr), "between", k})
			}
		}
	case tree.In:
		for _, k := range c.List {
			u.addConstant(constant{column(c.Expr), "=", k})
		}
	case tree.Match:
		u.addConstant(constant{column(c.Expr), "match", tree.Literal{Kind: tree.Text, Text: c.Text}})
	case tree.Search:
		for _, word := range c.Words {
			u.addConstant(constant{-1, "match", tree.Literal{Kind: tree.Text, Text: word}})
		}
	case tree.Period:
		u.periods = true
		u.addConstant(constant{column(c.Expr), "period", c.From})
	case tree.Not, tree.IsNull:
		u.negates = true
	}
}

func (u *uses) addConstant(k constant) {
	u.constants = append(u.constants, k)
	if k.column >= 0 {
		u.tested[k.column] = append(u.tested[k.column], k)
	}
}

// columnIn returns the one column of a value that no aggregate hides; -1 when there
// is none.
func columnIn(v schema.View, s *tree.Select, e tree.Expr) int {
	switch e := e.(type) {
	case tree.Column:
		if id, ok := v.ColumnOf(s.From, e); ok {
			return id
		}
	case tree.Call:
		for _, a := range e.Args {
			if id := columnIn(v, s, a); id >= 0 {
				return id
			}
		}
	}
	return -1
}

func isFalse(e tree.Expr) bool {
	k, ok := e.(tree.Literal)
	return ok && k.Kind == tree.Boolean && k.Text == "false"
}

// has reports whether a function is used whose name has one of some parts.
func (u *uses) has(parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(u.functions, part) {
			return true
		}
	}
	return false
}
