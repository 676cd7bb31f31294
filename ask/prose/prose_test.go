package prose_test

import (
	"strings"
	"testing"

	"quern"
	"quern/ask/asktest"
	"quern/ask/prose"
)

var (
	count  = []quern.Column{{Name: "count", Type: quern.Integer}}
	prices = []quern.Column{{Name: "name", Type: quern.Text}, {Name: "price", Type: quern.Double}}
)

func TestAnswersFollowTheShapeOfTheRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tree    string
		columns []quern.Column
		rows    []string
		want    string
	}{
		{`select count(*) from wolves`, count, []string{`[1]`}, "There is 1 wolf."},
		{`select count(*) from wolves`, count, []string{`[12345]`}, "There are 12,345 wolves."},
		{`select count(*) from approaches`, count, []string{`[1]`}, "There is 1 approach."},
		{`select count(*) from sales`, count, []string{`[1]`}, "There is 1 row of sales."},
		{`select count(*) from log_2`, count, []string{`[2]`}, "There are 2 rows of log 2."},
		{`select name, price from things where price > 9`, prices, nil, "There are no things whose price is more than 9."},
		{`select name, price from things order by price desc limit 1`, prices, []string{`["a|b", 1234.5]`},
			`The thing with the highest price is a\|b (1,234.50).`},
		{`select name from things`, prices[:1], []string{`["a"]`, `["b"]`, `["c"]`}, "There are 3 things: a, b and c."},
	} {
		if got := prose.Answer(asktest.Step(c.tree, c.columns, c.rows...)); got != c.want {
			t.Errorf("Answer(%s of %v) = %q, want %q", c.tree, c.rows, got, c.want)
		}
	}
}

// TestUnits: what numbers are known to be in stands behind them, and not behind counts;
// amounts of money have their cents.
func TestUnits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ tree, unit, number, want string }{
		{`select avg(things.price) from things`, "EUR", `12`, "The average price of things is 12 EUR."},
		{`select sum(things.price) from things`, "€", `12480.5`, "The total price of things is 12,480.50 €."},
		{`select max(things.price) from things`, "kg", `0.5`, "The largest price of things is 0.5 kg."},
		{`select avg(things.price) from things`, "%", `35`, "The average price of things is 35 %."},
		{`select count(*) from things`, "EUR", `12`, "There are 12 things."},
	} {
		s := asktest.Step(tt.tree, []quern.Column{{Name: "x", Type: quern.Double}}, "["+tt.number+"]")
		s.Units = map[string]string{"things.price": tt.unit}
		if got := prose.Answer(s); got != tt.want {
			t.Errorf("Answer(%s in %s) = %q, want %q", tt.tree, tt.unit, got, tt.want)
		}
	}
	columns := []quern.Column{{Name: "name", Type: quern.Text}, {Name: "colour", Type: quern.Text}, {Name: "price", Type: quern.Double}}
	s := asktest.Step(`select name, colour, price from things`, columns, `["a","red",1.5]`, `["b","blue",2]`, `["c","red",3]`, `["d","red",4]`)
	s.Units = map[string]string{".price": "€"}
	if got := prose.Answer(s); !strings.Contains(got, "| price (€) |") || !strings.Contains(got, "| 1.50 |") {
		t.Errorf("a table of prices = %s, want their unit in the heading", got)
	}
}

