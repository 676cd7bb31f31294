package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/feature"
	"quern/tree"
)

// asksDegree is how one asks how much of a quality something has: how humid was it.
var asksDegree = regexp.MustCompile(`(?i)^\W*(?:and |so )?how (?P<quality>\w+) (?:is|are|was|were|has|have|had)\b`)

// countsForDegree reports whether a reading counts rows where the text asks how much of a
// quality something has, which no number of rows says.
func (g *grounding) countsForDegree(q *tree.Query) bool {
	m, asks := english.Groups(asksDegree, g.text)
	s := q.Select
	return asks && s != nil && len(s.Items) == 1 && isRowCount(s.Items[0].Expr) && !english.Countable.Has(strings.ToLower(m.Text("quality")))
}

// saysCalled is how one says that a word is a name.
var saysCalled = regexp.MustCompile(`(?i)\b(?:called|named|titled|entitled|name|title)\b`)

// takesVerb reports whether a reading takes a verb of the text for what a row is called:
// who made the most films does not ask for the film Made.
func (g *grounding) takesVerb(q *tree.Query) bool {
	if q.Select == nil || saysCalled.MatchString(g.text) {
		return false
	}
	return slices.ContainsFunc(tree.Conjuncts(q.Select.Where), func(c tree.Cond) bool {
		compare, ok := c.(tree.Compare)
		k, isLiteral := compare.Right.(tree.Literal)
		column, isColumn := compare.Left.(tree.Column)
		id, known := g.view.ColumnOf(q.Select.From, column)
		if !ok || !isLiteral || !isColumn || !known || k.Kind != tree.Text || g.view.Columns[id].Category() {
			return false
		}
		word := strings.ToLower(k.Text)
		return english.IsVerb(word) && g.saysPlainly(word)
	})
}

// saysPlainly reports whether the text has a word that is neither quoted nor written like
// a name.
func (g *grounding) saysPlainly(word string) bool {
	for i, t := range g.features.Tokens {
		if t.Text == word && g.features.Kinds[i] == feature.Plain {
			return true
		}
	}
	return false
}

// saysTimes finds what counts how many times something happened.
var saysTimes = regexp.MustCompile(`(?i)\b(?:how many|\w+ than \S+|at least \S+|\d+|once|twice) times?\b|\bhow often\b`)

// countsWithoutTimes reports whether a reading counts rows that have no time where the text
// asks how many times something happened and rows that belong to those have one: how often
// a customer was visited is not how many chimneys there are.
func (g *grounding) countsWithoutTimes(q *tree.Query) bool {
	s := q.Select
	if s == nil || !saysTimes.MatchString(g.text) {
		return false
	}
	counts := slices.ContainsFunc(s.Items, func(i tree.Item) bool { return isRowCount(i.Expr) }) ||
		slices.ContainsFunc(tree.Conjuncts(s.Having), func(c tree.Cond) bool {
			compare, ok := c.(tree.Compare)
			return ok && isRowCount(compare.Left)
		})
	if !counts {
		return false
	}
	later := false
	for _, source := range s.From {
		table, ok := g.view.TableOf(source)
		isParent := slices.ContainsFunc(s.From, func(other tree.Source) bool {
			child, known := g.view.TableOf(other)
			return known && g.refersTo(child, table)
		})
		switch {
		case !ok || !isParent && g.hasTimes(table):
			return false
		case isParent:
			continue // its rows are repeated by those that belong to it
		}
		for other := range g.view.Tables {
			later = later || g.hasTimes(other) && g.refersTo(other, table)
		}
	}
	return later
}

// perMany is how many of a unit something is reckoned for: litres per 100 km.
var perMany = regexp.MustCompile(`(?i)\b(?:per|each|every) (?P<many>\d+)\b`)

// testsRate reports whether a reading compares a number with how many of a unit the text reckons
// something for.
func (g *grounding) testsRate(q *tree.Query) (tests bool) {
	m, ok := english.Groups(perMany, g.text)
	if !ok {
		return false
	}
	tree.EachCond(q, func(c tree.Cond) {
		compare, isCompare := c.(tree.Compare)
		k, isLiteral := compare.Right.(tree.Literal)
		tests = tests || isCompare && isLiteral && k.Kind == tree.Number && k.Text == m.Text("many")
	})
	return tests
}
