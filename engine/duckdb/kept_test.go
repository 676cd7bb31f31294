package duckdb_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
	"quern/engine/enginetest"
)

// smallTable writes a table of one column n whose content is known.
func smallTable(t testing.TB, e *duckdb.Engine, numbers ...int) engine.Table {
	t.Helper()
	dir := t.TempDir()
	source, path := filepath.Join(dir, "rows.ndjson"), filepath.Join(dir, "t.parquet")
	var text strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&text, "{\"c0\":%d}\n", n)
	}
	if err := os.WriteFile(source, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	columns := []quern.Column{{Name: "n", Type: quern.Integer}}
	written, err := e.Write(context.Background(), engine.Source{Path: source, Columns: columns}, path)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Table{Columns: columns, Segments: []engine.Segment{{Path: path, Columns: columns, Rows: written.Rows, Content: path}}}
}

// answer runs a query as a user who sees one table as t.
func answer(t *testing.T, e *duckdb.Engine, user, sql string, table engine.Table) (string, error) {
	t.Helper()
	rows, err := e.Query(t.Context(), engine.Query{SQL: sql, User: user, Resolve: func(context.Context, engine.Ref) (engine.Table, error) {
		if table.Columns == nil {
			return table, quern.E(quern.NotFound, quern.CodeNotFound, "no such dataset")
		}
		return table, nil
	}})
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		text, err := json.Marshal(rows.Row())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return strings.Join(out, " "), rows.Err()
}

func TestKeptTablesAreOfOneUserAndVersion(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Concurrency: 1})
	first, second, other := smallTable(t, e, 1, 2, 3), smallTable(t, e, 1, 2, 3, 4), smallTable(t, e, 100)
	const sql = "SELECT sum(n) AS s, count(*) AS c FROM t"
	for round := range 4 {
		for _, test := range []struct {
			user  string
			table engine.Table
			want  string
		}{{"ada", first, "[6,3]"}, {"bob", other, "[100,1]"}, {"ada", second, "[10,4]"}, {"eve", first, "[6,3]"}} {
			if got, err := answer(t, e, test.user, sql, test.table); err != nil || got != test.want {
				t.Errorf("round %d: Query(%s) of %s = %s, %v, want %s", round, sql, test.user, got, err, test.want)
			}
		}
		if _, err := answer(t, e, "ada", sql, engine.Table{}); !quern.Is(err, quern.Invalid) {
			t.Errorf("round %d: Query of a table that is not seen any more = %v, want it refused", round, err)
		}
		// Who names nothing finds nothing of what is kept.
		if _, err := answer(t, e, "ada", `SELECT * FROM "~0"`, engine.Table{}); !quern.Is(err, quern.Invalid) {
			t.Errorf("round %d: Query of our own table = %v, want it refused", round, err)
		}
	}
	if worlds, uses := e.Kept(); worlds != 4 || uses != 4*3 {
		t.Errorf("kept = %d worlds that served %d queries, want 4 and 12: all but the first of each", worlds, uses)
	}
}

func TestKeptStatementsAreRunAnew(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Concurrency: 1})
	table := smallTable(t, e, 1, 2, 3)
	for _, sql := range []string{"SELECT now()::TIMESTAMP AS at, count(*) FROM t", "SELECT random(), count(*) FROM t", "SELECT uuid()::TEXT FROM t LIMIT 1"} {
		seen := map[string]bool{}
		for range 5 {
			got, err := answer(t, e, "ada", sql, table)
			if err != nil || seen[got] {
				t.Errorf("Query(%s) = %s, %v, want what it was not before", sql, got, err)
			}
			seen[got] = true
		}
	}
	// A statement that fails when it runs leaves the others as they were.
	for range 4 {
		if _, err := answer(t, e, "ada", "SELECT CAST('x' || n AS INTEGER) FROM t", table); !quern.Is(err, quern.Invalid) {
			t.Errorf("Query(a cast that fails) = %v, want it refused", err)
		}
		if got, err := answer(t, e, "ada", "SELECT n FROM t ORDER BY n DESC", table); err != nil || got != "[3] [2] [1]" {
			t.Errorf("Query afterwards = %s, %v, want the rows", got, err)
		}
	}
}

