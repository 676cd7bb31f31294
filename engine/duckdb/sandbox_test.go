package duckdb_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

// escapes are statements that no sandbox may run, given a folder and a file in
// it that is not the job's.
func escapes(dir, mine, other string) []string {
	return []string{
		"SELECT * FROM read_csv('" + other + "')",
		"SELECT * FROM '" + other + "'",
		"SELECT * FROM read_text('/etc/passwd')",
		"SELECT * FROM read_blob('" + dir + "/*')",
		"SELECT * FROM glob('" + dir + "/*')",
		"SELECT * FROM read_csv('" + mine + "/../other.csv')",
		"SELECT * FROM read_csv('" + filepath.Dir(mine) + "/../../../other.csv')",
		"COPY (SELECT 1) TO '" + dir + "/new.csv'",
		"EXPORT DATABASE '" + dir + "/new'",
		"ATTACH '" + dir + "/new.db'",
		"INSTALL httpfs",
		"LOAD httpfs",
		"SELECT * FROM 'https://example.org/x.csv'",
		"SET enable_external_access = true",
		"SET allowed_paths = ['" + other + "']",
		"SET allowed_directories = ['" + dir + "']",
		"RESET allowed_directories",
		"SET lock_configuration = false",
		"RESET lock_configuration",
		"SET memory_limit = '100GB'",
		"SET threads = 64",
		"SET temp_directory = '/tmp'",
	}
}

