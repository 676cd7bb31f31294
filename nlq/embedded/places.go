package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// wonOf says that somebody was the first of all, or another one of the first.
	wonOf = regexp.MustCompile(`(?i)\b(?:(?P<won>won|wins|win)|(?:came|come|comes|finished|finish|was|were) (?P<nth>first|1st|second|2nd|third|3rd|fourth|4th))\b(?P<end>\W*$|,| (?:in|at|of|on|and|but|the|each|every|any|most|more|this|last)\b)`)
	// who asks for people.
	who = regexp.MustCompile(`(?i)^(?P<lead>\W*(?:and |so )?)who\b`)
	// fullName is how people are called.
	fullName = regexp.MustCompile(`^\p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’.-]*)+$`)
	// prizes are what is won that is no race, or not yet.
	prizes = regexp.MustCompile(`(?i)\b(?:last|latest|recent|previous|prize|raffle|lottery|bid|contract|quote|award|will|going to|gonna|likely|toss|hearts?)\b`)
	// bestOf asks for the first of some places.
	bestOf = regexp.MustCompile(`(?i)\b(?:best|highest|top)\b`)
	// nths are the places by their names.
	nths = map[string]string{"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3", "fourth": "4", "4th": "4"}
)

// placeNames are the names of columns that say which place somebody came in at.
var placeNames = []string{"place", "position", "pos", "rank", "placing", "finish"}

// isPlace reports whether a column says which place somebody came in at: the first is the least.
func isPlace(c schema.Column) bool {
	return c.Type.Numeric() && len(c.Words) > 0 && slices.Contains(placeNames, c.Words[len(c.Words)-1]) && (c.Min == "1" || c.Min == "1.0")
}

// inPlaces returns the words of a text by which somebody won, or came second, as the place that one
// column of the data says.
func (r *reader) inPlaces(text string) []english.Change {
	m, ok := english.Groups(wonOf, text)
	if !ok || prizes.MatchString(text) || r.isOfData("won") || r.isOfData("winner") || r.isOfData("wins") {
		return nil
	}
	var all []schema.Column
	for _, c := range r.whole.Columns {
		if isPlace(c) {
			all = append(all, c)
		}
	}
	place, known := "1", true
	if m.Text("won") == "" {
		place, known = nths[strings.ToLower(m.Text("nth"))]
	}
	if len(all) != 1 || !known {
		return nil
	}
	start, _ := m.Span("")
	end, _ := m.Span("end")
	by := "had " + strings.Join(all[0].Words, " ") + " " + place
	if m.Text("won") != "" && m.Text("end") != "" && !strings.HasPrefix(strings.TrimSpace(strings.ToLower(m.Text("end"))), "in") {
		by += " in"
	}
	changes := []english.Change{{Start: start, End: end, By: by}}
	if m, ok := english.Groups(who, text); ok {
		if people, ok := r.peopleBeside(all[0]); ok {
			_, lead := m.Span("lead")
			_, end := m.Span("")
			changes = append([]english.Change{{Start: lead, End: end, By: "which " + strings.Join(people.Words, " ")}}, changes...)
		}
	}
	return changes
}

// peopleBeside returns the one column with names of people in the dataset of another.
func (r *reader) peopleBeside(place schema.Column) (people schema.Column, ok bool) {
	n := 0
	t := r.whole.Tables[place.Table]
	for _, c := range r.whole.Columns[t.First : t.First+t.Len] {
		if c.Values == nil || c.Type != quern.Text {
			continue
		}
		isOther := func(v string) bool { return !fullName.MatchString(v) }
		if !slices.ContainsFunc(c.Values.All(), isOther) {
			people, n = c, n+1
		}
	}
	return people, n == 1
}

// settleBestPlace takes the least of the places where the text asks for the best: the best place that
// a boat has come in at is not its last.
func (g *grounding) settleBestPlace(q *tree.Query) {
	if q.Select == nil || !bestOf.MatchString(g.text) {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		column, isColumn := a.Arg.(tree.Column)
		id, known := g.view.ColumnOf(q.Select.From, column)
		if ok && isColumn && known && a.Func == tree.Max && isPlace(g.view.Columns[id]) {
			a.Func = tree.Min
		}
		if ok {
			return a
		}
		return e
	})
}
