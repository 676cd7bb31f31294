package enginetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/engine"
)

// testRefused runs every statement of refused.sql, each of which would read
// something other than the caller's data, write, or show how the server is
// built. A case is a statement, then a line with => and the message; a blank
// line ends it. In a statement, \0 stands for NUL and PATH for the path of a
// segment that the query may read by name.
func testRefused(t *testing.T, folder string, maker Maker) {
	e := maker(t, Limits{})
	table := numbers(t, e, 3)
	path := filepath.Join(folder, "refused.sql")
	cases := strings.Split(strings.TrimSpace(readFile(t, path)), "\n\n")
	for i, text := range cases {
		statement, want, _ := strings.Cut(text, "\n=> ")
		sql := strings.NewReplacer(`\0`, "\x00", "PATH", table.Segments[0].Path).Replace(statement)
		_, err := query(t, e, engine.Query{SQL: sql, Resolve: only("t", table)})
		refusal, ok := errors.AsType[*quern.Error](err)
		if !ok || refusal.Kind != quern.Invalid || refusal.Code != quern.CodeInvalidQuery {
			t.Errorf("Query(%q) = %v, want it refused", sql, err)
			continue
		}
		got := strings.ReplaceAll(refusal.Detail, table.Segments[0].Path, "PATH")
		checkSecrets(t, sql, got, table)
		if !*update && got != want {
			t.Errorf("Query(%q) = %q, want %q", sql, got, want)
		}
		cases[i] = statement + "\n=> " + got
	}
	if *update {
		writeFile(t, path, strings.Join(cases, "\n\n")+"\n")
	}
}

// checkSecrets fails when a message tells what the caller did not write.
func checkSecrets(t *testing.T, sql, message string, table engine.Table) {
	t.Helper()
	secrets := []string{filepath.Dir(table.Segments[0].Path), os.TempDir() + "/", "read_parquet(", "CREATE VIEW"}
	for _, secret := range secrets {
		if strings.Contains(message, secret) && !strings.Contains(sql, secret) {
			t.Errorf("Query(%q) = %q, want no mention of %q", sql, message, secret)
		}
	}
}

func testHidden(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	ask := func(reason string) string {
		_, err := query(t, e, engine.Query{
			SQL: "SELECT *\nFROM secret",
			Resolve: func(context.Context, engine.Ref) (engine.Table, error) {
				return engine.Table{}, quern.E(quern.NotFound, quern.CodeNotFound, "%s", reason)
			},
		})
		return failure(t, err)
	}
	missing, hidden := ask("it does not exist"), ask("somebody else's")
	if want := "error INVALID_QUERY line 2, column 6: there is no dataset \"secret\"\n"; missing != hidden || missing != want {
		t.Errorf("Query(missing), Query(hidden) = %q, %q, want both %q", missing, hidden, want)
	}
}

func testResolverError(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	want := quern.E(quern.Unreachable, quern.CodeUnreachable, "the store is away")
	_, err := query(t, e, engine.Query{
		SQL:     "SELECT * FROM t",
		Resolve: func(context.Context, engine.Ref) (engine.Table, error) { return engine.Table{}, want },
	})
	if err != error(want) {
		t.Errorf("Query = %v, want the resolver's error itself", err)
	}
}