func TestKeptIsBounded(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Concurrency: 1})
	for i := range 20 {
		table := smallTable(t, e, i)
		for range 3 {
			if got, err := answer(t, e, "ada", "SELECT n FROM t", table); err != nil || got != fmt.Sprintf("[%d]", i) {
				t.Fatalf("Query(%d) = %s, %v, want it", i, got, err)
			}
		}
	}
	if worlds, _ := e.Kept(); worlds != duckdb.MaxKept {
		t.Errorf("kept worlds = %d, want %d", worlds, duckdb.MaxKept)
	}
	// What is large, whose content is not known, or that nobody asks for, is not kept in memory.
	e = newEngine(t, duckdb.Options{Concurrency: 1})
	large, unknown, nobody := smallTable(t, e, make([]int, duckdb.MaxKeptRows+1)...), smallTable(t, e, 1), smallTable(t, e, 1)
	unknown.Segments[0].Content = ""
	for range 3 {
		for user, table := range map[string]engine.Table{"ada": large, "bob": unknown, "": nobody} {
			if _, err := answer(t, e, user, "SELECT count(*) FROM t", table); err != nil {
				t.Fatal(err)
			}
		}
	}
	if worlds, _ := e.Kept(); worlds != 0 {
		t.Errorf("kept worlds = %d, want none", worlds)
	}
	if worlds, uses := e.KeptViews(); worlds != 1 || uses != 2 {
		t.Errorf("kept views = %d worlds that served %d queries, want those of the large one, and 2", worlds, uses)
	}
	e.ForgetKept()
}

// Views of files are kept as tables are: of one user and version, a few of them, for a while.
func TestKeptViewsAreOfOneUserAndVersion(t *testing.T) {
	t.Parallel()
	o := duckdb.Options{Concurrency: 1}.KeepingViews()
	e := newEngine(t, o)
	tables := make([]engine.Table, duckdb.MaxKeptViews+2)
	for i := range tables {
		tables[i] = smallTable(t, e, i, 1000)
	}
	const sql = "SELECT n FROM t WHERE n < 1000"
	for i, table := range tables {
		for range 3 {
			for _, user := range []string{"ada", "eve"} {
				if got, err := answer(t, e, user, sql, table); err != nil || got != fmt.Sprintf("[%d]", i) {
					t.Errorf("Query(%s) of %s = %s, %v, want %d", sql, user, got, err, i)
				}
			}
			if _, err := answer(t, e, "ada", sql, engine.Table{}); !quern.Is(err, quern.Invalid) {
				t.Errorf("Query of a table that is not seen any more = %v, want it refused", err)
			}
		}
	}
	if worlds, uses := e.KeptViews(); worlds != duckdb.MaxKeptViews || uses != 2*duckdb.MaxKeptViews {
		t.Errorf("kept views = %d worlds that served %d queries, want %d and %d: all but the first of each",
			worlds, uses, duckdb.MaxKeptViews, 2*duckdb.MaxKeptViews)
	}
	if worlds, _ := e.Kept(); worlds != 0 {
		t.Errorf("kept worlds = %d, want none in memory", worlds)
	}
	e.ForgetKept()
	if worlds, _ := e.KeptViews(); worlds != 0 {
		t.Errorf("kept views after their time = %d, want none", worlds)
	}
}

// known gives the segments of queries a content, and asks each again.
type known struct{ *duckdb.Engine }

func (k known) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	resolve := q.Resolve
	if q.User == "" {
		q.User = "ada"
	}
	q.Resolve = func(ctx context.Context, ref engine.Ref) (engine.Table, error) {
		table, err := resolve(ctx, ref)
		table.Segments = slices.Clone(table.Segments)
		for i := range table.Segments {
			table.Segments[i].Content = table.Segments[i].Path
		}
		return table, err
	}
	return askedAgain(ctx, k.Engine, q, 3)
}

