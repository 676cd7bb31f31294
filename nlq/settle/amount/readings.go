package amount

import (
	"regexp"
	"slices"
	"time"

	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// standing asks for what a counter shows, not for how far it has gone on.
var standing = regexp.MustCompile(`(?i)\b(?:now|current|currently|at the moment|today|latest|newest|last|mileage|reading|clock|odometer)\b`)

// Readings takes what a counter has gone on by where a reading adds up what it showed: how
// many kilometres a car did is the highest of its odometer less the lowest, and its mileage now is
// the newest.
func (g Rules) Readings(q *tree.Query) {
	s := q.Select
	if s == nil {
		return
	}
	isSum := func(e tree.Expr) (read tree.Column, ok bool) {
		a, ok := e.(tree.Aggregate)
		read, isColumn := a.Arg.(tree.Column)
		id, known := g.View.ColumnOf(s.From, read)
		return read, ok && isColumn && known && a.Func == tree.Sum && a.Where == nil && isCounter(g.View.Columns[id])
	}
	if len(s.Items) == 1 && len(s.Group) == 0 && standing.MatchString(g.Text) {
		read, ok := isSum(s.Items[0].Expr)
		if when, hasTime := g.oneTimeOf(s.From, read); ok && hasTime && !g.spansDays(s.Where, when) {
			g.NewestOfAll(q, 0, when, read)
			return
		}
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		read, ok := isSum(e)
		if !ok {
			return e
		}
		return tree.Arith{Op: '-', Left: tree.Aggregate{Func: tree.Max, Arg: read}, Right: tree.Aggregate{Func: tree.Min, Arg: read}}
	})
}

// spansDays reports whether a condition holds a time to more than one day.
func (g Rules) spansDays(where tree.Cond, when tree.Column) bool {
	return slices.ContainsFunc(tree.Conjuncts(where), func(c tree.Cond) bool {
		compared, ok := ground.TimeCompared(c)
		p, isPeriod := c.(tree.Period)
		if !ok || compared != when {
			return false
		}
		from, err := time.Parse(time.DateOnly, p.From.Text)
		return !isPeriod || err != nil || from.AddDate(0, 0, 1).Format(time.DateOnly) != p.Until.Text
	})
}

// isCounter reports whether a column holds what a counter showed, which only ever goes on.
func isCounter(c schema.Column) bool {
	return c.Type.Numeric() && slices.ContainsFunc(c.Words, func(w string) bool { return w == "odometer" || w == "odo" })
}

// oneTimeOf returns the one time of the dataset that a column is of.
func (g Rules) oneTimeOf(from []tree.Source, of tree.Column) (when tree.Column, ok bool) {
	at := slices.IndexFunc(from, func(f tree.Source) bool { return f.Ref() == of.Source })
	if at < 0 {
		return when, false
	}
	times := g.Asked.Whole.TimesOf(from[at])
	if len(times) != 1 {
		return when, false
	}
	return times[0].Column, true
}
