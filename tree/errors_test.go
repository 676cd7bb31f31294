package tree_test

import (
	"errors"
	"strings"
	"testing"

	"quern"
	"quern/tree"
)

func TestWrongTextSaysWhere(t *testing.T) {
	t.Parallel()
	cases := []struct{ text, want string }{
		{"", "line 1, column 1: expected SELECT, not the end"},
		{"select 1", "line 1, column 9: expected FROM, not the end"},
		{"select a\nfrom t\nwhere a ~ 1", "line 3, column 9: unexpected '~'"},
		{"select a from t where", "line 1, column 22: expected a column, not the end"},
		{"select a from t where a", "line 1, column 23: expected a condition, not a value"},
		{"select a = 1 from t", "line 1, column 10: expected FROM, not '='"},
		{"select a from t where (a = 1) + 2 = 3", "line 1, column 23: expected a value, not a condition"},
		{"select a from (select b from t)", "line 1, column 15: a query in FROM is not part of what a query tree can hold"},
		{"with x as (select 1) select * from x", "line 1, column 1: WITH is not part of what a query tree can hold"},
		{"select sha1(a) from t", "line 1, column 8: the function sha1 is not part of what a query tree can hold"},
		{"select sum(a) over () from t", "line 1, column 15: OVER is not part of what a query tree can hold"},
		{"select a from t cross join u", "line 1, column 17: CROSS JOIN is not part of what a query tree can hold"},
		{"select a from t join u on t.a < u.a", "line 1, column 31: a join is on equal columns, joined by AND"},
		{"select a from t where a = null", "line 1, column 27: a missing value is found with IS NULL"},
		{"select a from t where d > date '2024-02-30'", "line 1, column 32: '2024-02-30' is not a date"},
		{"select a from t limit -1", "line 1, column 23: a limit is a whole number, not '-'"},
		{"select a from t; drop table t", "line 1, column 18: expected the end, not 'drop'"},
		{"select 'a from t", "line 1, column 8: a quote is not closed"},
		{`select a from "x/y"`, `line 1, column 15: a dataset of another is named "owner/namespace/dataset"`},
		{"select 1a from t", "line 1, column 8: a number runs into a name"},
		{"select " + strings.Repeat("(", 200) + "a", "line 1, column 107: the query nests deeper than 100 levels"},
	}
	for _, c := range cases {
		_, err := tree.Parse(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("Parse(%.60q) = %v, want %s", c.text, err, c.want)
		}
	}
}

func TestWrongFluentTextSaysWhere(t *testing.T) {
	t.Parallel()
	const steps = "filter, search, searchAround, find, follow, select, sort, sortAscending, sortDescending, limit or get"
	cases := []struct{ text, want string }{
		{"Ontology()", "line 1, column 10: a dataset is named \"dataset\", \"namespace/dataset\" or \"owner/namespace/dataset\""},
		{`Ontology("a/b/c/d")`, `line 1, column 10: a dataset is named "dataset", "namespace/dataset" or "owner/namespace/dataset"`},
		{`Ontology("a").drop()`, "line 1, column 15: expected filter, search, searchAround, find, follow, select, sort, sortAscending, sortDescending, limit or get, not 'drop'"},
		{`Ontology("a").filter(b = 1)`, "line 1, column 24: equality is written =="},
		{`Ontology("a").filter(b == )`, "line 1, column 27: expected a value, not ')'"},
		{`Ontology("a").filter(b < null)`, "line 1, column 26: null is compared with == and !="},
		{`Ontology("a").searchAround(2)`, "line 1, column 15: searchAround is followed by find: say which of the datasets around to go to"},
		{`Ontology("a").searchAround(9).find("b")`, "line 1, column 28: expected a whole number from 1 to 6, not '9'"},
		{`Ontology("a").limit(1).filter(b == 1)`, "line 1, column 24: filter comes before limit"},
		{`Ontology("a").select("b").find("c")`, "line 1, column 27: find comes before select"},
		{`Ontology("a").search("!")`, "line 1, column 22: there is no word to search for"},
		{`Ontology("a") x`, "line 1, column 15: expected '.' and a step, not 'x'"},
		{`Ontology("a").filter(b == "\q")`, "line 1, column 28: no such escape in a text"},
		{`Ontology("a").sort("b", "UP")`, `line 1, column 25: expected "ASC" or "DESC", not 'UP'`},
		{`Ontology("a").get().limit(1)`, "line 1, column 20: expected the end, not '.'"},
		{`Ontology("a").filter()`, "line 1, column 23: filter without a condition is followed by column"},
		{`Ontology("a").filter().limit(1)`, "line 1, column 24: filter without a condition is followed by column"},
		{`Ontology("a").filter().column("b = 1")`, "line 1, column 31: equality is written =="},
		{`Ontology("a").filter().column("b == 1 c")`, "line 1, column 31: expected the end of the condition, not 'c'"},
		{`Ontology("a").column("b == 1")`, "line 1, column 15: expected " + steps + ", not 'column'"},
		{`Ontology("a").follow()`, "line 1, column 22: expected a column, not ')'"},
		{`Ontology("a").find()`, `line 1, column 20: a dataset is named "dataset", "namespace/dataset" or "owner/namespace/dataset"`},
		{`Ontology("a").filter(b == date("x"))`, "line 1, column 32: 'x' is not a date"},
	}
	for _, c := range cases {
		_, err := tree.ParseFluent(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("ParseFluent(%s) = %v, want %s", c.text, err, c.want)
		}
	}
}

