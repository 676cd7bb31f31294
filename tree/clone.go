package tree

import "slices"

// Clone returns a deep copy of a query: it prints the same, and changing it
// leaves the original as it was. Clone of nil is nil.
func Clone(q *Query) *Query {
	if q == nil {
		return nil
	}
	c := &Query{Select: q.Select.clone(), Order: slices.Clone(q.Order), Offset: q.Offset}
	if q.Set != nil {
		c.Set = &Set{Op: q.Set.Op, All: q.Set.All, Left: Clone(q.Set.Left), Right: Clone(q.Set.Right)}
	}
	for i := range c.Order {
		c.Order[i].Expr = CloneExpr(c.Order[i].Expr)
	}
	if q.Limit != nil {
		limit := *q.Limit
		c.Limit = &limit
	}
	return c
}

func (s *Select) clone() *Select {
	if s == nil {
		return nil
	}
	c := &Select{
		Distinct: s.Distinct,
		Items:    slices.Clone(s.Items),
		From:     slices.Clone(s.From),
		Where:    CloneCond(s.Where),
		Group:    cloneEach(s.Group, CloneExpr),
		Having:   CloneCond(s.Having),
	}
	for i := range c.Items {
		c.Items[i].Expr = CloneExpr(c.Items[i].Expr)
	}
	for i := range c.From {
		c.From[i].On = slices.Clone(c.From[i].On)
	}
	return c
}

// CloneExpr returns a deep copy of a value.
func CloneExpr(e Expr) Expr {
	switch e := e.(type) {
	case Aggregate:
		e.Arg, e.Where = CloneExpr(e.Arg), CloneCond(e.Where)
		return e
	case Share:
		return Share{CloneCond(e.Where), CloneExpr(e.Of)}
	case Portion:
		e.Of.Arg, e.Of.Where = CloneExpr(e.Of.Arg), CloneCond(e.Of.Where)
		return e
	case Duration:
		e.From, e.Until = CloneExpr(e.From), CloneExpr(e.Until)
		return e
	case Arith:
		e.Left, e.Right = CloneExpr(e.Left), CloneExpr(e.Right)
		return e
	case Call:
		e.Args = cloneEach(e.Args, CloneExpr)
		return e
	case Subquery:
		return Subquery{Clone(e.Query)}
	}
	return e // Column, Star and Literal point to nothing
}

// CloneCond returns a deep copy of a condition.
func CloneCond(c Cond) Cond {
	switch c := c.(type) {
	case And:
		return And{cloneEach(c.Conds, CloneCond)}
	case Or:
		return Or{cloneEach(c.Conds, CloneCond)}
	case Not:
		return Not{CloneCond(c.Cond)}
	case Compare:
		c.Left, c.Right = CloneExpr(c.Left), CloneExpr(c.Right)
		return c
	case Between:
		return Between{CloneExpr(c.Expr), CloneExpr(c.Low), CloneExpr(c.High)}
	case In:
		return In{CloneExpr(c.Expr), slices.Clone(c.List), Clone(c.Query)}
	case Match:
		c.Expr = CloneExpr(c.Expr)
		return c
	case IsNull:
		return IsNull{CloneExpr(c.Expr)}
	case Exists:
		return Exists{Clone(c.Query)}
	case Period:
		c.Expr = CloneExpr(c.Expr)
		return c
	case Search:
		return Search{slices.Clone(c.Words), slices.Clone(c.Columns)}
	case Linked:
		c.Query, c.Via = Clone(c.Query), slices.Clone(c.Via)
		return c
	}
	return c
}

// cloneEach returns a new slice with a copy of each element.
func cloneEach[T any](all []T, clone func(T) T) []T {
	c := slices.Clone(all)
	for i := range c {
		c[i] = clone(c[i])
	}
	return c
}
