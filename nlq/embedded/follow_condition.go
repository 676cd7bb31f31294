package embedded

import (
	"math/big"
	"slices"
	"strings"

	"quern"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// comparatives are how one bounds a number.
var comparatives = map[string]tree.CompareOp{
	"over": tree.Greater, "above": tree.Greater, "more than": tree.Greater, "greater than": tree.Greater, "higher than": tree.Greater,
	"at least": tree.GreaterEq, "under": tree.Less, "below": tree.Less, "less than": tree.Less, "fewer than": tree.Less,
	"lower than": tree.Less, "at most": tree.LessEq, "up to": tree.LessEq,
}

func lessNumber(a, b string) bool {
	x, ok := new(big.Rat).SetString(a)
	y, also := new(big.Rat).SetString(b)
	return ok && also && x.Cmp(y) < 0
}

// conditions gives what a follow-up says of the rows, each in all the ways in
// which it can be meant, and takes the words of each.
func (f *follower) conditions() [][]tree.Cond {
	var all [][]tree.Cond
	if c, ok := f.compared(); ok {
		all = append(all, []tree.Cond{c})
	}
	if ways := f.timed(); len(ways) > 0 {
		all = append(all, ways)
	}
	const most = 3
	exact := func() []tree.Cond { return f.valued(exactly) }
	near := func() []tree.Cond {
		return f.valued(func(v *schema.Values, text string) (string, float64, bool) {
			if _, named := f.column(text); named {
				return "", 0, false
			}
			return nearly(v, text)
		})
	}
	for _, read := range []func() []tree.Cond{exact, f.stated, near} {
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

// take marks words as understood.
func (f *follower) take(from, to int) {
	for i := from; i < to; i++ {
		f.taken[i] = true
	}
}

// free reports whether none of some words is understood yet.
func (f *follower) free(from, to int) bool { return !slices.Contains(f.taken[from:to], true) }

// compared reads a bound of a number: "over 100", "price under 20".
func (f *follower) compared() (tree.Cond, bool) {
	for i := range f.words {
		for length := 2; length > 0; length-- {
			op, ok := comparatives[strings.Join(f.words[i:min(i+length, len(f.words))], " ")]
			if !ok {
				continue
			}
			number, end, ok := f.number(i + length)
			if !ok {
				return nil, false
			}
			column, ok := f.bounded(i, end)
			if !ok {
				return nil, false
			}
			f.take(i, end)
			return tree.Compare{Op: op, Left: column, Right: tree.Literal{Kind: tree.Number, Text: number}}, true
		}
	}
	return nil, false
}

// number reads the longest number that begins at a word.
func (f *follower) number(from int) (decimal string, end int, ok bool) {
	const longest = 6
	for end := min(from+longest, len(f.words)); end > from; end-- {
		if decimal, ok := lex.Number(strings.Join(f.words[from:end], " ")); ok {
			return decimal, end, true
		}
	}
	return "", from, false
}

// bounded gives the column that a bound is of: named before it, after it, or the
// only one that there is.
func (f *follower) bounded(from, to int) (tree.Column, bool) {
	const longest = 3
	for length := longest; length > 0; length-- {
		for _, start := range []int{from - length, to} {
			if start < 0 || start+length > len(f.words) {
				continue
			}
			c, ok := f.column(strings.Join(f.words[start:start+length], " "))
			i, known := f.place(c)
			if ok && known && f.schema.Columns[i].Type.Numeric() {
				f.take(start, start+length)
				return c, true
			}
		}
	}
	if len(f.query.Select.Group) > 0 {
		return tree.Column{}, false // it is as likely a bound of the groups
	}
	return f.onlyNumber()
}

// onlyNumber gives the one column of numbers among the previous items, or else
// among the previous datasets, that are not there to tell rows apart.
func (f *follower) onlyNumber() (tree.Column, bool) {
	var listed, all []tree.Column
	for _, source := range f.query.Select.From {
		for _, i := range f.columnsOf(source) {
			c := f.schema.Columns[i]
			if !c.Type.Numeric() || f.identifies(i) {
				continue
			}
			column := tree.Column{Source: source.Ref(), Name: c.Name}
			all = append(all, column)
			if f.lists(column) {
				listed = append(listed, column)
			}
		}
	}
	if len(listed) == 0 {
		listed = all
	}
	if len(listed) != 1 {
		return tree.Column{}, false
	}
	return listed[0], true
}

// identifies reports whether a column is there to tell rows apart or to link
// them, or holds years.
func (f *follower) identifies(column int) bool {
	words := f.schema.Columns[column].Words
	return slices.Contains(words, "id") || slices.Contains(words, "year") || slices.ContainsFunc(f.schema.Links, func(l schema.Link) bool {
		return l.From == column || l.To == column
	})
}

// valued reads a value of text columns, the longest that the follow-up holds,
// together with the column's name beside it.
func (f *follower) valued(find finder) []tree.Cond {
	const longest = 6
	for length := min(longest, len(f.tokens)); length > 0; length-- {
		for i := 0; i+length <= len(f.tokens); i++ {
			if !f.free(i, i+length) || length == 1 && (lex.Function(f.words[i]) || filling[f.words[i]]) {
				continue
			}
			text := strings.Join(f.words[i:i+length], " ")
			if ways := f.holding(text, find); len(ways) > 0 {
				f.take(i, i+length)
				return f.nearby(ways, i, i+length)
			}
		}
	}
	return nil
}

// finder finds the value of a column that a text means, and says how well it
// matches.
type finder func(v *schema.Values, text string) (value string, score float64, ok bool)

// exactly finds a value by all of its words, whatever their form.
func exactly(v *schema.Values, text string) (value string, score float64, ok bool) {
	if value, ok = v.Exact(lex.Fold(text)); ok {
		return value, 1, true
	}
	value, ok = v.Alike(schema.KeyOf(text))
	return value, schema.ScoreStems, ok
}

// nearly finds the one value that a text is a part of, or is spelled like, unless
// one is the opposite of the other.
func nearly(v *schema.Values, text string) (value string, score float64, ok bool) {
	const least = 0.6
	found := v.Find(text)
	if len(found) != 1 || found[0].Score < least || len(text) < 3 {
		return "", 0, false
	}
	folded := lex.Fold(found[0].Value)
	for _, prefix := range opposites {
		if prefix+folded == text || prefix+text == folded {
			return "", 0, false
		}
	}
	return found[0].Value, found[0].Score, true
}

// holding gives the conditions that a text column has a value: of the columns
// that the previous conditions are about, or else of all that the previous query
// reads, or else of those that links lead to.
func (f *follower) holding(text string, find finder) []tree.Cond {
	type way struct {
		cond  tree.Cond
		words []string // of the names
		score float64
	}
	var before, read, linked []way
	for _, s := range f.spots() {
		t := f.schema.Tables[s.table]
		for _, c := range f.schema.Columns[t.First : t.First+t.Len] {
			if c.Type != quern.Text || c.Values == nil {
				continue
			}
			value, score, ok := find(c.Values, text)
			if !ok {
				continue
			}
			column := tree.Column{Source: s.source.Ref(), Name: c.Name}
			condition := tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: tree.Text, Text: value}}
			w := way{condition, slices.Concat(c.Words, t.Words), score}
			switch {
			case s.within == nil:
				if w.cond, ok = f.beyond(s, condition); ok {
					linked = append(linked, w)
				}
			case askedIn(s.within, column) || f.asked(column):
				before = append(before, w)
			default:
				read = append(read, w)
			}
		}
	}
	for _, found := range [][]way{before, read, linked} {
		var all []tree.Cond
		for _, w := range found {
			all = append(all, w.cond)
			f.score, f.about = min(f.score, w.score), append(f.about, w.words...)
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// asked reports whether a previous condition is about a column.
func (f *follower) asked(column tree.Column) bool {
	for _, i := range f.query.Select.Items {
		if share, ok := i.Expr.(tree.Share); ok && asks(share.Where, column) {
			return true
		}
	}
	return askedIn(f.query.Select, column)
}

func askedIn(s *tree.Select, column tree.Column) bool { return asks(s.Where, column) }

// asks reports whether one of some conditions is about a column.
func asks(where tree.Cond, column tree.Column) bool {
	return slices.ContainsFunc(tree.Conjuncts(where), func(c tree.Cond) bool { return about(c) == tree.Expr(column) })
}

// nearby keeps the ways whose column is named beside the value, if some is.
func (f *follower) nearby(ways []tree.Cond, from, to int) []tree.Cond {
	const longest = 3
	for length := longest; length > 0; length-- {
		for _, start := range []int{from - length, to} {
			if start < 0 || start+length > len(f.words) || !f.free(start, start+length) {
				continue
			}
			column, ok := f.column(strings.Join(f.words[start:start+length], " "))
			for _, w := range ways {
				if ok && about(w) == tree.Expr(column) {
					f.take(start, start+length)
					return []tree.Cond{w}
				}
			}
		}
	}
	return ways
}
