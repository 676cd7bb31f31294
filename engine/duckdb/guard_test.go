package duckdb_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

func nothing(context.Context, engine.Ref) (engine.Table, error) {
	return engine.Table{}, quern.E(quern.NotFound, quern.CodeNotFound, "no such dataset")
}

func TestQueryRefusesDeepAndLongText(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{})
	for name, sql := range map[string]string{
		"brackets":   "SELECT " + strings.Repeat("(", 50_000) + "1" + strings.Repeat(")", 50_000),
		"open":       "SELECT " + strings.Repeat("(", 50_000),
		"lists":      "SELECT " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"subqueries": strings.Repeat("SELECT * FROM (", 5000) + "SELECT 1" + strings.Repeat(")", 5000),
		"not":        "SELECT " + strings.Repeat("NOT ", 50_000) + "true",
		"minus":      "SELECT " + strings.Repeat("- ", 50_000) + "1",
		"plus":       "SELECT 1" + strings.Repeat(" + 1", 50_000),
		"case":       "SELECT " + strings.Repeat("CASE WHEN true THEN ", 3000) + "1" + strings.Repeat(" END", 3000),
		"unions":     "SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 10_000),
		"arrows":     "SELECT x" + strings.Repeat(" -> x", 40_000),
		"joins":      "SELECT 1 FROM range(1)" + strings.Repeat(" NATURAL JOIN range(1)", 9000),
		"casts":      "SELECT 1" + strings.Repeat("::INT", 40_000),
		"long":       "SELECT '" + strings.Repeat("é", 100_000) + "'",
		"UTF-8":      "SELECT '\xff'",
	} {
		rows, err := e.Query(t.Context(), engine.Query{SQL: sql, Resolve: nothing, MaxRows: 1})
		if err == nil {
			rows.Close()
			continue
		}
		if kind := quern.KindOf(err); kind != quern.Invalid && kind != quern.Timeout {
			t.Errorf("Query(%s) = %v, want rows or a refusal", name, err)
		}
	}
}

func TestNewRefusesWrongOptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, o := range map[string]duckdb.Options{
		"no folder":       {},
		"missing folder":  {TempDir: filepath.Join(dir, "none")},
		"little memory":   {TempDir: dir, MemoryLimit: 1000},
		"negative time":   {TempDir: dir, MaxTime: -1},
		"negative places": {TempDir: dir, Concurrency: -1},
		"negative queue":  {TempDir: dir, Queue: -1},
		"many threads":    {TempDir: dir, Threads: 5000},
		"negative spill":  {TempDir: dir, SpillLimit: -1},
		"many spares":     {TempDir: dir, Spares: 1000},
	} {
		if e, err := duckdb.New(o); err == nil {
			e.Close()
			t.Errorf("New(%s) = nil, want an error", name)
		}
	}
}

func TestDatabasesAreOpenedAtNeed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e, err := duckdb.New(duckdb.Options{TempDir: dir, MemoryLimit: 128 << 20, AtNeed: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if opened, err := os.ReadDir(dir); err != nil || len(opened) != 0 || e.Instances().Taken != 0 {
		t.Errorf("New() opened %v, %v, want nothing", opened, err)
	}
	for range 3 {
		if err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT 1", MaxRows: 1})); err != nil {
			t.Errorf("Query() = %v, want nil", err)
		}
	}
}

func TestQueryLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e, err := duckdb.New(duckdb.Options{TempDir: dir, MemoryLimit: 128 << 20})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := e.Query(t.Context(), engine.Query{SQL: "SELECT md5(i::TEXT) m FROM range(3000000) r(i) ORDER BY m", MaxRows: 10})
	if err != nil || !rows.Next() {
		t.Fatalf("Query(sort that spills) = %v, want rows", err)
	}
	spilled, err := filepath.Glob(filepath.Join(dir, "*", "spill", "*"))
	if err != nil || len(spilled) == 0 {
		t.Errorf("Query(sort that spills) wrote %v, %v into its folder, want something", spilled, err)
	}
	rows.Close()
	if err := e.Close(); err != nil {
		t.Errorf("Close() = %v, want no error", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("after Close the folder holds %v, %v, want nothing", left, err)
	}
}

func FuzzGuard(f *testing.F) {
	text, err := os.ReadFile("../enginetest/testdata/refused.sql")
	if err != nil {
		f.Fatal(err)
	}
	for statement := range strings.SplitSeq(string(text), "\n\n") {
		sql, _, _ := strings.Cut(statement, "\n=> ")
		f.Add(sql)
	}
	for _, sql := range []string{"SELECT 1", "FROM t", "WITH a AS (SELECT 1) SELECT * FROM a", "SELECT * FROM (VALUES (1)) v(x)"} {
		f.Add(sql)
	}
	const secret = "the contents of a file that no query may read"
	dir := f.TempDir()
	path := filepath.Join(dir, "secret.csv")
	if err := os.WriteFile(path, []byte(secret), 0o600); err != nil {
		f.Fatal(err)
	}
	e := newEngine(f, duckdb.Options{MemoryLimit: 128 << 20, MaxTime: 1e9})
	table := smallTable(f, e, 1, 2, 3)
	f.Fuzz(func(t *testing.T, sql string) {
		sql = strings.NewReplacer("/etc/passwd", path, "PATH", path).Replace(sql)
		fuzzQuery(t, e, engine.Query{SQL: sql, Resolve: nothing, MaxRows: 100}, secret)
		// Asked again, it runs on a table that is kept.
		for range 3 {
			fuzzQuery(t, e, engine.Query{SQL: sql, User: "ada", Resolve: func(ctx context.Context, ref engine.Ref) (engine.Table, error) {
				if ref.Dataset != "t" {
					return nothing(ctx, ref)
				}
				return table, nil
			}, MaxRows: 100}, secret)
		}
	})
}

// fuzzQuery runs a query that may fail but not read what it must not.
func fuzzQuery(t *testing.T, e engine.Engine, q engine.Query, secret string) {
	t.Helper()
	rows, err := e.Query(t.Context(), q)
	if err != nil {
		checkFuzzError(t, q.SQL, err)
		return
	}
	defer rows.Close()
	for rows.Next() {
		if slices.ContainsFunc(rows.Row(), func(v any) bool { return v == secret }) {
			t.Fatalf("Query(%q) read a file", q.SQL)
		}
	}
	if err := rows.Err(); err != nil {
		checkFuzzError(t, q.SQL, err)
	}
}

func checkFuzzError(t *testing.T, sql string, err error) {
	t.Helper()
	refusal, ok := errors.AsType[*quern.Error](err)
	if !ok || refusal.Kind == quern.Internal {
		t.Errorf("Query(%q) = %v, want rows, a refusal or a timeout", sql, err)
		return
	}
	if strings.Contains(refusal.Detail, os.TempDir()) && !strings.Contains(sql, os.TempDir()) {
		t.Errorf("Query(%q) = %q, want no path", sql, refusal.Detail)
	}
}
