package absurd

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/settle/absence"
	"quern/nlq/settle/label"
	"quern/nlq/settle/period"
	"quern/tree"
)

// asksDegree is how one asks how much of a quality something has: how humid was it.
var asksDegree = regexp.MustCompile(`(?i)^\W*(?:and |so )?how (?P<quality>\w+) (?:is|are|was|were|has|have|had)\b`)

// countsForDegree reports whether a reading counts rows where the text asks how much of a
// quality something has, which no number of rows says.
func (g Rules) countsForDegree(q *tree.Query) bool {
	m, asks := english.Groups(asksDegree, g.Text)
	s := q.Select
	return asks && s != nil && len(s.Items) == 1 && ground.IsRowCount(s.Items[0].Expr) && !english.Countable.Has(strings.ToLower(m.Text("quality")))
}

// saysCalled is how one says that a word is a name.
var saysCalled = regexp.MustCompile(`(?i)\b(?:called|named|titled|entitled|name|title)\b`)

// takesVerb reports whether a reading takes a verb of the text for what a row is called:
// who made the most films does not ask for the film Made.
func (g Rules) takesVerb(q *tree.Query) bool {
	if q.Select == nil || saysCalled.MatchString(g.Text) {
		return false
	}
	return slices.ContainsFunc(tree.Conjuncts(q.Select.Where), func(c tree.Cond) bool {
		compare, ok := c.(tree.Compare)
		k, isLiteral := compare.Right.(tree.Literal)
		column, isColumn := compare.Left.(tree.Column)
		id, known := g.View.ColumnOf(q.Select.From, column)
		if !ok || !isLiteral || !isColumn || !known || k.Kind != tree.Text || g.View.Columns[id].Category() {
			return false
		}
		word := strings.ToLower(k.Text)
		return english.IsVerb(word) && g.saysPlainly(word)
	})
}

// saysPlainly reports whether the text has a word that is neither quoted nor written like
// a name.
func (g Rules) saysPlainly(word string) bool {
	for i, t := range g.Features.Tokens {
		if t.Text == word && g.Features.Kinds[i] == feature.Plain {
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
func (g Rules) countsWithoutTimes(q *tree.Query) bool {
	s := q.Select
	if s == nil || !saysTimes.MatchString(g.Text) {
		return false
	}
	counts := slices.ContainsFunc(s.Items, func(i tree.Item) bool { return ground.IsRowCount(i.Expr) }) ||
		slices.ContainsFunc(tree.Conjuncts(s.Having), func(c tree.Cond) bool {
			compare, ok := c.(tree.Compare)
			return ok && ground.IsRowCount(compare.Left)
		})
	if !counts {
		return false
	}
	later := false
	for _, source := range s.From {
		table, ok := g.View.TableOf(source)
		isParent := slices.ContainsFunc(s.From, func(other tree.Source) bool {
			child, known := g.View.TableOf(other)
			return known && g.RefersTo(child, table)
		})
		switch {
		case !ok || !isParent && absence.Of(g.Grounding).HasTimes(table):
			return false
		case isParent:
			continue // its rows are repeated by those that belong to it
		}
		for other := range g.View.Tables {
			later = later || absence.Of(g.Grounding).HasTimes(other) && g.RefersTo(other, table)
		}
	}
	return later
}

// perMany is how many of a unit something is reckoned for: litres per 100 km.
var perMany = regexp.MustCompile(`(?i)\b(?:per|each|every) (?P<many>\d+)\b`)

// testsRate reports whether a reading compares a number with how many of a unit the text reckons
// something for.
func (g Rules) testsRate(q *tree.Query) (tests bool) {
	m, ok := english.Groups(perMany, g.Text)
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

// asksWhether is how a question begins that asks whether something is so.
var asksWhether = regexp.MustCompile(`(?i)^\W*(?:and |so )?(?:is|are|was|were|do|does|did|has|have|had|can|any)\b`)

// showsWhatIsSaid reports whether a reading shows nothing but the value that the text
// gives: who has been to the Harbour is not the Harbour.
func (g Rules) showsWhatIsSaid(q *tree.Query) bool {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || asksWhether.MatchString(g.Text) {
		return false
	}
	shown, ok := s.Items[0].Expr.(tree.Column)
	return ok && ground.IsSaid(s.Where, shown)
}

// endsAlphabet reports whether a reading keeps the rows at one end of the alphabet by
// a column that the text does not name, where nobody asked for an order: big ships are
// not those whose kind comes last.
func (g Rules) endsAlphabet(q *tree.Query) bool {
	if q.Select == nil || q.Limit == nil || len(q.Order) == 0 {
		return false
	}
	column, ok := q.Order[0].Expr.(tree.Column)
	if !ok || slices.ContainsFunc(g.Features.Tokens, func(t lex.Token) bool { return english.Orders.Has(strings.ToLower(t.Text)) }) {
		return false
	}
	ends := false
	for _, source := range q.Select.From {
		for _, id := range g.View.ColumnsOf(source) {
			of := g.View.Columns[id]
			if column == (tree.Column{Source: source.Ref(), Name: of.Name}) {
				ends = of.Type == quern.Text && label.StartsWithLetter(of.Min) && !label.Of(g.Grounding).Names(id)
			}
		}
	}
	return ends
}

// asksClockOfDay reports whether a derivation asks a column of days for a time of day.
func (g Rules) asksClockOfDay(tokens []grammar.Token) bool {
	for i := range tokens[:max(0, len(tokens)-1)] {
		if tokens[i] == period.ClockOf && period.Of(g.Grounding).IsDay(tokens[i+1]) {
			return true
		}
	}
	return false
}
