package embedded_test

import (
	"strings"
	"testing"

	"quern"
	"quern/nlq"
	"quern/nlq/nlqtest"
	"quern/tree"
)

// parsed gives a query as an earlier turn left it.
func parsed(t *testing.T, sql string) *nlq.Translation {
	t.Helper()
	q, err := tree.Parse(sql)
	must(t, err)
	return &nlq.Translation{Query: q}
}

const (
	ids     = `SELECT "orders"."order_id" FROM "ada/trade/orders" AS "orders"`
	inParis = ids + ` WHERE "orders"."city" = 'Paris'`
	counted = `SELECT count(*) FROM "ada/trade/orders" AS "orders"`
	perCity = `SELECT "orders"."city", count(*) FROM "ada/trade/orders" AS "orders" GROUP BY "orders"."city"`
	joined  = `SELECT "orders"."order_id" FROM "ada/trade/orders" AS "orders" JOIN "ada/trade/shops" AS "shops" ON "orders"."shop_id" = "shops"."shop_id"`
	dearest = ids + ` ORDER BY "orders"."price" DESC LIMIT 3`
	average = `SELECT avg("orders"."price") FROM "ada/trade/orders" AS "orders"`
)

func TestFollowUps(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, c := range []struct{ before, question, rows string }{
		{inParis, "only the open ones", "11"},
		{inParis, "Only the OPEN ones, please!", "11"},
		{inParis, "just orders with status cancelled", "16"},
		{ids, "and in 2021?", "11; 12"},
		{ids, "since 2023", "16; 17"},
		{ids, "what about last year?", "13; 14; 15"},
		{ids + ` WHERE "orders"."date" >= DATE '2022-01-01'`, "before 2023", "13; 14; 15"},
		{inParis, "sort by price", "16; 11"},
		{inParis, "sort them by price, highest first", "11; 16"},
		{perCity, "sort by count", "Lyon 2; Paris 2; Marseille 3"},
		{inParis, "how many is that?", "2"},
		{perCity, "how many are there?", "3"},
		{`SELECT DISTINCT "orders"."status" FROM "ada/trade/orders" AS "orders"`, "how many is that", "3"},
		{inParis, "what about Lyon?", "12; 13"},
		{average + ` WHERE "orders"."city" = 'Paris'`, "and in Lyon", "60"},
		{ids + ` WHERE "orders"."city" IN ('Paris', 'Marseille')`, "what about Lyon?", "12; 13"},
		{ids + ` WHERE NOT "orders"."city" = 'Lyon'`, "what about Lyon?", "12; 13"},
		{ids, "without the cancelled ones", "11; 12; 13; 15; 17"},
		{ids, "only the open ones in Lyon", "13"},
		{ids + ` ORDER BY "orders"."price" DESC`, "only the top 3", "14; 17; 11"},
		{perCity, "only the top 1", "Marseille 3"},
		{dearest, "only the open ones", "17; 11; 13"},
		{counted, "per city", "Lyon 2; Marseille 3; Paris 2"},
		{average, "by status", "cancelled 180; open 120.16666666666667; paid 47.5"},
		{inParis, "also show the date", "11 2021-03-01; 16 2023-06-21"},
		{inParis, "show their price too", "11 120.5; 16 60"},
		{inParis, "over 100", "11"},
		{ids, "with a price under 50", "13; 15"},
		{ids + ` WHERE "orders"."price" > 50`, "and below 100", "12; 16"},
		{ids + ` WHERE "orders"."price" > 50`, "over 150", "14; 17"},
		{ids, "not over 100", "12; 13; 15; 16"},
		{joined + ` WHERE "shops"."town" = 'Paris'`, "what about Lyon?", "13; 14; 15; 17"},
		{joined, "only in the town Lyon", "13; 14; 15; 17"},
	} {
		got := h.Read(c.question, parsed(t, c.before))
		if got.Clarification != nil {
			t.Errorf("Translate(%q) after %s asks back %q, want %s", c.question, c.before, got.Clarification.Question, c.rows)
			continue
		}
		rows := h.RowsOf(h.Ada, got)
		if !strings.Contains(rows, ";") || got.Query.Order == nil {
			rows = nlqtest.Sorted(rows)
		}
		if rows != c.rows {
			t.Errorf("Translate(%q) after %s = %s, which gives %s, want %s", c.question, c.before, got.Reading, rows, c.rows)
		}
		nlqtest.CheckReading(t, c.question, got)
	}
}

// Questions that stand on their own are read as they are without a turn before.
func TestQuestionsAreNotSwallowed(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, text := range []string{
		"how many shops are in Lyon?", "for which cities are there open orders?", "in which town is the shop Harbour?",
		"and what is the average price of orders in the city Lyon?", "How many orders are open?", "show the 3 most expensive orders",
		"with how many orders is Lyon?", "total price per status", "list the name of shops that have cancelled orders",
	} {
		alone, after := h.Read(text, nil), h.Read(text, parsed(t, inParis))
		if alone.SQL != after.SQL {
			t.Errorf("Translate(%q) after another = %s, want %s", text, after.SQL, alone.SQL)
		}
	}
}