// askedAgain answers a query that was asked so many times before.
func askedAgain(ctx context.Context, e engine.Querier, q engine.Query, times int) (engine.Rows, error) {
	for range times {
		rows, err := e.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
		}
		_ = rows.Close()
	}
	return e.Query(ctx, q)
}

// What a query answers, it answers when it is asked again over views that were kept.
func TestKeptViewsAnswerTheSame(t *testing.T) {
	t.Parallel()
	enginetest.RunAnswers(t, "../enginetest/testdata", func(t *testing.T, l enginetest.Limits) engine.Engine {
		o := duckdb.Options{MemoryLimit: l.Memory, MaxTime: l.Time, Concurrency: l.Concurrency, Queue: l.Queue}
		return known{newEngine(t, o.KeepingViews())}
	})
}

// An instance with views that are kept reaches the files of its own tables and no other.
func TestKeptViewsSandboxHoldsWithoutTheGuard(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Concurrency: 1}.KeepingViews())
	table := smallTable(t, e, 1, 2, 3)
	dir, mine, other := twoFiles(t)
	box := e.KeepForTest(t, table)
	for _, sql := range slices.Concat(escapes(dir, mine, other), []string{
		"SELECT * FROM read_parquet('" + table.Segments[0].Path + "')",
		"SELECT * FROM read_csv('" + mine + "')",
		"SELECT * FROM read_text('/proc/self/environ')",
		"SET GLOBAL parquet_metadata_cache = false",
	}) {
		if err := box.Run(sql); err == nil {
			t.Errorf("%s in an instance that is kept = nil, want it refused", sql)
		}
	}
	if got := box.Values(t, "SELECT count(*) FROM glob('"+box.Window()+"/*')"); fmt.Sprint(got) != "[1]" {
		t.Errorf("files of the window = %v, want the table's", got)
	}
	if got := box.Values(t, "SELECT sum(n)::BIGINT FROM t"); fmt.Sprint(got) != "[6]" {
		t.Errorf("the table in an instance that is kept = %v, want 6", got)
	}
}

func TestKeptIsForgotten(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Concurrency: 1})
	table := smallTable(t, e, 7)
	for range 2 {
		for range 3 {
			if got, err := answer(t, e, "ada", "SELECT n FROM t", table); err != nil || got != "[7]" {
				t.Fatalf("Query = %s, %v, want 7", got, err)
			}
		}
		e.ForgetKept()
		if worlds, _ := e.Kept(); worlds != 0 {
			t.Errorf("kept worlds after their time = %d, want none", worlds)
		}
	}
}

// An instance that is kept reaches no file, not even those of its own tables.
func TestKeptSandboxHoldsWithoutTheGuard(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Concurrency: 1})
	table := smallTable(t, e, 1, 2, 3)
	dir, mine, other := twoFiles(t)
	box := e.KeepForTest(t, table)
	segment := table.Segments[0].Path
	for _, sql := range slices.Concat(escapes(dir, mine, other), []string{
		"SELECT * FROM read_parquet('" + segment + "')",
		"SELECT * FROM read_parquet('" + box.Window() + "/1.parquet')",
		"SELECT * FROM read_csv('" + mine + "')",
		"SELECT * FROM read_text('/proc/self/environ')",
	}) {
		if err := box.Run(sql); err == nil {
			t.Errorf("%s in an instance that is kept = nil, want it refused", sql)
		}
	}
	if got := box.Values(t, "SELECT count(*) FROM glob('"+box.Window()+"/*')"); fmt.Sprint(got) != "[0]" {
		t.Errorf("files of the window = %v, want none", got)
	}
	if got := box.Values(t, "SELECT sum(n)::BIGINT FROM t"); fmt.Sprint(got) != "[6]" {
		t.Errorf("the table in an instance that is kept = %v, want 6", got)
	}
}
