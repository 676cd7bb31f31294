package follow

import (
	"reflect"
	"regexp"
	"slices"

	"quern/english"
	"quern/tree"
)

var (
	countPattern = regexp.MustCompile(`^` + openers + `(?:how many|count)(?: (?:is|are|was|were|do|does))?` +
		`(?: (?:that|there|it|this|` + plural + `|of ` + plural + `))*(?: ` + english.Totals.Pattern() + `)*$`)
	oftenPattern = regexp.MustCompile(`^` + openers + english.HowOften.Pattern() + `(?: (?:is|was|did) (?:that|it|this)(?: happen)?)?$`)
	// countsRows is how one asks for the number of rows behind another number.
	countsRows   = regexp.MustCompile(`\b(?:there|` + plural + `)\b`)
	groupPattern = regexp.MustCompile(`^(?:(?:` + english.Openers.Pattern() + `|the same|that|show (?:it|that)) )*` +
		`(?:` + english.GroupCues.Pattern() + ` (?:the )?(?P<by>.+)|(?P<adverb>` + english.PeriodAdverbs.Pattern() + `))$`)
	measurePattern = regexp.MustCompile(`^(?:` + english.Openers.With(english.Suggestions).Pattern() + ` )+(?:the |their |its |in |on )?` +
		`(?P<function>` + english.Functions.Pattern() + `)(?: value)?(?: of)?(?: (?P<column>[a-z].*))?$`)
)

// countRows asks how many rows the previous query has: "how many is that?".
func countRows(e *editor) bool {
	s := e.query.Select
	all := tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}
	often := oftenPattern.MatchString(e.text)
	if !often && !countPattern.MatchString(e.text) || e.query.Limit != nil || s.Having != nil {
		return false
	}
	if share, ok := s.Items[0].Expr.(tree.Share); ok && len(s.Items) == 1 {
		s.Where = addConds(s.Where, tree.Conjuncts(share.Where)...)
	} else if e.oneRow() {
		behind := countsRows.MatchString(e.text) && !e.lists(all)
		if !behind {
			return false
		}
	}
	switch {
	case often:
		s = e.countedWithin()
		s.Group = nil
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

// countedWithin makes the query that a condition of the previous one lists values of the
// query itself, where there is one: how often somebody was there is how many visits
// there were, not how many people.
func (e *editor) countedWithin() *tree.Select {
	conds := tree.Conjuncts(e.query.Select.Where)
	if len(conds) == 1 {
		if in, ok := conds[0].(tree.In); ok && in.Query != nil && in.Query.Select != nil {
			e.query = in.Query
		}
	}
	return e.query.Select
}

// changeMeasure makes another number of the same rows: "and the average?", "and
// the total price?".
func changeMeasure(e *editor) bool {
	m, ok := english.Groups(measurePattern, e.text)
	s := e.query.Select
	if !ok || e.query.Limit != nil || s.Having != nil || s.Distinct {
		return false
	}
	groups := slices.DeleteFunc(slices.Clone(s.Items), func(i tree.Item) bool {
		return !slices.ContainsFunc(s.Group, func(g tree.Expr) bool { return reflect.DeepEqual(g, i.Expr) })
	})
	column, ok := e.measuredColumn()
	if m.Text("column") != "" {
		column, ok = e.column(m.Text("column"))
	}
	if !ok {
		return false
	}
	s.Items = append(groups, tree.Item{Expr: tree.Aggregate{Func: tree.Func(english.FunctionOf(m.Text("function"))), Arg: column}})
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
	m, ok := english.Groups(groupPattern, e.text)
	s := e.query.Select
	if !ok || s.Distinct || s.Having != nil || e.query.Limit != nil {
		return false
	}
	if m.Text("adverb") != "" && len(e.holders(m.Text("adverb"), findExact)) > 0 {
		return false // it is a value
	}
	if m.Text("adverb") != "" {
		return e.groupByPeriod(english.PeriodOf(m.Text("adverb")))
	}
	column, ok := e.columnOrJoin(m.Text("by"))
	if !ok {
		return e.groupByPeriod(english.Singular(m.Text("by")))
	}
	kept := aggregated(s.Items)
	if len(kept) == 0 {
		kept = []tree.Item{{Expr: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}}}
	}
	s.Items = append([]tree.Item{{Expr: column}}, kept...)
	s.Group, e.query.Order = []tree.Expr{column}, nil
	return true
}
