package period

import (
	"reflect"
	"regexp"
	"slices"

	"quern/nlq/ground"
	"quern/tree"
)

// clockText is a time of day as a constant of a query.
var clockText = regexp.MustCompile(`^[0-2]\d:[0-5]\d(?::[0-5]\d)?$`)

// Overnight takes times of day from an evening until a morning as those from the one on and those
// before the other: between 22:00 and 06:00 is after midnight as well, and no time is both.
func Overnight(q *tree.Query) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select != nil {
			ground.ReplaceConds(q, overnight)
		}
	})
}

// overnight returns a condition with its times of day over midnight, where it holds them to a stretch
// that ends before it begins.
func overnight(c tree.Cond) tree.Cond {
	switch c := c.(type) {
	case tree.Between:
		from, until := tree.Compare{Op: tree.GreaterEq, Left: c.Expr, Right: c.Low}, tree.Compare{Op: tree.Less, Left: c.Expr, Right: c.High}
		if isTurned(from, until) {
			return overMidnight(from, until)
		}
	case tree.And:
		for i, from := range c.Conds {
			isEnd := func(until tree.Cond) bool { return isTurned(from, until) }
			if j := slices.IndexFunc(c.Conds, isEnd); j >= 0 {
				rest := slices.Clone(c.Conds)
				rest[i] = overMidnight(from, c.Conds[j])
				return tree.All(slices.Delete(rest, j, j+1)...)
			}
		}
	}
	return c
}

// isTurned reports whether two conditions hold a time of day from one on and until another that is before it.
func isTurned(first, second tree.Cond) bool {
	from, ok := first.(tree.Compare)
	until, isOther := second.(tree.Compare)
	if !ok || !isOther || from.Op != tree.GreaterEq && from.Op != tree.Greater || until.Op != tree.Less && until.Op != tree.LessEq {
		return false
	}
	begin, isText := from.Right.(tree.Literal)
	end, areTexts := until.Right.(tree.Literal)
	areClocks := isText && areTexts && clockText.MatchString(begin.Text) && clockText.MatchString(end.Text)
	return areClocks && begin.Text > end.Text && reflect.DeepEqual(from.Left, until.Left)
}

// overMidnight returns the condition that one of two on a time of day holds; the first where the second
// is until midnight, when a day begins.
func overMidnight(from, until tree.Cond) tree.Cond {
	if end, ok := until.(tree.Compare).Right.(tree.Literal); ok && (end.Text == "00:00" || end.Text == "00:00:00") {
		return from
	}
	return tree.Or{Conds: []tree.Cond{from, until}}
}
