package chart_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/chart"
	"quern/tree"
)

// step makes rows: n of them, whose columns are "name type" and whose values are made by
// their names, or cycle through those given.
func step(n int, columns string, values map[string][]string) quern.Step {
	s := quern.Step{TotalCount: int64(n)}
	for column := range strings.SplitSeq(columns, ", ") {
		name, kind, _ := strings.Cut(column, " ")
		s.Columns = append(s.Columns, quern.Column{Name: name, Type: quern.Type(kind)})
	}
	for i := range min(n, 1000) {
		row := map[string]json.RawMessage{"__metadata": json.RawMessage(`{"score":1.0}`)}
		for _, c := range s.Columns {
			text := fmt.Sprint(i)
			if given := values[c.Name]; given != nil {
				text = given[i%len(given)]
			}
			if !c.Type.Numeric() {
				text = `"` + text + `"`
			}
			row[c.Name] = json.RawMessage(text)
		}
		raw, _ := json.Marshal(row)
		s.Data = append(s.Data, raw)
	}
	return s
}

func some(format string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return all
}

func TestRules(t *testing.T) {
	t.Parallel()
	few, many, endless := some("c%d", 5), some("c%d", 30), some("c%d", 150)
	days := []string{"2030-01-01", "2030-01-02", "2030-01-03", "2030-01-04"}
	for _, c := range []struct {
		name, sql string
		rows      int
		columns   string
		values    map[string][]string
		want      quern.Chart // without the reason
	}{
		{"one number", `SELECT count(*) AS n FROM t`, 1, "n integer", nil, quern.Chart{Kind: "numbers", Y: []string{"n"}}},
		{"four numbers", `SELECT min(a) AS a, max(a) AS b, avg(a) AS c, sum(a) AS d FROM t`, 1, "a double, b double, c double, d double", nil,
			quern.Chart{Kind: "numbers", Y: []string{"a", "b", "c", "d"}}},
		{"five numbers", `SELECT min(a) AS a, max(a) AS b, avg(a) AS c, sum(a) AS d, count(a) AS e FROM t`, 1,
			"a double, b double, c double, d double, e integer", nil, quern.Chart{Kind: "table"}},
		{"one number with its name", `SELECT city, count(*) AS n FROM t GROUP BY city ORDER BY n DESC LIMIT 1`, 1, "city text, n integer", nil,
			quern.Chart{Kind: "numbers", X: "city", Y: []string{"n"}}},
		{"a unit", `SELECT sum(fee_eur) AS s FROM t`, 1, "s double", nil, quern.Chart{Kind: "numbers", Y: []string{"s"}, Unit: "EUR"}},
		{"places", `SELECT name, latitude, longitude FROM t`, 9, "name text, latitude double, longitude double", nil,
			quern.Chart{Kind: "scatter", X: "longitude", Y: []string{"latitude"}}},
		{"no rows", `SELECT city, count(*) AS n FROM t GROUP BY city`, 0, "city text, n integer", nil, quern.Chart{Kind: "table"}},
		{"no value", `SELECT DISTINCT city FROM t`, 9, "city text", nil, quern.Chart{Kind: "table"}},
		{"a list of three columns", `SELECT a, b, c FROM t`, 9, "a text, b double, c date", nil, quern.Chart{Kind: "table"}},
		{"all columns", `SELECT * FROM t`, 9, "a text, b double, c date", nil, quern.Chart{Kind: "table"}},
		{"a list with a key", `SELECT order_id, price FROM t`, 9, "order_id integer, price double", nil, quern.Chart{Kind: "table"}},
		{"a list with a postcode", `SELECT zip, price FROM t`, 9, "zip text, price double", nil, quern.Chart{Kind: "table"}},
		{"six shares", `SELECT city, 100.0 * count(*) / nullif(sum(count(*)) OVER (), 0) AS share FROM t GROUP BY city`, 6, "city text, share double", nil,
			quern.Chart{Kind: "shares", X: "city", Y: []string{"share"}, Unit: "%"}},
		{"seven shares", `SELECT city, 100.0 * count(*) / nullif(sum(count(*)) OVER (), 0) AS share FROM t GROUP BY city`, 7, "city text, share double", nil,
			quern.Chart{Kind: "bars", X: "city", Y: []string{"share"}, Unit: "%"}},
		{"weekdays", `SELECT dayname(day) AS d, count(*) AS n FROM t GROUP BY dayname(day)`, 7, "d text, n integer", nil,
			quern.Chart{Kind: "calendarBars", X: "d", Y: []string{"n"}}},
		{"months of the year", `SELECT month(day) AS m, sum(a) AS s FROM t GROUP BY month(day)`, 12, "m integer, s double", nil,
			quern.Chart{Kind: "calendarBars", X: "m", Y: []string{"s"}}},
		{"weekdays by their names", `SELECT d, count(*) AS n FROM t GROUP BY d`, 3, "d text, n integer",
			map[string][]string{"d": {"Mon", "Tue", "Sunday"}}, quern.Chart{Kind: "calendarBars", X: "d", Y: []string{"n"}}},
		{"two points in time", `SELECT day, count(*) AS n FROM t GROUP BY day`, 2, "day date, n integer", map[string][]string{"day": days},
			quern.Chart{Kind: "calendarBars", X: "day", Y: []string{"n"}}},
		{"three points in time", `SELECT day, count(*) AS n FROM t GROUP BY day`, 3, "day date, n integer", map[string][]string{"day": days},
			quern.Chart{Kind: "line", X: "day", Y: []string{"n"}}},
		{"years", `SELECT year, count(*) AS n FROM t GROUP BY year`, 4, "year integer, n integer", map[string][]string{"year": {"2020", "2021", "2022", "2023"}},
			quern.Chart{Kind: "line", X: "year", Y: []string{"n"}}},
		{"years of days", `SELECT year(day) AS y, count(*) AS n FROM t GROUP BY year(day)`, 4, "y integer, n integer", nil,
			quern.Chart{Kind: "line", X: "y", Y: []string{"n"}}},
		{"two values of a column over time", `SELECT day, min(a) AS low, max(a) AS high FROM t GROUP BY day`, 4, "day date, low double, high double",
			map[string][]string{"day": days}, quern.Chart{Kind: "line", X: "day", Y: []string{"low", "high"}}},
		{"values of two units over time", `SELECT day, sum(fee_eur) AS fee, sum(load_kg) AS load FROM t GROUP BY day`, 4, "day date, fee double, load double",
			map[string][]string{"day": days}, quern.Chart{Kind: "table"}},
		{"values of one unit over time", `SELECT day, sum(fee_eur) AS fee, sum(toll_eur) AS toll FROM t GROUP BY day`, 4, "day date, fee double, toll double",
			map[string][]string{"day": days}, quern.Chart{Kind: "line", X: "day", Y: []string{"fee", "toll"}, Unit: "EUR"}},
		{"a few lines", `SELECT day, city, count(*) AS n FROM t GROUP BY day, city`, 20, "day date, city text, n integer",
			map[string][]string{"day": days, "city": few}, quern.Chart{Kind: "line", X: "day", Y: []string{"n"}, Series: "city"}},
		{"many lines that add up", `SELECT day, city, count(*) AS n FROM t GROUP BY day, city`, 120, "day date, city text, n integer",
			map[string][]string{"day": days, "city": many}, quern.Chart{Kind: "line", X: "day", Y: []string{"n"}, Series: "city", Top: 7, Summed: true}},
		{"many lines that do not", `SELECT day, city, avg(a) AS n FROM t GROUP BY day, city`, 120, "day date, city text, n double",
			map[string][]string{"day": days, "city": many}, quern.Chart{Kind: "line", X: "day", Y: []string{"n"}, Series: "city", Top: 7}},
		{"two bars", `SELECT city, count(*) AS n FROM t GROUP BY city`, 2, "city text, n integer", nil, quern.Chart{Kind: "bars", X: "city", Y: []string{"n"}}},
		{"25 bars", `SELECT city, count(*) AS n FROM t GROUP BY city`, 25, "city text, n integer", nil, quern.Chart{Kind: "bars", X: "city", Y: []string{"n"}}},
		{"26 bars", `SELECT city, count(*) AS n FROM t GROUP BY city`, 26, "city text, n integer", nil,
			quern.Chart{Kind: "bars", X: "city", Y: []string{"n"}, Top: 25}},
		{"100 bars", `SELECT city, count(*) AS n FROM t GROUP BY city`, 100, "city text, n integer", nil,
			quern.Chart{Kind: "bars", X: "city", Y: []string{"n"}, Top: 25}},
		{"101 bars", `SELECT city, count(*) AS n FROM t GROUP BY city`, 101, "city text, n integer", nil, quern.Chart{Kind: "table"}},
		{"bars of a list", `SELECT name, price FROM t`, 9, "name text, price double", nil, quern.Chart{Kind: "bars", X: "name", Y: []string{"price"}}},
		{"bars beside a key", `SELECT customer_id, name, count(*) AS n FROM t GROUP BY customer_id, name`, 9, "customer_id integer, name text, n integer", nil,
			quern.Chart{Kind: "bars", X: "name", Y: []string{"n"}}},
		{"a key alone", `SELECT customer_id, count(*) AS n FROM t GROUP BY customer_id`, 9, "customer_id integer, n integer", nil, quern.Chart{Kind: "table"}},
		{"grades", `SELECT grade, count(*) AS n FROM t GROUP BY grade`, 5, "grade integer, n integer", nil, quern.Chart{Kind: "bars", X: "grade", Y: []string{"n"}}},
		{"truths", `SELECT paid, count(*) AS n FROM t GROUP BY paid`, 2, "paid boolean, n integer", nil, quern.Chart{Kind: "bars", X: "paid", Y: []string{"n"}}},
		{"two values for each", `SELECT city, min(a) AS low, max(a) AS high FROM t GROUP BY city`, 5, "city text, low double, high double", nil,
			quern.Chart{Kind: "groupedBars", X: "city", Y: []string{"low", "high"}}},
		{"two units for each", `SELECT city, count(*) AS n, sum(a) AS s FROM t GROUP BY city`, 5, "city text, n integer, s double", nil, quern.Chart{Kind: "table"}},
		{"four values for each", `SELECT city, min(a) AS a, max(a) AS b, avg(a) AS c, median(a) AS d FROM t GROUP BY city`, 5,
			"city text, a double, b double, c double, d double", nil, quern.Chart{Kind: "table"}},
		{"stacked", `SELECT city, kind, count(*) AS n FROM t GROUP BY city, kind`, 20, "city text, kind text, n integer",
			map[string][]string{"city": few, "kind": some("k%d", 4)}, quern.Chart{Kind: "stackedBars", X: "city", Y: []string{"n"}, Series: "kind"}},
		{"next to each other", `SELECT kind, city, avg(a) AS n FROM t GROUP BY kind, city`, 20, "kind text, city text, n double",
			map[string][]string{"city": few, "kind": some("k%d", 4)}, quern.Chart{Kind: "groupedBars", X: "city", Y: []string{"n"}, Series: "kind"}},
		{"heat", `SELECT city, kind, count(*) AS n FROM t GROUP BY city, kind`, 210, "city text, kind text, n integer",
			map[string][]string{"city": many, "kind": some("k%d", 7)}, quern.Chart{Kind: "heat", X: "city", Y: []string{"n"}, Series: "kind"}},
		{"weekdays and hours", `SELECT dayname(at) AS d, hour(at) AS h, count(*) AS n FROM t GROUP BY dayname(at), hour(at)`, 168,
			"d text, h integer, n integer", map[string][]string{"d": some("d%d", 7), "h": some("%d", 24)},
			quern.Chart{Kind: "heat", X: "h", Y: []string{"n"}, Series: "d"}},
		{"too large a grid", `SELECT city, kind, count(*) AS n FROM t GROUP BY city, kind`, 900, "city text, kind text, n integer",
			map[string][]string{"city": endless, "kind": some("k%d", 7)}, quern.Chart{Kind: "table"}},
		{"a histogram", `SELECT price_eur FROM t`, 50, "price_eur double", nil, quern.Chart{Kind: "histogram", X: "price_eur", Unit: "EUR"}},
		{"a scatter", `SELECT price, weight FROM t`, 5000, "price double, weight double", nil, quern.Chart{Kind: "scatter", X: "price", Y: []string{"weight"}}},
		{"a dense scatter", `SELECT price, weight FROM t`, 5001, "price double, weight double", nil,
			quern.Chart{Kind: "binnedScatter", X: "price", Y: []string{"weight"}}},
		{"the first of some days", `SELECT city, min(day) AS first FROM t GROUP BY city`, 5, "city text, first date", nil, quern.Chart{Kind: "table"}},
		{"nested values", `SELECT tags, count(*) AS n FROM t GROUP BY tags`, 5, "tags json, n integer", nil, quern.Chart{Kind: "table"}},
		{"SQL that is no tree", ``, 5, "city text, n integer", nil, quern.Chart{Kind: "bars", X: "city", Y: []string{"n"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var q *tree.Query
			if c.sql != "" {
				var err error
				if q, err = tree.Parse(c.sql); err != nil {
					t.Fatalf("Parse(%s) = %v", c.sql, err)
				}
			}
			got := chart.Choose(q, step(c.rows, c.columns, c.values))
			reason := got.Reason
			if got.Reason = ""; fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("Choose(%s, %d rows) = %+v, want %+v", c.sql, c.rows, got, c.want)
			}
			if len(reason) < 10 || !strings.HasSuffix(reason, ".") {
				t.Errorf("Choose(%s) has the reason %q, want a sentence", c.sql, reason)
			}
		})
	}
}
