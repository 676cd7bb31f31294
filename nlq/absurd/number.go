package absurd

import (
	"slices"
	"strconv"

	"quern"
	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/settle/label"
	"quern/nlq/settle/tally"
	"quern/tree"
)

// ranksNames reports whether a reading asks for more or less than a number of what
// only names rows: of their numbers, when the text does not speak of numbers, or of
// texts that are no numbers. A number that fits nothing ends up there: "after half
// past six" is no id above 6.
func (g Rules) ranksNames(q *tree.Query) (ranks bool) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		tree.EachCond(q, func(c tree.Cond) {
			column, ok := rankedColumn(c)
			if !ok {
				return
			}
			if id, known := g.View.ColumnOf(q.Select.From, column); known {
				ranks = ranks || g.onlyNames(id)
			}
		})
	})
	return ranks
}

// addsUpNames reports whether a reading adds up years, or numbers that only name rows, or say which
// in a row they are where no word asks for a sum: how many rounds are not 1 and 2 and 3.
func (g Rules) addsUpNames(q *tree.Query) (adds bool) {
	if q.Select == nil {
		return false
	}
	from, asksSum := q.Select.From, slices.ContainsFunc(lex.Lower(lex.Tokens(g.Text)), english.Sums.Has)
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		c, isColumn := a.Arg.(tree.Column)
		if id, known := g.View.ColumnOf(from, c); ok && isColumn && known && a.Func == tree.Sum {
			of := g.View.Columns[id]
			adds = adds || ground.IsYear(of) && slices.Contains(of.Words, "year") || ground.IsNumbering(of) && (of.Key() || g.IsLinked(id)) || ground.IsSerial(of) && !asksSum
		}
		return e
	})
	return adds
}

// rankedColumn returns the column of which a condition asks for more or less than a
// number.
func rankedColumn(c tree.Cond) (tree.Column, bool) {
	var left, right tree.Expr
	switch c := c.(type) {
	case tree.Compare:
		if c.Op == tree.Equal || c.Op == tree.NotEqual {
			return tree.Column{}, false
		}
		left, right = c.Left, c.Right
	case tree.Between:
		left, right = c.Expr, c.Low
	}
	column, isColumn := left.(tree.Column)
	k, isLiteral := right.(tree.Literal)
	_, err := strconv.ParseFloat(k.Text, 64)
	return column, isColumn && isLiteral && err == nil
}

// onlyNames reports whether the values of a column name rows and have no size.
func (g Rules) onlyNames(column int) bool {
	c := g.View.Columns[column]
	if c.Type == quern.Text {
		return c.Min != "" && !isNumber(c.Min) && !isNumber(c.Max)
	}
	return ground.IsNumbering(c) && (c.Key() || g.IsLinked(column)) && len(label.AsksForNumbers(g.Text)) == 0
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// countsSingleRows reports whether a reading shows, sorts or chooses groups by how many rows
// they have where each has one, the rows of one dataset by its key, or where there are no
// groups. Nobody asks for that.
func (g Rules) countsSingleRows(q *tree.Query) bool {
	s := q.Select
	if s == nil || len(s.From) != 1 {
		return false
	}
	counts := len(q.Order) > 0 && ground.IsCount(q.Order[0].Expr)
	if len(s.Group) == 0 {
		return counts && q.Limit != nil
	}
	for _, c := range tree.Conjuncts(s.Having) {
		compare, ok := c.(tree.Compare)
		counts = counts || ok && ground.IsCount(compare.Left)
	}
	for _, i := range s.Items {
		counts = counts || ground.IsRowCount(i.Expr)
	}
	if !counts {
		return false
	}
	for _, by := range s.Group {
		if c, ok := by.(tree.Column); ok && g.View.IsKey(s.From, c) {
			return true
		}
	}
	return false
}

// addsUpForNumber reports whether a reading adds up what no word names and what has parts,
// where the text asks how many there are: that is no number of things.
func (g Rules) addsUpForNumber(q *tree.Query) bool {
	s := q.Select
	if s == nil || len(s.Items) != 1 || !tally.AsksForNumber.MatchString(g.Text) {
		return false
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	column, isColumn := a.Arg.(tree.Column)
	id, known := g.View.ColumnOf(s.From, column)
	return ok && isColumn && known && a.Func == tree.Sum && g.View.Columns[id].Type != quern.Integer && g.TimesNamed(id) == 0
}
