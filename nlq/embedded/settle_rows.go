package embedded

import (
	"reflect"
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/tree"
)

// countsRows finds what asks for a number of rows.
var countsRows = regexp.MustCompile(`(?i)^\W*(?:any|is|are|was|were|do|does|did|has|have)\b|\b(?:how|many|much|often|numbers? of|no\.? of|nr\.? of|count\w*|totals?|totall?ed|` +
	`sums?|amount|tally|quantity|size|times|frequency|volume|figures?|percent\w*|share|rate|altogether|overall|few|lots?)\b|[#%]`)

// settleList makes a count of rows a list of them where nothing in the text counts: the
// gas readings of 2025 that were estimated are asked for themselves.
func (g *grounding) settleList(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || s.Having != nil || s.Where == nil || countsRows.MatchString(g.text) {
		return
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	if _, whole := a.Arg.(tree.Star); !ok || !whole || a.Func != tree.Count || a.Where != nil || len(s.From) != 1 {
		return
	}
	s.Items[0] = tree.Item{Expr: tree.Star{}}
}

// settleOwn shows rows by what they are called themselves where a reading shows what
// they point to and the text names only them: the most recent invoice is no customer.
func (g *grounding) settleOwn(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || s.Distinct {
		return
	}
	c, ok := s.Items[0].Expr.(tree.Column)
	id, known := g.view.ColumnOf(s.From, c)
	if !ok || !known {
		return
	}
	table := g.view.Columns[id].Table
	other, points := g.pointsTo(id)
	key, hasKey := g.view.KeyOf(table)
	if !points || !hasKey || key == id || !g.saysTable(table) || g.saysTable(other) || g.timesNamed(id) > 0 {
		return
	}
	show := []int{key}
	if labels := g.view.LabelsOf(table); len(labels) > 0 && !slices.Contains(labels, id) {
		show = labels
	}
	s.Items = nil
	for _, i := range show {
		s.Items = append(s.Items, tree.Item{Expr: tree.Column{Source: c.Source, Name: g.view.Columns[i].Name}})
	}
}

// pointsTo returns the table whose rows a column's values are.
func (g *grounding) pointsTo(column int) (table int, ok bool) {
	for _, l := range g.view.Links {
		if l.From == column && g.view.Columns[l.To].Table != g.view.Columns[column].Table {
			return g.view.Columns[l.To].Table, true
		}
	}
	return 0, false
}

// saysTable reports whether a word of the text is of a table's name.
func (g *grounding) saysTable(table int) bool {
	return slices.ContainsFunc(g.features.Tables, func(row []uint8) bool {
		return row[table] == feature.TablePartial || row[table] == feature.TableExact
	})
}

// asksForBoth finds what asks for all beside those that a condition holds for.
var asksForBoth = regexp.MustCompile(`(?i)\b(?:both|totals?|overall|altogether|in all|out of|of how many|as well|and how many|and the)\b`)

// dropWhole leaves a measure of all rows out where the reading has the same of those that
// a condition holds for, and the text does not ask for both.
func (g *grounding) dropWhole(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) == 0 || asksForBoth.MatchString(g.text) {
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

// denies finds the beginnings of names that say what is not so.
var denies = regexp.MustCompile(`(?i)^(?:un|non|not|no)`)

// affirm makes a test for no one for yes where the text says the whole name of a column
// that is itself a denial, and denies nothing more: unannounced visits are those that are
// unannounced.
func (g *grounding) affirm(tokens []grammar.Token) []grammar.Token {
	if slices.ContainsFunc(lex.Lower(lex.Tokens(g.text)), english.Negations.Has) {
		return tokens
	}
	said := slices.Clone(tokens)
	for i := 0; i+2 < len(said); i++ {
		if said[i+1] == equals && said[i+2] == truthOf["null"] && g.isTruth(said[i]) && denies.MatchString(g.view.Columns[said[i].ID].Name) && g.saysWhole(said[i].ID) {
			said[i+2] = truthOf["!null"]
		}
	}
	return said
}

// saysWhole reports whether a word of the text is a column's whole name.
func (g *grounding) saysWhole(column int) bool {
	return slices.ContainsFunc(g.features.Columns, func(row []uint8) bool { return isWholeName(row[column]) })
}
