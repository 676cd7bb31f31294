package iceberg_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/catalog"
	"quern/housetest"
	"quern/iceberg"
	"quern/opentable"
	"quern/store"
)

type house struct {
	*housetest.House
	t       *testing.T
	handler http.Handler
	tokens  map[string]string
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{House: housetest.New(t, housetest.Options{}), t: t, tokens: map[string]string{}}
	tables := opentable.New(opentable.Options{
		Store: h.Store, Catalog: h.Catalog, Objects: h.Objects, Still: h.Auth.Still, Rewrite: h.Ingest,
		Bucket: "quern-tables", Endpoint: housetest.PublicURL, Region: "us-east-1", Grace: time.Hour, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	h.handler = iceberg.New(iceberg.Options{Auth: h.Auth.ForTables(), Usage: h.Auth, Catalog: h.Catalog, Tables: tables, Now: time.Now})
	return h
}

// send sends a request as a user, or as nobody, below /iceberg/v1.
func (h *house) send(user, method, path string) *httptest.ResponseRecorder {
	h.t.Helper()
	r := httptest.NewRequestWithContext(h.t.Context(), method, iceberg.Path+"/v1"+path, nil)
	if user != "" {
		if h.tokens[user] == "" {
			_, secret, err := h.Auth.CreateToken(h.t.Context(), h.User(user), quern.TokenSpec{Name: "reader"})
			housetest.Must(h.t, err)
			h.tokens[user] = secret
		}
		r.Header.Set("Authorization", "Bearer "+h.tokens[user])
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w
}

// ask sends a request and reads the answer.
func (h *house) ask(user, method, path string) (int, map[string]any) {
	h.t.Helper()
	w := h.send(user, method, path)
	var body map[string]any
	if w.Body.Len() > 0 {
		housetest.Must(h.t, json.Unmarshal(w.Body.Bytes(), &body))
	}
	return w.Code, body
}

// want asks and holds the status and a part of the answer.
func (h *house) want(user, method, path string, status int, part string) map[string]any {
	h.t.Helper()
	got, body := h.ask(user, method, path)
	text, _ := json.Marshal(body)
	if got != status || !strings.Contains(string(text), part) {
		h.t.Errorf("%s %s as %q = %d %.300s, want %d with %s", method, path, user, got, text, status, part)
	}
	return body
}

// TestSnapshotsThatAreAskedFor are all that are kept, or those that branches lead to.
func TestSnapshotsThatAreAskedFor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ada := h.User("ada")
	const ships = "/ada/namespaces/harbour/tables/ships"
	at := h.Dataset(ada, "harbour/ships", "")
	for n := range 3 {
		h.Append(ada, at, fmt.Sprintf(`[{"n":%d}]`, n))
		h.want("ada", "GET", ships, 200, fmt.Sprintf(`"current-snapshot-id":%d`, n+2))
	}
	for query, want := range map[string]string{"": "[2 3 4] [2 3 4]", "?snapshots=all": "[2 3 4] [2 3 4]", "?snapshots=refs": "[4] [4]"} {
		_, body := h.ask("ada", "GET", ships+query)
		metadata := body["metadata"].(map[string]any)
		ids := func(list string) (all []any) {
			for _, one := range metadata[list].([]any) {
				all = append(all, one.(map[string]any)["snapshot-id"])
			}
			return all
		}
		if got := fmt.Sprint(ids("snapshots"), ids("snapshot-log")); got != want || metadata["current-snapshot-id"] != 4.0 {
			t.Errorf("GET %s%s = %s of %v, want %s of 4", ships, query, got, metadata["current-snapshot-id"], want)
		}
	}
	h.want("ada", "GET", ships+"?snapshots=some", 400, `"BadRequestException"`)
}

func TestAReaderFindsItsTables(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ada := h.User("ada")
	ships := h.Dataset(ada, "harbour/ships", `[{"name":"Ariadne"}]`)
	h.Dataset(ada, "harbour/nothing", "")
	h.Dataset(ada, "Berths-2/berths", `[{"n":1}]`)
	config := h.want("ada", "GET", "/config", 200, `"prefix":"ada"`)
	if text := fmt.Sprint(config["endpoints"]); strings.Contains(text, "POST") || !strings.Contains(text, "HEAD /v1/{prefix}/namespaces/{namespace}/tables/{table}") {
		t.Errorf("endpoints = %s, want reading alone", text)
	}
	h.want("bob", "GET", "/config?warehouse=Ada", 200, `"prefix":"ada"`)
	h.want("bob", "GET", "/config?warehouse=ada:no-endpoint", 200, `"prefix":"ada:no-endpoint"`)
	h.want("bob", "GET", "/config?warehouse=by-id", 200, `"prefix":"by-id"`)
	h.want("bob", "GET", "/config?warehouse=a/b", 400, `"BadRequestException"`)
	h.want("ada", "GET", "/ada/namespaces", 200, `{"namespaces":[["Berths-2"],["harbour"]]}`)
	h.want("ada", "GET", "/ada/namespaces?pageToken=&pageSize=1", 200, `{"namespaces":[["Berths-2"]],"next-page-token":"Berths-2"}`)
	h.want("ada", "GET", "/ada/namespaces?pageToken=Berths-2&pageSize=1", 200, `{"namespaces":[["harbour"]]}`)
	h.want("ada", "GET", "/ada/namespaces?parent=harbour", 200, `{"namespaces":[]}`)
	h.want("ada", "GET", "/ada/namespaces/Harbour", 200, `"namespace":["harbour"]`)
	h.want("ada", "HEAD", "/ada/namespaces/harbour", 204, `null`)
	h.want("ada", "GET", "/ada/namespaces/harbour/tables", 200, `{"identifiers":[{"name":"ships","namespace":["harbour"]}]}`)
	h.want("ada", "GET", "/ada/namespaces/harbour/views", 200, `{"identifiers":[]}`)
	h.want("ada", "GET", "/ada/namespaces/harbour/views/ships", 404, `"NoSuchViewException"`)
	h.want("ada", "HEAD", "/ada/namespaces/harbour/tables/ships", 204, `null`)
	h.want("ada", "POST", "/ada/namespaces/harbour/tables/ships/metrics", 204, `null`)
	loaded := h.want("ada", "GET", "/ada/namespaces/harbour/tables/ships", 200, `"current-snapshot-id":2`)
	settings := loaded["config"].(map[string]any)
	for _, name := range []string{"s3.access-key-id", "s3.secret-access-key", "s3.session-token", "s3.endpoint", "s3.region", "s3.path-style-access"} {
		if settings[name] == "" || settings[name] == nil {
			t.Errorf("a load's settings = %v, want %s", settings, name)
		}
	}
	plain := h.want("ada", "GET", "/ada:no-endpoint/namespaces/harbour/tables/ships", 200, `"s3.region"`)
	if plain["config"].(map[string]any)["s3.endpoint"] != nil {
		t.Errorf("a load without the endpoint = %v", plain["config"])
	}
	h.want("ada", "GET", "/ada/namespaces/harbour/tables/ships/credentials", 200, `"storage-credentials"`)
	for _, r := range []struct{ method, path string }{{"GET", ""}, {"HEAD", ""}, {"GET", "/credentials"}, {"POST", "/metrics"}} {
		part := `"NoSuchTableException"` // of a dataset without columns
		if r.method == "HEAD" {
			part = `null`
		}
		h.want("ada", r.method, "/ada/namespaces/harbour/tables/nothing"+r.path, 404, part)
	}
	_, err := h.Catalog.RenameDataset(t.Context(), ada, ships, "boats")
	housetest.Must(t, err)
	h.want("ada", "GET", "/ada/namespaces/harbour/tables/boats", 200, `"current-snapshot-id":2`)
	h.want("ada", "GET", "/ada/namespaces/harbour/tables/ships", 404, `"NoSuchTableException"`)
}

func TestWhatMayNotBeSeenIsNotThere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ada := h.User("ada")
	ships := h.Dataset(ada, "harbour/ships", `[{"name":"Ariadne"}]`)
	h.Dataset(ada, "harbour/fees", `[{"fee":1}]`)
	h.want("", "GET", "/config", 401, `"NotAuthorizedException"`)
	h.want("", "GET", "/nowhere", 401, `"NotAuthorizedException"`)
	h.want("bob", "GET", "/ada/namespaces", 200, `{"namespaces":[]}`)
	h.want("bob", "GET", "/ada/namespaces/harbour", 404, `"NoSuchNamespaceException"`)
	h.want("bob", "GET", "/ada/namespaces/harbour/tables", 404, `"NoSuchNamespaceException"`)
	h.want("bob", "GET", "/ada/namespaces/harbour/tables/ships", 404, `"NoSuchTableException"`)
	h.want("bob", "GET", "/ada/namespaces/harbour/tables/none", 404, `"NoSuchTableException"`)
	_, err := h.Catalog.Share(t.Context(), ada, ships, quern.Share{Username: "bob", Role: quern.Viewer})
	housetest.Must(t, err)
	loaded := h.want("bob", "GET", "/ada/namespaces/harbour/tables/ships", 200, `"table-uuid"`)
	h.want("bob", "GET", "/ada/namespaces/harbour/tables", 200, `{"identifiers":[{"name":"ships","namespace":["harbour"]}]}`)
	id := loaded["metadata"].(map[string]any)["table-uuid"].(string)
	h.want("bob", "GET", "/by-id/namespaces", 200, `{"namespaces":[["tables"]]}`)
	h.want("bob", "GET", "/by-id/namespaces/tables/tables", 200, `{"identifiers":[]}`)
	h.want("bob", "GET", "/by-id/namespaces/tables/tables/"+strings.ToUpper(id), 200, `"current-snapshot-id":2`)
	h.want("bob", "GET", "/by-id/namespaces/other/tables/"+id, 404, `"NoSuchTableException"`)
	_, err = h.Catalog.Revoke(t.Context(), ada, ships, "bob")
	housetest.Must(t, err)
	h.want("bob", "GET", "/ada/namespaces/harbour/tables/ships", 404, `"NoSuchTableException"`)
	h.want("bob", "GET", "/by-id/namespaces/tables/tables/"+id, 404, `"NoSuchTableException"`)
	h.want("bob", "HEAD", "/by-id/namespaces/tables/tables/"+id, 404, `null`)
}

func TestTenThousandTablesAreListed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	at := h.Dataset(h.User("ada"), "harbour/ships", `[{"name":"Ariadne"}]`)
	const tables = 10_000
	housetest.Must(t, h.Store.Update(t.Context(), func(tx *store.Tx) error {
		d, err := h.Catalog.Dataset(t.Context(), h.User("ada"), at, catalog.Read)
		for i := 1; i < tables && err == nil; i++ {
			d.ID, d.Name = quern.NewID[quern.DatasetID](), fmt.Sprintf("ships-%05d", i)
			if err = tx.InsertDataset(t.Context(), d); err == nil {
				err = tx.UpdateData(t.Context(), d)
			}
		}
		return err
	}))
	all := h.want("ada", "GET", "/ada/namespaces/harbour/tables", 200, `"ships-09999"`)["identifiers"].([]any)
	if len(all) != tables {
		t.Errorf("a list without pages has %d tables, want %d", len(all), tables)
	}
	seen, token := 0, ""
	for {
		page := h.want("ada", "GET", "/ada/namespaces/harbour/tables?pageSize=100000&pageToken="+token, 200, `"identifiers"`)
		seen += len(page["identifiers"].([]any))
		next, more := page["next-page-token"].(string)
		if !more {
			break
		}
		token = next
	}
	if seen != tables {
		t.Errorf("the pages have %d tables, want %d", seen, tables)
	}
}

