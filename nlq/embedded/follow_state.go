package embedded

import (
	"slices"
	"strings"

	"quern"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// around are the words of a column's name that do not say what happened.
var around = set("is was has have been be at on date time day timestamp flag when")

// opposites begin words that mean the opposite of the rest of them.
var opposites = []string{"un", "non", "in", "im", "dis"}

// stated reads a word for a state that rows are in: yes or no in a column of that
// name, a time that is there or missing, or another value than the word without
// its "un".
func (f *follower) stated() []tree.Cond {
	for i, w := range f.words {
		if f.taken[i] || lex.Function(w) || filling[w] {
			continue
		}
		for _, state := range statesOf(w) {
			if c, ok := f.inState(state); ok {
				f.take(i, i+1)
				return []tree.Cond{c}
			}
		}
	}
	return nil
}

// state is a word, and whether its opposite is meant.
type state struct {
	word string
	not  bool
}

// statesOf gives what a word may say: itself, or the opposite of what is behind
// its "un".
func statesOf(word string) []state {
	all := []state{{word, false}}
	for _, prefix := range opposites {
		if rest, ok := strings.CutPrefix(word, prefix); ok && len(strings.TrimPrefix(rest, "-")) > 2 {
			all = append(all, state{strings.TrimPrefix(rest, "-"), true})
		}
	}
	return all
}

// inState gives the condition that rows are in a state, of the one column that
// can tell.
func (f *follower) inState(s state) (tree.Cond, bool) {
	var found []tree.Cond
	for _, source := range f.query.Select.From {
		for _, i := range f.columnsOf(source) {
			c := f.schema.Columns[i]
			column := tree.Column{Source: source.Ref(), Name: c.Name}
			if cond, ok := f.tells(column, c, s); ok {
				found = append(found, cond)
			}
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

// tells gives the condition of one column that rows are in a state.
func (f *follower) tells(column tree.Column, c schema.Column, s state) (tree.Cond, bool) {
	equal := func(kind tree.LiteralKind, text string) tree.Cond {
		return tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: kind, Text: text}}
	}
	timed := c.Type == quern.Date || c.Type == quern.Timestamp
	yes, named := namedState(c.Words, s, timed)
	is, not, truth := c.Truth()
	switch {
	case named && truth && yes:
		return equal(truthKind(c.Type), is), true
	case named && truth:
		return equal(truthKind(c.Type), not), true
	case named && timed && c.Rows < f.schema.Tables[c.Table].Rows:
		if yes {
			return tree.Not{Cond: tree.IsNull{Expr: column}}, true
		}
		return tree.IsNull{Expr: column}, true
	case c.Type != quern.Text || c.Values == nil:
		return nil, false
	case named: // yes, no and something else
		value, ok := c.Values.Exact(map[bool]string{true: "yes", false: "no"}[yes])
		return equal(tree.Text, value), ok
	}
	value, ok := c.Values.Exact(lex.Fold(s.word))
	if !ok || !s.not {
		return nil, false
	}
	return f.without(equal(tree.Text, value)), true
}

// truthKind gives how the yes and no of a column are written.
func truthKind(t quern.Type) tree.LiteralKind {
	switch {
	case t == quern.Boolean:
		return tree.Boolean
	case t.Numeric():
		return tree.Number
	}
	return tree.Text
}

// namedState reports whether a column is named by a state, and whether yes in it
// means that state: unpaid is no in "paid". Of times a related word will do, as
// delivered of "delivery date".
func namedState(words []string, s state, timed bool) (yes, named bool) {
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return around[w] })
	if len(rest) != 1 {
		return false, false
	}
	for _, own := range statesOf(rest[0]) {
		if lex.Stem(own.word) == lex.Stem(s.word) || timed && related(own.word, s.word) {
			return own.not == s.not, true
		}
	}
	return false, false
}
