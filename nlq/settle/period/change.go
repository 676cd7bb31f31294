package period

import (
	"reflect"
	"regexp"
	"slices"

	"quern/english"
	"quern/tree"
)

// comparesTimes finds what asks how two times differ, whichever it names first: the
// difference between them, or by how much the one is higher or lower.
var comparesTimes = regexp.MustCompile(`(?i)\b(?:diff?[eo]?ren\w*|differs?|differed|change\w*|compar\w*|against|vs|versus|ahead of|(?:higher|more|up|better|larger) or (?:lower|less|down|worse|smaller))\b`)

// growsByPercent finds what asks by how many percent something grew or fell.
var growsByPercent = regexp.MustCompile(`(?i)(?:\bper ?cent(?:age)?\b|%).*\b(?:` + grew + `|(?P<fall>` + fell + `))\b` +
	`|\b(?:` + grew + `|(?P<drop>` + fell + `))\b.*(?:\bper ?cent(?:age)?\b|%)`)

// grew and fell are how one says that a later number is larger, or smaller.
const (
	grew = `gr[eo]w\w*|r[io]sen?|increas\w*|go(?:ne|es)? up|went up|been up|up on|chang\w*|develop\w*`
	fell = `f[ae]ll(?:en)?|dropp?\w*|decreas\w*|declin\w*|shr[aiu]nk\w*|go(?:ne|es)? down|went down|down on`
)

// Growth shows by how many percent the later of two periods has more than the earlier
// one, or less, where the text asks for that.
func (g Rules) Growth(q *tree.Query) {
	m, ok := english.Groups(growsByPercent, g.Text)
	if !ok || q.Select == nil {
		return
	}
	for i, item := range q.Select.Items {
		later, earlier, ok := twoPeriods(item.Expr)
		if !ok {
			continue
		}
		more := tree.Arith{Op: '-', Left: later, Right: earlier}
		if m.Text("fall") != "" || m.Text("drop") != "" {
			more = tree.Arith{Op: '-', Left: earlier, Right: later}
		}
		percent := tree.Arith{Op: '/', Left: tree.Arith{Op: '*', Left: tree.Literal{Kind: tree.Number, Text: "100.0"}, Right: more}, Right: earlier}
		groups := slices.DeleteFunc(slices.Clone(q.Select.Items[:i]), func(i tree.Item) bool {
			_, measures := i.Expr.(tree.Aggregate)
			return measures
		})
		q.Select.Items = append(groups, tree.Item{Expr: percent, Alias: "percent"})
		return
	}
}

// twoPeriods returns the same aggregate of two periods of which a value is the difference.
func twoPeriods(e tree.Expr) (later, earlier tree.Aggregate, ok bool) {
	d, isArith := e.(tree.Arith)
	later, isLater := d.Left.(tree.Aggregate)
	earlier, isEarlier := d.Right.(tree.Aggregate)
	if !isArith || d.Op != '-' || !isLater || !isEarlier {
		return later, earlier, false
	}
	a, inA := later.Where.(tree.Period)
	b, inB := earlier.Where.(tree.Period)
	first, second := later, earlier
	first.Where, second.Where = nil, nil
	if !inA || !inB || !reflect.DeepEqual(first, second) {
		return later, earlier, false
	}
	if a.From.Text < b.From.Text {
		later, earlier = earlier, later
	}
	return later, earlier, true
}

// Change takes the earlier of two periods from the later one where the text asks how
// they differ: the difference between 2026 and 2025 is what 2026 has more.
func (g Rules) Change(q *tree.Query) {
	if q.Select == nil || !comparesTimes.MatchString(g.Text) {
		return
	}
	for i, item := range q.Select.Items {
		later, earlier, ok := twoPeriods(item.Expr)
		if !ok {
			continue
		}
		q.Select.Items[i].Expr = tree.Arith{Op: '-', Left: later, Right: earlier}
		if asksByHowMuch.MatchString(g.Text) {
			q.Select.Items = []tree.Item{q.Select.Items[i]}
			return
		}
	}
}

// asksByHowMuch finds what asks for the difference alone.
var asksByHowMuch = regexp.MustCompile(`(?i)\bby how (?:much|many)\b`)

// WithinPeriods shows a measure for each month, quarter or year of two periods where a
// reading also has a column for each of the two: by quarter for 2025 and 2026, a row of
// 2025-Q3 has nothing to do with 2026.
func WithinPeriods(q *tree.Query) {
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
