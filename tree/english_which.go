package tree

import (
	"slices"
	"strings"

	"quern/english"
)

// which is what says behind a noun which rows are meant, by the sort of words.
type which struct {
	names  []string // " called 'Dunlin'"
	events []string // " built before 1990"
	are    []string // "active"
	areNot []string // "not paid"
	verbs  []string // " that mention 'red'"
	links  []string // " linked to ships"
	have   []string // "newsletter yes"
	plain  []string // "price is more than 3"
	others []string // " with orders in 2024"
}

// conditions says which rows fulfil a condition.
func (w *wording) conditions(c Cond) string {
	if _, alone := c.(Or); alone {
		return " whose " + w.cond(c)
	}
	var said which
	for _, c := range Conjuncts(c) {
		w.sort(&said, c)
	}
	return said.text(w)
}

// sort words a condition and adds it to its sort.
func (w *wording) sort(said *which, c Cond) {
	if text, ok := w.naming(c); ok {
		said.names = append(said.names, text)
		return
	}
	if m, ok := w.marking(c); ok {
		said.add(m)
		return
	}
	if text, ok := w.happening(c); ok {
		said.events = append(said.events, text)
		return
	}
	if text, ok := w.belonging(c); ok {
		said.others = append(said.others, text)
		return
	}
	switch c := c.(type) {
	case Search:
		said.verbs = append(said.verbs, " that "+w.agreeing("mentions ", "mention ")+quotedWords(c.Words))
	case Linked:
		said.links = append(said.links, " linked to "+w.noun(c.Query)+w.ending(c.Query))
	case Exists:
		said.links = append(said.links, " for which there are "+w.noun(c.Query))
	default:
		said.plain = append(said.plain, w.part(c))
	}
}

func (s *which) add(m mark) {
	switch {
	case m.has != "":
		s.have = append(s.have, m.has)
	case strings.HasPrefix(m.is, "not "):
		s.areNot = append(s.areNot, m.is)
	default:
		s.are = append(s.are, m.is)
	}
}

// text joins what is said: what could be taken for a part of something else comes last, and
// what belongs to the rows stands before what tells of others.
func (s *which) text(w *wording) string {
	var clauses []string
	if states := slices.Concat(s.are, s.areNot); len(states) > 0 { // not paid and active would deny both
		clauses = append(clauses, " that "+w.agreeing("is ", "are ")+english.List(states, "and"))
	}
	clauses = append(clauses, s.verbs...)
	if len(s.links) > 0 {
		clauses = []string{joined(clauses) + strings.Join(s.links, "")}
	}
	if len(s.plain) > 0 {
		clauses = append(clauses, " whose "+strings.Join(s.plain, " and "))
	}
	text, have := joined(s.names)+joined(s.events), ""
	if len(s.have) > 0 {
		have = " with " + english.List(s.have, "and")
	}
	if have != "" && len(clauses) == 0 {
		return text + joined(append([]string{have}, s.others...))
	}
	return text + have + joined(append(clauses, s.others...))
}

func joined(parts []string) string { return strings.Join(parts, " and") }

// agreeing returns the words for one row, or those for several.
func (w *wording) agreeing(one, several string) string {
	if w.one {
		return one
	}
	return several
}

// mark is what a column of yes and no says of rows: that they are so, or that they have it.
type mark struct {
	is  string // "paid", "not paid", "marked as vip"
	has string // "newsletter yes"
}

// marking says a condition that a column says yes or no. ok is false where it says
// something else.
func (w *wording) marking(c Cond) (m mark, ok bool) {
	is, ok := c.(Compare)
	column, isColumn := is.Left.(Column)
	said, isLiteral := is.Right.(Literal)
	if !ok || is.Op != Equal || !isColumn || !isLiteral || column.Source != w.first && column.Source != "" {
		return m, false
	}
	return w.mark(column, said)
}

// mark says what a column that says yes or no marks rows as.
func (w *wording) mark(column Column, said Literal) (m mark, ok bool) {
	words := strings.Fields(w.columnName(column.Name))
	before := len(words)
	for len(words) > 1 && english.Framing.Has(words[0]) {
		words = words[1:] // is paid
	}
	name, letter := strings.Join(words, " "), strings.ToLower(said.Text)
	isFramed, isState := len(words) < before, english.IsState(name)
	happens := isState || english.Happening(name) != ""
	yes := english.Yes.Has(letter) || happens && letter == "y"
	no := english.No.Has(letter) || happens && letter == "n"
	not := ""
	if no {
		not = "not "
	}
	switch {
	case said.Kind == Number || !yes && !no:
		return m, false
	case isState:
		return mark{is: not + name}, true
	case isFramed:
		return mark{is: "marked as " + not + name}, true
	case yes:
		return mark{has: name + " yes"}, true
	}
	return mark{has: name + " no"}, true
}

// othersMark says a condition that a column of a dataset beside the first says yes or
// no: "arrival is paid".
func (w *wording) othersMark(c Compare) (text string, ok bool) {
	column, isColumn := c.Left.(Column)
	said, isLiteral := c.Right.(Literal)
	owner := w.names[column.Source]
	if c.Op != Equal || !isColumn || !isLiteral || owner == "" || !isWords(english.DatasetNoun(owner)) {
		return "", false
	}
	m, ok := w.mark(column, said)
	one := english.Singular(english.DatasetNoun(owner))
	if m.has != "" {
		return one + " has " + m.has, ok
	}
	return one + " is " + m.is, ok
}
