package period

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/english"
	"quern/tree"
)

// kindsFirst finds what a text begins with that asks for things: payees, which stations.
var kindsFirst = regexp.MustCompile(`(?i)^\W*(?:(?:which|what|list|show|show me|all|any|the|our|are there|is there)\s+)*(?P<kind>[a-z]{3,})\b`)

// nobodySince says that nobody did something for some time.
var nobodySince = regexp.MustCompile(`(?i)\b(?:nobody|no one|noone|none of us) (?:[\w-]+ ){1,6}?(?:since|(?:in|for|within|during|over) the (?:last|past))\b`)

// KindsSince lists the kinds whose newest row is before a time where the text asks for kinds
// that were in no row since, and the reading lists the rows since: the payees we have not used since May.
func (g Rules) KindsSince(q *tree.Query) {
	m, ok := english.Groups(kindsFirst, g.Text)
	s := q.Select
	if !ok || s == nil || len(s.From) != 1 || len(s.Items) != 1 || len(s.Group) > 0 || s.Having != nil || !notSince.MatchString(g.Text) && !nobodySince.MatchString(g.Text) {
		return
	}
	kind, ok := g.kindNamed(s.From[0], strings.ToLower(m.Text("kind")))
	if _, isStar := s.Items[0].Expr.(tree.Star); !ok || !isStar && s.Items[0].Expr != tree.Expr(kind) {
		return
	}
	held := tree.Conjuncts(s.Where)
	at := slices.IndexFunc(held, func(c tree.Cond) bool { _, _, ok := g.sinceOf(q, c); return ok })
	if at < 0 {
		return
	}
	when, from, _ := g.sinceOf(q, held[at])
	if slices.ContainsFunc(held, func(c tree.Cond) bool { is, ok := c.(tree.IsNull); return ok && is.Expr == tree.Expr(when) }) {
		return
	}
	if p, ok := g.OnePeriod(); ok && p.Until.IsZero() && !p.From.IsZero() {
		from = tree.Literal{Kind: tree.Date, Text: p.From.Format(time.DateOnly)} // the end of May is no first of May
	}
	s.Where = tree.All(slices.Delete(slices.Clone(held), at, at+1)...)
	s.Items, s.Distinct, s.Group = []tree.Item{{Expr: kind}}, false, []tree.Expr{kind}
	s.Having = tree.Compare{Op: tree.Less, Left: tree.Aggregate{Func: tree.Max, Arg: when}, Right: from}
	q.Order, q.Limit = nil, nil
}

// kindNamed returns the one column of kinds of a source that is called by a word, in any form.
func (g Rules) kindNamed(source tree.Source, word string) (kind tree.Column, ok bool) {
	n := 0
	for _, id := range g.View.ColumnsOf(source) {
		c := g.View.Columns[id]
		if c.Type == quern.Text && !c.Key() && len(c.Words) == 1 && english.Stem(c.Words[0]) == english.Stem(word) {
			kind, n = tree.Column{Source: source.Ref(), Name: c.Name}, n+1
		}
	}
	return kind, n == 1
}
