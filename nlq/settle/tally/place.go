package tally

import (
	"regexp"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

// placed says which of the rows in an order is asked for: the second dearest, the 3rd most
// orders; also as a reading says it that was offered.
var placed = regexp.MustCompile(`(?i)\b(?:only the (?P<only>[a-z0-9]+)\W*$|(?P<nth>[a-z]+|\d+(?:st|nd|rd|th))[ -](?:\w{3,}est|` + english.Superlatives.Pattern() + `)\b)`)

// severalPlaces finds what asks for several rows by their places, or for all but one.
var severalPlaces = regexp.MustCompile(`(?i)\btop\b|\b(?:all|everyone|everything|any\w*) (?:but|except)\b|\bother than\b|\d(?:st|nd|rd|th) (?:to|and|or|-) |\b(?:first|second|third|fourth|fifth)(?:,| and| or| to) (?:the )?(?:second|third|fourth|fifth|sixth|tenth|last)\b`)

// PlaceAsked returns which of the rows in their order the text asks for, from 2.
func (g Rules) PlaceAsked() (nth int, ok bool) {
	m, ok := english.Groups(placed, g.Text)
	if !ok || severalPlaces.MatchString(g.Text) {
		return 0, false
	}
	n, ok := lex.Ordinal(strings.ToLower(m.Text("only") + m.Text("nth")))
	return n, ok && n > 1
}

// Place passes over the rows before the one that the text asks for.
func (g Rules) Place(q *tree.Query) {
	nth, ok := g.PlaceAsked()
	if !ok || q.Select == nil {
		return
	}
	if q.Limit == nil {
		orderForPlace(q)
	}
	if q.Limit != nil && len(q.Order) > 0 {
		q.Limit, q.Offset = new(int64(1)), int64(nth-1)
	}
}

// orderForPlace makes a reading of the largest or the least value one of the values in their
// order: the second highest price is no largest one.
func orderForPlace(q *tree.Query) {
	s := q.Select
	if len(s.Items) != 1 || len(s.Group) > 0 || len(q.Order) > 0 {
		return
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	if !ok || a.Func != tree.Max && a.Func != tree.Min {
		return
	}
	known := tree.Not{Cond: tree.IsNull{Expr: a.Arg}}
	s.Items[0], s.Distinct = tree.Item{Expr: a.Arg}, true
	s.Where = tree.All(append(tree.Conjuncts(s.Where), known)...)
	q.Order, q.Limit = []tree.Order{{Expr: a.Arg, Desc: a.Func == tree.Max}}, new(int64(1))
}
