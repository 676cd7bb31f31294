//go:build trino

package trino_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"quern"
	"quern/catalog"
	"quern/engine"
	"quern/housetest"
	"quern/query"
	"quern/tree"
)

// same are queries that both engines must answer alike: what is known to differ between
// them without a word, and every form of tree.
var same = []string{
	"SELECT count(*) AS n, count(amount) AS c, count(DISTINCT region) AS d FROM sales",
	"SELECT sum(qty) AS s, sum(amount) AS a, sum(weight) AS w, avg(qty) AS aq, avg(amount) AS aa, avg(weight) AS aw FROM sales",
	"SELECT sum(big) AS s, avg(big) AS a FROM edges",
	"SELECT region, min(day) AS a, max(made) AS b, min(amount) AS c, max(name) AS d FROM sales GROUP BY region ORDER BY region",
	"SELECT id, qty / 2 AS a, qty / 4 AS b, amount / 3 AS c, weight / 0 AS d, qty % 3 AS e, qty % 0 AS f FROM sales ORDER BY id",
	"SELECT id, qty * amount AS a, amount + 1 AS b, amount * 2.5 AS c, amount - qty AS d, qty + 1 AS e, weight * amount AS f, amount * amount AS g FROM sales ORDER BY id",
	"SELECT id, round(amount, 1) AS a, round(amount) AS b, round(weight, 1) AS c, round(weight) AS d, abs(amount) AS e, abs(qty) AS f, round(qty, 1) AS g FROM sales ORDER BY id",
	"SELECT id, coalesce(qty, 0) AS a, coalesce(amount, 0) AS b, coalesce(weight, 0) AS c FROM sales ORDER BY id",
	"SELECT big + 1 AS n FROM edges WHERE id = 1",
	"SELECT id, year(day) AS a, quarter(day) AS b, month(day) AS c, day(day) AS d, hour(day) AS e, dayname(day) AS f FROM sales ORDER BY id",
	"SELECT id, year(made) AS a, quarter(made) AS b, month(made) AS c, day(made) AS d, hour(made) AS e, dayname(made) AS f FROM sales ORDER BY id",
	"SELECT id, strftime(made, '%Y-%m') AS a, strftime(made, '%G-W%V') AS b, strftime(made, '%Y-%m-%d') AS c, strftime(made, '%H:%M') AS d, concat(year(made), '-Q', quarter(made)) AS e FROM sales ORDER BY id",
	"SELECT id, strftime(day, '%Y-%m') AS a, strftime(day, '%G-W%V') AS b, strftime(day, '%Y-%m-%d') AS c, concat(year(day), '-Q', quarter(day)) AS e FROM sales ORDER BY id",
	"SELECT id, date_diff('minute', day, made) AS a, date_diff('minute', day, made) / 60.0 AS b, date_diff('day', day, made) AS c, date_sub('week', day, made) AS d, date_sub('month', day, made) AS e, date_sub('year', day, made) AS f FROM sales ORDER BY id",
	"SELECT a.id AS x, b.id AS y1, date_sub('month', a.day, b.day) AS m, date_sub('year', a.day, b.day) AS y, date_sub('week', a.day, b.day) AS w, date_diff('day', a.day, b.day) AS d FROM sales AS a, sales AS b ORDER BY a.id, b.id",
	"SELECT id, lower(name) AS a, upper(name) AS b, length(name) AS c FROM sales ORDER BY id",
	"SELECT id, name, region FROM sales WHERE name LIKE '%a%' OR name ILIKE 'ÜB%' ORDER BY id",
	"SELECT id FROM sales WHERE contains(name, 'a%') OR starts_with(name, 'Ü') OR ends_with(name, 'e') ORDER BY id",
	"SELECT id FROM sales WHERE contains(lower(name), 'ost') OR NOT ends_with(lower(name), 'e') ORDER BY id",
	"SELECT id, region FROM sales ORDER BY region, id",
	"SELECT id, region FROM sales ORDER BY region DESC, id DESC",
	"SELECT id, region FROM sales ORDER BY region NULLS FIRST, id",
	"SELECT id, amount FROM sales ORDER BY amount DESC, id LIMIT 3",
	"SELECT DISTINCT region FROM sales ORDER BY region",
	"SELECT * FROM sales ORDER BY id",
	"SELECT id, tags FROM sales WHERE tags IS NOT NULL ORDER BY id",
	"SELECT s.id, r.boss, r.* FROM sales AS s LEFT JOIN regions AS r ON s.region = r.region ORDER BY s.id",
	"SELECT r.boss, count(*) AS n, sum(s.amount) AS total FROM sales AS s JOIN regions AS r ON s.region = r.region GROUP BY r.boss HAVING count(*) > 1 ORDER BY total DESC",
	"SELECT id FROM sales WHERE amount > (SELECT avg(amount) FROM sales) AND region IN (SELECT region FROM regions) ORDER BY id",
	"SELECT id FROM sales WHERE NOT region IN (SELECT region FROM regions) ORDER BY id",
	"SELECT id FROM sales WHERE EXISTS (SELECT * FROM regions WHERE regions.region = sales.region) ORDER BY id",
	"SELECT region FROM sales UNION SELECT region FROM regions ORDER BY region",
	"SELECT region FROM sales UNION ALL SELECT region FROM regions ORDER BY region",
	"SELECT region FROM sales INTERSECT SELECT region FROM regions ORDER BY region",
	"SELECT region FROM sales EXCEPT SELECT region FROM regions ORDER BY region",
	"SELECT id FROM sales WHERE day BETWEEN DATE '2024-01-31' AND DATE '2024-03-01' ORDER BY id",
	"SELECT id, price + 1 AS a, price * qty AS b, price - 0.5 AS c, price / 3 AS d, round(price, 1) AS e, round(price) AS f, abs(price) AS g, coalesce(price, 0) AS h, price + price AS i, price * 1.5 AS j FROM sales ORDER BY id",
	"SELECT sum(price) AS a, avg(price) AS b, min(price) AS c, max(price) AS d, 100.0 * sum(price) FILTER (WHERE paid = true) / nullif(sum(price), 0) AS e, avg(DISTINCT price) AS f FROM sales",
	"SELECT id, 2.5 * 1.50 AS a, 1.5 + 2 AS b, 0.1 - 0.01 AS c FROM sales ORDER BY id",
	"SELECT qty FROM sales UNION ALL SELECT price FROM sales ORDER BY qty",
	"SELECT big + 2 AS n FROM edges",
	"SELECT id FROM sales WHERE made >= DATE '2024-02-01' AND made < DATE '2025-01-01' ORDER BY id",
	"SELECT id FROM sales WHERE made = TIMESTAMPTZ '2024-02-29T23:59:59.123456Z' OR day = DATE '2023-12-31' ORDER BY id",
	"SELECT id FROM sales WHERE qty IN (1, 2, 3) AND paid = true ORDER BY id",
	"SELECT id FROM sales WHERE NOT (qty > 1 OR paid = false) ORDER BY id",
	"SELECT region, median(qty) AS m, quantile_cont(qty, 0.9) AS q, median(weight) AS w FROM sales GROUP BY region ORDER BY region",
	"SELECT region, count(*) FILTER (WHERE paid = true) AS n, sum(amount) FILTER (WHERE qty > 1) AS s FROM sales GROUP BY region ORDER BY region",
	"SELECT 100.0 * count(*) FILTER (WHERE paid = true) / nullif(count(*), 0) AS share FROM sales",
	"SELECT region, 100.0 * sum(amount) / nullif(sum(sum(amount)) OVER (), 0) AS portion FROM sales GROUP BY region ORDER BY region",
	"SELECT a.id, b.id, a.name FROM sales AS a JOIN sales AS b ON a.id = b.id ORDER BY a.id",
	"SELECT count(*) AS n, sum(n) AS s FROM nothing",
	"SELECT s.id, e.n FROM sales AS s LEFT JOIN nothing AS e ON s.id = e.n ORDER BY s.id",
	`Ontology("sales").filter(qty > 1).count()`,
	`Ontology("sales").filter(region == "north").select("id", "amount")`,
	"SELECT id, text FROM edges ORDER BY id",
	"SELECT id, small, large, wide FROM edges ORDER BY id",
	"SELECT any_value(region) AS r FROM regions WHERE region = 'north'",
}

