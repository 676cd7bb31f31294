package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern/nlq/grammar"
	"quern/nlq/schema"
	"quern/tree"
)

// saidToBe finds what says, right before a word, that something is so.
var saidToBe = regexp.MustCompile(`(?i)\b(?:is|are|was|were|been|being|got) (?:(?:already|also|actually|ever|later|then|finally) )?$`)

// addTruth returns a reading held to the rows of which the text says that they are what one column
// of yes and no is called, where the reading has nothing to do with that column: the lessons that
// were cancelled, this month and last. Otherwise it returns the reading itself.
func (g *grounding) addTruth(c *candidate) *candidate {
	var found []tree.Cond
	g.eachColumn(c, func(column tree.Column, of schema.Column, id int) {
		yes, _, ok := of.Truth()
		if !ok || len(of.Words) != 1 || g.TimesNamed(id) != 1 || g.namesOther(of, id) || !g.saysSo(of.Words[0]) {
			return
		}
		if !usesAnywhere(c.query, column) {
			found = append(found, tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: grammar.LiteralKind(of.Type), Text: yes}})
		}
	})
	if len(found) != 1 {
		return c
	}
	return g.change(c, func(q *tree.Query) {
		q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), found[0])...)
	})
}

// saysSo reports whether the text says once of something that it is what a word says.
func (g *grounding) saysSo(word string) bool {
	said := 0
	for _, t := range g.Features.Tokens {
		if strings.EqualFold(t.Text, word) && saidToBe.MatchString(g.Text[:t.Start]) {
			said++
		}
	}
	return said == 1
}

// namesOther reports whether another column has a word of the name of one, or a value that is it:
// then the text may speak of that.
func (g *grounding) namesOther(of schema.Column, id int) bool {
	for other, c := range g.View.Columns {
		if other == id {
			continue
		}
		if slices.Contains(c.Words, of.Words[0]) {
			return true
		}
	}
	return g.View.HasValue(of.Words[0])
}

// usesAnywhere reports whether a query or one inside it has to do with a column of that name.
func usesAnywhere(q *tree.Query, column tree.Column) (uses bool) {
	tree.EachQuery(q, func(q *tree.Query) {
		tree.EachColumn(q, func(c tree.Column) { uses = uses || tree.SameName(c.Name, column.Name) })
	})
	return uses
}