// TestAnswersReadAsPeopleSpeak has a case for each thing that people would wince at.
func TestAnswersReadAsPeopleSpeak(t *testing.T) {
	t.Parallel()
	text := func(names ...string) (columns []quern.Column) {
		for _, name := range names {
			columns = append(columns, quern.Column{Name: name, Type: quern.Text})
		}
		return columns
	}
	measured := func(name, measure string, of quern.Type) []quern.Column {
		return append(text(name), quern.Column{Name: measure, Type: of})
	}
	for name, c := range map[string]struct {
		tree    string
		columns []quern.Column
		rows    []string
		want    string
	}{
		"what is counted comes first": {
			`select ships.ship, count(*) from arrivals join ships on arrivals.ship = ships.ship group by ships.ship order by count(*) desc limit 2`,
			measured("ship", "count", quern.Integer), []string{`["Cormorant", 14]`, `["Dunlin", 12]`},
			"The 2 ships with the most arrivals are Cormorant (14) and Dunlin (12)."},
		"or last": {
			`select ships.ship from ships join arrivals on ships.ship_id = arrivals.ship_id group by ships.ship order by count(*) desc limit 1`,
			text("ship"), []string{`["Cormorant"]`}, "The ship with the most arrivals is Cormorant."},
		"named by their key's group": {
			`select any_value(customers.name), sum(orders.amount_eur) from customers join orders on customers.customer_id = orders.customer_id
			group by customers.customer_id order by sum(orders.amount_eur) desc limit 1`,
			measured("name", "total_amount_eur", quern.Double), []string{`["Bert", 131424.58000000002]`},
			"The customer with the highest total order amount is Bert (131,424.58 EUR)."},
		"those that have some": {
			`select count(*) from ships where ship in (select ship from arrivals where arrived >= date '2025-01-01' and arrived < date '2026-01-01')`,
			count, []string{`[12]`}, "There are 12 ships with arrivals in 2025."},
		"those that have none": {
			`select name from customers where customer_id not in (select customer_id from orders)`,
			text("name"), []string{`["Dora"]`}, "The name of the customer without orders is Dora."},
		"those of some": {
			`select count(*) from orders where customer_id in (select customer_id from customers where city = 'Kiel')`,
			count, []string{`[1]`}, "There is 1 order of customers whose city is 'Kiel'."},
		"keys are things": {
			`select count(distinct customers.customer_id) from customers join orders on customers.customer_id = orders.customer_id where orders.amount > 3`,
			count, []string{`[2]`}, "There are 2 customers whose order amount is more than 3."},
		"a share begins a sentence": {
			`select 100.0 * count(*) filter (where city = 'Kiel') / nullif(count(*), 0) from customers`,
			[]quern.Column{{Name: "percent", Type: quern.Double}}, []string{`[12.068965517241]`}, "About 12.07 % of customers are those whose city is 'Kiel'."},
		"files have no plural": {`select count(*) from "invoices.xlsx"`, count, []string{`[2]`}, "There are 2 invoices."},
		"texts are not large": {
			`select name, country from customers order by country desc limit 1`, text("name", "country"), []string{`["Ida", "Zambia"]`},
			"The customer whose country comes last in the alphabet is Ida (Zambia)."},
		"sums have no noise": {
			`select sum(fee_eur) from arrivals`, []quern.Column{{Name: "total_fee_eur", Type: quern.Double}}, []string{`[131424.58000000002]`},
			"The total fee of arrivals is 131,424.58 EUR."},
		"measures have units": {
			`select length_m from ships where ship = 'Dunlin'`, []quern.Column{{Name: "length_m", Type: quern.Double}}, []string{`[88.5]`},
			"The length of the ship called 'Dunlin' is 88.5 m."},
		"names are not shouted": {`select count(*) from Members where Active = true`, count, []string{`[30]`}, "There are 30 members that are active."},
		"no is said":            {`select count(*) from Jobs where Rush = 'no'`, count, []string{`[1]`}, "There is 1 job with rush no."},
		"different things": {
			`select count(distinct ship) from arrivals where arrived >= date '2025-01-01' and arrived < date '2026-01-01'`,
			count, []string{`[12]`}, "There are 12 different ships among arrivals in 2025."},
		"plurals are many": {
			`select Concert, Tickets_sold from Concerts order by Tickets_sold desc limit 1`, measured("Concert", "Tickets_sold", quern.Integer),
			[]string{`["Harvest Evening", 327]`}, "The concert with the most tickets sold is Harvest Evening (327)."},
		"grouped by their name": {
			`select customers.name, sum(orders.amount) from customers join orders on customers.customer_id = orders.customer_id
			group by customers.name order by sum(orders.amount) desc limit 1`,
			measured("name", "total_amount", quern.Double), []string{`["Bert", 650]`}, "The customer with the highest total order amount is Bert (650)."},
		"periods": {
			`select strftime(placed, '%Y-%m') as month, count(*) from orders group by strftime(placed, '%Y-%m') order by count(*) desc limit 1`,
			measured("month", "count", quern.Integer), []string{`["2024-03", 14]`}, "The month with the most orders is March 2024 (14)."},
		"groups of which something is so": {
			`select ships.ship from arrivals join ships on arrivals.ship = ships.ship group by ships.ship having count(*) > 10`,
			text("ship"), []string{`["Isolde"]`, `["Lumen"]`}, "The ships for which the number of arrivals is more than 10 are Isolde and Lumen."},
		"different things of groups": {
			`select berth, count(distinct ship) from arrivals group by berth order by count(distinct ship) desc limit 1`,
			measured("berth", "count", quern.Integer), []string{`["North", 9]`}, "The berth with the most different ships of arrivals is North (9)."},
		"units once": {
			`select status, avg(amount_eur) from orders group by status`, measured("status", "average_amount_eur", quern.Double),
			[]string{`["open", 19.5]`, `["paid", 20]`}, "The average amount of orders, per status: open (19.50 EUR) and paid (20.00 EUR)."},
		"marks of others": {
			`select kind from ships join arrivals on ships.ship = arrivals.ship where arrivals.paid = true`, text("kind"), []string{`["tanker"]`},
			"The kind of ships whose arrival is paid: tanker."},
		"numbered otherwise": {
			`select any_value(Members.Name), count(*) from Loans join Members on Loans.Member_No = Members.Member_No group by Members.Member_No
			order by count(*) desc limit 1`,
			measured("Name", "count", quern.Integer), []string{`["Yvonne", 4]`}, "The member with the most loans is Yvonne (4)."},
		"conditions of both": {
			`select count(*) from Patients where Species = 'Dog' and Patient_ID in (select Patient_ID from Visits where Date >= date '2024-01-01' and Date < date '2025-01-01')`,
			count, []string{`[5]`}, "There are 5 patients whose species is 'Dog' and with visits in 2024."},
		"letters of yes": {`select count(*) from Loans where Damaged = 'Y'`, count, []string{`[7]`}, "There are 7 loans that are damaged."},
		"first in time": {
			`select name, joined from members order by joined limit 1`, measured("name", "joined", quern.Date),
			[]string{`["Simon", "2014-02-23"]`}, "The member with the earliest joined date is Simon (23 February 2014)."},
		"years are built in": {
			`select count(*) from ships where built > 1990`, count, []string{`[3]`}, "There are 3 ships built after 1990."},
	} {
		if got := prose.Answer(asktest.Step(c.tree, c.columns, c.rows...)); got != c.want {
			t.Errorf("%s: Answer(%s of %v) = %q, want %q", name, c.tree, c.rows, got, c.want)
		}
	}
}

