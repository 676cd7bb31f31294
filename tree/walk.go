package tree

// mapCond replaces conditions, inner ones first. It does not enter queries.
func mapCond(c Cond, fn func(Cond) Cond) Cond {
	switch inner := c.(type) {
	case nil:
		return nil
	case And:
		return fn(And{mapConds(inner.Conds, fn)})
	case Or:
		return fn(Or{mapConds(inner.Conds, fn)})
	case Not:
		return fn(Not{mapCond(inner.Cond, fn)})
	}
	return fn(c)
}

func mapConds(conds []Cond, fn func(Cond) Cond) []Cond {
	mapped := make([]Cond, len(conds))
	for i, c := range conds {
		mapped[i] = mapCond(c, fn)
	}
	return mapped
}

// MapConds returns conditions with each replaced, inner ones first; nested queries are
// left alone.
func MapConds(c Cond, fn func(Cond) Cond) Cond { return mapCond(c, fn) }

// first returns the Linked condition that conditions begin with.
func first(conds []Cond) (Linked, bool) {
	if len(conds) == 0 {
		return Linked{}, false
	}
	l, ok := conds[0].(Linked)
	return l, ok
}

// mapExpr replaces values, inner ones first. It does not enter queries.
func mapExpr(e Expr, fn func(Expr) Expr) Expr {
	switch inner := e.(type) {
	case nil:
		return nil
	case Aggregate:
		inner.Arg, inner.Where = mapExpr(inner.Arg, fn), mapValues(inner.Where, fn)
		return fn(inner)
	case Share:
		inner.Where, inner.Of = mapValues(inner.Where, fn), mapExpr(inner.Of, fn)
		return fn(inner)
	case Portion:
		inner.Of.Arg = mapExpr(inner.Of.Arg, fn)
		return fn(inner)
	case Duration:
		inner.From, inner.Until = mapExpr(inner.From, fn), mapExpr(inner.Until, fn)
		return fn(inner)
	case Arith:
		inner.Left, inner.Right = mapExpr(inner.Left, fn), mapExpr(inner.Right, fn)
		return fn(inner)
	case Call:
		args := make([]Expr, len(inner.Args))
		for i, a := range inner.Args {
			args[i] = mapExpr(a, fn)
		}
		inner.Args = args
		return fn(inner)
	}
	return fn(e)
}

// mapValues replaces the values inside a condition.
func mapValues(c Cond, fn func(Expr) Expr) Cond {
	each := func(e Expr) Expr { return mapExpr(e, fn) }
	return mapCond(c, func(c Cond) Cond {
		switch c := c.(type) {
		case Compare:
			c.Left, c.Right = each(c.Left), each(c.Right)
			return c
		case Between:
			c.Expr, c.Low, c.High = each(c.Expr), each(c.Low), each(c.High)
			return c
		case In:
			c.Expr = each(c.Expr)
			return c
		case Match:
			c.Expr = each(c.Expr)
			return c
		case IsNull:
			c.Expr = each(c.Expr)
			return c
		case Period:
			c.Expr = each(c.Expr)
			return c
		case Search:
			columns := make([]Column, len(c.Columns))
			for i, column := range c.Columns {
				columns[i], _ = fn(column).(Column)
			}
			return Search{c.Words, columns}
		}
		return c
	})
}

// ReplaceValues replaces the values of a query's own select, inner ones first, order
// included and nested queries not.
func ReplaceValues(q *Query, fn func(Expr) Expr) {
	each := func(e Expr) Expr { return mapExpr(e, fn) }
	s := q.Select
	for i := range s.Items {
		s.Items[i].Expr = each(s.Items[i].Expr)
	}
	s.Where, s.Having = mapValues(s.Where, fn), mapValues(s.Having, fn)
	for i := range s.Group {
		s.Group[i] = each(s.Group[i])
	}
	for i := range q.Order {
		q.Order[i].Expr = each(q.Order[i].Expr)
	}
}

// eachSubquery calls fn with the queries directly inside a query's own select.
func eachSubquery(q *Query, fn func(*Query)) {
	visit := func(c Cond) Cond {
		switch c := c.(type) {
		case In:
			if c.Query != nil {
				fn(c.Query)
			}
		case Exists:
			fn(c.Query)
		case Linked:
			fn(c.Query)
		}
		return c
	}
	ReplaceValues(q, func(e Expr) Expr {
		switch e := e.(type) {
		case Subquery:
			fn(e.Query)
		case Share:
			mapCond(e.Where, visit)
		case Aggregate:
			mapCond(e.Where, visit)
		}
		return e
	})
	mapCond(q.Select.Where, visit)
	mapCond(q.Select.Having, visit)
}

// qualify writes the source that owner returns before columns that do not say
// whose they are, so that a query around theirs can never be meant. Names of result
// columns stay.
func qualify(q *Query, owner func(column string) (source string)) {
	aliases := map[string]bool{}
	for _, i := range q.Select.Items {
		aliases[i.Alias] = true
	}
	ReplaceValues(q, func(e Expr) Expr {
		if c, ok := e.(Column); ok && c.Source == "" && !aliases[c.Name] {
			return Column{owner(c.Name), c.Name}
		}
		return e
	})
}

// eachColumn calls fn for the columns that a select and its order name, and
// changes nothing.
func (s *Select) eachColumn(order []Order, fn func(Column)) {
	see := func(e Expr) Expr {
		if c, ok := e.(Column); ok {
			fn(c)
		}
		return e
	}
	for _, i := range s.Items {
		mapExpr(i.Expr, see)
	}
	for _, g := range s.Group {
		mapExpr(g, see)
	}
	for _, o := range order {
		mapExpr(o.Expr, see)
	}
	mapValues(s.Where, see)
	mapValues(s.Having, see)
}

// EachColumn calls fn for the columns that a query's own select names, those of
// its joins and nested queries left out.
func EachColumn(q *Query, fn func(Column)) {
	ReplaceValues(q, func(e Expr) Expr {
		if c, ok := e.(Column); ok {
			fn(c)
		}
		return e
	})
}

// EachCond calls fn for the conditions of a query's own select, inner ones first;
// those of nested queries are left out.
func EachCond(q *Query, fn func(Cond)) {
	see := func(c Cond) Cond {
		fn(c)
		return c
	}
	ReplaceValues(q, func(e Expr) Expr {
		switch e := e.(type) {
		case Share:
			mapCond(e.Where, see)
		case Aggregate:
			mapCond(e.Where, see)
		}
		return e
	})
	mapCond(q.Select.Where, see)
	mapCond(q.Select.Having, see)
}

// EachQuery calls fn with a query and those inside it, inner ones first.
func EachQuery(q *Query, fn func(*Query)) {
	each := func(inner *Query) { EachQuery(inner, fn) }
	if q.Set != nil {
		each(q.Set.Left)
		each(q.Set.Right)
	} else {
		eachSubquery(q, each)
	}
	fn(q)
}
