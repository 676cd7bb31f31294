package embedded

import (
	"slices"
	"strings"

	"quern/nlq/follow"
	"quern/nlq/grammar"
	"quern/tree"
)

// strays reports whether a reading of a text that goes on from the question before seems to have
// lost what that was about: the few rows that it found, or a value that no word of the text takes
// the place of.
func (g *grounding) strays(c *candidate) bool {
	before := g.Question.Previous.Query
	if before == nil || before.Select == nil || c.query.Select == nil || !follow.Hangs(g.Whole, g.Question.Text) {
		return false
	}
	return isCut(before) && !isCut(c.query) || !g.saysValue(c) && restrictsOtherwise(before.Select, c.query.Select)
}

// isCut reports whether a query, or one inside it, keeps some of its rows or groups only.
func isCut(q *tree.Query) (cut bool) {
	tree.EachQuery(tree.Clone(q), func(own *tree.Query) {
		cut = cut || own.Limit != nil || own.Select != nil && own.Select.Having != nil
	})
	return cut
}

// saysValue reports whether a constant of a reading is of the question's own words.
func (g *grounding) saysValue(c *candidate) bool {
	return slices.ContainsFunc(c.tokens, func(t grammar.Token) bool {
		return t.Kind == grammar.Word && g.Features.Tokens[t.ID].Start >= g.Own
	})
}

// restrictsOtherwise reports whether both of two selects restrict a column, and not alike.
func restrictsOtherwise(before, now *tree.Select) bool {
	had := map[string][]string{}
	eachTested(before, func(column, condition string) { had[column] = append(had[column], condition) })
	differs := false
	eachTested(now, func(column, condition string) {
		differs = differs || len(had[column]) > 0 && !slices.Contains(had[column], condition)
	})
	return differs
}

// eachTested calls fn with the columns that the conditions of a select are about, and each of
// these as text.
func eachTested(s *tree.Select, fn func(column, condition string)) {
	for _, c := range tree.Conjuncts(s.Where) {
		one := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: tree.Star{}}}, From: s.From, Where: c}}
		text, err := tree.Print(one)
		if err != nil {
			continue
		}
		_, condition, _ := strings.Cut(text, " WHERE ")
		tree.EachColumn(tree.Clone(one), func(column tree.Column) { fn(strings.ToLower(column.Name), condition) })
	}
}
