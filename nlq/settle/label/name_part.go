package label

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// withThing says before the name of a thing that something was done with it: on the loyalty card, but no
// vegan bread.
var withThing = regexp.MustCompile(`(?i)\b(?:on|with|by|via|using|through) (?:the|a|an|our|my|their|his|her|its) \w+ $`)

// NameParts takes back what a reading holds rows to because of a word that is a part of what
// another column is called: a loyalty card is no card that was paid with, and monthly fees are the
// fees a month of everybody.
func (g Rules) NameParts(q *tree.Query) {
	if q.Select == nil {
		return
	}
	conds := tree.Conjuncts(q.Select.Where)
	kept := slices.DeleteFunc(slices.Clone(conds), func(c tree.Cond) bool {
		if p, ok := c.(tree.Period); ok {
			return g.isPeriodOfName(q, p)
		}
		compare, value, ok := g.ComparedKind(q.Select.From, c)
		if !ok || compare.Op != tree.Equal {
			return false
		}
		at, ok := g.onlyToken(value)
		return ok && g.isPartOfName(q, compare, at)
	})
	if len(kept) < len(conds) {
		q.Select.Where = tree.All(kept...)
	}
}

// isPeriodOfName reports whether all words of the one period that the text names are of the name of a
// number which a query uses: hours this year, of hrs_this_yr.
func (g Rules) isPeriodOfName(q *tree.Query, in tree.Period) bool {
	p, ok := g.OnePeriod()
	if !ok || p.From.Format(time.DateOnly) != in.From.Text {
		return false
	}
	words := lex.Lower(g.Features.Tokens[p.First : p.Last+1])
	for _, source := range q.Select.From {
		for _, id := range g.View.ColumnsOf(source) {
			c := g.View.Columns[id]
			isOther := func(w string) bool { return !slices.Contains(c.Words, w) }
			if c.Type.Numeric() && ground.UsesColumn(q, tree.Column{Source: source.Ref(), Name: c.Name}) && !slices.ContainsFunc(words, isOther) {
				return true
			}
		}
	}
	return false
}

// onlyToken returns the one word of the text that is a value, in any form.
func (g Rules) onlyToken(value string) (at int, ok bool) {
	n := 0
	for i, t := range g.Features.Tokens {
		if english.Stem(t.Text) == english.Stem(value) {
			at, n = i, n+1
		}
	}
	return at, n == 1
}

// isPartOfName reports whether a word, which is a value in a condition, stands behind the name of
// another column that the query tests, or makes with the word behind it the name of one that it uses.
func (g Rules) isPartOfName(q *tree.Query, than tree.Compare, at int) bool {
	is := false
	for _, source := range q.Select.From {
		for _, id := range g.View.ColumnsOf(source) {
			column := tree.Column{Source: source.Ref(), Name: g.View.Columns[id].Name}
			if than.Left == tree.Expr(column) || !ground.UsesColumn(q, column) {
				continue
			}
			name := func(i int) bool {
				return i >= 0 && i < len(g.Features.Tokens) && g.Features.Kinds[i] == feature.Plain && (isName(g.Features.Columns[i][id]) || g.isPeriodOf(i, id))
			}
			_, _, isTruth := g.View.Columns[id].Truth()
			isThing := isTruth && name(at-1) && ground.Tests(q.Select.Where, column) && withThing.MatchString(g.Text[:g.Features.Tokens[at].Start])
			is = is || isThing || name(at) && name(at+1)
		}
	}
	return is
}

// isPeriodOf reports whether a word is the adverb of a period that a column's name has: monthly, of
// fee_month.
func (g Rules) isPeriodOf(at, column int) bool {
	word := strings.ToLower(g.Features.Tokens[at].Text)
	return english.PeriodAdverbs.Has(word) && slices.Contains(g.View.Columns[column].Words, english.PeriodOf(word))
}

// isName reports whether a relation says that a word is of a column's name.
func isName(relation uint8) bool {
	return relation < feature.ColumnSimilar && relation/feature.ValueRelations != 0
}
