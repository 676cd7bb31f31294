package period

import (
	"slices"

	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

// Stay reckons from one time of day to another where a reading reckons from a day to the
// same day, or to now in hours or minutes, and two columns beside the day say from when until when:
// a visit from 18:20 to 19:31 took 71 minutes.
func (g Rules) Stay(q *tree.Query) {
	ground.ReplaceValues(q, func(from []tree.Source, e tree.Expr) tree.Expr {
		d, ok := e.(tree.Duration)
		day, isColumn := d.From.(tree.Column)
		_, untilNow := d.Until.(tree.Literal)
		isShort := d.Unit == tree.Minutes || d.Unit == tree.Hours
		if !ok || !isColumn || d.Until != tree.Expr(day) && !(untilNow && isShort) {
			return e
		}
		begin, end, found := g.clocksBeside(from, day)
		if !found {
			return e
		}
		d.From, d.Until = tree.Call{Func: tree.Clock, Args: []tree.Expr{begin}}, tree.Call{Func: tree.Clock, Args: []tree.Expr{end}}
		if !isShort {
			d.Unit = tree.Minutes
		}
		return d
	})
}

// clocksBeside returns the columns of times of day, in the dataset of a day, from which until which
// something took place: the only two, in their order, unless it went on into the next day.
func (g Rules) clocksBeside(from []tree.Source, day tree.Column) (begin, end tree.Column, ok bool) {
	id, known := g.View.ColumnOf(from, day)
	if !known {
		return begin, end, false
	}
	t := g.View.Tables[g.View.Columns[id].Table]
	var clocks []int
	for at := t.First; at < t.First+t.Len; at++ {
		if g.View.Columns[at].HoldsClocks() {
			clocks = append(clocks, at)
		}
	}
	if len(clocks) != 2 {
		return begin, end, false
	}
	first, last := g.View.Columns[clocks[0]], g.View.Columns[clocks[1]]
	if slices.ContainsFunc(first.Words, english.TimeEnds.Has) {
		first, last = last, first
	}
	const evening, morning = "20:00", "08:00"
	isOvernight := first.Max >= evening && last.Min <= morning
	if last.Min < first.Min || last.Max < first.Max || isOvernight {
		return begin, end, false
	}
	return tree.Column{Source: day.Source, Name: first.Name}, tree.Column{Source: day.Source, Name: last.Name}, true
}
