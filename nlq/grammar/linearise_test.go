package grammar_test

import (
	"errors"
	"strings"
	"testing"

	"quern/nlq/grammar"
	"quern/tree"
)

// said derives a query over a question, with names for pointers.
func said(t *testing.T, question, query string) (string, error) {
	t.Helper()
	s, q := shop(), asked(question)
	gold, err := tree.Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := grammar.Linearise(s, q, gold)
	if err != nil {
		return "", err
	}
	var words []string
	for i, token := range tokens {
		switch token.Kind {
		case grammar.Column:
			c := s.Columns[token.ID]
			words = append(words, s.Tables[c.Table].Path.Dataset+"."+c.Name)
		case grammar.Table:
			words = append(words, "@"+s.Tables[token.ID].Path.Dataset)
		case grammar.Word:
			if tokens[i-1].Kind == grammar.Word {
				text := q.Text[q.Tokens[tokens[i-1].ID].Start:q.Tokens[token.ID].End]
				words = append(words, "["+strings.ReplaceAll(text, " ", "_")+"]")
			}
		case grammar.Symbol:
			if token.String() != "VAL" {
				words = append(words, token.String())
			}
		}
	}
	return strings.Join(words, " "), nil
}

func TestLinearise(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ question, query, want string }{
		{"all orders", "SELECT * FROM orders", "SEL STAR @orders END"},
		{"who is in berlin", "SELECT name FROM customers WHERE city = 'Berlin'", "SEL customers.name WHERE customers.city = [berlin] END"},
		{"who is in Sankt Galen", "SELECT name FROM customers WHERE city = 'Sankt Gallen'", "SEL customers.name WHERE customers.city = [Sankt_Galen] END"},
		{"more than two thousand", "SELECT order_id FROM orders WHERE total > 2000", "SEL orders.order_id WHERE orders.total > [two_thousand] END"},
		{"the biggest order", "SELECT order_id FROM orders ORDER BY total DESC LIMIT 1", "SEL orders.order_id DESC orders.total LIMIT 1 END"},
		{"with pot", "SELECT title FROM products WHERE title LIKE '%pot%'", "SEL products.title WHERE products.title contains [pot] END"},
		{"from pot", "SELECT title FROM products WHERE title NOT LIKE 'pot%'", "SEL products.title WHERE products.title !starts [pot] END"},
		{"to pot", "SELECT title FROM products WHERE title LIKE '%pot'", "SEL products.title WHERE products.title ends [pot] END"},
		{"how many orders each", "SELECT c.name, count(*) FROM customers AS c JOIN orders AS o ON c.customer_id = o.customer_id GROUP BY c.name", "SEL customers.name count STAR @orders GROUP customers.name END"},
		{"shipped to whom", "SELECT c.name, o.total FROM customers AS c JOIN orders AS o ON c.customer_id = o.ship_to", "SEL customers.name orders.total EXTRA orders.ship_to END"},
		{"who ordered", "SELECT c.name FROM customers AS c JOIN orders AS o ON c.customer_id = o.customer_id", "SEL customers.name EXTRA @orders END"},
		{"who bought a cup", "SELECT c.name FROM customers AS c JOIN orders AS o ON c.customer_id = o.customer_id JOIN lines AS l ON l.order_id = o.order_id JOIN products AS p ON p.product_id = l.product_id WHERE p.title = 'Cup'", "SEL customers.name WHERE products.title = [cup] END"},
		{"neither 5 nor null", "SELECT order_id FROM orders WHERE NOT total = 5 AND ship_to IS NOT NULL", "SEL orders.order_id WHERE orders.total <> [5] AND orders.ship_to !null END"},
		{"without orders", "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)", "SEL customers.name WHERE customers.customer_id !in SEL orders.customer_id END END"},
		{"both", "SELECT customer_id FROM orders UNION SELECT ship_to FROM orders", "SEL orders.customer_id UNION SEL orders.ship_to END"},
		{"between 5 and 9", "SELECT order_id FROM orders WHERE total BETWEEN 5 AND 9", "SEL orders.order_id WHERE orders.total between [5] [9] END"},
		{"active ones of Berlin or New York", "SELECT name FROM customers WHERE active = true AND (city = 'Berlin' OR city = 'New York')", "SEL customers.name WHERE customers.active = 'true' AND customers.city = [Berlin] OR customers.city = [New_York] END"},
		{"who is active", "SELECT name FROM customers WHERE active = true", "SEL customers.name WHERE customers.active = 'true' END"},
		{"sunny days", "SELECT day FROM weather WHERE sunny = 'Y'", "SEL weather.day WHERE weather.sunny = 'true' END"},
		{"days without wind", "SELECT day FROM weather WHERE windy = 0", "SEL weather.day WHERE weather.windy = 'false' END"},
		{"active", "SELECT name FROM customers WHERE name = 'yes'", "SEL customers.name WHERE customers.name = 'yes' END"},
	} {
		got, err := said(t, tt.question, tt.query)
		if err != nil || got != tt.want {
			t.Errorf("%q, Linearise(%s) = %s, %v, want %s", tt.question, tt.query, got, err, tt.want)
			continue
		}
		if _, err := built(t, shop(), tt.question, got); err != nil {
			t.Errorf("%q, Build(%s) = %v", tt.question, got, err)
		}
	}
}

func TestUnsayable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ query, want string }{
		{"SELECT total FROM receipts", "a source of another shape"},
		{"SELECT a.total FROM orders AS a JOIN orders AS b ON a.order_id = b.ship_to", "a source of another shape"},
		{"SELECT c.name FROM customers AS c LEFT JOIN orders AS o ON o.ship_to = c.customer_id", "a source of another shape"},
		{"SELECT price FROM orders", "column price is not of this select"},
		{"SELECT total FROM orders WHERE total = 77", `the question does not say "77"`},
		{"SELECT total FROM orders WHERE NOT total > 5", "a negated >"},
		{"SELECT total FROM orders WHERE total NOT BETWEEN 5 AND 9", "a negated between"},
		{"SELECT total FROM orders WHERE total IN (5, 9)", "a list"},
		{"SELECT total FROM orders WHERE total > 5 AND (total < 9 OR total = 100)", "a condition of another shape"},
		{"SELECT total FROM orders WHERE EXISTS (SELECT * FROM lines)", "a condition of another shape"},
		{"SELECT total FROM orders LIMIT 5", "a limit without an order"},
		{"SELECT total FROM orders ORDER BY total DESC, placed", "an order of another shape"},
		{"SELECT total FROM orders ORDER BY total NULLS LAST", "an order of another shape"},
		{"SELECT count(*) FROM orders HAVING count(*) > 5", "having without groups"},
		{"SELECT total % 2 FROM orders", "a remainder"},
		{"SELECT total FROM orders UNION ALL SELECT total FROM orders", "a set operation of another shape"},
		{"SELECT lower(name) FROM customers", "an expression of another shape"},
	} {
		got, err := said(t, "between 5 and 9", tt.query)
		if !errors.Is(err, grammar.ErrUnsayable) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Linearise(%s) = %s, %v, want ErrUnsayable: %s", tt.query, got, err, tt.want)
		}
	}
	empty := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: tree.Literal{Kind: tree.Number, Text: "1"}}}}}
	if _, err := grammar.Linearise(shop(), asked(""), empty); !errors.Is(err, grammar.ErrUnsayable) {
		t.Errorf("Linearise of a query without sources = %v, want ErrUnsayable", err)
	}
}
