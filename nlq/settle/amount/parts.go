package amount

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// heldApart finds what holds the parts of something against each other: a goal difference.
var heldApart = regexp.MustCompile(`(?i)\b(?:differ\w*|margins?|gaps?|balance|ratio|equal\w*|level|same|draws?|drew|drawn|ties?|tied|wins?|won|beat\w*|los[te]\w*|between|either|each side|versus|vs|against)\b`)

// takenIn is a word by which one asks what was taken in.
var takenIn = regexp.MustCompile(`^(?:takings|take|took|taken|takes|money|money-wise|income|turnover|revenue|spend|spends|spent|earn|earned|made)$`)

// Parts adds up the columns that hold parts of what the text speaks of, where it names none
// of the parts: goals of a match are those of both sides, not of the one at home.
func (g Rules) Parts(q *tree.Query) {
	if heldApart.MatchString(g.Text) {
		return
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		whole, ok := g.wholeOf(q)
		if !ok {
			return
		}
		tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
			switch e := e.(type) {
			case tree.Column:
				if slices.Contains(whole, e) {
					return g.sumOf(q.Select.From, whole)
				}
			case tree.Arith:
				if both := slices.Equal(addends(e.Left), whole) && slices.Equal(addends(e.Right), whole); both {
					return e.Left // a part over, or less, another
				}
			}
			return e
		})
	})
}

// sumOf adds up columns, of which what some rows lack is nothing where it is money that was taken: a
// match without goals was not played.
func (g Rules) sumOf(from []tree.Source, columns []tree.Column) (sum tree.Expr) {
	for _, c := range columns {
		var part tree.Expr = c
		if id, known := g.View.ColumnOf(from, c); known && g.View.HasNull(id) && isWayPaid(g.View.Columns[id]) {
			part = OrNothing(c)
		}
		if sum == nil {
			sum = part
			continue
		}
		sum = tree.Arith{Op: '+', Left: sum, Right: part}
	}
	return sum
}

// payment is what ways to pay are parts of.
const payment = "payment"

// isWayPaid reports whether a column says how much was paid in one way.
func isWayPaid(c schema.Column) bool {
	own := english.NameWords(c.Name)
	return len(own) == 1 && c.Type.Numeric() && english.PartOf(own[0]) == payment
}

// waysPaid returns the columns of what was taken in each way that one pays, one of which a reading has
// alone, where the text asks what was taken and names none of them.
func (g Rules) waysPaid(column tree.Column, id int, said []string) (all []tree.Column) {
	isTaken := func(w string) bool { return english.Takings.Has(w) || takenIn.MatchString(w) }
	if !slices.ContainsFunc(lex.Lower(lex.Tokens(g.Text)), isTaken) {
		return nil
	}
	for _, c := range g.View.Columns {
		if c.Table != g.View.Columns[id].Table || !isWayPaid(c) {
			continue
		}
		if slices.Contains(said, english.Stem(english.NameWords(c.Name)[0])) {
			return nil
		}
		all = append(all, tree.Column{Source: column.Source, Name: c.Name})
	}
	return all
}

// addends returns the columns that a value adds up; none for other values.
func addends(e tree.Expr) []tree.Column {
	switch e := e.(type) {
	case tree.Column:
		return []tree.Column{e}
	case tree.Call:
		if e.Func == tree.Coalesce {
			return addends(e.Args[0])
		}
	case tree.Arith:
		left, right := addends(e.Left), addends(e.Right)
		if e.Op == '+' && len(left) > 0 && len(right) > 0 {
			return append(left, right...)
		}
	}
	return nil
}

// wholeOf returns all columns that hold parts of what a column of a query holds one part of, where
// the text says what that is and names none of the parts.
func (g Rules) wholeOf(q *tree.Query) (whole []tree.Column, ok bool) {
	said := english.Stems(lex.Lower(lex.Tokens(g.Text)))
	tree.EachColumn(q, func(c tree.Column) {
		if found := g.partsBeside(q.Select.From, c, said); len(found) > 1 {
			whole, ok = found, true
		}
	})
	return whole, ok
}

// partsBeside returns a column that holds a part of something, with those of the same rows that
// hold the others.
func (g Rules) partsBeside(from []tree.Source, column tree.Column, said []string) (all []tree.Column) {
	id, known := g.View.ColumnOf(from, column)
	if !known || !ground.AddsUp(g.View.Columns[id]) {
		return nil
	}
	own := g.View.Columns[id].Words
	if isWayPaid(g.View.Columns[id]) {
		return g.waysPaid(column, id, said)
	}
	if isUnitPrice(g.View.Columns[id]) || len(own) < 2 || english.PartOf(own[0]) == "" || !slices.Contains(said, english.Stem(own[len(own)-1])) {
		return nil
	}
	for _, c := range g.View.Columns {
		isPart := c.Table == g.View.Columns[id].Table && len(c.Words) == len(own) && slices.Equal(c.Words[1:], own[1:]) &&
			english.PartOf(c.Words[0]) == english.PartOf(own[0])
		switch {
		case !isPart:
			continue
		case slices.Contains(said, english.Stem(c.Words[0])), !ground.AddsUp(c):
			return nil
		}
		all = append(all, tree.Column{Source: column.Source, Name: c.Name})
	}
	return all
}
