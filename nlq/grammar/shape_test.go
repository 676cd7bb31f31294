package grammar_test

import (
	"errors"
	"strings"
	"testing"

	"quern"
	"quern/nlq/grammar"
	"quern/nlq/schema"
	"quern/tree"
)

// shapes are derivations of what questions ask for beyond columns and counts: each
// is built to a query, and derived from it again.
var shapes = []struct{ question, line, want string }{
	{"revenue", "SEL sum - * lines.quantity products.price products.price END",
		"SELECT sum((lines.quantity * products.price) - products.price) FROM lines JOIN products ON lines.product_id = products.product_id"},
	{"ratio of both", "SEL / products.price lines.quantity END",
		"SELECT products.price / nullif(lines.quantity, 0) FROM products JOIN lines ON products.product_id = lines.product_id"},
	{"orders per month", "SEL yearmonth orders.placed count STAR @orders GROUP yearmonth orders.placed END",
		"SELECT strftime(orders.placed, '%Y-%m'), count(*) FROM orders GROUP BY strftime(orders.placed, '%Y-%m')"},
	{"per quarter", "SEL yearquarter orders.placed sum orders.total GROUP yearquarter orders.placed ASC yearquarter orders.placed END",
		"SELECT concat(year(orders.placed), '-Q', quarter(orders.placed)), sum(orders.total) FROM orders GROUP BY concat(year(orders.placed), '-Q', quarter(orders.placed)) ORDER BY concat(year(orders.placed), '-Q', quarter(orders.placed))"},
	{"which weekday is busiest", "SEL weekday orders.placed GROUP weekday orders.placed DESC count STAR @orders LIMIT 1 END",
		"SELECT dayname(orders.placed) FROM orders GROUP BY dayname(orders.placed) ORDER BY count(*) DESC LIMIT 1"},
	{"orders on Mondays", "SEL count STAR @orders WHERE weekday orders.placed = [Mondays] END",
		"SELECT count(*) FROM orders WHERE dayname(orders.placed) = 'Monday'"},
	{"orders after half past six", "SEL STAR @orders WHERE clock orders.placed > [half_past_six] END",
		"SELECT * FROM orders WHERE strftime(orders.placed, '%H:%M') > '18:30'"},
	{"orders in any December", "SEL STAR @orders WHERE month orders.placed = [December] END",
		"SELECT * FROM orders WHERE month(orders.placed) = 12"},
	{"how long are they with us", "SEL customers.name days customers.joined NOW END",
		"SELECT customers.name, date_diff('day', customers.joined, DATE '2024-06-15') FROM customers"},
	{"open for more than 30 days", "SEL STAR @orders WHERE days orders.placed NOW > [30] END",
		"SELECT * FROM orders WHERE date_diff('day', orders.placed, TIMESTAMPTZ '2024-06-15T12:00:00Z') > 30"},
	{"hours from joining to ordering", "SEL avg hours customers.joined orders.placed END",
		"SELECT avg(date_diff('minute', customers.joined, orders.placed) / 60.0) FROM customers JOIN orders ON customers.customer_id = orders.customer_id"},
	{"median total", "SEL median orders.total END", "SELECT median(orders.total) FROM orders"},
	{"90th percentile of total", "SEL percentile [90th] orders.total END", "SELECT quantile_cont(orders.total, 0.9) FROM orders"},
	{"upper quartile", "SEL percentile [upper_quartile] orders.total END", "SELECT quantile_cont(orders.total, 0.75) FROM orders"},
	{"share from Berlin", "SEL percent customers.city = [Berlin] count STAR @customers END",
		"SELECT 100.0 * count(*) FILTER (WHERE customers.city = 'Berlin') / nullif(count(*), 0) FROM customers"},
	{"share of revenue from Berlin", "SEL percent customers.city = [Berlin] sum orders.total END",
		"SELECT 100.0 * sum(orders.total) FILTER (WHERE customers.city = 'Berlin') / nullif(sum(orders.total), 0) FROM customers JOIN orders ON customers.customer_id = orders.customer_id"},
	{"share of revenue per city", "SEL customers.city portion sum orders.total GROUP customers.city END",
		"SELECT customers.city, 100.0 * sum(orders.total) / nullif(sum(sum(orders.total)) OVER (), 0) FROM customers JOIN orders ON customers.customer_id = orders.customer_id GROUP BY customers.city"},
	{"2023 compared to 2024", "SEL only year orders.placed = [2023] sum orders.total only year orders.placed = [2024] sum orders.total END",
		"SELECT sum(orders.total) FILTER (WHERE year(orders.placed) = 2023), sum(orders.total) FILTER (WHERE year(orders.placed) = 2024) FROM orders"},
	{"growth from 2023 to 2024", "SEL change year orders.placed = [2023] year orders.placed = [2024] sum orders.total END",
		"SELECT sum(orders.total) FILTER (WHERE year(orders.placed) = 2023), sum(orders.total) FILTER (WHERE year(orders.placed) = 2024), sum(orders.total) FILTER (WHERE year(orders.placed) = 2024) - sum(orders.total) FILTER (WHERE year(orders.placed) = 2023) FROM orders"},
	{"above the average of their city", "SEL products.title WHERE products.price > peers avg products.price products.origin_code END",
		"SELECT products.title FROM products WHERE products.price > (SELECT avg(peers.price) FROM products AS peers WHERE peers.origin_code = products.origin_code)"},
	{"orders of every customer", "SEL ZERO customers.name count STAR @orders GROUP customers.name END",
		"SELECT customers.name, count(orders.customer_id) FROM customers LEFT JOIN orders ON customers.customer_id = orders.customer_id GROUP BY customers.name"},
}