func twoFiles(t *testing.T) (dir, mine, other string) {
	t.Helper()
	dir = t.TempDir()
	mine, other = filepath.Join(dir, "mine.csv"), filepath.Join(dir, "other.csv")
	for _, path := range []string{mine, other} {
		if err := os.WriteFile(path, []byte("a\n1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, mine, other
}

func TestSandboxOfOneJobHoldsWithoutTheGuard(t *testing.T) {
	t.Parallel()
	dir, mine, other := twoFiles(t)
	if err := duckdb.LockedFault(t, []string{mine}, "SELECT * FROM read_csv('"+mine+"')"); err != nil {
		t.Errorf("reading an allowed path = %v, want rows", err)
	}
	for _, sql := range escapes(dir, mine, other) {
		if err := duckdb.LockedFault(t, []string{mine}, sql); err == nil {
			t.Errorf("%s in a locked instance = nil, want it refused", sql)
		}
	}
}

func TestSharedSandboxHoldsWithoutTheGuard(t *testing.T) {
	t.Parallel()
	dir, mine, other := twoFiles(t)
	box := duckdb.OpenSandbox(t)
	box.Begin(t, other)
	before := box.Name(other)
	if err := box.Run("SELECT * FROM read_csv('" + before + "')"); err != nil {
		t.Errorf("reading a file of the job = %v, want rows", err)
	}
	if !box.Reset() {
		t.Fatal("Reset() after a SELECT = false, want true")
	}
	for _, sql := range append(escapes(dir, mine, other),
		"SELECT * FROM read_csv('"+before+"')",
		"SELECT * FROM read_csv('"+mine+"')",
		"SELECT * FROM read_text('/proc/self/environ')",
	) {
		box.Begin(t, mine)
		if err := box.Run("SELECT * FROM read_csv('" + box.Name(mine) + "')"); err != nil {
			t.Errorf("reading a file of the job = %v, want rows", err)
		}
		got := fmt.Sprint(box.Values(t, "SELECT file FROM glob('"+box.Window()+"/*')"))
		if want := "[" + box.Name(mine) + "]"; got != want {
			t.Errorf("files of the window = %v, want %v", got, want)
		}
		if err := box.Run(sql); err == nil {
			t.Errorf("%s in a shared instance = nil, want it refused", sql)
		}
		if !box.Reset() {
			t.Fatalf("Reset() after %s = false, want true", sql)
		}
	}
}

func TestEngineWorksWithoutLinks(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{}.WithoutLinks())
	dir := t.TempDir()
	columns := []quern.Column{{Name: "n", Type: quern.Integer}}
	source, path := filepath.Join(dir, "rows.ndjson"), filepath.Join(dir, "t.parquet")
	if err := os.WriteFile(source, []byte("{\"c0\":41}\n{\"c0\":1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	written, err := e.Write(t.Context(), engine.Source{Path: source, Columns: columns}, path)
	if err != nil || written.Rows != 2 {
		t.Fatalf("Write = %v, %v, want two rows", written, err)
	}
	table := engine.Table{Columns: columns, Segments: []engine.Segment{{Path: path, Columns: columns, Rows: 2}}}
	rows, err := e.Query(t.Context(), engine.Query{
		SQL:     "SELECT sum(n) FROM t",
		Resolve: func(context.Context, engine.Ref) (engine.Table, error) { return table, nil },
	})
	if err != nil {
		t.Fatalf("Query = %v, want rows", err)
	}
	defer rows.Close()
	if !rows.Next() || fmt.Sprint(rows.Row()) != "[42]" {
		t.Errorf("Query(sum) = %v, %v, want 42", rows.Row(), rows.Err())
	}
}

// traces shows everything that a job could leave for the next.
const traces = `SELECT unnest([
	(SELECT list_sort(list(concat(name, '=', value)))::TEXT FROM duckdb_settings()),
	(SELECT list_sort(list(concat(database_name, '.', schema_name, '.', function_name)))::TEXT FROM duckdb_functions() WHERE NOT internal),
	(SELECT list_sort(list(concat(database_name, '.', schema_name)))::TEXT FROM duckdb_schemas()),
	(SELECT list(table_name)::TEXT FROM duckdb_tables()), (SELECT count(*)::TEXT FROM duckdb_views()),
	(SELECT list(database_name)::TEXT FROM duckdb_databases()), (SELECT list(sequence_name)::TEXT FROM duckdb_sequences()),
	(SELECT count(*)::TEXT FROM duckdb_types()), (SELECT list(name)::TEXT FROM duckdb_variables()),
	(SELECT list(name)::TEXT FROM duckdb_prepared_statements()),
	(SELECT count(*)::TEXT FROM duckdb_logs), (SELECT list(path)::TEXT FROM duckdb_temporary_files()),
	(SELECT list(file)::TEXT FROM glob('WINDOW/*')), current_setting('search_path')])`

// What passes the guard by mistake must still leave nothing to the next job in
// the same instance: it is undone, or the instance is not used again.
func TestJobsLeaveNothingToEachOther(t *testing.T) {
	t.Parallel()
	tests := []struct {
		sql   string
		again bool // whether the instance may serve on
	}{
		{"SELECT 1", true},
		{"SELECT * FROM nothing", true},
		{"SELECT error('x')", true},
		{"SELECT setseed(0.5)", true},
		{"CREATE TABLE secret AS SELECT 1 a", true},
		{"CREATE OR REPLACE TABLE main.secret AS SELECT 1 a", true},
		{"CREATE TEMP TABLE secret AS SELECT 1 a", true},
		{"CREATE VIEW secret AS SELECT 1 a", true},
		{"CREATE SCHEMA secret", true},
		{"CREATE SEQUENCE secret", true},
		{"CREATE TYPE secret AS ENUM ('a')", true},
		{"CREATE OR REPLACE MACRO repeat(s, n) AS 'mine'", true},
		{"DROP SCHEMA \"~\" CASCADE", true},
		{"SET VARIABLE secret = 1", true},
		{"PREPARE secret AS SELECT 1", true},
		{"SET schema = 'main'", true},
		{"PRAGMA enable_profiling", true},
		{"COMMIT", false},
		{"ROLLBACK", false},
		{"ATTACH ':memory:' AS secret", true},
		{"SELECT * FROM enable_logging()", false},
		{"CALL enable_logging(level = 'trace')", false},
	}
	for _, test := range tests {
		t.Run(test.sql, func(t *testing.T) {
			t.Parallel()
			_, mine, _ := twoFiles(t)
			box := duckdb.OpenSandbox(t)
			sql := strings.ReplaceAll(traces, "WINDOW", box.Window())
			look := func() string { return fmt.Sprint(box.Values(t, sql)) }
			box.Begin(t)
			want := look()
			if !box.Reset() {
				t.Fatal("Reset() of a new instance = false, want true")
			}
			box.Begin(t, mine)
			_ = box.Run(test.sql)
			again := box.Reset()
			if again != test.again {
				t.Fatalf("Reset() after %s = %t, want %t", test.sql, again, test.again)
			}
			if !again {
				return
			}
			box.Begin(t)
			if got := look(); got != want {
				t.Errorf("after %s the next job finds\n%s, want\n%s", test.sql, got, want)
			}
		})
	}
}
