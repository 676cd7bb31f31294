package duckdb_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
	"quern/engine/enginetest"
)

// What a query answers over whole segments, it answers over sparse ones.
func TestSparseAnswersTheSame(t *testing.T) {
	t.Parallel()
	enginetest.RunAnswers(t, "../enginetest/testdata", func(t *testing.T, l enginetest.Limits) engine.Engine {
		return enginetest.NewSparse(t, newEngine(t, duckdb.Options{MemoryLimit: l.Memory, MaxTime: l.Time, Concurrency: l.Concurrency, Queue: l.Queue}))
	})
}

// Likewise when it is asked again over views that were kept.
func TestSparseKeptViewsAnswerTheSame(t *testing.T) {
	t.Parallel()
	enginetest.RunAnswers(t, "../enginetest/testdata", func(t *testing.T, l enginetest.Limits) engine.Engine {
		o := duckdb.Options{MemoryLimit: l.Memory, MaxTime: l.Time, Concurrency: l.Concurrency, Queue: l.Queue}
		return again{enginetest.NewSparse(t, newEngine(t, o.KeepingViews()))}
	})
}

// again answers every query when it is asked for the third time.
type again struct{ *enginetest.Sparse }

func (a again) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	q.User = "ada"
	return askedAgain(ctx, a.Sparse, q, 2)
}

// sparseColumns are of every type.
var sparseColumns = []quern.Column{
	{Name: "id", Type: quern.Integer}, {Name: "day", Type: quern.Date}, {Name: "at", Type: quern.Timestamp},
	{Name: "price", Type: quern.Decimal(9, 2)}, {Name: "large", Type: quern.Decimal(18, 3)}, {Name: "huge", Type: quern.Decimal(30, 4)},
	{Name: "score", Type: quern.Double}, {Name: "flag", Type: quern.Boolean}, {Name: "kind", Type: quern.Text},
	{Name: `od"d, na'me`, Type: quern.Text}, {Name: "doc", Type: quern.JSON}, {Name: "rare", Type: quern.Integer},
}

// sparseRows writes rows of all types; the numbers of neighbours are near each other.
func sparseRows(random *rand.Rand, first, count int) string {
	var text strings.Builder
	for i := first; i < first+count; i++ {
		fmt.Fprintf(&text, `{"c0":%d,"c1":"20%02d-0%d-1%d","c2":"2024-01-01T%02d:%02d:%02dZ","c3":%d.%02d,"c4":%d.125,"c5":%d.5,"c6":%g,"c7":%t`,
			i, i/20_000, 1+i/3000%9, i%10, i/3600%24, i/60%60, i%60, i/7, i%100, i*1000, i, random.Float64(), i%3 == 0)
		if i%11 != 0 {
			fmt.Fprintf(&text, `,"c8":"kind %d","c9":"a text of its own %d","c10":{"a":%d,"b":["x",%d]}`, i%40, random.IntN(1e9), i%5, i)
		}
		if i%5000 == 17 {
			fmt.Fprintf(&text, `,"c11":%d`, i)
		}
		text.WriteString("}\n")
	}
	return text.String()
}

// laterColumns are those that the last segment does not have.
var laterColumns = regexp.MustCompile(`(?m),"c9":.*}$`)

// sparseTable is a table of two kinds of segments, the second with fewer columns and in
// row groups of their own.
func sparseTable(t *testing.T, e *duckdb.Engine) engine.Table {
	t.Helper()
	table := engine.Table{Columns: sparseColumns, RowIDs: true}
	random := rand.New(rand.NewPCG(1, 2))
	first := int64(0)
	for i, rows := range []int{70_000, 40_000, 500} {
		columns := sparseColumns
		if i == 2 {
			columns = columns[:9]
		}
		dir := t.TempDir()
		source, path := filepath.Join(dir, "rows.ndjson"), filepath.Join(dir, "s.parquet")
		text := sparseRows(random, int(first), rows)
		if i == 2 {
			text = laterColumns.ReplaceAllString(text, "}")
		}
		if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		written, err := e.Write(t.Context(), engine.Source{Path: source, Columns: columns, Rows: int64(rows)}, path)
		if err != nil || len(written.Foot) < 8 {
			t.Fatalf("Write(%d rows) = %d bytes of foot, %v", rows, len(written.Foot), err)
		}
		table.Segments = append(table.Segments, engine.Segment{Path: path, Columns: columns, FirstRow: first, Rows: written.Rows})
		first += written.Rows
	}
	return table
}