func TestShapes(t *testing.T) {
	t.Parallel()
	s := shop()
	for _, tt := range shapes {
		q := asked(tt.question)
		reading, err := grammar.Build(s, q, derivation(t, s, q, tt.line))
		if err != nil {
			t.Errorf("%q: Build(%s) = %v", tt.question, tt.line, err)
			continue
		}
		text := bare(printed(t, reading))
		if text != tt.want {
			t.Errorf("%q: Build(%s) = %s, want %s", tt.question, tt.line, text, tt.want)
		}
		sayAgain(t, s, q, reading)
	}
}

// Times of day that a column holds as text are written as it writes them.
func TestClocksInColumns(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"after half past six":        "SELECT courses.course FROM courses WHERE courses.starts > '18:30'",
		"before 9 am":                "SELECT courses.course FROM courses WHERE courses.starts < '09:00'",
		"in the morning":             "SELECT courses.course FROM courses WHERE courses.starts >= '05:00' AND courses.starts < '12:00'",
		"later than quarter to nine": "SELECT courses.course FROM courses WHERE courses.ends > '08:45:00'",
	} {
		s := &schema.Schema{}
		addTable(s, "courses", column("course", quern.Text, true, "Yoga"), column("starts", quern.Text, false, "09:15", "19:30"),
			column("ends", quern.Text, false, "10:00:00", "20:30:00"))
		s.Columns[1].Min, s.Columns[1].Max, s.Columns[2].Min, s.Columns[2].Max = "09:15", "19:30", "10:00:00", "20:30:00"
		line := map[string]string{
			"after half past six": "courses.starts > [half_past_six]", "before 9 am": "courses.starts < [9_am]",
			"in the morning": "courses.starts = [morning]", "later than quarter to nine": "courses.ends > [quarter_to_nine]",
		}[question]
		q := asked(question)
		r, err := grammar.Build(s, q, derivation(t, s, q, "SEL courses.course WHERE "+line+" END"))
		if err != nil {
			t.Errorf("%q: Build = %v", question, err)
			continue
		}
		got := strings.ReplaceAll(strings.ReplaceAll(printed(t, r), `"`, ""), "courses AS courses", "courses")
		if got != want {
			t.Errorf("%q: Build = %s, want %s", question, got, want)
		}
	}
}

// sayAgain checks that a query that was printed and parsed has a derivation that
// means the same.
func sayAgain(t *testing.T, s *schema.Schema, q grammar.Question, r grammar.Reading) {
	t.Helper()
	text, err := tree.Print(r.Query)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := tree.Parse(text)
	if err != nil {
		t.Errorf("%q: Parse(%s) = %v", q.Text, text, err)
		return
	}
	tokens, err := grammar.Linearise(s, q, parsed)
	if err != nil {
		t.Errorf("%q: Linearise(%s) = %v", q.Text, text, err)
		return
	}
	again, err := grammar.Build(s, q, tokens)
	if err != nil || printed(t, again) != printed(t, r) {
		t.Errorf("%q: Build(%v) = %v, %v, want %s", q.Text, tokens, again, err, text)
	}
}

// Conditions on what is counted keep groups that have nothing of it.
func TestEmptyGroupsKeepTheirConditions(t *testing.T) {
	t.Parallel()
	got, err := built(t, shop(), "how many orders over 50 does each active customer have",
		"SEL ZERO customers.name count STAR @orders WHERE orders.total > [50] AND customers.active = 'true' GROUP customers.customer_id END")
	want := "SELECT any_value(customers.name), count(orders.customer_id) FILTER (WHERE orders.total > 50) FROM customers " +
		"LEFT JOIN orders ON customers.customer_id = orders.customer_id WHERE customers.active = true GROUP BY customers.customer_id"
	if err != nil || got != want {
		t.Errorf("Build = %s, %v, want %s", got, err, want)
	}
}

func TestMeaninglessShapes(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"SEL days NOW NOW END":        "from now until now",
		"SEL ZERO customers.name END": "nothing is grouped",
		"SEL ZERO customers.name count STAR @customers GROUP customers.name END":                           "no groups without rows",
		"SEL days customers.joined orders.total END":                                                       "a number where a time is wanted",
		"SEL yearmonth orders.total END":                                                                   "a number where a time is wanted",
		"SEL STAR @orders WHERE weekday orders.placed = [friendly] END":                                    "does not fit",
		"SEL percentile [friendly] orders.total END":                                                       "no percentile",
		"SEL percent orders.total > SEL avg orders.total END count STAR @orders END":                       "a query in a test",
		"SEL orders.order_id WHERE orders.total > peers avg products.price orders.customer_id END":         "peers of another table",
		"SEL ZERO customers.name portion count STAR @orders GROUP customers.name EXTRA orders.ship_to END": "a percentage of groups without rows",
	} {
		if got, err := built(t, shop(), "friendly", line); !errors.Is(err, grammar.ErrMeaningless) || !strings.Contains(err.Error(), want) {
			t.Errorf("Build(%s) = %s, %v, want ErrMeaningless: %s", line, got, err, want)
		}
	}
}
