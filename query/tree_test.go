package query_test

import (
	"context"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
	"quern/tree"
)

func path(dataset string) quern.DatasetPath {
	return quern.DatasetPath{Owner: "ada", Namespace: "shop", Dataset: dataset}
}

var shop = tree.Schema{In: quern.NamespacePath{Owner: "ada", Namespace: "shop"}, Tables: []tree.Table{
	{Path: path("orders"), Columns: []quern.Column{{Name: "id", Type: quern.Integer}, {Name: "customer_id", Type: quern.Integer}, {Name: "status", Type: quern.Text},
		{Name: "unit price", Type: quern.Decimal(10, 2)}, {Name: "placed", Type: quern.Date}, {Name: "seen", Type: quern.Timestamp}, {Name: "paid", Type: quern.Boolean}}},
	{Path: path("customers"), Columns: []quern.Column{{Name: "id", Type: quern.Integer}, {Name: "name", Type: quern.Text}, {Name: "select", Type: quern.Text}}},
}}

// TestTheEngineTakesWhatTheTreePrints holds the printer to the engine's dialect
// and to its guard.
func TestTheEngineTakesWhatTheTreePrints(t *testing.T) {
	t.Parallel()
	eng, err := duckdb.New(duckdb.Options{TempDir: t.TempDir(), MemoryLimit: 128 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = eng.Close() })
	links := []tree.Link{{Origin: tree.End{Dataset: path("orders"), Column: "customer_id"}, Destination: tree.End{Dataset: path("customers"), Column: "id"}, Score: 1}}
	for _, text := range []string{
		`select count(*), customer_id from orders where status = 'it''s' group by customer_id order by count(*) desc nulls last limit 3`,
		`select name, sum("unit price" * 2 - 1) as total from orders, customers group by name having sum("unit price" * 2 - 1) >= 1 order by total`,
		`select distinct name from customers where name like 'A%' or name ilike '%b' or not (name is null) or name not in ('x', 'y')`,
		`select name from customers where id not in (select customer_id from orders where "unit price" > (select avg("unit price") from orders))`,
		`(select name from customers order by name limit 5) intersect select status from orders except select "select" from customers`,
		`select name from customers union all select status from orders order by name`,
		`select year(placed), quarter(placed), month(placed), day(placed), hour(seen), count(distinct customer_id) from orders
			where placed >= date '2024-01-01' and placed < date '2025-01-01' and seen > timestamp '2024-01-01T10:00:00Z' and paid = true group by 1, 2, 3, 4, 5`,
		`select max("unit price"), min(placed), any_value(status), sum(id), avg(id), count(status) from orders where "unit price" between 1 and 2.5 and id % 2 = -1`,
		`select lower(name), upper(name), length(name), abs(id), round(id / 3, 2) from customers where contains(lower(name), 'red') and not starts_with(name, 'X') and ends_with(name, 'y')`,
		`select name from customers where exists (select * from orders where orders.customer_id = customers.id and orders.status = customers.name)`,
		`select c.* from customers c left join orders o on o.customer_id = c.id where o.id is null`,
		`select name from customers where list_has_all(regexp_extract_all(lower(concat_ws(' ', name, "select")), '[\p{L}\p{N}]+'), ['red', 'größe'])`,
		`Ontology("orders").filter(!(status in ["a"]) && year(placed) >= 2020 && seen < timestamp("2024-01-01T10:00:00Z")).sortAscending("unit price").limit(3).find("customers").search("red").select("select")`,
	} {
		parse := tree.Parse
		if tree.IsFluent(text) {
			parse = tree.ParseFluent
		}
		q, err := parse(text)
		if err == nil {
			err = tree.Resolve(q, shop, links)
		}
		if err != nil {
			t.Errorf("%s = %v, want a tree", text, err)
			continue
		}
		sql, err := tree.SQL(q)
		if err != nil {
			t.Errorf("SQL(%s) = %v, want SQL", text, err)
			continue
		}
		run(t, eng, sql)
	}
}

func run(t *testing.T, eng engine.Engine, sql string) {
	t.Helper()
	rows, err := eng.Query(t.Context(), engine.Query{SQL: sql, Resolve: func(_ context.Context, ref engine.Ref) (engine.Table, error) {
		table, _ := shop.Table(quern.DatasetPath(ref))
		return engine.Table{Columns: table.Columns}, nil
	}})
	if err != nil {
		t.Errorf("the engine refuses %s: %v", sql, err)
		return
	}
	defer rows.Close()
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		t.Errorf("the engine fails on %s: %v", sql, err)
	}
}