// size is how many bytes a table's files have.
func size(t *testing.T, table engine.Table) (bytes int64) {
	t.Helper()
	for _, s := range table.Segments {
		info, err := os.Stat(s.Path)
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	return bytes
}

func answerOf(t *testing.T, e engine.Engine, sql string, table engine.Table) (string, error) {
	t.Helper()
	rows, err := e.Query(t.Context(), engine.Query{SQL: sql, Resolve: func(context.Context, engine.Ref) (engine.Table, error) { return table, nil }})
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		out = append(out, fmt.Sprint(rows.Row()))
	}
	slices.Sort(out) // most queries have no order
	return strings.Join(out, "\n"), rows.Err()
}

// Of a table only what a query reads is asked for.
func TestSparseAsksForWhatIsRead(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	table := sparseTable(t, e)
	all := size(t, table)
	sparse := enginetest.NewSparse(t, e)
	for _, test := range []struct {
		sql  string
		most float64 // of all bytes
	}{
		{"SELECT count(*) FROM t WHERE false", 0},
		{"SELECT min(id) FROM t WHERE id > 1000000000", 0},
		{"SELECT sum(rare) FROM t", 0.02},
		{"SELECT kind, count(*) FROM t GROUP BY kind", 0.05},
		{"SELECT * FROM t WHERE id = 765", 0.4},
		{"SELECT * FROM t WHERE id BETWEEN 765 AND 800", 0.4},
		{`SELECT * FROM t WHERE "at" < '2024-01-01T00:00:20Z' AND id < 10`, 0.4},
		{"SELECT * FROM t WHERE price < 1.5", 0.4},
		{"SELECT * FROM t WHERE large < 1.5", 0.4},
		{"SELECT max(score) FROM t WHERE day = '2005-01-11'", 0.2},
		{"SELECT huge FROM t WHERE id < 5", 0.1},
		{"SELECT kind, flag FROM t WHERE rare IS NOT NULL ORDER BY day, kind LIMIT 5", 0.1},
	} {
		sparse.Forget()
		want, err := answerOf(t, e, test.sql, table)
		if err != nil {
			t.Fatalf("Query(%s) = %v", test.sql, err)
		}
		got, err := answerOf(t, sparse, test.sql, table)
		if err != nil || got != want {
			t.Errorf("Query(%s) = %.200q, %v, want %.200q", test.sql, got, err, want)
		}
		if share := float64(sparse.Fetched) / float64(all); share > test.most {
			t.Errorf("Query(%s) asked for %.3f of the table, want at most %.3f", test.sql, share, test.most)
		}
	}
}

// queryWriter writes queries at random.
type queryWriter struct{ random *rand.Rand }

func (w queryWriter) one(of ...string) string { return of[w.random.IntN(len(of))] }

func (w queryWriter) column() string {
	return w.one("id", "day", `"at"`, "price", "large", "huge", "score", "flag", "kind", `"od""d, na'me"`, "doc", "rare", "__row")
}

// condition is about one column of one type, null or not.
func (w queryWriter) condition() string {
	n, compare := w.random.IntN(120_000), w.one("=", "<", "<=", ">", ">=", "<>")
	switch w.random.IntN(14) {
	case 0:
		return fmt.Sprintf("id %s %d", compare, n)
	case 1:
		return fmt.Sprintf("id BETWEEN %d AND %d", n, n+w.random.IntN(9000))
	case 2:
		return fmt.Sprintf("day %s '20%02d-03-12'", compare, n/20_000)
	case 3:
		return fmt.Sprintf(`"at" %s '2024-01-01T%02d:%02d:00Z'`, compare, n%24, n%60)
	case 4:
		return fmt.Sprintf("price %s %d.5", compare, n/7)
	case 5:
		return fmt.Sprintf("large %s %d", compare, n*1000)
	case 6:
		return fmt.Sprintf("huge %s %d.5", compare, n)
	case 7:
		return fmt.Sprintf("score %s 0.%d", compare, 1+n%9)
	case 8:
		return w.one("flag", "NOT flag", "flag IS NULL")
	case 9:
		return fmt.Sprintf("kind %s 'kind %d'", compare, n%40)
	case 10:
		return w.column() + w.one(" IS NULL", " IS NOT NULL")
	case 11:
		return fmt.Sprintf("id IN (%d, %d, %d)", n, n/2, n+1)
	case 12:
		return fmt.Sprintf("(doc->>'a') = '%d'", n%5)
	}
	return fmt.Sprintf("(id < %d OR kind LIKE 'kind %d%%')", n/10, n%4)
}

