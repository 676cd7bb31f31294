package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
)

var (
	// placeHas asks what the place has that all of the data are of: how many members does the club have?
	placeHas = regexp.MustCompile(`(?i)\b(?P<do>do|does|did) (?:the|our|my|this) (?P<place>\w+) (?:have|own|hold|keep|stock|employ|offer|run)\b`)
	// thePlaceHas says that it has something: members that the club has.
	thePlaceHas = regexp.MustCompile(`(?i)\b(?:the|our|my|this) (?P<place>\w+) (?P<has>has|owns|had|owned)\b(?: (?P<must>to)\b)?`)
	// inPlace says of what the data are of that it is there: members of the club.
	inPlace = regexp.MustCompile(`(?i)\s+(?:in|of|at) (?:the|our|my|this) (?P<place>\w+)(?P<behind>\W*$|,? (?:are|is|were|was|have|has|had|do|does|did|who|that|which|with|without)\b)`)
	// endsInBe finds a text that ends in a form of to be.
	endsInBe = regexp.MustCompile(`(?i)\b(?:are|is|was|were)$`)
)

// inOwnPlaces returns the words of a text by which something belongs to the place that all of the
// data are of, as what they say of the asker: the club has what we have, and a member of the club is
// a member. A place that the data have rows, a column or values of is no such place, but for one
// that has something itself: a kind of customers has none.
func (r Rules) inOwnPlaces(text string) []english.Change {
	if m, ok := english.Groups(placeHas, text); ok && r.isOwnPlace(m.Text("place"), true) {
		start, _ := m.Span("")
		_, end := m.Span("place")
		do := strings.Replace(m.Text("do"), "es", "", 1)
		return []english.Change{{Start: start, End: end, By: do + " we"}}
	}
	if m, ok := english.Groups(thePlaceHas, text); ok && !m.Has("must") && r.isOwnPlace(m.Text("place"), true) {
		start, _ := m.Span("")
		_, end := m.Span("has")
		has := map[string]string{"has": "have", "owns": "own"}[strings.ToLower(m.Text("has"))]
		if has == "" {
			has = m.Text("has")
		}
		return []english.Change{{Start: start, End: end, By: "we " + has}}
	}
	return nil
}

// withoutOwnPlaces returns a text without what says of rows that they are of the place that all of
// the data are of.
func (r Rules) withoutOwnPlaces(text string) string {
	m, ok := english.Groups(inPlace, text)
	if !ok || !r.isOwnPlace(m.Text("place"), false) {
		return text
	}
	start, _ := m.Span("")
	behind, _ := m.Span("behind")
	before, after := text[:start], text[behind:]
	if endsInBe.MatchString(before) {
		before += " there"
	}
	return before + after
}

// isOwnPlace reports whether a word is what askers call the place that all of the data are of, and
// names nothing in them; owns says that something is its own, which no value of a column is.
func (r Rules) isOwnPlace(word string, owns bool) bool {
	word = strings.ToLower(word)
	isNamespace := owns && slices.Contains(english.Stems(lex.Words(r.Whole.In.Namespace, nil)), english.Stem(word))
	if !english.OwnPlaces.Has(word) && !isNamespace || r.Whole.ColumnNamed(word) || r.Whole.MentionsTable(word) {
		return false
	}
	return owns || !r.Whole.HoldsWord(word)
}
