package embedded

import (
	"slices"
	"strconv"

	"quern"
	"quern/nlq/schema"
	"quern/tree"
)

// ranksNames reports whether a reading asks for more or less than a number of what
// only names rows: of their numbers, when the text does not speak of numbers, or of
// texts that are no numbers. A number that fits nothing ends up there: "after half
// past six" is no id above 6.
func (g *grounding) ranksNames(q *tree.Query) (ranks bool) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		tree.EachCond(q, func(c tree.Cond) {
			column, ok := rankedColumn(c)
			if !ok {
				return
			}
			if id, known := g.view.ColumnOf(q.Select.From, column); known {
				ranks = ranks || g.onlyNames(id)
			}
		})
	})
	return ranks
}

// addsUpNames reports whether a reading adds up years, or numbers that only name rows.
func (g *grounding) addsUpNames(q *tree.Query) (adds bool) {
	if q.Select == nil {
		return false
	}
	from := q.Select.From
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		c, isColumn := a.Arg.(tree.Column)
		if id, known := g.view.ColumnOf(from, c); ok && isColumn && known && a.Func == tree.Sum {
			of := g.view.Columns[id]
			adds = adds || isYear(of) && slices.Contains(of.Words, "year") || isNumbering(of) && (of.Key() || g.isLinked(id))
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
func (g *grounding) onlyNames(column int) bool {
	c := g.view.Columns[column]
	if c.Type == quern.Text {
		return c.Min != "" && !isNumber(c.Min) && !isNumber(c.Max)
	}
	return isNumbering(c) && (c.Key() || g.isLinked(column)) && !asksForNumbers.MatchString(g.text)
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// isLinked reports whether a link begins or ends at a column.
func (g *grounding) isLinked(column int) bool {
	return slices.ContainsFunc(g.view.Links, func(l schema.Link) bool { return l.From == column || l.To == column })
}
