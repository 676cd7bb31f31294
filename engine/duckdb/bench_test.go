package duckdb_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

// BenchmarkQuery compares queries through the engine with the same SQL in raw
// DuckDB on the same file: ratio is engine to raw, added-ms the difference.
func BenchmarkQuery(b *testing.B) {
	for _, bench := range []struct {
		name string
		rows int
		sql  string
	}{
		{"Small", 1000, "SELECT g, sum(n) FROM %s GROUP BY g"},
		{"Aggregate10M", 10_000_000, "SELECT g, count(*), sum(n), avg(f) FROM %s GROUP BY g"},
		{"Point10M", 10_000_000, "SELECT * FROM %s WHERE n = 7654321"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			raw := duckdb.OpenRaw(b)
			table := benchTable(b, raw, bench.rows)
			e := newEngine(b, duckdb.Options{})
			rawSQL := fmt.Sprintf(bench.sql, "read_parquet('"+table.Segments[0].Path+"')")
			q := engine.Query{SQL: fmt.Sprintf(bench.sql, "t"), Resolve: func(context.Context, engine.Ref) (engine.Table, error) { return table, nil }}
			var through, direct []time.Duration
			for b.Loop() {
				direct = append(direct, took(func() { raw.Run(b, rawSQL) }))
				through = append(through, took(func() { drainRows(b, e, q) }))
			}
			one, other := median(through), median(direct)
			b.ReportMetric(float64(one)/float64(other), "ratio")
			b.ReportMetric(float64(one-other)/1e6, "added-ms")
		})
	}
}

// BenchmarkWrite compares writing a million rows of ten columns with raw DuckDB
// writing the same Parquet from the same NDJSON.
func BenchmarkWrite(b *testing.B) {
	dir := b.TempDir()
	source, columns, read := benchSource(b, filepath.Join(dir, "rows.ndjson"), 1_000_000)
	raw, e := duckdb.OpenRaw(b), newEngine(b, duckdb.Options{})
	var through, direct []time.Duration
	for b.Loop() {
		direct = append(direct, took(func() {
			raw.Run(b, "COPY (SELECT * FROM read_ndjson('"+source+"', columns = {"+read+"})) TO '"+dir+"/raw.parquet' (FORMAT parquet)")
		}))
		through = append(through, took(func() {
			if _, err := e.Write(b.Context(), engine.Source{Path: source, Columns: columns}, dir+"/engine.parquet"); err != nil {
				b.Fatal(err)
			}
		}))
	}
	b.ReportMetric(float64(median(through))/float64(median(direct)), "ratio")
}

// BenchmarkScan reports how much memory scanning ten million rows adds.
func BenchmarkScan(b *testing.B) {
	table := benchTable(b, duckdb.OpenRaw(b), 10_000_000)
	e := newEngine(b, duckdb.Options{})
	before, peak := residentMiB(b), 0.0
	for b.Loop() {
		rows, err := e.Scan(b.Context(), table, 0, -1)
		if err != nil {
			b.Fatal(err)
		}
		for n := 0; rows.Next(); n++ {
			if n%500_000 == 0 {
				peak = max(peak, residentMiB(b))
			}
		}
		if err := rows.Err(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(peak-before, "added-MiB")
}

func benchTable(b *testing.B, raw duckdb.Raw, rows int) engine.Table {
	b.Helper()
	path := filepath.Join(b.TempDir(), "t.parquet")
	raw.Run(b, fmt.Sprintf("COPY (SELECT i AS n, i %% 97 AS g, i * 0.5::DOUBLE AS f, 'text ' || (i %% 1000) AS s FROM range(%d) r(i)) TO '%s' (FORMAT parquet)", rows, path))
	columns := []quern.Column{{Name: "n", Type: quern.Integer}, {Name: "g", Type: quern.Integer}, {Name: "f", Type: quern.Double}, {Name: "s", Type: quern.Text}}
	return engine.Table{Columns: columns, Segments: []engine.Segment{{Path: path, Columns: columns, Rows: int64(rows)}}}
}

func benchSource(b *testing.B, path string, rows int) (source string, columns []quern.Column, read string) {
	b.Helper()
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	out := bufio.NewWriter(file)
	for i := range rows {
		fmt.Fprintf(out, `{"c0":%d,"c1":%d,"c2":%d.25,"c3":"text %d","c4":"name %d","c5":"2024-01-%02d","c6":"2024-01-01T00:00:%02dZ","c7":%t,"c8":%d.5,"c9":"k%d"}`+"\n",
			i, i%100, i, i%1000, i, i%28+1, i%60, i%2 == 0, i%7, i%5)
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	file.Close()
	types := []quern.Type{quern.Integer, quern.Integer, quern.Double, quern.Text, quern.Text, quern.Date, quern.Timestamp, quern.Boolean, quern.Double, quern.Text}
	names := strings.Fields("BIGINT BIGINT DOUBLE VARCHAR VARCHAR DATE TIMESTAMPTZ BOOLEAN DOUBLE VARCHAR")
	parts := make([]string, len(types))
	for i, t := range types {
		columns = append(columns, quern.Column{Name: fmt.Sprintf("col%d", i), Type: t})
		parts[i] = fmt.Sprintf("c%d: '%s'", i, names[i])
	}
	return path, columns, strings.Join(parts, ", ")
}

func drainRows(b *testing.B, e engine.Engine, q engine.Query) {
	b.Helper()
	rows, err := e.Query(b.Context(), q)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
}

func took(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func residentMiB(b *testing.B) float64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Fatal(err)
	}
	var size, resident float64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		b.Fatal(err)
	}
	return resident * float64(os.Getpagesize()) / (1 << 20)
}
