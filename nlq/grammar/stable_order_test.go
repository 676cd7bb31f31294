package grammar_test

import (
	"reflect"
	"testing"

	"quern/nlq/grammar"
	"quern/tree"
)

func TestStableOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ query, want string }{
		{"SELECT orders.total FROM orders", "SELECT orders.total FROM orders"},
		{"SELECT orders.total FROM orders ORDER BY orders.total", "SELECT orders.total FROM orders ORDER BY orders.total, orders.order_id"},
		{"SELECT orders.total FROM orders ORDER BY orders.total DESC LIMIT 1", "SELECT orders.total FROM orders ORDER BY orders.total DESC, orders.order_id LIMIT 1"},
		{"SELECT orders.total FROM orders ORDER BY orders.order_id", "SELECT orders.total FROM orders ORDER BY orders.order_id"},
		{"SELECT lines.quantity FROM lines ORDER BY lines.quantity", "SELECT lines.quantity FROM lines ORDER BY lines.quantity"},
		{"SELECT o.total FROM orders AS o JOIN customers AS c ON o.customer_id = c.customer_id ORDER BY o.total", "SELECT o.total FROM orders AS o JOIN customers AS c ON o.customer_id = c.customer_id ORDER BY o.total, o.order_id, c.customer_id"},
		{"SELECT o.total FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id ORDER BY o.total", "SELECT o.total FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id ORDER BY o.total, o.order_id, c.customer_id"},
		{"SELECT customers.city FROM customers GROUP BY customers.city ORDER BY count(*) DESC", "SELECT customers.city FROM customers GROUP BY customers.city ORDER BY count(*) DESC, customers.city"},
		{"SELECT customers.city FROM customers GROUP BY customers.city ORDER BY count(*) DESC LIMIT 1",
			"SELECT customers.city FROM customers GROUP BY customers.city ORDER BY count(*) DESC, customers.city DESC LIMIT 1"},
		{"SELECT customers.city FROM customers GROUP BY customers.city ORDER BY customers.city", "SELECT customers.city FROM customers GROUP BY customers.city ORDER BY customers.city"},
		{"SELECT customers.city, count(*) FROM customers GROUP BY customers.city", "SELECT customers.city, count(*) FROM customers GROUP BY customers.city ORDER BY count(*) DESC, customers.city"},
		{"SELECT orders.total, count(*) FROM orders GROUP BY orders.total", "SELECT orders.total, count(*) FROM orders GROUP BY orders.total ORDER BY orders.total"},
		{"SELECT customers.city FROM customers GROUP BY customers.city", "SELECT customers.city FROM customers GROUP BY customers.city"},
		{"SELECT orders.customer_id, min(orders.total), max(orders.total) FROM orders GROUP BY orders.customer_id",
			"SELECT orders.customer_id, min(orders.total), max(orders.total) FROM orders GROUP BY orders.customer_id ORDER BY orders.customer_id"},
		{"SELECT DISTINCT customers.city FROM customers ORDER BY customers.city", "SELECT DISTINCT customers.city FROM customers ORDER BY customers.city"},
		{"SELECT count(*) FROM orders ORDER BY count(*)", "SELECT count(*) FROM orders ORDER BY count(*)"},
		{"SELECT orders.total FROM orders WHERE orders.total = (SELECT orders.total FROM orders ORDER BY orders.total LIMIT 1)", "SELECT orders.total FROM orders WHERE orders.total = (SELECT orders.total FROM orders ORDER BY orders.total, orders.order_id LIMIT 1)"},
	} {
		s := shop()
		q, err := tree.Parse(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Resolve(q, tablesOf(s), nil); err != nil {
			t.Fatal(err)
		}
		before, err := tree.Print(q)
		if err != nil {
			t.Fatal(err)
		}
		steady := grammar.StableOrder(s, q)
		if got := bare(printed(t, grammar.Reading{Query: steady})); got != tt.want {
			t.Errorf("StableOrder(%s) = %s, want %s", tt.query, got, tt.want)
		}
		if after, err := tree.Print(q); err != nil || after != before {
			t.Errorf("StableOrder changed its query from %s to %s, %v", before, after, err)
		}
		if again := grammar.StableOrder(s, steady); !reflect.DeepEqual(again, steady) {
			t.Errorf("StableOrder(StableOrder(%s)) = %+v, want no change", tt.query, again)
		}
	}
}

func TestOpenQueriesHaveNoSQL(t *testing.T) {
	t.Parallel()
	all := func(table int) *tree.Query {
		return &tree.Query{Select: &tree.Select{
			Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{{Dataset: shop().Tables[table].Path}},
		}}
	}
	open := all(0)
	open.Select.Where = tree.Linked{Query: all(1)}
	if text, err := grammar.SQL(shop(), open); err == nil {
		t.Errorf("SQL of a query that is not resolved = %s, want an error", text)
	}
}
