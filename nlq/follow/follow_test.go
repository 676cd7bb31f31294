package follow_test

import (
	"strings"
	"testing"
	"time"

	"quern"
	"quern/nlq"
	"quern/nlq/follow"
	"quern/nlq/schema"
	"quern/tree"
)

var now = time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)

// shop is customers and their orders, linked by the customer's id.
func shop() schema.View {
	s := &schema.Schema{}
	add := func(name string, rows int64, columns ...schema.Column) {
		t := schema.Table{
			Path:  quern.DatasetPath{Owner: "ada", Namespace: "shop", Dataset: name},
			Words: []string{name}, Rows: rows, First: len(s.Columns), Len: len(columns),
		}
		for _, c := range columns {
			c.Table = len(s.Tables)
			if c.Rows == 0 {
				c.Rows = rows
			}
			s.Columns = append(s.Columns, c)
		}
		s.Tables = append(s.Tables, t)
	}
	add("customers", 6, key("customer_id"), text("name", "Anna", "Bram"), text("city", "Rotterdam", "Berlin"), column("joined", quern.Date))
	shipped := column("shipped_on", quern.Date)
	shipped.Rows = 12
	add("orders", 20, key("order_id"), column("customer_id", quern.Integer), text("status", "open", "paid"), column("amount", quern.Double),
		column("ordered_on", quern.Date), shipped, column("urgent", quern.Boolean))
	s.Links = []schema.Link{{From: 5, To: 0, Score: 1}}
	return schema.View{Schema: s, In: quern.NamespacePath{Owner: "ada", Namespace: "shop"}}
}

func column(name string, t quern.Type) schema.Column {
	return schema.Column{Name: name, Words: strings.Split(name, "_"), Type: t, Distinct: 2}
}

func key(name string) schema.Column {
	c := column(name, quern.Integer)
	c.Distinct = 1000
	return c
}

func text(name string, values ...string) schema.Column {
	c := column(name, quern.Text)
	c.Values = schema.NewValues(0)
	for _, v := range values {
		c.Values.Add(v)
	}
	c.Values.Done()
	return c
}

func parsed(t *testing.T, sql string) *tree.Query {
	t.Helper()
	q, err := tree.Parse(sql)
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Resolve(q, shop().Tree(), shop().TreeLinks()); err != nil {
		t.Fatal(err)
	}
	return q
}

// short prints queries without the marks that all names have.
func short(t *testing.T, queries ...*tree.Query) string {
	t.Helper()
	var all []string
	for _, q := range queries {
		text, err := tree.Print(q)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.NewReplacer(`"ada/shop/orders" AS "orders"`, "orders", `"ada/shop/customers" AS "customers"`, "customers",
			`"ada/shop/customers"`, "customers", `"ada/shop/orders"`, "orders", `"orders".`, "", `"customers".`, "c.", `"`, "").Replace(text))
	}
	return strings.Join(all, " | ")
}

// TestPeriodsBeside: a month without a year is of the year before it was spoken of, and
// periods move by their own units.
func TestPeriodsBeside(t *testing.T) {
	t.Parallel()
	before := parsed(t, `select count(*) from orders`)
	august := follow.Edit(shop(), nlq.Turn{Question: "How many orders?", Query: before}, "ordered in August 2021", now)
	if len(august.Queries) == 0 {
		august = follow.Edit(shop(), nlq.Turn{Question: "How many orders?", Query: before}, "only ordered in August 2021", now)
	}
	for said, want := range map[string]string{
		"and in July?":            "2021-07-01 2021-08-01",
		"and the month after?":    "2021-09-01 2021-10-01",
		"the year before":         "2020-08-01 2020-09-01",
		"and May the year before": "2020-05-01 2020-06-01",
		"July of the year after":  "2022-07-01 2022-08-01",
		"and in July 2023?":       "2023-07-01 2023-08-01",
	} {
		queries := follow.Edit(shop(), nlq.Turn{Question: "How many orders?", Query: august.Queries[0]}, said, now).Queries
		if len(queries) != 1 {
			t.Errorf("Edit(August 2021, %q) = %s, want one query", said, short(t, queries...))
			continue
		}
		p, ok := queries[0].Select.Where.(tree.Period)
		if got := p.From.Text + " " + p.Until.Text; !ok || got != want {
			t.Errorf("Edit(August 2021, %q) is of %s, want %s", said, got, want)
		}
	}
}

