package tree_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/tree"
)

var update = flag.Bool("update", false, "write the golden files again")

func path(dataset string) quern.DatasetPath {
	return quern.DatasetPath{Owner: "ada", Namespace: "shop", Dataset: dataset}
}

func table(dataset string, columns ...quern.Column) tree.Table {
	return tree.Table{Path: path(dataset), Columns: columns}
}

// shop is what the tests ask about.
var shop = tree.Schema{In: quern.NamespacePath{Owner: "ada", Namespace: "shop"}, Tables: []tree.Table{
	table("orders", quern.Column{Name: "id", Type: quern.Integer}, quern.Column{Name: "customer_id", Type: quern.Integer},
		quern.Column{Name: "status", Type: quern.Text}, quern.Column{Name: "price", Type: quern.Decimal(10, 2)}, quern.Column{Name: "placed", Type: quern.Date}),
	table("customers", quern.Column{Name: "id", Type: quern.Integer}, quern.Column{Name: "name", Type: quern.Text},
		quern.Column{Name: "city", Type: quern.Text}, quern.Column{Name: "sponsor_id", Type: quern.Integer}),
	table("lines", quern.Column{Name: "order_id", Type: quern.Integer}, quern.Column{Name: "sku", Type: quern.Text}, quern.Column{Name: "count", Type: quern.Integer}),
	table("products", quern.Column{Name: "sku", Type: quern.Text}, quern.Column{Name: "title", Type: quern.Text}),
	table("islands", quern.Column{Name: "sand", Type: quern.Double}),
}}

func link(from, fromColumn, to, toColumn string) tree.Link {
	return tree.Link{Origin: tree.End{Dataset: path(from), Column: fromColumn}, Destination: tree.End{Dataset: path(to), Column: toColumn}, Score: 0.9}
}

var shopLinks = []tree.Link{
	link("orders", "customer_id", "customers", "id"), link("lines", "order_id", "orders", "id"),
	link("lines", "sku", "products", "sku"), link("customers", "sponsor_id", "customers", "id"),
}

// parsed is SQL with what is to be said about it in English and as SQL of the
// engine; testdata/sql.golden holds the answers.
var parsed = []struct{ text string }{
	{`select count(*), customer_id from orders where status = 'open' group by customer_id order by count(*) desc`},
	{`select * from orders`},
	{`SELECT DISTINCT city FROM customers WHERE name LIKE 'A%' OR name ilike '%b' ORDER BY city ASC NULLS LAST LIMIT 10`},
	{`select name from customers where id not in (select customer_id from orders where price > (select avg(price) from orders))`},
	{`select c.name, sum(o.price * 2 + 1) as total from orders o join customers as c on o.customer_id = c.id group by c.name having sum(o.price * 2 + 1) >= 100 order by total desc limit 3`},
	{`select name from customers, orders where orders.status <> 'open' and customers.city is not null`},
	{`select name from customers union select title from products`},
	{`(select city from customers order by city limit 5) intersect select name from customers except select title from products`},
	{`select year(placed), count(distinct customer_id) from orders where placed >= date '2024-01-01' and placed < date '2025-01-01' group by year(placed)`},
	{`select max(price), min(price) from "ada/shop/orders" where price between 1 and 2.5 and not (status = 'x' and price = -3)`},
	{`select count(*) from shop.orders where placed >= date '2024-03-01' and placed < date '2024-04-01'`},
	{`select title from products where contains(lower(title), 'red') and not starts_with(title, 'X') and sku in ('a', 'b''c')`},
	{`select name from customers where exists (select * from orders where orders.customer_id = customers.id)`},
	{`select customers.* from customers left join orders on orders.customer_id = customers.id where orders.id is null`},
	{`select title from products, customers where city = 'Oslo';`},
	{`select name from customers where list_has_all(regexp_extract_all(lower(concat_ws(' ', name, city)), '[\p{L}\p{N}]+'), ['red', 'shoes'])`},
	{`select any_value(name), count(*) from customers group by city order by 2 * count(*)`},
	{`select 100.0 * count(*) filter (where status = 'open') / nullif(count(*), 0) from orders where price > 3`},
	{`select city, 100.0 * count(*) FILTER (WHERE sponsor_id is null) / nullif(count(*), 0) as lone from customers group by city`},
	{`select 50 - 100.0 * count(*) filter (where status = 'open') / nullif(count(*), 0) from orders`},
	{`select 50 * (100.0 * sum(price) / nullif(sum(sum(price)) over (), 0)), 100.0 * sum(price) / nullif(sum(id), 0) from orders`},
	{`select round(100.0 * count(*) filter (where status = 'open') / nullif(count(*), 0), 1) from orders`},
	{`select max(price), count(distinct status), avg(price), sum(price) - 3, year(placed) from orders group by year(placed)`},
	{`select customers.name, products.title, orders.id, customers.id from customers, orders, products`},
	{`select count(*) from orders union select id from customers`},
	{`select sum(price), count(*) from orders where placed >= timestamptz '2024-07-01T00:00:00Z' and placed < timestamptz '2024-08-01T00:00:00Z'`},
	{`select count(*) from customers where id in (select customer_id from orders where placed >= date '2024-01-01' and placed < date '2025-01-01')`},
	{`select name from customers where id in (select customers.id from customers join orders on customers.id = orders.customer_id where city = 'Oslo' or orders.price > 9)`},
	{`select id from orders where customer_id in (select id from customers where name = 'Ada')`},
	{`select count(distinct customers.id) from customers join orders on customers.id = orders.customer_id where orders.placed > date '2024-02-01'`},
	{`select max(price), max(price) as max_price, any_value(status) from orders`},
	{`select avg(length_m) / 1000 as km, length_m * 100 from ships`},
	{`select 100.0 * (sum(price) filter (where year(placed) = 2025) - sum(price) filter (where year(placed) = 2024)) / nullif(sum(price) filter (where year(placed) = 2024), 0) from orders`},
	{`select 100.0 * (count(*) filter (where id = 1) - count(*) filter (where id = 2)) / nullif(count(*) filter (where id = 1), 0) from orders`},
}