// What a follow-up would make nonsense of is left to the networks, which do not
// know of the turn before.
func TestFollowUpsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, c := range []struct{ before, question string }{
		{dearest, "sort by city"},
		{dearest, "per city"},
		{average, "how many is that?"},
		{average, "also show the city"},
		{perCity, "sort by price"},
		{perCity, "also show the price"},
		{perCity, "over 100"},
		{perCity + ` HAVING count(*) > 2`, "per status"},
		{`SELECT DISTINCT "orders"."status" FROM "ada/trade/orders" AS "orders"`, "sort by price"},
		{`SELECT DISTINCT "orders"."status" FROM "ada/trade/orders" AS "orders"`, "also show the city"},
		{ids + ` UNION ` + inParis, "how many is that?"},
		{`SELECT "private"."x" FROM "bob/trade/private" AS "private"`, "how many is that?"},
		{ids, "sort by colour"},
		{ids, "over the moon"},
	} {
		alone, after := h.Read(c.question, nil), h.Read(c.question, parsed(t, c.before))
		if alone.SQL != after.SQL {
			t.Errorf("Translate(%q) after %s = %s, want what it is alone: %s", c.question, c.before, after.SQL, alone.SQL)
		}
	}
}

// What is no question without the one before, and changes nothing in that, is
// asked back.
func TestFragmentsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, c := range []struct{ before, question string }{
		{ids, "only the red ones"},
		{ids, "only the open ones from Mars"},
		{ids, "without the open ones in Lyon"},
		{ids, "only the top 0"},
		{average, "only the top 3"},
		{ids + ` EXCEPT ` + inParis, "only the open ones"},
	} {
		if got := h.Read(c.question, parsed(t, c.before)); got.Clarification == nil {
			t.Errorf("Translate(%q) after %s = %s, want a question back", c.question, c.before, got.SQL)
		}
	}
}

func TestFollowUpsAskBack(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	got := h.Read("what about Lyon?", parsed(t, joined))
	if got.Clarification == nil || len(got.Clarification.Choices) != 2 {
		t.Fatalf("what about Lyon, a city and a town = %+v, want two choices", got)
	}
	checkChoices(t, h, got)
	if got := h.Read("only the top 3", parsed(t, average)); got.Clarification == nil || !strings.Contains(got.Clarification.Question, "answer before") {
		t.Errorf("only the top 3 of one average = %+v, want a question back", got)
	}
}

func TestRowsWithoutAValueAreNotLeftOut(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("tasks", `[{"task":"dig","state":"done"},{"task":"rake","state":null},{"task":"sow","state":"late"}]`)
	got := h.Read("without the late ones", parsed(t, `SELECT "tasks"."task" FROM "ada/trade/tasks" AS "tasks"`))
	if rows := nlqtest.Sorted(h.RowsOf(h.Ada, got)); rows != "dig; rake" {
		t.Errorf("tasks without the late ones = %s, want dig; rake", rows)
	}
}

func TestLongFollowUpsStandOnTheirOwn(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	long := "only the open ones" + strings.Repeat(" please", quern.MaxQuestion/8)
	if alone, after := h.Read(long, nil), h.Read(long, parsed(t, inParis)); alone.SQL != after.SQL {
		t.Errorf("Translate(a long question) after another = %s, want %s", after.SQL, alone.SQL)
	}
}

// TestYearAfter: a year that is a number has one before and one after it.
func TestYearAfter(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("dues", `[{"no":1,"member":"Ann","yr":2024,"amt":30},{"no":2,"member":"Bo","yr":2025,"amt":40},{"no":3,"member":"Ann","yr":2025,"amt":41},
		{"no":4,"member":"Bo","yr":2026,"amt":50}]`)
	first := h.Read("What is the total amt of dues where yr is 2025?", nil)
	for said, want := range map[string]string{"and the year after?": "50", "and the year before?": "30"} {
		if got := h.Read(said, &first); got.Query == nil || nlqtest.Sorted(h.RowsOf(h.Ada, got)) != want {
			t.Errorf("Translate(%q) behind %s = %s, want the rows %s", said, first.SQL, got.SQL, want)
		}
	}
}

// TestTheyOfATop: who is asked about behind a top is who came out on top.
func TestTheyOfATop(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("customers", `[{"cust_no":1,"cust_name":"Castle Lofts","town":"Leeds"},{"cust_no":2,"cust_name":"Hargreave","town":"York"}]`)
	h.Put("jobs", `[{"job_no":11,"cust_no":2,"price":900},{"job_no":12,"cust_no":1,"price":100},{"job_no":13,"cust_no":1,"price":150}]`)
	const said = "which customer has had the most jobs"
	first := h.Read(said, nil)
	after := nlqtest.Question("how much have they spent in total")
	after.Previous = &nlq.Turn{Question: said, Said: []string{said}, Query: first.Query}
	got, err := h.Translate(t.Context(), h.Ada, after)
	if err != nil || got.Query == nil || nlqtest.Sorted(h.RowsOf(h.Ada, got)) != "250" {
		t.Errorf("Translate(%s) behind %s = %s, %v, want 250", after.Text, first.SQL, got.SQL, err)
	}
}