// refused are queries that the cluster cannot run as they are meant, with what is named.
var refused = map[string]string{
	"SELECT id FROM sales LIMIT 2":                               "limit without an order",
	"SELECT count(*) FROM sales":                                 "name it with AS",
	"SELECT id FROM sales WHERE tags = '[]'":                     "JSON",
	"SELECT __row, id FROM sales":                                "__row",
	"SELECT median(price) AS m FROM sales":                       "median or percentile of decimal",
	"SELECT id, row_number() OVER (ORDER BY id) AS n FROM sales": "",
	"WITH s AS (SELECT id FROM sales) SELECT id FROM s":          "",
	"SELECT regexp_replace(name, 'a', 'b') AS x FROM sales":      "regexp_replace",
	"SELECT day - DATE '2024-01-01' AS d FROM sales":             "date - date",
	"SELECT sum(paid) AS s FROM sales":                           "sum of boolean",
	`Ontology("sales").search("ostrich")`:                        "search",
}

// fill loads what the queries are about.
func (h *house) fill(p quern.Principal) {
	h.Dataset(p, "shop/sales", `[
		{"id":1,"name":"Apple pie","region":"north","day":"2024-01-31","made":"2024-02-29T23:59:59.123456Z","qty":3,"price":12345678901234567.89,"amount":10.05,"weight":0.1,"paid":true,"tags":["a",{"b":1.10}]},
		{"id":2,"name":"Überzug","region":"north","day":"2023-12-31","made":"2023-12-31T00:00:00Z","qty":2,"price":-0.35,"amount":20.50,"weight":2.25e0,"paid":false},
		{"id":3,"name":"ostrich a%","region":"south","day":"2024-02-29","made":"2025-02-28T12:30:30.5Z","qty":1,"price":2.5,"amount":-5.25,"weight":1e10,"paid":true,"tags":[]},
		{"id":4,"name":"ICE","region":null,"day":"2024-03-31","made":"2024-02-29T00:01:00Z","qty":null,"amount":7.00,"weight":-0.35,"paid":null},
		{"id":5,"name":"","region":"west","day":"2020-02-29","made":"2024-12-30T08:05:00Z","qty":-7,"price":1.05,"amount":0.33,"weight":2.5,"paid":false,"tags":{"x":"é"}}]`)
	h.Dataset(p, "shop/regions", `[{"region":"north","boss":"Ann"},{"region":"south","boss":"Bob"},{"region":"east","boss":null}]`)
	h.Dataset(p, "shop/edges", `[
		{"id":1,"big":9223372036854775806,"small":0.00000000000000000000000000000000000001,"large":12345678901234567890.123456789,"wide":1e300,"text":"línea\n2 \"q\" 'x' \\ 😀"},
		{"id":2,"big":9223372036854775807,"small":0,"large":-1.5,"wide":5e-324,"text":"--; \u0001"},
		{"id":3,"big":-9223372036854775808,"small":null,"large":null,"wide":0.30000000000000004,"text":null}]`)
	at := h.Dataset(p, "shop/nothing", `[{"n":1}]`)
	_, err := h.Catalog.Clear(h.t.Context(), p, at)
	housetest.Must(h.t, err)
}

