package embedded

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/lex"
	"quern/tree"
)

// withThing says before the name of a thing that something was done with it: on the loyalty card, but no
// vegan bread.
var withThing = regexp.MustCompile(`(?i)\b(?:on|with|by|via|using|through) (?:the|a|an|our|my|their|his|her|its) \w+ $`)

// settleNameParts takes back what a reading holds rows to because of a word that is a part of what
// another column is called: a loyalty card is no card that was paid with, and monthly fees are the
// fees a month of everybody.
func (g *grounding) settleNameParts(q *tree.Query) {
	if q.Select == nil {
		return
	}
	conds := tree.Conjuncts(q.Select.Where)
	kept := slices.DeleteFunc(slices.Clone(conds), func(c tree.Cond) bool {
		if p, ok := c.(tree.Period); ok {
			return g.isPeriodOfName(q, p)
		}
		compare, value, ok := g.comparedKind(q.Select.From, c)
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
func (g *grounding) isPeriodOfName(q *tree.Query, in tree.Period) bool {
	p, ok := g.onePeriod()
	if !ok || p.From.Format(time.DateOnly) != in.From.Text {
		return false
	}
	words := lex.Lower(g.features.Tokens[p.First : p.Last+1])
	for _, source := range q.Select.From {
		for _, id := range g.view.ColumnsOf(source) {
			c := g.view.Columns[id]
			isOther := func(w string) bool { return !slices.Contains(c.Words, w) }
			if c.Type.Numeric() && usesColumn(q, tree.Column{Source: source.Ref(), Name: c.Name}) && !slices.ContainsFunc(words, isOther) {
				return true
			}
		}
	}
	return false
}

// onlyToken returns the one word of the text that is a value, in any form.
func (g *grounding) onlyToken(value string) (at int, ok bool) {
	n := 0
	for i, t := range g.features.Tokens {
		if english.Stem(t.Text) == english.Stem(value) {
			at, n = i, n+1
		}
	}
	return at, n == 1
}

// isPartOfName reports whether a word, which is a value in a condition, stands behind the name of
// another column that the query tests, or makes with the word behind it the name of one that it uses.
func (g *grounding) isPartOfName(q *tree.Query, than tree.Compare, at int) bool {
	is := false
	for _, source := range q.Select.From {
		for _, id := range g.view.ColumnsOf(source) {
			column := tree.Column{Source: source.Ref(), Name: g.view.Columns[id].Name}
			if than.Left == tree.Expr(column) || !usesColumn(q, column) {
				continue
			}
			name := func(i int) bool {
				return i >= 0 && i < len(g.features.Tokens) && g.features.Kinds[i] == feature.Plain && (isName(g.features.Columns[i][id]) || g.isPeriodOf(i, id))
			}
			_, _, isTruth := g.view.Columns[id].Truth()
			isThing := isTruth && name(at-1) && tests(q.Select.Where, column) && withThing.MatchString(g.text[:g.features.Tokens[at].Start])
			is = is || isThing || name(at) && name(at+1)
		}
	}
	return is
}

// isPeriodOf reports whether a word is the adverb of a period that a column's name has: monthly, of
// fee_month.
func (g *grounding) isPeriodOf(at, column int) bool {
	word := strings.ToLower(g.features.Tokens[at].Text)
	return english.PeriodAdverbs.Has(word) && slices.Contains(g.view.Columns[column].Words, english.PeriodOf(word))
}

// isName reports whether a relation says that a word is of a column's name.
func isName(relation uint8) bool {
	return relation < feature.ColumnSimilar && relation/feature.ValueRelations != 0
}
