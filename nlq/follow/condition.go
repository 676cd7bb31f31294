package follow

import (
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// The most words of a value or number, and of a column's name beside it.
const (
	longestValue = 6
	longestName  = 3
)

// conditions returns what a follow-up says of the rows, each thing in all the ways
// in which it can be meant, and takes the words of each.
func (e *editor) conditions() [][]tree.Cond {
	var all [][]tree.Cond
	if c, ok := e.stateNamed(); ok {
		all = append(all, []tree.Cond{c})
	}
	if c, ok := e.inStock(); ok {
		all = append(all, []tree.Cond{c})
	}
	if ways := e.bound(); len(ways) > 0 {
		all = append(all, ways)
	}
	if ways := e.period(); len(ways) > 0 {
		all = append(all, ways)
	}
	if c, ok := e.equalNumber(); ok && len(all) == 0 {
		all = append(all, []tree.Cond{c})
	}
	const most = 3
	exact := func() []tree.Cond { return e.value(findExact) }
	near := func() []tree.Cond {
		return e.value(func(v *schema.Values, text string) (string, float64, bool) {
			if _, named := e.column(text); named {
				return "", 0, false
			}
			value, score, ok := findNear(v, text)
			if ok && !isPart(value, text) {
				e.doubt("I took %q to mean %q.", text, value)
			}
			return value, score, ok
		})
	}
	for _, read := range []func() []tree.Cond{e.filled, exact, e.state, e.owned, near} {
		for len(all) < most {
			ways := read()
			if len(ways) == 0 {
				break
			}
			all = append(all, ways)
		}
	}
	return all
}

// inStock reads that there are some of the things that a column of numbers counts: in stock.
func (e *editor) inStock() (tree.Cond, bool) {
	at := slices.Index(e.words, "stock")
	if at < 1 || e.words[at-1] != "in" || !e.free(at-1, at+1) {
		return nil, false
	}
	found := e.columnsThat(schema.Column.CountsStock)
	if len(found) != 1 {
		return nil, false
	}
	e.take(at-1, at+1)
	return tree.Compare{Op: tree.Greater, Left: found[0], Right: tree.Literal{Kind: tree.Number, Text: "0"}}, true
}

// value reads a value of text columns, the longest that the follow-up holds,
// together with the column's name beside it.
func (e *editor) value(find finder) []tree.Cond {
	for length := min(longestValue, len(e.tokens)); length > 0; length-- {
		for i := 0; i+length <= len(e.tokens); i++ {
			meaningless := length == 1 && saysNothing(e.words[i])
			if meaningless || !e.free(i, i+length) {
				continue
			}
			text := strings.Join(e.words[i:i+length], " ")
			if ways := e.nearest(text, find); len(ways) > 0 {
				e.take(i, i+length)
				return e.denied(i, e.keepNamed(ways, i, i+length))
			}
		}
	}
	return nil
}

// nearest returns the conditions that a text column has a value. What only a table that links lead to has
// as a whole may be a part of somebody's name in what is read: the surveyor Neil Farrow, rather than who spent something.
func (e *editor) nearest(text string, find finder) []tree.Cond {
	ways := e.holders(text, find)
	if len(ways) == 0 || !isNested(ways[0]) {
		return ways
	}
	own := e.holders(text, func(v *schema.Values, text string) (value string, score float64, ok bool) {
		value, score, ok = findNear(v, text)
		return value, score, ok && isPart(value, text)
	})
	if len(own) != 1 || isNested(own[0]) {
		return ways
	}
	column, _ := condSubject(own[0]).(tree.Column)
	if id, known := e.view.ColumnOf(e.query.Select.From, column); !known || !e.view.Columns[id].HoldsPeople() {
		return ways
	}
	return own
}

// isNested reports whether a condition holds rows to those of another query.
func isNested(c tree.Cond) bool {
	in, ok := c.(tree.In)
	return ok && in.Query != nil
}

// denied denies conditions whose value follows "no": bookings with no cut.
func (e *editor) denied(at int, ways []tree.Cond) []tree.Cond {
	if at == 0 || e.words[at-1] != "no" || exclusion.MatchString(e.text) {
		return ways
	}
	for i, c := range ways {
		ways[i] = e.negate(c)
	}
	return ways
}

func saysNothing(word string) bool { return lex.Function(word) || english.Fillers.Has(word) }

// finder finds the value of a column that a text means, and says how well it
// matches.
type finder func(v *schema.Values, text string) (value string, score float64, ok bool)

// findExact finds a value by all of its words, whatever their form.
func findExact(v *schema.Values, text string) (value string, score float64, ok bool) {
	if value, ok = v.Exact(lex.Fold(text)); ok {
		return value, 1, true
	}
	value, ok = v.Alike(schema.KeyOf(text))
	return value, schema.ScoreStems, ok
}

// findNear finds the one value that a text is a part of, or is spelled like, unless
// one is the opposite of the other.
func findNear(v *schema.Values, text string) (value string, score float64, ok bool) {
	const least = 0.6      // below it a likeness in spelling is taken for another word
	const leastAlike = 0.7 // the same, of a text that is no part of the value
	const shortest = 5     // letters of such a text
	found := v.Find(text)
	if len(found) != 1 || found[0].Score < least || len(text) < 3 {
		return "", 0, false
	}
	if !isPart(found[0].Value, text) && (found[0].Score < leastAlike || len(text) < shortest) {
		return "", 0, false
	}
	folded := lex.Fold(found[0].Value)
	for _, prefix := range english.NegativePrefixes.Words() {
		if prefix+folded == text || prefix+text == folded {
			return "", 0, false
		}
	}
	return found[0].Value, found[0].Score, true
}

// isPart reports whether a text is some of the words of a value.
func isPart(value, text string) bool {
	return strings.Contains(" "+lex.Fold(value)+" ", " "+lex.Fold(text)+" ") || schema.KeyOf(value) == schema.KeyOf(text)
}

// holder is a column that has a value of the follow-up, as a condition.
type holder struct {
	cond  tree.Cond
	names []string // the words of the column's name and the table's
	score float64
}

// holders returns the conditions that a text column has a value: of the columns
// that the previous conditions are about, or else of all that the previous query
// reads, or else of those that links lead to.
func (e *editor) holders(text string, find finder) []tree.Cond {
	var before, read, linked []holder
	for _, at := range e.mentionable() {
		t := e.view.Tables[at.table]
		for _, c := range e.view.Columns[t.First : t.First+t.Len] {
			if !c.Named() {
				continue
			}
			value, score, ok := find(c.Values, text)
			if !ok {
				continue
			}
			column := tree.Column{Source: at.source.Ref(), Name: c.Name}
			condition := tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: grammar.LiteralKind(c.Type), Text: value}}
			h := holder{condition, slices.Concat(c.Words, t.Words), score}
			switch {
			case at.within == nil:
				if h.cond, ok = e.throughLinks(at, condition); ok {
					linked = append(linked, h)
				}
			case constrains(at.within.Where, column) || e.constrains(column):
				before = append(before, h)
			default:
				read = append(read, h)
			}
		}
	}
	for _, found := range [][]holder{before, read, linked} {
		var all []tree.Cond
		for _, h := range found {
			all = append(all, h.cond)
			e.score, e.valueNames = min(e.score, h.score), append(e.valueNames, h.names...)
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// keepNamed returns the way whose column is named beside the value, or all ways
// when none is.
func (e *editor) keepNamed(ways []tree.Cond, from, to int) []tree.Cond {
	for length := longestName; length > 0; length-- {
		for _, start := range []int{from - length, to} {
			if start < 0 || start+length > len(e.words) || !e.free(start, start+length) {
				continue
			}
			column, ok := e.column(strings.Join(e.words[start:start+length], " "))
			for _, w := range ways {
				if ok && condSubject(w) == tree.Expr(column) {
					e.take(start, start+length)
					return []tree.Cond{w}
				}
			}
		}
	}
	return ways
}

// mention is a table that a follow-up can speak of.
type mention struct {
	table  int
	source tree.Source
	within *tree.Select // the select that reads it; nil: none does, but links lead there
}

// mentionable returns the tables that the previous query reads, those of its
// nested queries and those that links lead to, in this order.
func (e *editor) mentionable() []mention {
	var all []mention
	known := func(table int) bool {
		return slices.ContainsFunc(all, func(m mention) bool { return m.table == table })
	}
	for _, p := range e.view.Places(e.query.Select) {
		within := e.query.Select
		if p.Nested != nil {
			within = p.Nested.Select
		}
		if !known(p.Table) {
			all = append(all, mention{p.Table, p.Source, within})
		}
	}
	for _, l := range e.view.Links {
		a, b := e.view.Columns[l.From].Table, e.view.Columns[l.To].Table
		if e.reads(b) {
			a, b = b, a
		}
		if e.reads(a) && !known(b) {
			all = append(all, mention{table: b, source: tree.Source{Dataset: e.view.Tables[b].Path}})
		}
	}
	return all
}

// throughLinks returns a condition of a table that only links lead to as one of
// the previous rows.
func (e *editor) throughLinks(m mention, c tree.Cond) (tree.Cond, bool) {
	return e.view.LinkedTo(e.query.Select.From[0], &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{m.source}, Where: c}})
}
