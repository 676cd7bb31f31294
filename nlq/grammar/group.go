package grammar

import (
	"reflect"
	"slices"

	"quern/tree"
)

// makeGroupable makes a select one that an engine accepts: what stands beside
// aggregates is grouped by or any value of its group, and what a distinct select
// is ordered by is one of its items.
func makeGroupable(p *part) {
	aggregated := len(p.Group) > 0 || p.Having != nil
	for _, i := range p.Items {
		aggregated = aggregated || hasAggregate(i.Expr)
	}
	if !aggregated && p.Distinct {
		orderDistinct(p)
	}
	for _, o := range p.order {
		aggregated = aggregated || hasAggregate(o.Expr)
	}
	grouped := len(p.Group) > 0 || mixesAggregates(p)
	if !aggregated || !grouped {
		return
	}
	for i := range p.Items {
		p.Items[i].Expr = groupValue(p.Items[i].Expr, p.Group)
	}
	for i := range p.order {
		p.order[i].Expr = groupValue(p.order[i].Expr, p.Group)
	}
}

// mixesAggregates reports whether a select without groups has items of both sorts.
func mixesAggregates(p *part) bool {
	return slices.ContainsFunc(p.Items, func(i tree.Item) bool { return hasAggregate(i.Expr) }) || p.Having != nil || len(p.order) > 0
}

func hasAggregate(e tree.Expr) bool {
	switch e := e.(type) {
	case tree.Aggregate, tree.Share, tree.Portion:
		return true
	case tree.Arith:
		return hasAggregate(e.Left) || hasAggregate(e.Right)
	}
	return false
}

// groupValue returns an expression as it can stand in a select with groups.
func groupValue(e tree.Expr, groups []tree.Expr) tree.Expr {
	if slices.ContainsFunc(groups, func(g tree.Expr) bool { return reflect.DeepEqual(g, e) }) {
		return e
	}
	switch e := e.(type) {
	case tree.Column, tree.Call, tree.Duration:
		return tree.Aggregate{Func: tree.Any, Arg: e}
	case tree.Arith:
		e.Left, e.Right = groupValue(e.Left, groups), groupValue(e.Right, groups)
		return e
	}
	return e
}

// orderDistinct turns a distinct select that is ordered by something else into
// one with a group for each of its rows.
func orderDistinct(p *part) {
	var items []tree.Expr
	for _, i := range p.Items {
		c, ok := i.Expr.(tree.Column)
		if !ok {
			return
		}
		items = append(items, c)
	}
	outside := false
	for _, o := range p.order {
		_, column := o.Expr.(tree.Column)
		if !column {
			return
		}
		outside = outside || !slices.ContainsFunc(items, func(i tree.Expr) bool { return reflect.DeepEqual(i, o.Expr) })
	}
	if !outside {
		return
	}
	p.Distinct, p.Group = false, items
	for i, o := range p.order {
		if slices.ContainsFunc(items, func(e tree.Expr) bool { return reflect.DeepEqual(e, o.Expr) }) {
			continue
		}
		f := tree.Min
		if o.Desc {
			f = tree.Max
		}
		p.order[i].Expr = tree.Aggregate{Func: f, Arg: o.Expr}
	}
}
