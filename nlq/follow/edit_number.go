package follow

import (
	"reflect"
	"regexp"
	"slices"

	"quern/english"
	"quern/tree"
)

var (
	countPattern = regexp.MustCompile(`^(?:and |so )?(?:how many|count)(?: (?:is|are|was|were|do|does))?` +
		`(?: (?:that|those|these|they|them|there|it|this|of (?:them|those|these)))*(?: (?:in total|altogether|in all|make))*$`)
	// countsRows is how one asks for the number of rows behind another number.
	countsRows   = regexp.MustCompile(`\b(?:there|they|them|those|these)\b`)
	groupPattern = regexp.MustCompile(`^(?:and |now |the same |that |show (?:it|that) )*` +
		`(?:(?:per|by|for each|for every|in each|in every|broken down by|split by|grouped by|group by) (?:the )?(?P<by>.+)|` +
		`(?P<adverb>monthly|yearly|annually|daily|quarterly))$`)
	measurePattern = regexp.MustCompile(`^(?:and |but |now |what about |how about )+(?:the |their |its |in |on )?` +
		`(?P<function>average|mean|total|sum|maximum|max|highest|largest|minimum|min|lowest|smallest)(?: value)?(?: of)?(?: (?P<column>[a-z].*))?$`)
)

// functionWords are the words for what is made of many numbers.
var functionWords = map[string]tree.Func{
	"average": tree.Avg, "mean": tree.Avg, "total": tree.Sum, "sum": tree.Sum, "maximum": tree.Max, "max": tree.Max, "highest": tree.Max,
	"largest": tree.Max, "minimum": tree.Min, "min": tree.Min, "lowest": tree.Min, "smallest": tree.Min,
}

// countRows asks how many rows the previous query has: "how many is that?".
func countRows(e *editor) bool {
	s := e.query.Select
	all := tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}
	if !countPattern.MatchString(e.text) || e.query.Limit != nil || s.Having != nil {
		return false
	}
	if share, ok := s.Items[0].Expr.(tree.Share); ok && len(s.Items) == 1 {
		s.Where = addConds(s.Where, tree.Conjuncts(share.Where)...)
	} else if e.oneRow() && (e.lists(all) || !countsRows.MatchString(e.text)) {
		return false
	}
	switch {
	case len(s.Group) == 1:
		all = tree.Aggregate{Func: tree.Count, Distinct: true, Arg: s.Group[0]}
	case len(s.Group) > 1:
		return false
	case s.Distinct && len(s.Items) == 1:
		all = tree.Aggregate{Func: tree.Count, Distinct: true, Arg: s.Items[0].Expr}
	case s.Distinct:
		return false
	}
	s.Items, s.Group, s.Distinct, e.query.Order = []tree.Item{{Expr: all}}, nil, false, nil
	return true
}

// changeMeasure makes another number of the same rows: "and the average?", "and
// the total price?".
func changeMeasure(e *editor) bool {
	m, ok := match(measurePattern, e.text)
	s := e.query.Select
	if !ok || e.query.Limit != nil || s.Having != nil || s.Distinct {
		return false
	}
	groups := slices.DeleteFunc(slices.Clone(s.Items), func(i tree.Item) bool {
		return !slices.ContainsFunc(s.Group, func(g tree.Expr) bool { return reflect.DeepEqual(g, i.Expr) })
	})
	column, ok := e.measuredColumn()
	if m["column"] != "" {
		column, ok = e.column(m["column"])
	}
	if !ok {
		return false
	}
	s.Items = append(groups, tree.Item{Expr: tree.Aggregate{Func: functionWords[m["function"]], Arg: column}})
	e.query.Order = nil
	return true
}

// measuredColumn returns the one column that the previous numbers are of.
func (e *editor) measuredColumn() (tree.Column, bool) {
	var found []tree.Column
	for _, i := range e.query.Select.Items {
		a, ok := i.Expr.(tree.Aggregate)
		if !ok || a.Func == tree.Any {
			continue
		}
		column, ok := a.Arg.(tree.Column)
		if !ok {
			return tree.Column{}, false
		}
		found = append(found, column)
	}
	if len(found) != 1 {
		return tree.Column{}, false
	}
	return found[0], true
}

// groupRows splits the previous count or sum: "per status", "by city", "now by
// month".
func groupRows(e *editor) bool {
	m, ok := match(groupPattern, e.text)
	s := e.query.Select
	if !ok || s.Distinct || s.Having != nil || e.query.Limit != nil {
		return false
	}
	if m["adverb"] != "" {
		return e.groupByPeriod(PeriodAdverbs[m["adverb"]])
	}
	column, ok := e.columnOrJoin(m["by"])
	if !ok {
		return e.groupByPeriod(english.Singular(m["by"]))
	}
	kept := aggregated(s.Items)
	if len(kept) == 0 {
		kept = []tree.Item{{Expr: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}}}
	}
	s.Items = append([]tree.Item{{Expr: column}}, kept...)
	s.Group, e.query.Order = []tree.Expr{column}, nil
	return true
}