func TestEdit(t *testing.T) {
	t.Parallel()
	const open = `select count(*) from orders where orders.status = 'open'`
	for _, c := range []struct{ before, said, want string }{
		{open, "what about the paid ones?", "SELECT count(*) FROM orders WHERE status = 'paid'"},
		{open, "without the paid ones", "SELECT count(*) FROM orders WHERE status = 'open' AND status <> 'paid'"},
		{open, "only the urgent ones", "SELECT count(*) FROM orders WHERE status = 'open' AND urgent = true"},
		{open, "and over 100?", "SELECT count(*) FROM orders WHERE status = 'open' AND amount > 100"},
		{open, "only from Berlin", "SELECT count(*) FROM orders WHERE status = 'open' AND customer_id IN (SELECT c.customer_id FROM customers WHERE c.city = 'Berlin')"},
		{open, "per city", "SELECT c.city, count(*) FROM orders JOIN customers ON customer_id = c.customer_id WHERE status = 'open' GROUP BY c.city"},
		{open, "which ones?", "SELECT * FROM orders WHERE status = 'open'"},
		{open, "and the others?", "SELECT count(*) FROM orders WHERE status <> 'open'"},
		{open, "and the average amount?", "SELECT avg(amount) FROM orders WHERE status = 'open'"},
		{`select * from orders`, "how many are there?", "SELECT count(*) FROM orders"},
		{`select * from orders`, "sort by amount, highest first", "SELECT * FROM orders ORDER BY amount DESC"},
		{`select * from orders order by orders.amount`, "the other way round", "SELECT * FROM orders ORDER BY amount DESC"},
		{`select * from orders`, "only the top 3", "SELECT * FROM orders ORDER BY amount DESC LIMIT 3"},
		{`select orders.order_id from orders`, "also show the status", "SELECT order_id, status FROM orders"},
		{`select * from orders`, "only the unshipped ones", "SELECT * FROM orders WHERE shipped_on IS NULL"},
		{`select * from orders`, "shipped last month", ""},
		{`select * from orders`, "cheapest first", "SELECT * FROM orders ORDER BY amount NULLS LAST"},
		{`select * from customers`, "newest first", "SELECT * FROM customers ORDER BY c.joined DESC NULLS LAST"},
		{`select count(*) from customers where customers.city = 'Berlin'`, "show their city too", "SELECT c.name, c.city FROM customers WHERE c.city = 'Berlin'"},
		{`select * from orders`, "with urgent", "SELECT * FROM orders WHERE urgent = true"},
		{`select * from orders where orders.status = 'open'`, "also the paid ones", "SELECT * FROM orders WHERE status IN ('open', 'paid')"},
		{`select * from orders where orders.status = 'open'`, "paid?", "SELECT * FROM orders WHERE status = 'paid'"},
		{`select * from orders`, "paid", ""},
		{`select * from orders where orders.status = 'open' and orders.amount > 5`, "never mind the status", "SELECT * FROM orders WHERE amount > 5"},
		{`select * from orders where orders.status = 'open' and orders.amount > 5`, "for any amount", "SELECT * FROM orders WHERE status = 'open'"},
		{open, "and overall?", "SELECT count(*) FROM orders"},
		{`select orders.status, count(*) from orders group by orders.status`, "in total", "SELECT count(*) FROM orders"},
		{`select orders.status, count(*) from orders group by orders.status`, "which has the fewest?",
			"SELECT status, count(*) FROM orders GROUP BY status ORDER BY count(*) NULLS LAST LIMIT 1"},
		{`select * from orders where orders.amount > 5`, "more than 7", "SELECT * FROM orders WHERE amount > 7"},
		{`select * from orders`, "with an amount of 7 or less", "SELECT * FROM orders WHERE amount <= 7"},
		{`select orders.order_id from orders`, "with status and amount", "SELECT order_id, status, amount FROM orders"},
		{`select orders.order_id from orders`, "show their status number too", "SELECT order_id, status FROM orders"},
		{`select * from orders`, "show the status and the amount only", "SELECT status, amount FROM orders"},
		{`select * from orders`, "only the urgent", "SELECT * FROM orders WHERE urgent = true"},
		{`select * from orders order by orders.amount limit 3`, "make it five", "SELECT * FROM orders ORDER BY amount LIMIT 5"},
		{`select orders.status, count(*) from orders group by orders.status`, "by city instead",
			"SELECT c.city, count(*) FROM orders JOIN customers ON customer_id = c.customer_id GROUP BY c.city"},
		{`select distinct orders.status from orders where orders.amount > 5`, "how often?", "SELECT count(*) FROM orders WHERE amount > 5"},
		{`select count(*) from orders where orders.urgent = true`, "and which are not?", "SELECT count(*) FROM orders WHERE urgent <> true"},
		{`select * from orders`, "how many customers are from Berlin?", ""},
		{`select * from orders`, "only the red ones", ""},
		{`select * from orders union select * from orders`, "how many are there?", ""},
		{`select count(*) from orders`, "and customers?", "SELECT count(*) FROM customers"},
		{`select count(*) from customers`, "and the cities?", "SELECT count(DISTINCT c.city) FROM customers"},
		{open, "and customers?", "SELECT count(DISTINCT customer_id) FROM orders WHERE status = 'open'"},
		{`select max(orders.ordered_on) from orders where orders.urgent = true`, "which one was that?",
			"SELECT order_id FROM orders WHERE urgent = true ORDER BY ordered_on DESC NULLS LAST LIMIT 1"},
		{`select min(orders.amount) from orders`, "who was it?",
			"SELECT c.name FROM orders JOIN customers ON customer_id = c.customer_id ORDER BY amount NULLS LAST LIMIT 1"},
		{`select max(orders.amount) from orders group by orders.status`, "which one?", ""},
		{`select * from orders where orders.urgent = false`, "and at the status?", ""},
		{`select max(orders.amount) from orders`, "which status was that?", ""},
		{`select max(orders.amount) from orders`, "which order was it?", "SELECT order_id FROM orders ORDER BY amount DESC NULLS LAST LIMIT 1"},
		{`select orders.status, count(*) from orders group by orders.status`, "the first one",
			"SELECT status, count(*) FROM orders GROUP BY status ORDER BY count(*) DESC, status LIMIT 1"},
		{`select * from orders where orders.urgent = true`, "and not urgent", "SELECT * FROM orders WHERE urgent <> true"},
		{`select orders.order_id from orders`, "without a status", ""},
		{`select orders.order_id from orders where orders.status in ('open', 'paid')`, "without the paid ones",
			"SELECT order_id FROM orders WHERE status IN ('open', 'paid') AND status <> 'paid'"},
	} {
		before := parsed(t, c.before)
		printed := short(t, before)
		change := follow.Edit(shop(), nlq.Turn{Question: "Which orders?", Query: before}, c.said, now)
		queries, score := change.Queries, change.Score
		if got := short(t, queries...); got != c.want {
			t.Errorf("Edit(%s, %q) = %s, want %s", c.before, c.said, got, c.want)
		}
		if c.want != "" && score != 1 {
			t.Errorf("Edit(%s, %q) has score %v, want 1 for exact values", c.before, c.said, score)
		}
		if after := short(t, before); after != printed {
			t.Errorf("Edit(%s, %q) changed the query before to %s", c.before, c.said, after)
		}
	}
}