// resolved is fluent text, likewise.
var resolved = []struct{ text string }{
	{`Ontology("shop/orders").filter(status == "open" && price != 3)`},
	{`Ontology("orders").filter(status == "open").find("customers").sortDescending("name").limit(5)`},
	{`Ontology("customers").filter(city == "Oslo").searchAround(3).find("products").select("title")`},
	{`Ontology("orders").sortDescending("price").limit(3).follow("customer_id").follow("sponsor_id")`},
	{`Ontology("ada/shop/customers").search("Ada Lovelace").filter(!(city in ["Oslo", "Rome"]) || sponsor_id == null)`},
	{`Ontology("orders").filter(during(placed, date("2024-01-01"), date("2024-04-01")) && between(price, 1, 2) && containsIgnoreCase(status, "Op"))`},
	{"Ontology(\"orders\").filter(`status` != \"it's\" && year(placed) >= 2020)"},
}

func TestGolden(t *testing.T) {
	t.Parallel()
	var sql, fluent strings.Builder
	for _, c := range parsed {
		q, err := tree.Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%s) = %v, want a tree", c.text, err)
			continue
		}
		sql.WriteString(c.text + "\n  " + tree.English(q) + "\n")
		sql.WriteString("  " + resolve(q) + "\n")
	}
	for _, c := range resolved {
		q, err := tree.ParseFluent(c.text)
		if err != nil {
			t.Errorf("ParseFluent(%s) = %v, want a tree", c.text, err)
			continue
		}
		again, err := tree.Fluent(q)
		if err != nil {
			t.Errorf("Fluent(%s) = %v, want text", c.text, err)
		}
		fluent.WriteString(c.text + "\n  " + again + "\n  " + tree.English(q) + "\n  " + resolve(q) + "\n")
	}
	golden(t, "sql.golden", sql.String())
	golden(t, "fluent.golden", fluent.String())
}

func resolve(q *tree.Query) string {
	if err := tree.Resolve(q, shop, shopLinks); err != nil {
		return "error: " + err.Error()
	}
	if err := tree.Validate(q, shop); err != nil {
		return "error: " + err.Error()
	}
	text, err := tree.SQL(q)
	if err != nil {
		return "error: " + err.Error()
	}
	return text
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is printed now; look at it and run with -update:\n%s", file, got)
	}
}
