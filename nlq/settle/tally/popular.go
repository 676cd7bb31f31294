package tally

import (
	"regexp"
	"slices"

	"quern"
	"quern/nlq/schema"
	"quern/tree"
)

// mostPopular asks which of some things people go for most.
var mostPopular = regexp.MustCompile(`(?i)\b(?:most|least|more|less) (?:popular|in demand|sought[- ]after)\b`)

// Popular counts what was done with things, rather than the things themselves, where the text asks which
// kinds of them people go for: the most popular type of bike is the one that was rented most, not the one
// that there are most of.
func (g Rules) Popular(q *tree.Query) {
	s := q.Select
	if s == nil || !mostPopular.MatchString(g.Text) || len(s.From) != 1 || len(s.Group) != 1 || len(q.Order) == 0 || s.Having != nil {
		return
	}
	number, isAggregate := q.Order[0].Expr.(tree.Aggregate)
	_, isStar := number.Arg.(tree.Star)
	things, known := g.Asked.Whole.TableOf(s.From[0])
	_, isColumn := s.Group[0].(tree.Column)
	if !isAggregate || !isStar || number.Func != tree.Count || !known || !isColumn {
		return
	}
	l, ok := g.doneWith(things)
	if !ok {
		return
	}
	own, deeds := s.From[0], g.Asked.Whole.Tables[g.Asked.Whole.Columns[l.From].Table].Path
	held, ok := heldTo(s.Where, deeds)
	if !ok {
		return
	}
	s.From = []tree.Source{{Dataset: deeds}, {Dataset: own.Dataset, Alias: own.Alias, On: []tree.Pair{{
		Left:  tree.Column{Source: deeds.Dataset, Name: g.Asked.Whole.Columns[l.From].Name},
		Right: tree.Column{Source: own.Ref(), Name: g.Asked.Whole.Columns[l.To].Name}}}}}
	s.Where = tree.All(held...)
}

// heldTo returns conditions of things with those of what was done with them in the place of one that they
// are among it; ok is false where they are among something else.
func heldTo(where tree.Cond, deeds quern.DatasetPath) (held []tree.Cond, ok bool) {
	for _, c := range tree.Conjuncts(where) {
		in, isIn := c.(tree.In)
		if !isIn || in.Query == nil {
			held = append(held, c)
			continue
		}
		inner := in.Query.Select
		if inner == nil || len(inner.From) != 1 || inner.From[0].Dataset != deeds || in.Query.Limit != nil || len(inner.Group) > 0 {
			return nil, false
		}
		held = append(held, tree.Conjuncts(inner.Where)...)
	}
	return held, true
}

// doneWith returns the link from the one dataset of what was done with things, each at a time, where the text
// names things that are neither people nor deeds themselves.
func (g Rules) doneWith(things int) (link schema.Link, ok bool) {
	n, all := 0, g.Asked.Whole
	if own := all.Tables[things]; all.IsOfPeople(things) || all.Mention(g.Text, things) < 0 || slices.ContainsFunc(all.TimesOf(tree.Source{Dataset: own.Path}), isDeedTime) {
		return link, false
	}
	for _, l := range all.Links {
		by, to := all.Columns[l.From].Table, all.Columns[l.To]
		if to.Table == things && to.Key() && by != things && len(all.TimesOf(tree.Source{Dataset: all.Tables[by].Path})) > 0 {
			link, n = l, n+1
		}
	}
	return link, n == 1
}

// isDeedTime reports whether a time says when something was done rather than when a thing was bought.
func isDeedTime(t schema.TimeColumn) bool {
	return !slices.ContainsFunc(t.Of.Words, func(w string) bool {
		return slices.Contains([]string{"bought", "purchased", "built", "made", "added", "acquired", "published", "released", "since", "service", "inspection", "serviced"}, w)
	})
}