// compare says how two outcomes differ; empty: not.
func compare(want, got outcome) string {
	if (want.err == nil) != (got.err == nil) {
		return fmt.Sprintf("error %v, want %v", got.err, want.err)
	}
	if want.err != nil {
		if quern.KindOf(want.err) != quern.KindOf(got.err) {
			return fmt.Sprintf("error %v, want %v", got.err, want.err)
		}
		return ""
	}
	if !slices.Equal(want.columns, got.columns) {
		return fmt.Sprintf("columns %v, want %v", got.columns, want.columns)
	}
	if len(want.rows) != len(got.rows) {
		return fmt.Sprintf("%d rows, want %d", len(got.rows), len(want.rows))
	}
	for i, row := range want.rows {
		for j, v := range row {
			if !alike(v, got.rows[i][j]) {
				return fmt.Sprintf("row %d, %s: %v (%T), want %v (%T)", i+1, want.columns[j].Name, got.rows[i][j], got.rows[i][j], v, v)
			}
		}
	}
	return ""
}

// alike allows doubles the last digits, which depend on the order of adding.
func alike(a, b any) bool {
	x, isX := a.(float64)
	y, isY := b.(float64)
	if isX && isY {
		return x == y || math.Abs(x-y) <= 1e-12*max(math.Abs(x), math.Abs(y))
	}
	p, _ := json.Marshal(a)
	q, _ := json.Marshal(b)
	return fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b) && string(p) == string(q)
}

