package amount

import (
	"strconv"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// Scale gives amounts in the unit that the question asks for, where the data have
// them in another: how many litres is a thousandth of all millilitres.
func (g Rules) Scale(q *tree.Query) {
	if q.Select == nil {
		return
	}
	words := lex.Tokens(g.Asked.Question.Text)
	for i, t := range words {
		if i > 0 && ground.IsAmount(words[i-1].Text) {
			continue
		}
		own, ok := g.Asked.OwnScale(t.Text, false)
		if !ok {
			continue
		}
		for k, item := range q.Select.Items {
			if g.isInScale(q, item.Expr, own.Scale) {
				q.Select.Items[k] = tree.Item{Expr: inUnits(item.Expr, own), Alias: strings.ToLower(t.Text)}
			}
		}
		return
	}
}

// inUnits returns an amount in the unit that was said.
func inUnits(e tree.Expr, own ground.OwnScale) tree.Expr {
	number := func(n int64) tree.Literal { return tree.Literal{Kind: tree.Number, Text: strconv.FormatInt(n, 10)} }
	if own.Said.Size > own.Size {
		return tree.Arith{Op: '/', Left: e, Right: number(own.Said.Size / own.Size)}
	}
	return tree.Arith{Op: '*', Left: e, Right: number(own.Size / own.Said.Size)}
}

// isInScale reports whether a value is an amount in a unit: a column, an aggregate of it, or
// so many times the column.
func (g Rules) isInScale(q *tree.Query, e tree.Expr, s english.Scale) bool {
	switch e := e.(type) {
	case tree.Aggregate:
		return e.Func != tree.Count && g.isInScale(q, e.Arg, s)
	case tree.Arith:
		left, right := g.isInScale(q, e.Left, s), g.isInScale(q, e.Right, s)
		switch e.Op {
		case '*':
			return left != right
		case '/':
			return left && !right
		}
		return left && right
	case tree.Column:
		id, known := g.View.ColumnOf(q.Select.From, e)
		if !known {
			return false
		}
		_, own, ok := ground.ScaleOf(g.View.Columns[id])
		return ok && own == s
	}
	return false
}