// What can be meant in two ways is returned in both.
func TestEditInTwoWays(t *testing.T) {
	t.Parallel()
	queries := follow.Edit(shop(), nlq.Turn{Question: "How many are there?", Query: parsed(t, `select count(*) from orders`)}, "and in March?", now).Queries
	const ordered, shipped = "month(ordered_on) = 3", "month(shipped_on) = 3"
	if got := short(t, queries...); !strings.Contains(got, ordered) {
		t.Errorf("and in March = %s, want %s in it", got, ordered)
	}
	both := shop()
	for i := range both.Columns {
		if both.Columns[i].Name == "ordered_on" {
			both.Columns[i].Words = []string{"entered", "on"}
		}
	}
	queries = follow.Edit(both, nlq.Turn{Question: "How many are there?", Query: parsed(t, `select count(*) from orders`)}, "and in March?", now).Queries
	if got := short(t, queries...); len(queries) != 2 || !strings.Contains(got, ordered) || !strings.Contains(got, shipped) {
		t.Errorf("and in March, of two times = %s, want both", got)
	}
}

func TestCondition(t *testing.T) {
	t.Parallel()
	q := parsed(t, `select count(*) from orders`)
	for phrase, want := range map[string]string{
		"are paid":              "status = 'paid'",
		"are not paid":          "status <> 'paid'",
		"are urgent":            "urgent = true",
		"were ordered in 2023":  "(ordered_on >= DATE '2023-01-01' AND ordered_on < DATE '2024-01-01')",
		"are paid and urgent":   "",
		"were paid by unicorns": "",
	} {
		c, _, ok := follow.Condition(shop(), q, phrase, now)
		got := ""
		if ok {
			all := tree.Clone(q)
			all.Select.Where = c
			got = strings.TrimPrefix(short(t, all), "SELECT count(*) FROM orders WHERE ")
		}
		if got != want {
			t.Errorf("Condition(%q) = %q, want %q", phrase, got, want)
		}
	}
}

