package app_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quern/store"
	"quern/store/storetest"
	"quern/test/upgrade"
)

// Every data directory that a released binary left is brought up to date: rows, grants,
// tokens, those that were revoked, questions and originals.
func TestReleasedDataDirectoriesAreUpgraded(t *testing.T) {
	t.Parallel()
	for _, version := range upgrade.Versions(t) {
		t.Run(version+" in files", func(t *testing.T) {
			t.Parallel()
			dir, tokens := upgrade.Unpack(t, version)
			wantUpgraded(t, map[string]string{"data": dir}, tokens)
		})
		t.Run(version+" in postgres", func(t *testing.T) {
			t.Parallel()
			dir, tokens := upgrade.Unpack(t, version)
			url := moveToPostgres(t, filepath.Join(dir, "quern.db"))
			wantUpgraded(t, map[string]string{"data": dir, "database_url": url}, tokens)
		})
	}
}

// moveToPostgres copies metadata in a file, at their own schema version, into a database.
func moveToPostgres(t *testing.T, file string) (url string) {
	t.Helper()
	old := storetest.Open(t, store.Options{File: file, AsIs: true})
	schema, err := old.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o := storetest.Postgres(t)
	err = store.Load(t.Context(), o, store.Loading{Schema: schema, Now: time.Now(), Rows: func(put func(store.Table, [][]any) error) error {
		return old.View(t.Context(), func(tx *store.Tx) error {
			tables, err := tx.Tables(t.Context())
			for _, table := range tables {
				if err == nil {
					err = tx.Dump(t.Context(), table, func(row []any) error { return put(table, [][]any{row}) })
				}
			}
			return err
		})
	}})
	if err != nil {
		t.Fatalf("Load(schema %d) = %v, want nil", schema, err)
	}
	return o.URL
}

func wantUpgraded(t *testing.T, flags map[string]string, tokens upgrade.Tokens) {
	t.Helper()
	cfg := settings(t, flags)
	a, stop := start(t, cfg, io.Discard)
	want := func(method, path, token, body string, status int, text string) {
		t.Helper()
		got, answer := callAs(t, method, a.URL()+"/api/v1"+path, token, body)
		if got != status || !strings.Contains(answer, text) {
			t.Errorf("%s %s %s = %d %.500s, want %d and %s", method, path, body, got, answer, status, text)
		}
	}
	query := func(owner, namespace, sql string) string {
		return `{"username":"` + owner + `","namespace":"` + namespace + `","includeMetadata":false,"query":"` + sql + `"}`
	}
	const orders = "select id, customer, amount, paid from orders order by id"
	rows := `[{"id":1,"customer":"Ada","amount":12.5,"paid":true},{"id":2,"customer":"Grace","amount":7,"paid":false},` +
		`{"id":3,"customer":"Ada","amount":30.25,"paid":true}]`
	want("POST", "/query", tokens.Ada, query("self", "shop", orders), 200, rows)
	want("POST", "/query", tokens.Bob, query("ada", "shop", orders), 200, rows)
	want("POST", "/query", tokens.Ada, query("self", "shop", "select o.id, c.city from orders o join customers c on c.name = o.customer order by o.id"),
		200, `[{"id":1,"city":"London"},{"id":2,"city":"New York"},{"id":3,"city":"London"}]`)
	want("POST", "/query", tokens.Ada, query("self", "private", "select text from notes"), 200, "not shared")
	want("POST", "/query", tokens.Bob, query("ada", "private", "select text from notes"), 404, "NOT_FOUND")
	want("POST", "/query", tokens.Bob, query("ada", "shop", "select name from customers"), 422, "there is no dataset")
	want("GET", "/permissions/datasets/ada/shop/orders/shares", tokens.Ada, "", 200, `"bob"`)
	want("GET", "/query/conversations", tokens.Ada, "", 200, "How many orders are there?")
	want("POST", "/query", tokens.Revoked, query("ada", "shop", orders), 401, "")
	want("POST", "/ingest/shop/orders", tokens.Ada, `{"data":[]}`, 200, "")
	if err := stop(); err != nil {
		t.Errorf("Run() = %v, want nil after a stop", err)
	}
}
