package period

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
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

// End turns the order of a reading round where the text names one end alone
// and the reading takes the other: the oldest ship is the one that was built first,
// the city with the most customers the one with the highest count.
func (g Rules) End(q *tree.Query) {
	if g.settleAlphabet(q); q.Select == nil || q.Limit == nil || len(q.Order) == 0 {
		return
	}
	text := bounds.ReplaceAllString(g.Text, "")
	order := &q.Order[0]
	late, early := lateEnds.MatchString(text), earlyEnds.MatchString(text)
	many, few := manyEnds.MatchString(lateEnds.ReplaceAllString(text, "")), fewEnds.MatchString(text)
	switch {
	case ground.IsCount(order.Expr) && many != few && !late && !early:
		order.Desc = many
	case late != early && !many && !few && g.isMoment(q, order.Expr):
		order.Desc = late
	case late != early && !many && !few && g.isAge(q, order.Expr):
		order.Desc = early
	}
}

// ageEnds are those who were born first or last.
var ageEnds = regexp.MustCompile(`(?i)\b(?:oldest|eldest|(?P<young>youngest))\b(?: (?P<thing>\w+))?`)

// Oldest orders people by when they were born where the text asks for the oldest or the
// youngest and the reading orders them by another time: who joined first is not the oldest.
func (g Rules) Oldest(q *tree.Query) {
	m, ok := english.Groups(ageEnds, g.Text)
	if !ok || q.Select == nil || q.Limit == nil || len(q.Order) != 1 || len(q.Select.Group) > 0 {
		return
	}
	by, isColumn := q.Order[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(q.Select.From, by)
	if !isColumn || !known || !g.View.Columns[id].Type.Temporal() || !g.View.IsOfPeople(g.View.Columns[id].Table) {
		return
	}
	born, ok := g.bornOf(g.View.Columns[id].Table)
	if !ok || born == id || !g.isSomebody(strings.ToLower(m.Text("thing")), g.View.Columns[id].Table) {
		return
	}
	q.Order[0].Expr, q.Order[0].Desc = tree.Column{Source: by.Source, Name: g.View.Columns[born].Name}, m.Has("young")
}

// isSomebody reports whether a word behind the oldest is one of the people of a dataset, or none:
// the oldest membership is nobody.
func (g Rules) isSomebody(word string, table int) bool {
	one := english.Singular(word)
	return word == "" || lex.Function(word) || english.Roles.Has(one) || english.Patrons.Has(one) || g.Asked.Whole.Mention(word, table) >= 0
}

// bornOf returns the one column of a dataset that says when somebody was born.
func (g Rules) bornOf(table int) (born int, ok bool) {
	t := g.View.Tables[table]
	n := 0
	for at := t.First; at < t.First+t.Len; at++ {
		if c := g.View.Columns[at]; slices.ContainsFunc(c.Words, english.Births.Has) && (c.Type.Temporal() || ground.IsYear(c)) {
			born, n = at, n+1
		}
	}
	return born, n == 1
}

// settleAlphabet takes one row where the text asks for one end of the alphabet.
func (g Rules) settleAlphabet(q *tree.Query) {
	if m, ok := english.Groups(alphabetEnds, g.Text); ok && q.Select != nil && q.Limit == nil && len(q.Order) == 1 {
		q.Limit, q.Order[0].Desc = new(int64(1)), strings.EqualFold(m.Text("end"), "last")
	}
}

// isAge reports whether a value is how old something is.
func (g Rules) isAge(q *tree.Query, e tree.Expr) bool {
	column, ok := e.(tree.Column)
	id, known := g.View.ColumnOf(q.Select.From, column)
	return ok && known && g.View.Columns[id].Type.Numeric() && slices.Contains(g.View.Columns[id].Words, "age")
}

// isMoment reports whether a value is a time at which something was made or began: a
// date, an instant, or a year.
func (g Rules) isMoment(q *tree.Query, e tree.Expr) bool {
	column, ok := e.(tree.Column)
	if !ok {
		return false
	}
	for _, source := range q.Select.From {
		for _, i := range g.View.ColumnsOf(source) {
			if of := g.View.Columns[i]; column == (tree.Column{Source: source.Ref(), Name: of.Name}) {
				return of.Type.Temporal() || ground.IsYear(of)
			}
		}
	}
	return false
}
