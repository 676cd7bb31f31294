package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// bounds are phrases with a superlative that name no end: at least 3.
	bounds    = regexp.MustCompile(`(?i)\bat (?:the )?(?:least|most|latest|earliest)\b`)
	lateEnds  = english.LateEnds.Finder()
	earlyEnds = english.EarlyEnds.Finder()
	manyEnds  = english.ManyEnds.Finder()
	fewEnds   = english.FewEnds.Finder()
	// alphabetEnds ask for one end of the alphabet.
	alphabetEnds = regexp.MustCompile(`(?i)\b(?P<end>first|last)(?: one)? (?:alphabetically|in (?:the )?alphabet(?:ical order)?)\b`)
)

// settleEnd turns the order of a reading round where the text names one end alone
// and the reading takes the other: the oldest ship is the one that was built first,
// the city with the most customers the one with the highest count.
func (g *grounding) settleEnd(q *tree.Query) {
	if g.settleAlphabet(q); q.Select == nil || q.Limit == nil || len(q.Order) == 0 {
		return
	}
	text := bounds.ReplaceAllString(g.text, "")
	order := &q.Order[0]
	late, early := lateEnds.MatchString(text), earlyEnds.MatchString(text)
	many, few := manyEnds.MatchString(lateEnds.ReplaceAllString(text, "")), fewEnds.MatchString(text)
	switch {
	case isCount(order.Expr) && many != few && !late && !early:
		order.Desc = many
	case late != early && !many && !few && g.isMoment(q, order.Expr):
		order.Desc = late
	case late != early && !many && !few && g.isAge(q, order.Expr):
		order.Desc = early
	}
}

// ageEnds are those who were born first or last.
var ageEnds = regexp.MustCompile(`(?i)\b(?:oldest|eldest|(?P<young>youngest))\b(?: (?P<thing>\w+))?`)

// settleOldest orders people by when they were born where the text asks for the oldest or the
// youngest and the reading orders them by another time: who joined first is not the oldest.
func (g *grounding) settleOldest(q *tree.Query) {
	m, ok := english.Groups(ageEnds, g.text)
	if !ok || q.Select == nil || q.Limit == nil || len(q.Order) != 1 || len(q.Select.Group) > 0 {
		return
	}
	by, isColumn := q.Order[0].Expr.(tree.Column)
	id, known := g.view.ColumnOf(q.Select.From, by)
	if !isColumn || !known || !g.view.Columns[id].Type.Temporal() || !g.view.IsOfPeople(g.view.Columns[id].Table) {
		return
	}
	born, ok := g.bornOf(g.view.Columns[id].Table)
	if !ok || born == id || !g.isSomebody(strings.ToLower(m.Text("thing")), g.view.Columns[id].Table) {
		return
	}
	q.Order[0].Expr, q.Order[0].Desc = tree.Column{Source: by.Source, Name: g.view.Columns[born].Name}, m.Has("young")
}

// isSomebody reports whether a word behind the oldest is one of the people of a dataset, or none:
// the oldest membership is nobody.
func (g *grounding) isSomebody(word string, table int) bool {
	one := english.Singular(word)
	return word == "" || lex.Function(word) || english.Roles.Has(one) || english.Patrons.Has(one) || g.whole.Mention(word, table) >= 0
}

// bornOf returns the one column of a dataset that says when somebody was born.
func (g *grounding) bornOf(table int) (born int, ok bool) {
	t := g.view.Tables[table]
	n := 0
	for at := t.First; at < t.First+t.Len; at++ {
		if c := g.view.Columns[at]; slices.ContainsFunc(c.Words, english.Births.Has) && (c.Type.Temporal() || isYear(c)) {
			born, n = at, n+1
		}
	}
	return born, n == 1
}

// settleAlphabet takes one row where the text asks for one end of the alphabet.
func (g *grounding) settleAlphabet(q *tree.Query) {
	if m, ok := english.Groups(alphabetEnds, g.text); ok && q.Select != nil && q.Limit == nil && len(q.Order) == 1 {
		q.Limit, q.Order[0].Desc = new(int64(1)), strings.EqualFold(m.Text("end"), "last")
	}
}

// isAge reports whether a value is how old something is.
func (g *grounding) isAge(q *tree.Query, e tree.Expr) bool {
	column, ok := e.(tree.Column)
	id, known := g.view.ColumnOf(q.Select.From, column)
	return ok && known && g.view.Columns[id].Type.Numeric() && slices.Contains(g.view.Columns[id].Words, "age")
}

// isMoment reports whether a value is a time at which something was made or began: a
// date, an instant, or a year.
func (g *grounding) isMoment(q *tree.Query, e tree.Expr) bool {
	column, ok := e.(tree.Column)
	if !ok {
		return false
	}
	for _, source := range q.Select.From {
		for _, i := range g.view.ColumnsOf(source) {
			if of := g.view.Columns[i]; column == (tree.Column{Source: source.Ref(), Name: of.Name}) {
				return of.Type.Temporal() || isYear(of)
			}
		}
	}
	return false
}

// isYear reports whether a column of whole numbers holds years.
func isYear(c schema.Column) bool {
	const first, last = "1000", "2999" // as long as the bounds, so that text compares
	return c.Type == quern.Integer && len(c.Min) == len(first) && c.Min >= first && len(c.Max) == len(last) && c.Max <= last
}
