package tally

import (
	"reflect"
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

var (
	// sortsBy is how a text asks for an order of rows.
	sortsBy = regexp.MustCompile(`(?i)\b(?:sort(?:ed)?|order(?:ed)?) by\b`)
	// saysFirst is how it says what comes first.
	saysFirst = regexp.MustCompile(`(?i)\b(?:first|last|top|desc\w*|decreas\w*|reverse\w*|down\w*|backwards?)\b`)
)

// Sorted puts the least first where the text asks for an order by a column and does
// not say what comes first: sort by price.
func (g Rules) Sorted(q *tree.Query) {
	if q.Limit != nil || !sortsBy.MatchString(g.Text) || saysFirst.MatchString(g.Text) ||
		slices.ContainsFunc(lex.Lower(lex.Tokens(g.Text)), english.Descending.Has) {
		return
	}
	for i, o := range q.Order {
		if _, isColumn := o.Expr.(tree.Column); isColumn {
			q.Order[i].Desc = false
		}
	}
}

// OrderPeriods puts the groups of a reading that are months, quarters or years in their
// order where it has none: month by month is one after the other.
func OrderPeriods(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) != 1 || len(q.Order) > 0 || q.Limit != nil {
		return
	}
	call, ok := s.Group[0].(tree.Call)
	if !ok || !slices.ContainsFunc(s.Items, func(i tree.Item) bool { return reflect.DeepEqual(i.Expr, s.Group[0]) }) {
		return
	}
	switch call.Func {
	case tree.YearQuarter, tree.YearMonth, tree.YearWeek, tree.CalendarDay, "year", "month", "quarter":
		q.Order = []tree.Order{{Expr: s.Group[0]}}
	}
}
