package label

import (
	"reflect"
	"regexp"
	"slices"

	"quern/tree"
)

// countsRows finds what asks for a number of rows.
var countsRows = regexp.MustCompile(`(?i)^\W*(?:any|is|are|was|were|do|does|did|has|have)\b|\b(?:how|many|much|often|numbers? of|no\.? of|nr\.? of|count\w*|totals?|totall?ed|` +
	`sums?|amount|tally|quantity|size|times|frequency|volume|figures?|percent\w*|share|rate|altogether|overall|few|lots?)\b|[#%]`)

// List makes a count of rows a list of them where nothing in the text counts: the
// gas readings of 2025 that were estimated are asked for themselves.
func (g Rules) List(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || s.Having != nil || s.Where == nil || countsRows.MatchString(g.Text) {
		return
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	if _, whole := a.Arg.(tree.Star); !ok || !whole || a.Func != tree.Count || a.Where != nil || len(s.From) != 1 {
		return
	}
	s.Items[0] = tree.Item{Expr: tree.Star{}}
}

// Own shows rows by what they are called themselves where a reading shows what
// they point to and the text names only them: the most recent invoice is no customer.
func (g Rules) Own(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || s.Distinct {
		return
	}
	c, ok := s.Items[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(s.From, c)
	if !ok || !known {
		return
	}
	table := g.View.Columns[id].Table
	other, points := g.pointsTo(id)
	key, hasKey := g.View.KeyOf(table)
	if !points || !hasKey || key == id || !g.SaysTable(table) || g.SaysTable(other) || g.TimesNamed(id) > 0 {
		return
	}
	show := []int{key}
	if labels := g.View.LabelsOf(table); len(labels) > 0 && !slices.Contains(labels, id) {
		show = labels
	}
	s.Items = nil
	for _, i := range show {
		s.Items = append(s.Items, tree.Item{Expr: tree.Column{Source: c.Source, Name: g.View.Columns[i].Name}})
	}
}

// pointsTo returns the table whose rows a column's values are.
func (g Rules) pointsTo(column int) (table int, ok bool) {
	for _, l := range g.View.Links {
		if l.From == column && g.View.Columns[l.To].Table != g.View.Columns[column].Table {
			return g.View.Columns[l.To].Table, true
		}
	}
	return 0, false
}

// asksForBoth finds what asks for all beside those that a condition holds for.
var asksForBoth = regexp.MustCompile(`(?i)\b(?:both|totals?|overall|altogether|in all|out of|of how many|as well|and how many|and the)\b`)

// DropWhole leaves a measure of all rows out where the reading has the same of those that
// a condition holds for, and the text does not ask for both.
func (g Rules) DropWhole(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) == 0 || asksForBoth.MatchString(g.Text) {
		return
	}
	var held []tree.Aggregate
	for _, item := range s.Items {
		if a, ok := item.Expr.(tree.Aggregate); ok && a.Where != nil {
			a.Where = nil
			held = append(held, a)
		}
	}
	s.Items = slices.DeleteFunc(slices.Clone(s.Items), func(item tree.Item) bool {
		a, ok := item.Expr.(tree.Aggregate)
		return ok && a.Where == nil && slices.ContainsFunc(held, func(other tree.Aggregate) bool { return reflect.DeepEqual(other, a) })
	})
}
