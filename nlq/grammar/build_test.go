package grammar_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"quern/nlq/grammar"
	"quern/nlq/schema"
)

// built reads a derivation over a question and gives its query, with bare names.
func built(t *testing.T, s *schema.Schema, question, line string) (string, error) {
	t.Helper()
	q := asked(question)
	reading, err := grammar.Build(s, q, derivation(t, s, q, line))
	if err != nil {
		return "", err
	}
	return bare(printed(t, reading)), nil
}

// bare writes a query without quotes and without aliases that repeat a name.
func bare(text string) string {
	text = strings.ReplaceAll(text, `"`, "")
	for _, t := range slices.Concat(shop().Tables, choir().Tables) {
		text = strings.ReplaceAll(text, t.Path.Dataset+" AS "+t.Path.Dataset, t.Path.Dataset)
	}
	return text
}

func TestBuild(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ line, want string }{
		"one table's rows":           {"SEL STAR @orders END", "SELECT * FROM orders"},
		"rows of one of two":         {"SEL STAR @orders customers.name END", "SELECT orders.*, customers.name FROM orders JOIN customers ON orders.customer_id = customers.customer_id"},
		"counted rows":               {"SEL count STAR @orders END", "SELECT count(*) FROM orders"},
		"distinct rows are rows":     {"SEL count DIST STAR @orders END", "SELECT count(*) FROM orders"},
		"distinct values":            {"SEL count DIST orders.ship_to END", "SELECT count(DISTINCT orders.ship_to) FROM orders"},
		"arithmetic in aggregates":   {"SEL sum * lines.quantity products.price END", "SELECT sum(lines.quantity * products.price) FROM lines JOIN products ON lines.product_id = products.product_id"},
		"arithmetic of aggregates":   {"SEL / sum orders.total count STAR @orders END", "SELECT sum(orders.total) / nullif(count(*), 0) FROM orders"},
		"or binds less than and":     {"SEL orders.order_id WHERE orders.total > 1 AND orders.total < 9 OR orders.total = 100 END", "SELECT orders.order_id FROM orders WHERE (orders.total > 1 AND orders.total < 9) OR orders.total = 100"},
		"a query's rows":             {"SEL orders.order_id WHERE orders.total > SEL avg orders.total END END", "SELECT orders.order_id FROM orders WHERE orders.total > (SELECT avg(orders.total) FROM orders)"},
		"in a query's rows":          {"SEL customers.name WHERE customers.customer_id !in SEL orders.customer_id END END", "SELECT customers.name FROM customers WHERE customers.customer_id NOT IN (SELECT orders.customer_id FROM orders)"},
		"not among missing values":   {"SEL customers.name WHERE customers.customer_id !in SEL orders.ship_to WHERE orders.total > 1 END END", "SELECT customers.name FROM customers WHERE customers.customer_id NOT IN (SELECT orders.ship_to FROM orders WHERE orders.total > 1 AND orders.ship_to IS NOT NULL)"},
		"values of one column":       {"SEL orders.order_id WHERE orders.total > 1 AND orders.ship_to = 2 OR orders.ship_to = 3 END", "SELECT orders.order_id FROM orders WHERE orders.total > 1 AND (orders.ship_to = 2 OR orders.ship_to = 3)"},
		"a column":                   {"SEL orders.order_id WHERE orders.customer_id <> orders.ship_to END", "SELECT orders.order_id FROM orders WHERE orders.customer_id <> orders.ship_to"},
		"sets":                       {"SEL orders.customer_id INTERSECT SEL orders.ship_to EXCEPT SEL customers.customer_id END", "SELECT orders.customer_id FROM orders INTERSECT (SELECT orders.ship_to FROM orders EXCEPT SELECT customers.customer_id FROM customers)"},
		"order and limit":            {"SEL orders.order_id DESC orders.total orders.placed LIMIT 3 END", "SELECT orders.order_id FROM orders ORDER BY orders.total DESC, orders.placed DESC LIMIT 3"},
		"smallest path":              {"SEL customers.name products.title END", "SELECT customers.name, products.title FROM customers JOIN orders ON customers.customer_id = orders.customer_id JOIN lines ON orders.order_id = lines.order_id JOIN products ON lines.product_id = products.product_id"},
		"surest link":                {"SEL customers.name orders.total END", "SELECT customers.name, orders.total FROM customers JOIN orders ON customers.customer_id = orders.customer_id"},
		"hinted link":                {"SEL customers.name orders.total EXTRA orders.ship_to END", "SELECT customers.name, orders.total FROM customers JOIN orders ON customers.customer_id = orders.ship_to"},
		"a table that is only there": {"SEL customers.name EXTRA @orders END", "SELECT customers.name FROM customers WHERE customers.customer_id IN (SELECT orders.customer_id FROM orders)"},
		"by name":                    {"SEL products.title origins.country END", "SELECT products.title, origins.country FROM products JOIN origins ON products.origin_code = origins.origin_code"},
		"by name at the end":         {"SEL customers.name origins.country END", "SELECT customers.name, origins.country FROM customers JOIN orders ON customers.customer_id = orders.customer_id JOIN lines ON orders.order_id = lines.order_id JOIN products ON lines.product_id = products.product_id JOIN origins ON products.origin_code = origins.origin_code"},
		"grouped":                    {"SEL customers.city count STAR @customers GROUP customers.city END", "SELECT customers.city, count(*) FROM customers GROUP BY customers.city"},
		"any of a group":             {"SEL customers.name customers.city count STAR @customers GROUP customers.city END", "SELECT any_value(customers.name), customers.city, count(*) FROM customers GROUP BY customers.city"},
		"any of all":                 {"SEL customers.name max customers.joined END", "SELECT any_value(customers.name), max(customers.joined) FROM customers"},
		"having":                     {"SEL customers.city GROUP customers.city HAVING count STAR @customers > 2 END", "SELECT customers.city FROM customers GROUP BY customers.city HAVING count(*) > 2"},
		"order by an aggregate":      {"SEL customers.name GROUP customers.city DESC count STAR @customers LIMIT 1 END", "SELECT any_value(customers.name) FROM customers GROUP BY customers.city ORDER BY count(*) DESC LIMIT 1"},
		"order of a group":           {"SEL customers.city count STAR @customers GROUP customers.city ASC customers.name END", "SELECT customers.city, count(*) FROM customers GROUP BY customers.city ORDER BY any_value(customers.name)"},
		"distinct in order":          {"SEL DISTINCT customers.city ASC customers.city END", "SELECT DISTINCT customers.city FROM customers ORDER BY customers.city"},
		"distinct, least of other":   {"SEL DISTINCT customers.city ASC customers.name END", "SELECT customers.city FROM customers GROUP BY customers.city ORDER BY min(customers.name)"},
		"distinct, most of other":    {"SEL DISTINCT customers.city DESC customers.city customers.name END", "SELECT customers.city FROM customers GROUP BY customers.city ORDER BY customers.city DESC, max(customers.name) DESC"},
	} {
		if got, err := built(t, shop(), "", tt.line); err != nil || got != tt.want {
			t.Errorf("%s: Build(%s) = %s, %v, want %s", name, tt.line, got, err, tt.want)
		}
	}
}

func TestBuildOfNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ line, want string }{
		{"", "ends early"},
		{"SEL", "ends early"},
		{"SEL orders.total", "ends early"},
		{"SEL orders.total WHERE orders.total = END", "token 5, END, is not allowed"},
		{"SEL END", "token 1, END, is not allowed"},
		{"SEL orders.total END END", "token 3, END, is not allowed"},
		{"BEGIN", "token 0, BEGIN, is not allowed"},
		{"SEL c99 END", "token 1 points to nothing"},
		{"SEL STAR t6 END", "token 2 points to nothing"},
		{"SEL orders.total WHERE orders.total = VAL q0 q2 END", "token 7 points to nothing"},
		{"SEL orders.total WHERE orders.total = VAL q1 q0 END", "ends before it begins"},
		{"SEL orders.total ASC orders.total LIMIT VAL q0 q0 END", "the limit is no number"},
		{"SEL orders.total ASC orders.total LIMIT 'yes' END", `"yes" does not fit`},
		{"SEL weather.rain orders.total END", "nothing connects its tables"},
		{"SEL max STAR @orders END", "max of whole rows"},
		{"SEL sum customers.name END", "is text where a number is wanted"},
		{"SEL orders.total WHERE sum orders.total > 1 END", "cannot stand here"},
		{"SEL orders.total WHERE orders.total in SEL orders.total orders.ship_to END END", "one column"},
	} {
		got, err := built(t, shop(), "1.5 more", tt.line)
		if !errors.Is(err, grammar.ErrMeaningless) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Build(%s) = %s, %v, want ErrMeaningless: %s", tt.line, got, err, tt.want)
		}
	}
	odd := []grammar.Token{{Kind: grammar.Word + 1}}
	if _, err := grammar.Build(shop(), asked(""), odd); !errors.Is(err, grammar.ErrMeaningless) {
		t.Errorf("Build of a token of no kind = %v, want ErrMeaningless", err)
	}
	if _, err := grammar.Build(shop(), asked(""), []grammar.Token{{ID: -1}}); !errors.Is(err, grammar.ErrMeaningless) {
		t.Errorf("Build of a negative symbol = %v, want ErrMeaningless", err)
	}
}

