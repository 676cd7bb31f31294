package enginetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"quern"
	"quern/engine"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// testCases runs every archive under testdata. Its files are, in order:
//
//	table NAME     a table's columns on one line
//	segment NAME   a segment of it: its columns on one line, then its rows
//	query TITLE    SQL
//	result         what the query before returns: columns and rows, or an error
//
// A name is written as in SQL without quotes: dataset, namespace.dataset or
// owner/namespace/dataset.
func testCases(t *testing.T, folder string, maker Maker) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("Glob(%s) = %v, %v, want archives", folder, paths, err)
	}
	e := maker(t, Limits{})
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			runArchive(t, e, path)
		})
	}
}

func runArchive(t *testing.T, e engine.Engine, path string) {
	archive := txtar.Parse([]byte(readFile(t, path)))
	tables := map[string]engine.Table{}
	for i, file := range archive.Files {
		kind, name, _ := strings.Cut(file.Name, " ")
		switch kind {
		case "table":
			tables[quern.NameKey(name)] = engine.Table{Columns: parseColumns(strings.TrimSpace(string(file.Data)))}
		case "segment":
			tables[quern.NameKey(name)] = withSegment(t, e, tables[quern.NameKey(name)], string(file.Data))
		case "query":
			if i+1 == len(archive.Files) || archive.Files[i+1].Name != "result" {
				t.Fatalf("%s: query %q is not followed by its result", path, name)
			}
			t.Run(name, func(t *testing.T) {
				got := outcome(t, e, string(file.Data), tables)
				if want := string(archive.Files[i+1].Data); !*update && got != want {
					t.Errorf("Query(%s) =\n%s, want\n%s", file.Data, got, want)
				}
				archive.Files[i+1].Data = []byte(got)
			})
		}
	}
	if *update {
		writeFile(t, path, string(txtar.Format(archive)))
	}
}

func withSegment(t *testing.T, e engine.Engine, table engine.Table, text string) engine.Table {
	t.Helper()
	head, body, _ := strings.Cut(text, "\n")
	var first int64
	for _, s := range table.Segments {
		first = s.FirstRow + s.Rows
	}
	rows := strings.Split(strings.TrimSpace(body), "\n")
	table.Segments = append(table.Segments, write(t, e, parseColumns(head), first, rows))
	return table
}

// outcome writes what a query returns, as testdata shows it.
func outcome(t *testing.T, e engine.Engine, sql string, tables map[string]engine.Table) string {
	t.Helper()
	resolve := func(_ context.Context, ref engine.Ref) (engine.Table, error) {
		name := ref.Dataset
		switch {
		case ref.Owner != "":
			name = ref.Owner + "/" + ref.Namespace + "/" + ref.Dataset
		case ref.Namespace != "":
			name = ref.Namespace + "." + ref.Dataset
		}
		if table, ok := tables[quern.NameKey(name)]; ok {
			return table, nil
		}
		return engine.Table{}, quern.E(quern.NotFound, quern.CodeNotFound, "no such dataset")
	}
	rows, err := e.Query(t.Context(), engine.Query{SQL: sql, Resolve: resolve})
	if err != nil {
		return failure(t, err)
	}
	columns := columnsText(rows.Columns())
	lines, err := collect(rows)
	if err != nil {
		return failure(t, err)
	}
	return strings.Join(append([]string{columns}, lines...), "\n") + "\n"
}

// failure shows what a caller sees of an error.
func failure(t *testing.T, err error) string {
	t.Helper()
	e, ok := errors.AsType[*quern.Error](err)
	if !ok {
		t.Fatalf("Query = %v, want a quern.Error", err)
	}
	return "error " + string(e.Code) + " " + e.Detail + "\n"
}