func TestTokensThatDoNotHold(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ada := h.User("ada")
	h.Dataset(ada, "harbour/ships", `[{"name":"Ariadne"}]`)
	made, secret, err := h.Auth.CreateToken(t.Context(), ada, quern.TokenSpec{Name: "revoked"})
	housetest.Must(t, err)
	h.tokens["revoked"], h.tokens["foreign"] = secret, "a-token-of-another-server"
	const ships = "/ada/namespaces/harbour/tables/ships"
	h.want("revoked", "GET", ships, 200, `"current-snapshot-id"`)
	housetest.Must(t, h.Auth.RevokeToken(t.Context(), ada, made.ID))
	for _, token := range []string{"revoked", "foreign"} {
		for _, path := range []string{ships, ships + "/credentials", "/config"} {
			h.want(token, "GET", path, 401, `"NotAuthorizedException"`)
		}
		h.want(token, "HEAD", ships, 401, `null`)
		h.want(token, "POST", "/ada/namespaces", 401, `"NotAuthorizedException"`)
	}
}

// A token for tables opens its own by their ids, and shows nothing else of its user's.
func TestTokensForTables(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ada, bob := h.User("ada"), h.User("bob")
	ships := h.Dataset(ada, "harbour/ships", `[{"name":"Ariadne"}]`)
	h.Dataset(ada, "harbour/fees", `[{"fee":1}]`)
	_, err := h.Catalog.Share(t.Context(), ada, ships, quern.Share{Username: "bob", Role: quern.Viewer})
	housetest.Must(t, err)
	id := func(name string) quern.DatasetID {
		d, err := h.Catalog.Dataset(t.Context(), ada, quern.DatasetPath{Owner: "ada", Namespace: "harbour", Dataset: name}, catalog.Read)
		housetest.Must(t, err)
		return d.ID
	}
	for user, p := range map[string]quern.Principal{"ada's": ada, "bob's": bob} {
		made, err := h.Auth.SignTables(t.Context(), p, []quern.DatasetID{id("ships")}, time.Minute)
		housetest.Must(t, err)
		h.tokens[user] = made.Secret
	}
	const byID = "/by-id/namespaces/tables/tables/"
	for _, user := range []string{"ada's", "bob's"} {
		h.want(user, "GET", "/config?warehouse=by-id", 200, `"prefix":"by-id"`)
		loaded := h.want(user, "GET", byID+string(id("ships")), 200, `"s3.session-token"`)
		until, err := strconv.ParseInt(loaded["config"].(map[string]any)["s3.session-token-expires-at-ms"].(string), 10, 64)
		if err != nil || time.UnixMilli(until).After(time.Now().Add(time.Minute)) {
			t.Errorf("the keys of %s load end %v, %v, want with the token", user, time.UnixMilli(until), err)
		}
		h.want(user, "GET", byID+string(id("fees")), 404, `"NoSuchTableException"`)
		h.want(user, "GET", "/ada/namespaces", 200, `{"namespaces":[]}`)
		h.want(user, "GET", "/ada/namespaces/harbour/tables", 404, `"NoSuchNamespaceException"`)
		h.want(user, "GET", "/ada/namespaces/harbour/tables/fees", 404, `"NoSuchTableException"`)
	}
	_, err = h.Catalog.Revoke(t.Context(), ada, ships, "bob")
	housetest.Must(t, err)
	h.want("bob's", "GET", byID+string(id("ships")), 404, `"NoSuchTableException"`)
	h.want("ada's", "GET", byID+string(id("ships")), 200, `"table-uuid"`)
}

