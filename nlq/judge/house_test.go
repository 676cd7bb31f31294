package judge_test

import (
	"context"
	"database/sql"
	"io"
	"path/filepath"
	"testing"

	"quern"
	"quern/app"
	"quern/catalog"
	"quern/config"
	"quern/nlq/judge"
	"quern/nlq/nlqtest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func quiet(int, int, string) {}

// newHouse starts the product with its own translator.
func newHouse(t *testing.T) *judge.Product {
	t.Helper()
	return houseWith(t, nil)
}

// houseWith starts the product with networks; see app.Options.
func houseWith(t *testing.T, weights [][]byte) *judge.Product {
	t.Helper()
	cfg, err := config.Load(config.Inputs{Flags: map[string]string{
		"data": filepath.Join(t.TempDir(), "data"), "listen": "127.0.0.1:0", "log_level": "error",
	}})
	must(t, err)
	a, err := app.New(t.Context(), cfg, app.Options{Log: io.Discard, Weights: weights})
	must(t, err)
	t.Cleanup(func() { must(t, a.Close()) })
	h, err := a.Judge(t.Context())
	must(t, err)
	return h
}

// scripted returns a house a translator that knows questions by heart.
func scripted(h *judge.Product) *nlqtest.Script {
	s := nlqtest.NewScript(h.Catalog)
	h.Translator = s
	return s
}

// database makes DIR/name.sqlite.
func database(t *testing.T, dir, name string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, name+".sqlite"))
	must(t, err)
	for _, s := range statements {
		_, err := db.ExecContext(t.Context(), s)
		must(t, err)
	}
	must(t, db.Close())
}

var library = []string{
	`CREATE TABLE authors (author_id INTEGER PRIMARY KEY, name TEXT, born DATE, alive BOOLEAN)`,
	`INSERT INTO authors VALUES (1, 'Ada', '1815-12-10', 0), (2, 'Grace', '1906-12-09', 0), (3, 'Barbara', '1939-11-07', 1)`,
	`CREATE TABLE books (book_id INTEGER PRIMARY KEY, author_id INTEGER REFERENCES authors, title TEXT, price REAL, pages)`,
	`INSERT INTO books VALUES (10, 1, 'Notes', 9.5, '120'), (11, 1, 'Letters', 12.0, ''), (12, 2, 'Compilers', 30.25, 300), (13, 3, 'Clu', 20.0, '80')`,
}

// columns returns the names and types of a dataset's columns.
func columns(ctx context.Context, t *testing.T, h *judge.Product, namespace, dataset string) map[string]quern.Type {
	t.Helper()
	path := quern.DatasetPath{Owner: h.Principal.User.Username, Namespace: namespace, Dataset: dataset}
	d, err := h.Catalog.Dataset(ctx, h.Principal, path, catalog.Read)
	must(t, err)
	all := map[string]quern.Type{}
	for _, c := range catalog.DisplayColumns(d) {
		all[c.Name] = c.Type
	}
	return all
}
