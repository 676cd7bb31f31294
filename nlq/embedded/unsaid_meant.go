package embedded

import (
	"fmt"
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/account"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// somebodyDid finds who did what a verb behind it says.
var somebodyDid = regexp.MustCompile(`(?i)\b(?:i|we|you|they|he|she) $`)

// addMeant returns a reading held to the one kind of its rows that a word means to which nothing in it
// answers, and says so: who cycled did what the rows call bike. Otherwise it returns the reading itself.
func (g *grounding) addMeant(c *candidate) *candidate {
	if !g.Uses(ground.Reworded) {
		return c
	}
	reading := account.Reading{Query: c.asRead, Taken: g.constantWords(c), Score: c.score}
	for _, w := range g.Accounts().Of(reading) {
		if w.Use != account.Lost && w.Use != account.Joins || w.Essential || w.Strict {
			continue
		}
		word := g.Accounts().Said(w)
		if !g.mayBeMeant(word) || g.isCountedNoun(w) || deniesValue.MatchString(g.Text[:g.Features.Tokens[w.First].Start]) {
			continue
		}
		column, value, ok := g.kindMeant(c, w)
		if !ok {
			continue
		}
		held := g.change(c, func(q *tree.Query) {
			q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.Compare{Op: tree.Equal, Left: column, Right: value})...)
		})
		if held != c {
			held.used = append(held.used, fmt.Sprintf("I read %q as the value %s of the column %s.", word, value.Text, column.Name))
		}
		return held
	}
	return c
}

// rowsAsked begins with what a text asks for: how many repairs, the number of repairs, finished pictures that.
var rowsAsked = regexp.MustCompile(`(?i)^\W*(?:(?:how many|(?:the )?(?:total )?number of|which|what|list|show(?: me)?|all|any|the|our) )*(?:\w+ )?(?P<rows>\w+)(?: (?:that|which|who|with|without|brought|are|were|have|has|do|did|from|in|by|of|took|take|takes|cost|costs|came|come|got|had|need|needs)\b|\W*$)`)

// isCountedNoun reports whether a word is what the rows that a text asks for are called.
func (g *grounding) isCountedNoun(w account.Word) bool {
	m, ok := english.Groups(rowsAsked, g.Text)
	if !ok {
		return false
	}
	start, _ := m.Span("rows")
	return g.Features.Tokens[w.First].Start == start
}

// mayBeMeant reports whether a word says enough to stand for a kind of rows.
func (g *grounding) mayBeMeant(word string) bool {
	return len(word) > shortestOwn && !g.isAsked(word) && !lex.Function(word) && !lex.Thin(word) && !lex.Command(word) && !english.Holding.Has(word)
}

// kindMeant returns the value that means the same as a word and whose sense is by far the nearest to it,
// of the one column of kinds of a reading's rows that has such, where the reading has nothing to do with
// that column. Either alone is a guess, a bit of something being no scrap, but for the one value that
// means what somebody did.
func (g *grounding) kindMeant(c *candidate, w account.Word) (column tree.Column, value tree.Literal, ok bool) {
	const least, ahead = 0.15, 0.1
	sense, n := g.Vectors.Sense(g.Accounts().Said(w)), 0
	meant, isDone := g.valuesMeant(w), somebodyDid.MatchString(g.Text[:g.Features.Tokens[w.First].Start])
	g.eachColumn(c, func(named tree.Column, of schema.Column, _ int) {
		if of.Values == nil {
			return
		}
		own := func(value string) bool {
			return slices.ContainsFunc(meant, func(m meaning) bool { return m.tells == valueOf(of, value).tells })
		}
		if !slices.ContainsFunc(meant, func(m meaning) bool { return own(m.words) }) {
			return
		}
		column, n = named, n+1
		nearest, near, before, known := of.Values.Nearest(sense, g.Vectors.Sense)
		if isDone && len(meant) == 1 {
			value, ok = tree.Literal{Kind: tree.Text, Text: meant[0].words}, true
			return
		}
		value, ok = tree.Literal{Kind: tree.Text, Text: nearest}, known && near >= least && before >= ahead && own(nearest)
	})
	return column, value, ok && n == 1 && !ground.UsesColumn(c.query, column)
}