func (w queryWriter) where() string {
	all := []string{}
	for range w.random.IntN(4) {
		all = append(all, w.condition())
	}
	if len(all) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(all, w.one(" AND ", " AND ", " OR "))
}

func (w queryWriter) query() string {
	switch w.random.IntN(10) {
	case 0:
		return "SELECT count(*) FROM t" + w.where()
	case 1:
		return "SELECT * FROM t" + w.where() + " ORDER BY id LIMIT 20"
	case 2:
		column := w.column()
		return fmt.Sprintf("SELECT %s, count(%s), min(%s), max(%s) FROM t%s GROUP BY 1", w.one("kind", "flag", "day"), column, column, column, w.where())
	case 3:
		return fmt.Sprintf("SELECT a.id, b.%s FROM t a JOIN t b ON a.id = b.rare WHERE a.%s IS NOT NULL", w.column(), w.column())
	case 4:
		return fmt.Sprintf("SELECT id, row_number() OVER (PARTITION BY kind ORDER BY id) AS n FROM t%s QUALIFY n <= 2", w.where())
	case 5:
		return fmt.Sprintf("SELECT %s FROM t%s ORDER BY %s DESC NULLS LAST, id LIMIT 5", w.column(), w.where(), w.one("score", "id", "price", "kind"))
	case 6:
		return fmt.Sprintf("WITH x AS (SELECT id, %s AS v FROM t%s) SELECT count(v), sum(id) FROM x WHERE id < (SELECT max(rare) FROM t)", w.column(), w.where())
	case 7:
		return fmt.Sprintf("SELECT count(*) FROM t%s UNION ALL SELECT sum(id) FROM t%s", w.where(), w.where())
	case 8:
		return fmt.Sprintf("SELECT DISTINCT %s FROM t%s", w.one("kind", "flag", "(doc->'b'->>0)", "day", "__row % 7"), w.where())
	}
	return fmt.Sprintf("SELECT %s, %s FROM t%s", w.column(), w.column(), w.where()+" LIMIT 0")
}

// Queries at random answer the same over sparse segments, whatever was fetched of them
// before, and never meet what was not.
func TestSparseQueriesAtRandom(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	table := sparseTable(t, e)
	sparse := enginetest.NewSparse(t, e)
	all := size(t, table)
	seed := rand.Uint64()
	w := queryWriter{rand.New(rand.NewPCG(seed, 3))}
	whole := 0
	const queries = 100
	parts := table
	for i := range queries {
		sql := w.query()
		table := parts
		if i%2 == 0 { // one read is planned otherwise than several
			table.Segments = parts.Segments[:2]
		}
		want, wantErr := answerOf(t, e, sql, table)
		if i%4 != 0 {
			sparse.Forget()
		}
		before := sparse.Fetched
		got, err := answerOf(t, sparse, sql, table)
		if wantErr != nil || err != nil || got != want {
			t.Errorf("seed %d: Query(%s) = %.200q, %v, want %.200q, %v", seed, sql, got, err, want, wantErr)
		}
		if sparse.Fetched-before >= all {
			whole++
		}
	}
	if whole > queries/10 {
		t.Errorf("seed %d: %d of %d queries asked for all there is", seed, whole, queries)
	}
}

// What is not there is an error that says so, of every type and encoding: never rows.
func TestHolesAreNoRows(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	table := sparseTable(t, e)
	hollow := hollowed{enginetest.NewSparse(t, e)}
	for _, c := range sparseColumns {
		for _, sql := range []string{`SELECT %s FROM t WHERE %s IS NOT NULL`, `SELECT count(%s), max(%s::VARCHAR) FROM t`, `SELECT %s FROM t WHERE length(%s::VARCHAR) > 100 AND id >= 0`} {
			name := `"` + strings.ReplaceAll(c.Name, `"`, `""`) + `"`
			sql = fmt.Sprintf(sql, name, name)
			got, err := answerOf(t, hollow, sql, table)
			if e, ok := err.(*quern.Error); !ok || e.Code != quern.CodeDataLost {
				t.Errorf("Query(%s) over holes = %.100q, %v, want %s", sql, got, err, quern.CodeDataLost)
			}
		}
	}
}

// hollowed never fetches anything.
type hollowed struct{ *enginetest.Sparse }

func (h hollowed) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	return h.Sparse.QueryFetching(ctx, q, func(context.Context, []engine.Span) error { return nil })
}
