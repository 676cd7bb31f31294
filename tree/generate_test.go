package tree_test

import (
	"fmt"
	"math/rand/v2"

	"quern/tree"
)

// random makes trees that are in the form that parsers give.
type random struct {
	*rand.Rand
	depth  int
	fluent bool // only what the fluent form can say
}

func pick[T any](r *random, of ...T) T { return of[r.IntN(len(of))] }

func some[T any](r *random, least int, one func() T) []T {
	all := make([]T, least+r.IntN(3))
	for i := range all {
		all[i] = one()
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

func (r *random) name() string {
	return pick(r, "a", "orders", "Unit Price", `say "hi"`, "select", "größe", "x_1", "it's", "null", "é`\\n")
}

func (r *random) dataset() tree.Name {
	n := tree.Name{Dataset: pick(r, "orders", "customers", "Line-Items", "x1")}
	if r.IntN(2) == 0 {
		n.Namespace = pick(r, "shop", "North-2")
		if r.IntN(2) == 0 {
			n.Owner = pick(r, "ada", "bob.b@example.org")
		}
	}
	return n
}

func (r *random) text() string {
	return pick(r, "open", "", "it's", `"q"`, "100%", "a\\b", "línea\n2", "`x`", "日本", "--", ";")
}

func (r *random) literal() tree.Literal {
	return pick(r,
		tree.Literal{Kind: tree.Text, Text: r.text()},
		tree.Literal{Kind: tree.Number, Text: pick(r, "0", "-1", "12.50", "1e9", "-2.5E-3", "99999999999999999999")},
		tree.Literal{Kind: tree.Boolean, Text: pick(r, "true", "false")},
		tree.Literal{Kind: tree.Date, Text: "2024-02-29"},
		tree.Literal{Kind: tree.Timestamp, Text: "2024-02-29T10:00:00Z"})
}

func (r *random) column() tree.Column {
	c := tree.Column{Name: r.name()}
	if !r.fluent && r.IntN(2) == 0 {
		c.Source = r.name()
	}
	return c
}

func (r *random) expr() tree.Expr {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > 4 {
		return r.column()
	}
	kinds := 9
	if r.fluent {
		kinds = 6
	}
	switch r.IntN(kinds) {
	case 0:
		return r.literal()
	case 1:
		return tree.Call{
			Func: pick(r, "year", "lower", "abs", "length", "dayname", tree.YearQuarter, tree.YearMonth, tree.YearWeek, tree.CalendarDay, tree.TimeOfDay, tree.Clock),
			Args: []tree.Expr{r.column()},
		}
	case 6:
		return tree.Arith{Op: pick(r, byte('+'), '-', '*', '/', '%'), Left: r.expr(), Right: r.expr()}
	case 7:
		return r.aggregateOrQuery()
	case 8:
		unit := pick(r, tree.Minutes, tree.Hours, tree.Days, tree.Weeks, tree.Months, tree.Years)
		return tree.Duration{Unit: unit, From: r.column(), Until: pick[tree.Expr](r, r.column(), tree.Literal{Kind: tree.Date, Text: "2024-02-29"})}
	}
	return r.column()
}

func (r *random) aggregateOrQuery() tree.Expr {
	switch r.IntN(8) {
	case 3:
		return tree.Share{Where: r.cond()}
	case 4:
		return tree.Share{Where: r.cond(), Of: tree.Aggregate{Func: tree.Sum, Arg: r.expr()}}
	case 5:
		return tree.Portion{Of: tree.Aggregate{Func: pick(r, tree.Sum, tree.Count), Arg: r.column()}}
	case 6:
		return tree.Aggregate{Func: tree.Percentile, Percent: 1 + r.IntN(99), Arg: r.expr()}
	case 7:
		return tree.Aggregate{Func: pick(r, tree.Sum, tree.Median), Arg: r.column(), Where: r.cond()}
	case 0:
		return tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}
	case 1:
		return tree.Subquery{Query: r.query()}
	}
	return tree.Aggregate{Func: pick(r, tree.Count, tree.Sum, tree.Avg, tree.Min, tree.Max, tree.Any), Distinct: r.IntN(2) == 0, Arg: r.expr()}
}

func (r *random) cond() tree.Cond {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > 4 {
		return tree.IsNull{Expr: r.column()}
	}
	kinds := 11
	if r.fluent {
		kinds = 9
	}
	switch r.IntN(kinds) {
	case 0:
		return tree.All(some(r, 2, r.cond)...)
	case 1:
		return tree.Or{Conds: some(r, 2, r.cond)}
	case 2:
		return tree.Not{Cond: r.cond()}
	case 3:
		return tree.Between{Expr: r.expr(), Low: r.literal(), High: r.literal()}
	case 4:
		return tree.In{Expr: r.expr(), List: some(r, 1, r.literal)}
	case 5:
		return r.match()
	case 6:
		return tree.IsNull{Expr: r.expr()}
	case 7:
		return tree.Period{Expr: r.column(), From: tree.Literal{Kind: tree.Date, Text: "2024-01-01"}, Until: tree.Literal{Kind: tree.Date, Text: "2025-01-01"}}
	case 9:
		return tree.Search{Words: some(r, 1, func() string { return pick(r, "red", "größe", "2024") }), Columns: some(r, 1, r.column)}
	case 10:
		return pick[tree.Cond](r, tree.In{Expr: r.expr(), Query: r.query()}, tree.Exists{Query: r.query()})
	}
	return tree.Compare{Op: pick(r, tree.Equal, tree.NotEqual, tree.Less, tree.LessEq, tree.Greater, tree.GreaterEq), Left: r.expr(), Right: r.expr()}
}

func (r *random) match() tree.Cond {
	m := tree.Match{Op: pick(r, tree.Like, tree.Contains, tree.StartsWith, tree.EndsWith), Expr: r.column(), Text: r.text(), Fold: r.IntN(2) == 0}
	return m
}

func (r *random) query() *tree.Query {
	r.depth++
	defer func() { r.depth-- }()
	q := &tree.Query{}
	if r.depth < 3 && r.IntN(4) == 0 {
		op := pick(r, tree.Union, tree.Intersect, tree.Except)
		q.Set = &tree.Set{Op: op, All: op == tree.Union && r.IntN(2) == 0, Left: r.query(), Right: r.query()}
	} else {
		q.Select = r.selection()
	}
	if r.IntN(3) == 0 {
		q.Order = some(r, 1, func() tree.Order {
			return tree.Order{Expr: r.expr(), Desc: r.IntN(2) == 0, Nulls: pick(r, "", tree.NullsFirst, tree.NullsLast)}
		})
	}
	if r.IntN(3) == 0 {
		n := int64(r.IntN(100))
		q.Limit, q.Offset = &n, int64(r.IntN(2))*int64(r.IntN(100))
	}
	return q
}

func (r *random) selection() *tree.Select {
	s := &tree.Select{Distinct: r.IntN(4) == 0}
	s.Items = some(r, 1, func() tree.Item {
		if r.IntN(4) == 0 {
			return tree.Item{Expr: tree.Star{Source: pick(r, "", "orders")}}
		}
		return tree.Item{Expr: r.expr(), Alias: pick(r, "", "n", "the total")}
	})
	for i := range 1 + r.IntN(3) {
		source := tree.Source{Dataset: r.dataset(), Alias: pick(r, "", fmt.Sprintf("t%d", i))}
		if i > 0 && r.IntN(3) > 0 {
			source.On = some(r, 1, func() tree.Pair { return tree.Pair{Left: r.column(), Right: r.column()} })
			source.Outer = r.IntN(3) == 0
		}
		s.From = append(s.From, source)
	}
	if r.IntN(2) == 0 {
		s.Where = r.cond()
	}
	if r.IntN(3) == 0 {
		s.Group = some(r, 1, r.expr)
		if r.IntN(2) == 0 {
			s.Having = r.cond()
		}
	}
	return s
}

// chain makes a query that the fluent form can say.
func (r *random) chain(hops int) *tree.Query {
	q := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{{Dataset: r.dataset()}}}}
	var conds []tree.Cond
	if hops > 0 {
		link := tree.Linked{Query: r.chain(hops - 1), Within: r.IntN(4)}
		switch r.IntN(4) {
		case 0:
			link.Via = some(r, 1, r.name)
		case 1, 2:
			link.Within, q.Select.From[0].Dataset = 0, tree.Name{}
			if names := some(r, 1, r.name); len(names) > 1 {
				link.Via = names
			} else {
				link.Column = names[0]
			}
			// Right behind a find, follow would say along which columns that goes.
			if link.Query.Limit == nil {
				n := int64(7)
				link.Query.Limit = &n
			}
		}
		link.Query.Select.Items = []tree.Item{{Expr: tree.Star{}}}
		conds = append(conds, link)
	}
	for range r.IntN(3) {
		if r.IntN(4) == 0 {
			conds = append(conds, tree.Search{Words: []string{"red", "größe"}})
			continue
		}
		conds = append(conds, flat(r.cond())...)
	}
	q.Select.Where = tree.All(conds...)
	if r.IntN(3) == 0 {
		q.Select.Items = some(r, 1, func() tree.Item { return tree.Item{Expr: tree.Column{Name: r.name()}} })
	}
	for range r.IntN(3) {
		q.Order = append(q.Order, tree.Order{Expr: tree.Column{Name: r.name()}, Desc: r.IntN(2) == 0})
	}
	if r.IntN(2) == 0 {
		n := int64(r.IntN(100))
		q.Limit = &n
	}
	return q
}

func flat(c tree.Cond) []tree.Cond {
	and, ok := c.(tree.And)
	if !ok {
		return []tree.Cond{c}
	}
	var all []tree.Cond
	for _, part := range and.Conds {
		all = append(all, flat(part)...)
	}
	return all
}