func TestDepth(t *testing.T) {
	t.Parallel()
	s, q := shop(), asked("")
	stack, deepest := grammar.Start(), 0
	for _, token := range derivation(t, s, q, "SEL orders.total WHERE orders.total > SEL avg orders.total WHERE orders.ship_to in SEL orders.ship_to END END END") {
		next, ok := stack.Next(token)
		if !ok {
			t.Fatalf("Next(%v) is not allowed", token)
		}
		stack = next
		deepest = max(deepest, stack.Depth())
	}
	if _, more := stack.Next(grammar.Token{}); !stack.Done() || more || deepest != grammar.MaxDepth {
		t.Errorf("the derivation is done: %v, takes more: %v, went %d deep, want done and %d", stack.Done(), more, deepest, grammar.MaxDepth)
	}
}

func TestTokensAreWrittenAndRead(t *testing.T) {
	t.Parallel()
	all := []grammar.Token{{Kind: grammar.Column, ID: 12}, {Kind: grammar.Table}, {Kind: grammar.Word, ID: 3}}
	for id := range grammar.Symbols() {
		all = append(all, grammar.Token{Kind: grammar.Symbol, ID: id})
	}
	for _, want := range all {
		if got, err := grammar.ParseToken(want.String()); err != nil || got != want {
			t.Errorf("ParseToken(%s) = %v, %v, want %v", want, got, err, want)
		}
	}
	for _, text := range []string{"", "c", "c-1", "cx", "x1", "select"} {
		if got, err := grammar.ParseToken(text); err == nil {
			t.Errorf("ParseToken(%q) = %v, want an error", text, got)
		}
	}
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte{0, 1, 1, 9, 0, 10})
	f.Add([]byte{9, 9, 200, 3})
	s := shop()
	f.Fuzz(func(t *testing.T, data []byte) {
		var tokens []grammar.Token
		for i := 0; i+1 < len(data); i += 2 {
			tokens = append(tokens, grammar.Token{Kind: grammar.Kind(data[i] % 5), ID: int(int8(data[i+1]))})
		}
		reading, err := grammar.Build(s, remark, tokens)
		if err == nil {
			holds(t, s, tokens, reading)
			roundTrip(t, s, tokens, reading)
		} else if !errors.Is(err, grammar.ErrMeaningless) {
			t.Errorf("Build(%v) = %v, want ErrMeaningless", tokens, err)
		}
	})
}
