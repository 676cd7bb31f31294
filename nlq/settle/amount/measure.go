package amount

import (
	"reflect"
	"regexp"
	"slices"

	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/tree"
)

// UseMeasure puts a measure that is taught and that the text names in the place of the
// arithmetic of a derivation that does without it: what people taught is what is meant.
func (g Rules) UseMeasure(tokens []grammar.Token) []grammar.Token {
	measure, ok := g.measureNamed()
	if !ok || slices.Contains(tokens, grammar.Token{Kind: grammar.Column, ID: measure}) {
		return tokens
	}
	var made, replaced []grammar.Token
	for i := 0; i < len(tokens); i++ {
		end := arithmeticEnd(tokens, i)
		isOne := end > i+1 && !slices.ContainsFunc(tokens[i:end], g.isNamed)
		if !isOne || replaced != nil && !slices.Equal(replaced, tokens[i:end]) {
			made = append(made, tokens[i])
			continue
		}
		replaced = tokens[i:end]
		made = append(made, grammar.Token{Kind: grammar.Column, ID: measure})
		i = end - 1
	}
	return made
}

// isNamed reports whether a token points to a column that a word of the text names.
func (g Rules) isNamed(t grammar.Token) bool {
	return t.Kind == grammar.Column && slices.ContainsFunc(g.Features.Columns, func(relations []uint8) bool { return ground.IsWholeName(relations[t.ID]) })
}

// measureNamed returns the one measure that is taught and that words of the text name.
func (g Rules) measureNamed() (column int, ok bool) {
	for id, c := range g.View.Columns {
		if c.Formula == nil || c.Formula.Value == nil {
			continue
		}
		for word := range g.Features.Tokens {
			if !ground.IsWholeName(g.Features.Columns[word][id]) {
				continue
			}
			if ok && column != id {
				return 0, false
			}
			column, ok = id, true
		}
	}
	return column, ok
}

// arithmeticEnd returns where the arithmetic of columns ends that begins at a token; the
// token itself when none does.
func arithmeticEnd(tokens []grammar.Token, at int) int {
	if at >= len(tokens) {
		return at
	}
	if tokens[at].Kind == grammar.Column {
		return at + 1
	}
	if !slices.Contains([]string{"*", "+", "-", "/"}, tokens[at].String()) {
		return at
	}
	left := arithmeticEnd(tokens, at+1)
	right := arithmeticEnd(tokens, left)
	if left == at+1 || right == left {
		return at
	}
	return right
}

// largest are the words that ask for the row with the most or the least of something.
var largest = regexp.MustCompile(`(?i)^(?:largest|biggest|greatest|smallest)$`)

// Largest makes the order of groups one by their largest or smallest value where
// the text asks for that of a column, and the reading adds the column up.
func (g Rules) Largest(q *tree.Query) {
	if q.Select == nil || len(q.Select.Group) == 0 || len(q.Order) != 1 {
		return
	}
	sum, ok := q.Order[0].Expr.(tree.Aggregate)
	column, plain := sum.Arg.(tree.Column)
	id, known := g.View.ColumnOf(q.Select.From, column)
	if !ok || !plain || !known || sum.Func != tree.Sum || g.shows(q, sum) {
		return
	}
	if c := g.View.Columns[id]; c.Formula != nil || c.Aggregate != "" {
		return // what is taught says how it is added up
	}
	for i := range g.Features.Tokens[:max(0, len(g.Features.Tokens)-1)] {
		if largest.MatchString(g.Features.Tokens[i].Text) && ground.IsWholeName(g.Features.Columns[i+1][id]) {
			sum.Func = tree.Min
			if q.Order[0].Desc {
				sum.Func = tree.Max
			}
			q.Order[0].Expr = sum
			return
		}
	}
}

// byMeasure is how one asks for groups in the order of a number, which is then shown.
var byMeasure = regexp.MustCompile(`(?i)\bby (?:the |their )?(?:total|sum|number|average|count|overall)\b`)

// ShowMeasure shows the number by which groups are ordered, where the text names it.
func (g Rules) ShowMeasure(q *tree.Query) {
	if q.Select == nil || len(q.Select.Group) == 0 || len(q.Order) != 1 || !byMeasure.MatchString(g.Text) {
		return
	}
	if measure, ok := q.Order[0].Expr.(tree.Aggregate); ok && !g.shows(q, measure) {
		q.Select.Items = append(slices.Clone(q.Select.Items), tree.Item{Expr: measure})
	}
}

// shows reports whether a query shows a measure.
func (g Rules) shows(q *tree.Query, measure tree.Aggregate) bool {
	return slices.ContainsFunc(q.Select.Items, func(i tree.Item) bool { return reflect.DeepEqual(i.Expr, tree.Expr(measure)) })
}
