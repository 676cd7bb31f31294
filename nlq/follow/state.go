package follow

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// state reads a word for a state that rows are in: yes or no in a column of that
// name, a time that is there or missing, or another value than the word without
// its "un".
func (e *editor) state() []tree.Cond {
	for i, w := range e.words {
		if e.taken[i] || saysNothing(w) {
			continue
		}
		if e.tellsHow(i) {
			e.take(i, i+1)
			continue
		}
		denied := i > 0 && e.words[i-1] == "no" && !exclusion.MatchString(e.text)
		for _, s := range statesOf(w) {
			s.not = s.not != denied // have no jabs
			if c, ok := e.inState(s); ok {
				e.take(i, i+1)
				return []tree.Cond{c}
			}
		}
	}
	return nil
}

// meansBy stand between a verb and how it was done.
var meansBy = regexp.MustCompile(`^(?:by|with|via|using|through|in)$`)

// tellsHow reports whether a word is a verb of which a value behind it says how it was done, so that the
// verb is no state by itself: the unpaid ones that are to be paid by card are unpaid still.
func (e *editor) tellsHow(at int) bool {
	next := at + 1
	if next < len(e.words) && meansBy.MatchString(e.words[next]) {
		next++
	} else if !strings.HasSuffix(e.words[at], "ing") {
		return false
	}
	return next < len(e.words) && e.taken[next] && slices.ContainsFunc(e.valueNames, english.Means.Has)
}

// stateNamed reads a state by the name of several words of its column: "first editions",
// "sold at the market".
func (e *editor) stateNamed() (tree.Cond, bool) {
	for length := longestValue; length > 1; length-- {
		for i := 0; i+length <= len(e.words); i++ {
			words, written := nameStems(strings.Join(e.words[i:i+length], " ")), english.Stems(english.NameWords(strings.Join(e.words[i:i+length], " ")))
			if !e.free(i, i+length) {
				continue
			}
			found := e.columnsThat(func(c schema.Column) bool {
				_, _, truth := c.Truth()
				isSame := len(words) > 1 && !lex.Function(e.words[i]) && sameWords(nameStems(strings.Join(c.Words, " ")), words)
				return truth && (isSame || c.IsDenial() && slices.Equal(english.Stems(english.NameWords(c.Name)), written))
			})
			if len(found) != 1 {
				continue
			}
			id, _ := e.view.ColumnOf(e.query.Select.From, found[0])
			c := e.view.Columns[id]
			yes, _, _ := c.Truth()
			e.take(i, i+length)
			return tree.Compare{Op: tree.Equal, Left: found[0], Right: tree.Literal{Kind: grammar.LiteralKind(c.Type), Text: yes}}, true
		}
	}
	return nil, false
}

// sameWords reports whether two lists have the same words, in whatever order.
func sameWords(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// state is a word, and whether its opposite is meant.
type state struct {
	word string
	not  bool
}

// statesOf returns what a word may say: itself, or the opposite of what is behind
// its "un".
func statesOf(word string) []state {
	all := []state{{word, false}}
	for _, prefix := range english.NegativePrefixes.Words() {
		if rest, ok := strings.CutPrefix(word, prefix); ok && len(strings.TrimPrefix(rest, "-")) > 2 {
			all = append(all, state{strings.TrimPrefix(rest, "-"), true})
		}
	}
	return all
}

// inState returns the condition that rows are in a state, of the one column that
// can tell.
func (e *editor) inState(s state) (tree.Cond, bool) {
	var found []tree.Cond
	for _, source := range e.query.Select.From {
		for _, i := range e.view.ColumnsOf(source) {
			column := tree.Column{Source: source.Ref(), Name: e.view.Columns[i].Name}
			if cond, ok := e.stateOf(column, i, s); ok {
				found = append(found, cond)
			}
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

// stateOf returns the condition of one column that rows are in a state.
func (e *editor) stateOf(column tree.Column, id int, s state) (tree.Cond, bool) {
	c := e.view.Columns[id]
	equal := func(kind tree.LiteralKind, text string) tree.Cond {
		return tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: kind, Text: text}}
	}
	holds, named := namesState(c, s)
	yes, no, truth := c.Truth()
	switch {
	case named && truth && holds:
		return equal(grammar.LiteralKind(c.Type), yes), true
	case named && truth:
		return equal(grammar.LiteralKind(c.Type), no), true
	case named && c.Type.Temporal() && e.view.HasNull(id):
		if holds {
			return tree.Not{Cond: tree.IsNull{Expr: column}}, true
		}
		return tree.IsNull{Expr: column}, true
	case c.Type != quern.Text || c.Values == nil:
		return nil, false
	case named: // yes, no and something else
		said := "no"
		if holds {
			said = "yes"
		}
		value, ok := c.Values.Exact(said)
		return equal(tree.Text, value), ok
	}
	value, ok := c.Values.Exact(lex.Fold(s.word))
	if !ok || !s.not {
		return nil, false
	}
	return e.negate(equal(tree.Text, value)), true
}

// namesState reports whether a column is named by a state, and whether yes in it
// means that state: unpaid is no in "paid". Of times a related word will do, as
// delivered of "delivery date".
func namesState(c schema.Column, s state) (holds, named bool) {
	words := schema.EventWords(c.Words)
	if len(words) != 1 {
		return false, false
	}
	for _, own := range statesOf(words[0]) {
		related := c.Type.Temporal() && schema.Related(own.word, s.word)
		if related || english.Stem(own.word) == english.Stem(s.word) {
			return own.not == s.not, true
		}
	}
	return false, false
}