func TestATableThatIsRewrittenSaysWhenToAskAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	at := h.Dataset(h.User("ada"), "harbour/fees", `[{"fee":1}]`)
	h.Append(h.User("ada"), at, `[{"fee":1.5}]`)
	const fees = "/ada/namespaces/harbour/tables/fees"
	h.want("ada", "GET", fees, 503, `"ServiceUnavailableException"`)
	w := h.send("ada", "GET", fees)
	if wait, err := strconv.Atoi(w.Header().Get("Retry-After")); w.Code != 503 || err != nil || wait < 1 {
		t.Errorf("a load of a table that is rewritten = %d, Retry-After %q, want 503 and seconds", w.Code, w.Header().Get("Retry-After"))
	}
}

func TestNobodyWrites(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.Dataset(h.User("ada"), "harbour/ships", `[{"name":"Ariadne"}]`)
	for _, c := range [][2]string{
		{"POST", "/ada/namespaces"}, {"DELETE", "/ada/namespaces/harbour"}, {"POST", "/ada/namespaces/harbour/tables"},
		{"POST", "/ada/namespaces/harbour/tables/ships"}, {"DELETE", "/ada/namespaces/harbour/tables/ships"},
		{"POST", "/ada/tables/rename"}, {"POST", "/ada/transactions/commit"},
	} {
		h.want("ada", c[0], c[1], 405, `"UnsupportedOperationException"`)
	}
	h.want("ada", "GET", "/ada/nowhere", 404, `"NotFoundException"`)
	for _, name := range []string{"..", "%2e%2e", "harbour%1Fships", "%00", strings.Repeat("x", 5000)} {
		if status, _ := h.ask("ada", "GET", "/ada/namespaces/"+name+"/tables"); status != 404 && status != 307 && status != 301 {
			t.Errorf("a namespace %.20s = %d, want not found", url.PathEscape(name), status)
		}
	}
}
