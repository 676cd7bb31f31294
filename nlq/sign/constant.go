package sign

import (
	"slices"
	"strings"

	"quern/nlq/feature"
	"quern/nlq/lex"
)

// valuesUnused counts the words that are values of the data, or quoted, and that
// no condition takes.
func (v *view) valuesUnused() float64 {
	n := 0.0
	for i, taken := range v.taken {
		quoted := v.features.Kinds[i] == feature.Quoted
		valued := v.exactValue(i) && !v.exactName(i)
		if !taken && (quoted || valued) {
			n++
		}
	}
	return n
}

// numbersUnused counts the numbers that no condition takes.
func (v *view) numbersUnused() float64 {
	n := 0.0
	for i, taken := range v.taken {
		if !taken && v.features.Kinds[i] == feature.NumberKind && !strings.EqualFold(v.features.Tokens[i].Text, "one") {
			n++
		}
	}
	return n
}

func (q *Question) exactValue(word int) bool {
	return slices.ContainsFunc(q.features.Columns[word], func(relation uint8) bool {
		return relation < feature.ColumnSimilar && relation%feature.ValueRelations == feature.ValueExact
	})
}

func (q *Question) exactName(word int) bool {
	return slices.ContainsFunc(q.features.Columns[word], func(relation uint8) bool { return nameRelation(relation) == feature.NameExact }) ||
		slices.Contains(q.features.Tables[word], feature.TableExact)
}

// nameRelation is the name's part of a relation between a word and a column.
func nameRelation(relation uint8) uint8 {
	if relation >= feature.ColumnSimilar {
		return 0
	}
	return relation / feature.ValueRelations
}

// constantsMisplaced counts the constants that stand beside the name of another column
// than the one they are compared with.
func (v *view) constantsMisplaced() float64 {
	n := 0.0
	for _, c := range v.conditions {
		if c.first < 0 || c.column < 0 || c.reckoned {
			continue
		}
		for _, i := range v.beside(c.first, c.last) {
			if nameRelation(v.features.Columns[i][c.column]) > 0 {
				break
			}
			if slices.ContainsFunc(v.features.Columns[i], func(relation uint8) bool { return nameRelation(relation) == feature.NameExact }) {
				n++
				break
			}
		}
	}
	return n
}

// beside returns the words that may name what a constant is: two before it, nearest
// first, and the one behind it.
func (q *Question) beside(first, last int) []int {
	const before = 2
	names := func(i int) bool {
		return q.features.Kinds[i] == feature.Plain && !lex.Function(q.features.Tokens[i].Text)
	}
	var near []int
	for i := first - 1; i >= 0 && len(near) < before; i-- {
		if names(i) {
			near = append(near, i)
		}
	}
	if last+1 < len(q.features.Tokens) && names(last+1) {
		near = append(near, last+1)
	}
	return near
}

var (
	atLeast = words(`at least|no less than|no fewer than|minimum of`)
	atMost  = words(`at most|no more than|maximum of|up to`)
)

// operatorsTurned counts the conditions on numbers and dates that compare otherwise than
// the words around them say.
func (v *view) operatorsTurned() float64 {
	n := 0.0
	for _, c := range v.conditions {
		if c.first < 0 || !v.isOrdered(c.first) {
			continue
		}
		operator := c.operator
		switch operator {
		case ">", ">=", "<", "<=":
		case "=", "<>", "in":
			operator = "="
		default:
			continue
		}
		if operator != v.comparisonAround(c.first, c.last) {
			n++
		}
	}
	return n
}

// isOrdered reports whether a word is a number or a date.
func (q *Question) isOrdered(word int) bool {
	kind := q.features.Kinds[word]
	return kind == feature.NumberKind || kind == feature.DateKind
}

// comparisonAround returns the comparison that the words around a constant speak of.
func (q *Question) comparisonAround(first, last int) string {
	const reach = 5 // words
	before := q.text[q.features.Tokens[max(0, first-reach)].Start:q.features.Tokens[first].Start]
	behind := q.text[q.features.Tokens[last].End:]
	if i := max(strings.LastIndex(before, " or "), strings.LastIndex(before, " and ")); i >= 0 {
		own := before[i:] // what the last of several things says
		if len(strings.Fields(own)) > 1 && !strings.Contains(own, "equal") {
			before = own
		}
	}
	bound := lex.BoundBehind(behind)
	switch {
	case atLeast.MatchString(before), bound == ">=":
		return ">="
	case atMost.MatchString(before), bound == "<=":
		return "<="
	case moreWords.MatchString(before):
		return ">"
	case lessWords.MatchString(before):
		return "<"
	}
	return "="
}