func TestRefer(t *testing.T) {
	t.Parallel()
	open := nlq.Turn{Question: "Which orders are open?", Query: parsed(t, `select * from orders where orders.status = 'open'`)}
	for _, c := range []struct{ said, resolved, alone, restricted string }{
		{"How many of them are urgent?", "How many orders are urgent?", `select count(*) from orders where orders.urgent = true`,
			"SELECT count(*) FROM orders WHERE urgent = true AND status = 'open'"},
		{"what do they cost?", "what do orders cost?", `select orders.amount from orders`, "SELECT amount FROM orders WHERE status = 'open'"},
		{"and which customers placed those orders?", "", "", ""},
		{"who placed them?", "who placed orders?", `select customers.name from customers`,
			"SELECT c.name FROM customers WHERE c.customer_id IN (SELECT customer_id FROM orders WHERE status = 'open')"},
		{"the most expensive one?", "Which order is the most expensive?", `select * from orders order by orders.amount desc limit 1`,
			"SELECT * FROM orders WHERE status = 'open' ORDER BY amount DESC LIMIT 1"},
		{"How many customers are there?", "", "", ""},
	} {
		ref, lost := follow.Refer(shop(), open, c.said)
		if ref == nil || lost {
			if c.resolved != "" || lost {
				t.Errorf("Refer(%q) = %v, %v, want %q", c.said, ref, lost, c.resolved)
			}
			continue
		}
		if ref.Text != c.resolved {
			t.Errorf("Refer(%q) = %q, want %q", c.said, ref.Text, c.resolved)
			continue
		}
		q := parsed(t, c.alone)
		if ok := ref.Rows.Restrict(q); !ok || short(t, q) != c.restricted {
			t.Errorf("Refer(%q) restricts to %s, %v, want %s", c.said, short(t, q), ok, c.restricted)
		}
	}
}

// A question that refers to rows that no condition can tell is lost.
func TestReferToNothing(t *testing.T) {
	t.Parallel()
	union := nlq.Turn{Question: "Which?", Query: parsed(t, `select * from orders union select * from orders`)}
	for said, want := range map[string]bool{"how many of them are open?": true, "how many orders are open?": false, "why?": false} {
		if ref, lost := follow.Refer(shop(), union, said); ref != nil || lost != want {
			t.Errorf("Refer(%q) after a union = %v, lost %v, want lost %v", said, ref, lost, want)
		}
	}
	if _, lost := follow.Refer(shop(), nlq.Turn{Query: parsed(t, `select * from orders`)}, "only the red ones"); !lost {
		t.Error("a fragment that changes nothing is not lost")
	}
}

// Rows of groups that were cut off are told by their groups.
func TestRowsOfGroups(t *testing.T) {
	t.Parallel()
	q := parsed(t, `select orders.status, count(*) from orders where orders.amount > 10 group by orders.status order by count(*) desc limit 1`)
	rows, ok := follow.RowsOf(shop(), q, "Which status has the most orders?")
	if !ok || rows.Nested || rows.Source.Ref() != "orders" {
		t.Fatalf("RowsOf = %+v, %v, want orders", rows, ok)
	}
	conds, ok := rows.Conditions("orders")
	all := parsed(t, `select count(*) from orders`)
	all.Select.Where = tree.All(conds...)
	const want = "SELECT count(*) FROM orders WHERE amount > 10 AND " +
		"status IN (SELECT status FROM orders WHERE amount > 10 GROUP BY status ORDER BY count(*) DESC LIMIT 1)"
	if got := short(t, all); !ok || got != want {
		t.Errorf("the rows of the first group = %s, %v, want %s", got, ok, want)
	}
	if _, ok := follow.RowsOf(shop(), nil, "What?"); ok {
		t.Error("a turn without a query has rows")
	}
}

func TestGroupByPeriod(t *testing.T) {
	t.Parallel()
	q := parsed(t, `select orders.order_id from orders`)
	follow.GroupByPeriod(q, tree.Column{Source: "orders", Name: "ordered_on"}, "quarter")
	const quarter = `concat(year(ordered_on), '-Q', quarter(ordered_on))`
	const want = `SELECT ` + quarter + ` AS quarter, count(*) FROM orders GROUP BY ` + quarter + ` ORDER BY ` + quarter
	if got := short(t, q); got != want {
		t.Errorf("GroupByPeriod = %s, want %s", got, want)
	}
}

// TestPeriodsInNames: a column may say that it is of a week as an adverb or as a noun.
func TestPeriodsInNames(t *testing.T) {
	t.Parallel()
	v := shop()
	for i, c := range v.Columns {
		switch c.Name {
		case "amount":
			v.Columns[i].Words = []string{"hours", "week"}
		case "status":
			v.Columns[i].Words = []string{"daily", "rate"}
		}
	}
	for said, want := range map[string]string{"with their weekly hours": "SELECT order_id, amount FROM orders", "with the daily rate": "SELECT order_id, status FROM orders"} {
		change := follow.Edit(v, nlq.Turn{Question: "Which ones?", Query: parsed(t, "select orders.order_id from orders")}, said, now)
		if got := short(t, change.Queries...); got != want {
			t.Errorf("Edit(%q) = %s, want %s", said, got, want)
		}
	}
}