func TestWhatDoesNotFitTheSchemaIsNamed(t *testing.T) {
	t.Parallel()
	cases := []struct{ text, want string }{
		{"select * from order", `line 1, column 15: expected a dataset, not 'order'`},
		{"select * from ordrs", `line 1, column 15: there is no dataset "ordrs"; did you mean "orders"?`},
		{"select prize from orders", `line 1, column 8: there is no column "prize"; did you mean "price"?`},
		{"select o.prize from orders o", `line 1, column 10: there is no column "prize" in "orders"; did you mean "price"?`},
		{"select zzzzzz from orders", `line 1, column 8: there is no column "zzzzzz"`},
		{"select * from orders where status > 3", `line 1, column 28: the column "status" is text and cannot be compared with a number`},
		{"select * from orders where price = 'cheap'", `line 1, column 28: the column "price" is a number and cannot be compared with text`},
		{"select sum(status) from orders", `line 1, column 12: the column "status" is text where a number is wanted`},
		{"select price + status from orders", `line 1, column 16: the column "status" is text where a number is wanted`},
		{"select year(price) from orders", `line 1, column 13: the column "price" is a number where a time is wanted`},
		{"select * from orders where sum(price) > 3", "line 1, column 28: sum cannot stand here: conditions on groups belong into HAVING"},
		{"select sum(max(price)) from orders", "line 1, column 12: max cannot stand here: conditions on groups belong into HAVING"},
		{"select status, count(*) from orders", `line 1, column 8: the column "status" is neither grouped by nor in an aggregate`},
		{"select *, count(*) from orders", "all columns cannot be listed beside groups or aggregates"},
		{"select status from orders group by status order by price", `line 1, column 52: the column "price" is neither grouped by nor in an aggregate`},
		{"select id from orders, customers", `line 1, column 8: the column "id" could be that of two datasets; say which`},
		{"select status from orders, islands", `line 1, column 28: no links lead to "islands" from the other datasets of the query`},
		{"select a.id from orders a join orders a on a.id = a.id", `line 1, column 8: the name "a" stands for two datasets; give one an alias`},
		{"select name from customers union select id, price from orders", "the two sides of UNION have 1 and 2 columns"},
		{"select name from customers where id in (select * from orders)", "a nested query must have one column, not 5"},
		{"select x.id from orders", `line 1, column 8: there is no dataset "x"`},
		{`Ontology("ordes")`, `line 1, column 10: there is no dataset "ordes"; did you mean "orders"?`},
		{`Ontology("shop/orders").filter(nme == 1)`, `line 1, column 32: there is no column "nme"`},
		{`Ontology("orders").find("islands")`, `line 1, column 25: no path of at most 6 links leads from "orders" to "islands"`},
		{`Ontology("customers").searchAround(2).find("products")`, `line 1, column 44: no path of at most 2 links leads from "customers" to "products"`},
		{`Ontology("orders").find("orders")`, `line 1, column 10: the rows are already those of "orders"`},
		{`Ontology("orders").follow("status")`, `line 1, column 27: no link leads on from column "status"`},
		{`Ontology("orders").follow("custmer_id")`, `line 1, column 27: there is no column "custmer_id" in "orders"; did you mean "customer_id"?`},
		{`Ontology("islands").search("sand")`, `line 1, column 10: "islands" has no text column to search in`},
		{`Ontology("orders").filter(name == "x").find("customers")`, `line 1, column 27: there is no column "name" in "orders"`},
	}
	for _, c := range cases {
		if got := complaint(c.text); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func complaint(text string) string {
	parse := tree.Parse
	if tree.IsFluent(text) {
		parse = tree.ParseFluent
	}
	q, err := parse(text)
	if wrong, ok := errors.AsType[*tree.Error](err); ok {
		return wrong.Invalid().Detail
	}
	if err = tree.Resolve(q, shop, shopLinks); err == nil {
		err = tree.Validate(q, shop)
	}
	if bad, ok := errors.AsType[*tree.Problem](err); ok {
		if e := bad.Invalid(text); e.Kind != quern.Invalid || e.Code != quern.CodeInvalidQuery {
			return "not INVALID_QUERY"
		} else {
			return e.Detail
		}
	}
	return "nothing"
}

func TestOpenTreesAreNotPrintedForTheEngine(t *testing.T) {
	t.Parallel()
	implied, err := tree.Parse("select name from customers, orders")
	if err != nil {
		t.Fatal(err)
	}
	linked, err := tree.ParseFluent(`Ontology("orders").find("customers")`)
	if err != nil {
		t.Fatal(err)
	}
	searching, err := tree.ParseFluent(`Ontology("customers").search("ada")`)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []*tree.Query{implied, linked, searching} {
		if text, err := tree.SQL(q); err == nil {
			t.Errorf("SQL(%s) = %s, want an error before it is resolved", tree.English(q), text)
		}
	}
}
