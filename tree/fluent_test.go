package tree_test

import (
	"regexp"
	"strings"
	"testing"

	"quern/tree"
)

// loose is the fluent form as clients write it, and the SQL that it stands for.
var loose = []struct{ text, want string }{
	{`Ontology(shop/orders).filter(id == 1)`, `SELECT * FROM "orders" WHERE "id" = 1`},
	{`OntologyObject("orders").filter(id == 1).get()`, `SELECT * FROM "orders" WHERE "id" = 1`},
	{`OntologyObject(orders).filter("status" == "open")`, `SELECT * FROM "orders" WHERE "status" = 'open'`},
	{`Ontology("orders").filter(status == open)`, `SELECT * FROM "orders" WHERE "status" = 'open'`},
	{`Ontology("orders").filter("status" == open)`, `SELECT * FROM "orders" WHERE "status" = 'open'`},
	{`Ontology("orders").filter("open" == status)`, `SELECT * FROM "orders" WHERE 'open' = "status"`},
	{`Ontology("orders").filter("id" == "5" && "price" < "2.5")`, `SELECT * FROM "orders" WHERE "id" = 5 AND "price" < 2.5`},
	{`Ontology("orders").filter(placed >= "2024-01-01")`, `SELECT * FROM "orders" WHERE "placed" >= DATE '2024-01-01'`},
	{`Ontology("orders").filter("id" in ["1", 2])`, `SELECT * FROM "orders" WHERE "id" IN (1, 2)`},
	{`Ontology("orders").filter(contains("status", "x"))`, `SELECT * FROM "orders" WHERE contains("status", 'x')`},
	{`Ontology("orders").filter("status" == null)`, `SELECT * FROM "orders" WHERE "status" IS NULL`},
	{`Ontology("orders").filter(id == customer_id)`, `SELECT * FROM "orders" WHERE "id" = "customer_id"`},
	{`Ontology("orders").filter(id == 1, price < 2)`, `SELECT * FROM "orders" WHERE "id" = 1 AND "price" < 2`},
	{`Ontology("orders").filter().column("id == 1").filter().column("status == 'x'")`, `SELECT * FROM "orders" WHERE "id" = 1 AND "status" = 'x'`},
	{`Ontology("orders").sort("id", "ASC").sort(price, DESC).limit(3)`, `SELECT * FROM "orders" ORDER BY "id", "price" DESC LIMIT 3`},
	{`Ontology("orders").sort("id")`, `SELECT * FROM "orders" ORDER BY "id"`},
	{
		`Ontology("orders").find("customers").follow("customer_id")`,
		`SELECT * FROM "customers" WHERE "id" IN (SELECT "customer_id" FROM "orders")`,
	},
	{
		`Ontology("customers").find("orders").follow("id")`,
		`SELECT * FROM "orders" WHERE "customer_id" IN (SELECT "id" FROM "customers")`,
	},
	{ // a column of the dataset that was found: on from there
		`Ontology("orders").find("lines").follow("sku")`,
		`SELECT * FROM "products" WHERE "sku" IN (SELECT "sku" FROM "lines" WHERE "order_id" IN (SELECT "id" FROM "orders"))`,
	},
	{
		`Ontology("orders").searchAround().find("products")`,
		`SELECT * FROM "products" WHERE "sku" IN (SELECT "sku" FROM "lines" WHERE "order_id" IN (SELECT "id" FROM "orders"))`,
	},
	{`Ontology("orders").filter("statu" == "open")`, `error: there is no column "statu"; did you mean "status"?`},
	{`Ontology("orders").filter(statu == "open")`, `error: there is no column "statu"; did you mean "status"?`},
	{`Ontology("orders").filter("x" == "y")`, `error: there is no column "x"`},
	{`Ontology("orders").filter(id == many)`, `error: the column "id" is a number and cannot be compared with text`},
	{`Ontology("orders").find("customers").follow("price")`, `error: no link leads from column "price" of "orders" to "customers"`},
	{`Ontology("orders").follow("customer_id", "price")`, `error: no link leads from column "price" of "orders" to "customers"`},
	{`Ontology("orders").find("nowhere").follow("id")`, `error: there is no dataset "nowhere"`},
	{`Ontology("orders").limit(2).find("customers").follow("id", "customer_id")`, `error: no link leads from column "id" of "orders" to "customers"`},
}

// aliases are what SQL says of sources beyond what matters here.
var aliases = regexp.MustCompile(` AS "\w+"|"\w+"\.`)

func TestTheFluentFormAsClientsWriteIt(t *testing.T) {
	t.Parallel()
	for _, c := range loose {
		q, err := tree.ParseFluent(c.text)
		if err != nil {
			t.Errorf("ParseFluent(%s) = %v, want a tree", c.text, err)
			continue
		}
		if got := aliases.ReplaceAllString(strings.ReplaceAll(fitted(q), `"ada/shop/`, `"`), ""); got != c.want {
			t.Errorf("%s stands for\n\t%s, want\n\t%s", c.text, got, c.want)
		}
	}
}

func fitted(q *tree.Query) string {
	if err := tree.Resolve(q, shop, shopLinks); err != nil {
		return "error: " + err.Error()
	}
	tree.FitValues(q, shop)
	if err := tree.Validate(q, shop); err != nil {
		return "error: " + err.Error()
	}
	text, err := tree.SQL(q)
	if err != nil {
		return "error: " + err.Error()
	}
	return text
}

func TestSeveralColumnsLeadToOneDataset(t *testing.T) {
	t.Parallel()
	links := append([]tree.Link{link("lines", "count", "orders", "price")}, shopLinks...)
	q, err := tree.ParseFluent(`Ontology("lines").filter(sku == "a").follow("order_id", "count").filter(status == "open")`)
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Resolve(q, shop, links); err != nil {
		t.Fatal(err)
	}
	if err := tree.Validate(q, shop); err != nil {
		t.Fatal(err)
	}
	got, err := tree.SQL(q)
	const want = `SELECT * FROM "ada/shop/orders" AS "orders" WHERE EXISTS (SELECT * FROM "ada/shop/lines" AS "lines" WHERE "lines"."sku" = 'a' AND ` +
		`"lines"."order_id" = "orders"."id" AND "lines"."count" = "orders"."price") AND "orders"."status" = 'open'`
	if err != nil || got != want {
		t.Errorf("SQL = %s, %v, want %s", got, err, want)
	}
}

func TestWholeDatasets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "*": "", " * ": "", "Ontology(ns/ds)": "ds ns", ` Ontology ( "ds" ) `: "ds", "OntologyObject('o/ns/ds').get()": "ds ns o",
		"Ontology()": "no", `Ontology("a").limit(1)`: "no", "Ontology(a/b/c/d)": "no", `Ontology("a')`: "no", "select 1": "no", "**": "no",
		"Ontology(a)(b)": "no", `Ontology("")`: "no",
	} {
		names, whole := tree.WholeDataset(text)
		got := strings.Join(names, " ")
		if !whole {
			got = "no"
		}
		if got != want {
			t.Errorf("WholeDataset(%q) = %q, want %q", text, got, want)
		}
	}
}