func TestTrinoAnswersAsTheEmbeddedEngine(t *testing.T) {
	h := newHouse(t)
	ada := h.User("ada")
	h.fill(ada)
	on := h.on(startCluster(t, h, nodes{}), time.Minute)
	in := quern.NamespacePath{Owner: "ada", Namespace: "shop"}
	begun := time.Now()
	for _, text := range same {
		r := query.Request{In: in, SQL: text}
		want := run(t.Context(), h.Query, ada, r)
		if got := run(t.Context(), on, ada, r); compare(want, got) != "" {
			t.Errorf("%s\n\ton the cluster: %s", text, compare(want, got))
		}
	}
	t.Logf("%d queries took %v on both engines", len(same), time.Since(begun).Round(time.Millisecond))
	for text, named := range refused {
		got := run(t.Context(), on, ada, query.Request{In: in, SQL: text})
		if _, unmapped := errors.AsType[*engine.Unmapped](got.err); !unmapped || !strings.Contains(got.err.Error(), named) {
			t.Errorf("%s\n\ton the cluster: %v, want it refused for %q", text, got.err, named)
		}
	}
	suite(t, h, on)
}

// suite runs the cases of enginetest on both engines, and counts those that map.
func suite(t *testing.T, h *house, on *query.Service) {
	paths, err := filepath.Glob("../../engine/enginetest/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	ada, mapped, all := h.User("ada"), 0, 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		housetest.Must(t, err)
		space := strings.TrimSuffix(filepath.Base(path), ".txtar")
		in := quern.NamespacePath{Owner: "ada", Namespace: space}
		made, wide := map[string]bool{}, false
		for _, file := range txtar.Parse(text).Files {
			kind, name, _ := strings.Cut(file.Name, " ")
			switch kind {
			case "segment":
				_, rows, _ := strings.Cut(strings.TrimSpace(string(file.Data)), "\n")
				list := "[" + strings.ReplaceAll(rows, "\n", ",") + "]"
				if strings.ContainsAny(name, "./") {
					continue // of another namespace
				}
				at := housetest.Path("ada", space+"/"+name)
				if !made[name] {
					h.Dataset(ada, space+"/"+name, "")
				}
				made[name] = true
				if _, err := h.Ingest.JSON(t.Context(), ada, at, strings.NewReader(`{"data":`+list+`}`), ""); err != nil {
					t.Logf("%s: %s is not ingested as it is: %v", space, name, err)
				}
			case "query":
				if all++; !wide {
					housetest.Must(t, h.widen(t.Context()))
				}
				wide = true
				if _, err := tree.Parse(string(file.Data)); err != nil {
					continue
				}
				r := query.Request{In: in, SQL: string(file.Data)}
				want, got := run(t.Context(), h.Query, ada, r), run(t.Context(), on, ada, r)
				if _, unmapped := errors.AsType[*engine.Unmapped](got.err); unmapped {
					t.Logf("%s: %s does not map: %v", space, name, got.err)
					continue
				}
				if mapped++; compare(want, got) != "" {
					t.Errorf("%s: %s\n%s\ton the cluster: %s", space, name, file.Data, compare(want, got))
				}
			}
		}
	}
	t.Logf("%d of the %d cases of enginetest map", mapped, all)
}

// widen has segments rewritten that other engines cannot read, as upkeep does.
func (h *house) widen(ctx context.Context) error {
	for _, l := range h.all() {
		_, _ = h.tables.Load(ctx, l) // which marks the table as one that is asked for
	}
	return h.tables.WidenAll(ctx)
}

// all are ada's datasets.
func (h *house) all() (found []quern.Dataset) {
	listed, _, err := h.Catalog.Datasets(h.t.Context(), h.User("ada"), catalog.Filter{Owner: "ada", Limit: 1_000})
	housetest.Must(h.t, err)
	for _, l := range listed {
		d, err := h.Catalog.Dataset(h.t.Context(), h.User("ada"), l.Path, catalog.Read)
		housetest.Must(h.t, err)
		found = append(found, d)
	}
	return found
}
