package embedded

import (
	"reflect"
	"regexp"
	"slices"

	"quern/tree"
)

// comparesTimes finds what asks how two times differ, whichever it names first: the
// difference between them, or by how much the one is higher or lower.
var comparesTimes = regexp.MustCompile(`(?i)\b(?:diff?[eo]?ren\w*|differs?|differed|change\w*|compar\w*|(?:higher|more|up|better|larger) or (?:lower|less|down|worse|smaller))\b`)

// settleChange takes the earlier of two periods from the later one where the text asks how
// they differ: the difference between 2026 and 2025 is what 2026 has more.
func (g *grounding) settleChange(q *tree.Query) {
	if q.Select == nil || !comparesTimes.MatchString(g.text) {
		return
	}
	for i, item := range q.Select.Items {
		d, ok := item.Expr.(tree.Arith)
		later, isLater := d.Left.(tree.Aggregate)
		earlier, isEarlier := d.Right.(tree.Aggregate)
		if !ok || d.Op != '-' || !isLater || !isEarlier {
			continue
		}
		from, until := later.Where, earlier.Where
		later.Where, earlier.Where = nil, nil
		a, inA := from.(tree.Period)
		b, inB := until.(tree.Period)
		if inA && inB && reflect.DeepEqual(later, earlier) && a.From.Text < b.From.Text {
			d.Left, d.Right = d.Right, d.Left
			q.Select.Items[i].Expr = d
		}
		if inA && inB && asksByHowMuch.MatchString(g.text) {
			q.Select.Items = []tree.Item{q.Select.Items[i]}
			return
		}
	}
}

// asksByHowMuch finds what asks for the difference alone.
var asksByHowMuch = regexp.MustCompile(`(?i)\bby how (?:much|many)\b`)

// settleWithinPeriods shows a measure for each month, quarter or year of two periods where a
// reading also has a column for each of the two: by quarter for 2025 and 2026, a row of
// 2025-Q3 has nothing to do with 2026.
func settleWithinPeriods(q *tree.Query) {
	if q.Select == nil {
		return
	}
	s := q.Select
	var items []tree.Item
	var of tree.Aggregate
	var in []tree.Cond
	for _, item := range s.Items {
		switch e := item.Expr.(type) {
		case tree.Aggregate:
			p, ok := e.Where.(tree.Period)
			e.Where = nil
			if !ok || !inParts(s.Group, p.Expr) || of.Func != "" && !reflect.DeepEqual(of, e) {
				return
			}
			of = e
			in = append(in, p)
		case tree.Arith:
		default:
			items = append(items, item)
		}
	}
	if len(in) == 2 && len(items) == len(s.Group) {
		s.Items = append(items, tree.Item{Expr: of})
		s.Where = tree.All(append(tree.Conjuncts(s.Where), tree.Or{Conds: in})...)
	}
}

// inParts reports whether groups are parts of a time that belong to one year each.
func inParts(groups []tree.Expr, of tree.Expr) bool {
	return slices.ContainsFunc(groups, func(group tree.Expr) bool {
		c, ok := group.(tree.Call)
		if !ok || len(c.Args) != 1 || !reflect.DeepEqual(c.Args[0], of) {
			return false
		}
		switch c.Func {
		case tree.YearQuarter, tree.YearMonth, tree.YearWeek, tree.CalendarDay, "year":
			return true
		}
		return false
	})
}