func TestSummaries(t *testing.T) {
	t.Parallel()
	cut := asktest.Step(`select name from things`, prices[:1], `["a"]`, `["b"]`)
	cut.TotalCount, cut.Truncated = 5_000, true
	for want, step := range map[string]quern.Step{
		"Nothing was found.":                        asktest.Step(`select name from things`, prices[:1]),
		"The result is 7.":                          asktest.Step(`select count(*) from things`, count, `[7]`),
		"Found 1 row.":                              asktest.Step(`select name, price from things`, prices, `["a", 1]`),
		"Found 2 rows.":                             asktest.Step(`select name from things`, prices[:1], `["a"]`, `["b"]`),
		"Found 5,000 rows; 2 are kept here.":        cut,
		"The result is 22 May 2024, 09:30 UTC.":     asktest.Step(`select max(at) from things`, []quern.Column{{Name: "at", Type: quern.Timestamp}}, `["2024-05-22T09:30:00Z"]`),
		"The result is about 0.33.":                 asktest.Step(`select avg(price) from things`, prices[1:], `[0.3333333333]`),
		"The result is unknown.":                    asktest.Step(`select avg(price) from things`, prices[1:], `[null]`),
		"The result is \\<b\\>x\\</b\\>.":           asktest.Step(`select name from things`, prices[:1], `["<b>x</b>"]`),
		"The result is 2,024.":                      asktest.Step(`select sum(price) from things`, prices[1:], `[2024]`),
		"The result is 2024.":                       asktest.Step(`select year from things`, []quern.Column{{Name: "year", Type: quern.Integer}}, `[2024]`),
		"The result is 7000123.":                    asktest.Step(`select orderNumber from things`, []quern.Column{{Name: "orderNumber", Type: quern.Integer}}, `[7000123]`),
		"The result is 1 January 2024.":             asktest.Step(`select day from things`, []quern.Column{{Name: "day", Type: quern.Date}}, `["2024-01-01"]`),
		"The result is empty text.":                 asktest.Step(`select name from things`, prices[:1], `["  "]`),
		"The result is 123,456,789,012,345,678.50.": asktest.Step(`select price from things`, prices[1:], `[123456789012345678.5]`),
	} {
		if got := prose.Summary(step); got != want {
			t.Errorf("Summary(%s) = %q, want %q", step.Data, got, want)
		}
	}
}

func TestContrastComparesOnlyWhatIsAlike(t *testing.T) {
	t.Parallel()
	number := func(tree, value string) quern.Step { return asktest.Step(tree, count, "["+value+"]") }
	for _, c := range []struct {
		steps []quern.Step
		want  string
	}{
		{[]quern.Step{number(`select count(*) from a`, `6`), number(`select count(*) from b`, `4`)},
			"The difference between the two is 2, and the larger is 1.5 times the smaller (computed from the numbers above)."},
		{[]quern.Step{number(`select count(*) from a`, `3`), number(`select count(*) from b`, `3`)}, "These are equal."},
		{[]quern.Step{number(`select count(*) from a`, `3`), number(`select max(year) from b`, `2020`)}, ""},
		{[]quern.Step{number(`select avg(price) from a`, `3`), number(`select avg(weight) from b`, `4`)}, ""},
		{[]quern.Step{number(`select count(*) from a`, `3`), number(`select count(*) from b`, `null`)}, ""},
	} {
		if got := prose.Contrast(c.steps); got != c.want {
			t.Errorf("Contrast(%s, %s) = %q, want %q", c.steps[0].Data, c.steps[1].Data, got, c.want)
		}
	}
}
