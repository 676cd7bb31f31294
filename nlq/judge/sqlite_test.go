package judge_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/nlq/judge"
	"quern/query"
)

func TestOpenStaysInItsFolder(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	dir := filepath.Join(outside, "in 100% ?#")
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(outside, "x.sqlite"), nil, 0o600))
	database(t, outside, "made", library...)
	must(t, os.Rename(filepath.Join(outside, "made.sqlite"), filepath.Join(dir, "x.sqlite")))
	for _, name := range []string{"../x", "./x", `..\x`, "/x", filepath.Join(dir, "x"), "..", "", "___", "é"} {
		if d, err := judge.Open(dir, name); err == nil {
			t.Errorf("Open(%q) = %v, want an error", name, d)
		}
	}
	if _, err := judge.Open(dir, "y"); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "y.sqlite")) {
		t.Errorf("Open of nothing = %v, want an error that names the file", err)
	}
	d, err := judge.Open(dir, "x")
	must(t, err)
	h := newHouse(t)
	must(t, h.Load(t.Context(), d))
	must(t, d.Close())
	if _, err := os.Stat(filepath.Join(dir, "x.sqlite-wal")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading a database left a file behind: %v", err)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database(t, dir, "my shop.v2",
		`CREATE TABLE "order lines" (id INTEGER, "unit price" REAL, "code" TEXT, amount, said, day DATE, at DATETIME, big, mixed, "say ""hi""" TEXT)`,
		`INSERT INTO "order lines" VALUES
			(1, 1.5, '007', '12', 'a', '2021-03-04', '2021-03-04T10:00:00Z', 9007199254740993, 'x', 'y'),
			(2, NULL, '008', '', '', '2021-03-05', NULL, 1, 2, NULL),
			(3, 2.0, '', '-3.5', char(0) || 'b', NULL, NULL, NULL, 3.5, x'ff61')`,
		`CREATE TABLE _hidden (id INTEGER)`,
		`INSERT INTO _hidden VALUES (1), (2)`,
		`CREATE TABLE bare (id INTEGER, price DECIMAL(8, 2), name VARCHAR(20), "on" DATE, at TIMESTAMP, done BOOLEAN, said)`,
		`CREATE VIEW seen AS SELECT 1`)
	h := newHouse(t)
	for range 2 { // the second time it is there already
		d, err := judge.Open(dir, "my shop.v2")
		must(t, err)
		must(t, h.Load(t.Context(), d))
		must(t, d.Close())
	}
	want := map[string]quern.Type{
		"id": quern.Integer, "unit price": quern.Double, "code": quern.Text, "amount": quern.Double, "said": quern.Text,
		"day": quern.Date, "at": quern.Timestamp, "big": quern.Integer, "mixed": quern.Text, `say "hi"`: quern.Text,
	}
	if got := columns(t.Context(), t, h, "my_shop_v2", "order_lines"); !maps.Equal(got, want) {
		t.Errorf("columns of the lines = %v, want %v", got, want)
	}
	bare := map[string]quern.Type{
		"id": quern.Integer, "price": quern.Double, "name": quern.Text, "on": quern.Date, "at": quern.Timestamp, "done": quern.Boolean, "said": quern.Text,
	}
	if got := columns(t.Context(), t, h, "my_shop_v2", "bare"); !maps.Equal(got, bare) {
		t.Errorf("columns of a table without rows = %v, want %v", got, bare)
	}
	for text, want := range map[string][]any{
		`SELECT count(*) FROM bare`: {int64(0)},
		`SELECT count(*), count(amount), sum(amount), count("unit price"), max(big) FROM order_lines`: {int64(3), int64(2), 8.5, int64(2), int64(9007199254740993)},
		`SELECT count(said), max(said), min(code), max("say ""hi""") FROM order_lines`:                {int64(3), "b", "", "y"},
		`SELECT count(*) FROM hidden`: {int64(2)},
	} {
		if got := one(t, h, "my_shop_v2", text); !judge.Same(rows(got), rows(want), judge.Order{All: true}) {
			t.Errorf("%s = %v, want %v", text, got, want)
		}
	}
	if _, err := h.Catalog.Dataset(t.Context(), h.Principal, quern.DatasetPath{Owner: "judge", Namespace: "my_shop_v2", Dataset: "seen"}, 0); !quern.Is(err, quern.NotFound) {
		t.Errorf("the view became a dataset: %v", err)
	}
}

// one returns the one row of a query.
func one(t *testing.T, h *judge.Product, namespace, text string) []any {
	t.Helper()
	in := quern.NamespacePath{Owner: h.Principal.User.Username, Namespace: namespace}
	found, err := h.Query.SQL(t.Context(), h.Principal, query.Request{In: in, SQL: text})
	must(t, err)
	defer found.Close()
	if !found.Next() {
		t.Fatalf("%s has no row: %v", text, found.Err())
	}
	return append([]any(nil), found.Row()...)
}

func TestLinksAreDiscovered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database(t, dir, "library", library...)
	h := newHouse(t)
	d, err := judge.Open(dir, "library")
	must(t, err)
	must(t, h.Load(t.Context(), d))
	must(t, d.Close())
	s, err := h.Schemas.Schema(t.Context(), h.Principal, quern.NamespacePath{Owner: "judge", Namespace: "library"}, "", nil)
	must(t, err)
	var links []string
	for _, l := range s.Links {
		from, to := s.Columns[l.From], s.Columns[l.To]
		links = append(links, s.Tables[from.Table].Path.Dataset+"."+from.Name+"→"+s.Tables[to.Table].Path.Dataset+"."+to.Name)
	}
	if got := strings.Join(links, " "); !strings.Contains(got, "books.author_id→authors.author_id") {
		t.Errorf("links = %s, want that of books to their authors", got)
	}
}
