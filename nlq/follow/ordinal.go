package follow

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/grammar"
	"quern/tree"
)

// places are the words for places in an order.
var places = []string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

// nthPattern names one of the rows before by its place: "the second one".
var nthPattern = regexp.MustCompile(`\bthe (?P<place>last|` + strings.Join(places[1:], "|") + `|\d+(?:st|nd|rd|th)) ` +
	`(?:one|row|result|entry|(?P<noun>[a-z]+))(?P<own>'s)?\b(?: (?:of|in|on) (?:` + plural + `|the list))?`)

// farthestPlace is how far down the rows a place is looked up.
const farthestPlace = 1000

// ofOne applies a follow-up about one of the rows before, which it names by its place,
// to that row alone.
func (t editing) ofOne(text string) Change {
	m, ok := english.Groups(nthPattern, text)
	if !ok {
		return Change{}
	}
	e := newEditor(t.view, t.turn, nil, t.now)
	place, noun := m.Text("place"), m.Text("noun")
	if noun != "" && !e.isTable(noun) && !english.People.Has(english.Plural(noun)) || !e.onlyRow(place) {
		return Change{}
	}
	start, end := m.Span("")
	before, behind := strings.TrimSpace(text[:start]), strings.TrimSpace(text[end:])
	if rest := shownOnly.ReplaceAllString(before, ""); rest == "" && behind == "" {
		return e.change()
	}
	t.turn.Query = e.query
	said := strings.TrimSpace(before + " it " + behind)
	if m.Has("own") {
		said = strings.TrimSpace(before + " its " + behind)
	}
	c := t.whole(said)
	c.Doubts = append(e.doubts, c.Doubts...)
	return c
}

// shownOnly is what may stand before a row that is asked for by its place.
var shownOnly = regexp.MustCompile(`^(?:(?:` + english.Openers.With(english.Suggestions).Pattern() + `|only|just|show|give|tell|me|us|what about|which is|who is)(?: |$))+`)

// change returns the query as it is now.
func (e *editor) change() Change {
	if tree.Validate(e.query, e.view.Tree()) != nil {
		return Change{}
	}
	return Change{[]*tree.Query{e.query}, e.score, e.doubts}
}

// onlyRow keeps the row at a place: first, second, last.
func (e *editor) onlyRow(place string) bool {
	one := int64(1)
	if e.oneRow() || e.query.Select.Distinct {
		return false
	}
	e.orderAsShown()
	last := place == "last" && len(e.query.Order) > 0 && e.query.Limit == nil
	if last {
		for i := range e.query.Order {
			e.query.Order[i].Desc = !e.query.Order[i].Desc
		}
	}
	if last || place == "first" {
		if len(e.query.Order) == 0 {
			e.doubt("The rows before had no order; I took the first as they were shown.")
		}
		e.query.Limit = &one
		return true
	}
	n := int64(slices.Index(places, place))
	if digits := strings.TrimRight(place, "stndrh"); n < 1 {
		n, _ = wholeNumber(digits)
	}
	return n > 0 && n <= farthestPlace && e.skipTo(n)
}

// orderAsShown orders groups that have no order of their own as they were shown.
func (e *editor) orderAsShown() {
	if len(e.query.Select.Group) > 0 && len(e.query.Order) == 0 {
		e.query = grammar.StableOrder(e.view.Schema, e.query)
	}
}

// skipTo keeps the row at a place of the rows as they are ordered.
func (e *editor) skipTo(n int64) bool {
	if e.query.Limit != nil && *e.query.Limit < n || len(e.query.Select.Group) > 0 {
		return false
	}
	p, ok := subject(e.view, e.query.Select, e.previous)
	if !ok || p.Nested != nil {
		return false
	}
	key, ok := e.keyOf(p.Source)
	if !ok {
		return false
	}
	if len(e.query.Order) == 0 {
		e.doubt("The rows before had no order; I counted them as they were shown.")
	}
	one, conds := int64(1), []tree.Cond{}
	for _, until := range []int64{n, n - 1} {
		inner := tree.Clone(e.query)
		inner.Select.Items, inner.Limit = []tree.Item{{Expr: key}}, &until
		var c tree.Cond = tree.In{Expr: key, Query: inner}
		if until < n {
			c = tree.Not{Cond: c}
		}
		if until > 0 {
			conds = append(conds, c)
		}
	}
	e.query.Select.Where, e.query.Limit = addConds(e.query.Select.Where, conds...), &one
	return true
}
