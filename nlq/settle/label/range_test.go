package label_test

import (
	"testing"

	"quern/nlq/settle/label"
	"quern/tree"
)

// TestRangesThatEndBeforeTheyBegin turns them round, and no others.
func TestRangesThatEndBeforeTheyBegin(t *testing.T) {
	t.Parallel()
	number := func(text string) tree.Expr { return tree.Literal{Kind: tree.Number, Text: text} }
	text := func(text string) tree.Expr { return tree.Literal{Kind: tree.Text, Text: text} }
	price := tree.Column{Name: "price"}
	for _, c := range []struct{ said, want tree.Between }{
		{tree.Between{Expr: price, Low: number("80"), High: number("9.5")}, tree.Between{Expr: price, Low: number("9.5"), High: number("80")}},
		{tree.Between{Expr: price, Low: number("-2"), High: number("10")}, tree.Between{Expr: price, Low: number("-2"), High: number("10")}},
		{tree.Between{Expr: price, Low: text("80"), High: text("9")}, tree.Between{Expr: price, Low: text("80"), High: text("9")}},
	} {
		q := &tree.Query{Select: &tree.Select{Where: c.said}}
		label.Ranges(q)
		if q.Select.Where != tree.Cond(c.want) {
			t.Errorf("%v became %v, want %v", c.said, q.Select.Where, c.want)
		}
	}
}
