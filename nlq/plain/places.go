package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
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
	// nths are the places by their names.
	nths = map[string]string{"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3", "fourth": "4", "4th": "4"}
)

// inPlaces returns the words of a text by which somebody won, or came second, as the place that one
// column of the data says.
func (r Rules) inPlaces(text string) []english.Change {
	m, ok := english.Groups(wonOf, text)
	if !ok || prizes.MatchString(text) || r.IsOfData("won") || r.IsOfData("winner") || r.IsOfData("wins") {
		return nil
	}
	var all []schema.Column
	for _, c := range r.Whole.Columns {
		if ground.IsPlace(c) {
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
func (r Rules) peopleBeside(place schema.Column) (people schema.Column, ok bool) {
	n := 0
	t := r.Whole.Tables[place.Table]
	for _, c := range r.Whole.Columns[t.First : t.First+t.Len] {
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
