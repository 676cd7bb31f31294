package rest_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/admin"
	"quern/api/apitest"
	"quern/auth"
	"quern/blob/fs"
	"quern/catalog"
	"quern/door"
	"quern/engine/duckdb"
	"quern/evaluate"
	"quern/housetest"
	"quern/ingest"
	"quern/knowledge"
	"quern/link"
	"quern/nlq/nlqtest"
	"quern/rest"
	"quern/run"
	"quern/server"
	"quern/store"
	"quern/store/storetest"
	"quern/trace"
	"quern/trace/langfuse/langfusetest"
)

// house is the edge with every real part behind it: metadata, objects, engine,
// identity. Its users' tokens are their names.
type house struct {
	*world
	store    *store.Store
	auth     *auth.Service
	catalog  *catalog.Service
	ingest   *ingest.Service
	links    *link.Service
	script   *nlqtest.Script
	runs     *run.Service
	reader   *reader
	langfuse *langfusetest.Server
	traces   *trace.Recorder
	lessons  *evaluate.Service
	admin    *admin.Service
	objects  *fs.Store
	ends     sync.Map
	tokens   map[string]string
}

// eachHouse runs fn in a house on SQLite and in one on PostgreSQL.
func eachHouse(t *testing.T, fn func(*testing.T, *house)) {
	t.Helper()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fn(t, newHouseOn(t, options(t)))
		})
	}
}

func newHouse(t *testing.T) *house { return newHouseOn(t, storetest.SQLite(t)) }

func newHouseOn(t *testing.T, o store.Options) *house { return newHouseWith(t, o, duckdb.Options{}) }

func newHouseWith(t *testing.T, o store.Options, e duckdb.Options) *house {
	t.Helper()
	return newHouseAlive(t, o, e, 50*time.Millisecond)
}

// newHouseAlive makes a house whose idle streams are heard of so often.
func newHouseAlive(t *testing.T, o store.Options, e duckdb.Options, keepAlive time.Duration) *house {
	t.Helper()
	w := &world{t: t, log: &syncBuffer{}}
	log := slog.New(slog.NewJSONHandler(w.log, nil))
	parts := housetest.New(t, housetest.Options{Store: storetest.Open(t, o), Engine: e, Log: log, Journal: true})
	h := &house{world: w, store: parts.Store, auth: parts.Auth, catalog: parts.Catalog, links: parts.Links, tokens: map[string]string{}}
	objects, queries, uploads := parts.Objects, parts.Query, newUploads(parts.Store, parts.Objects)
	h.ingest = parts.NewIngest(func(o *ingest.Options) { o.Uploads, o.Log = uploads, slog.New(slog.DiscardHandler) })
	h.script = nlqtest.NewScript(h.catalog)
	h.addTraces()
	h.addRuns(queries)
	mux := http.NewServeMux()
	mux.Handle(fs.PathPrefix, objects.Handler())
	browsers, err := door.NewBrowsers(housetest.PublicURL, h.auth)
	must(t, err)
	deps := rest.Deps{
		Auth: h.auth, Browsers: browsers, Tokens: h.auth, Sessions: h.auth, Provider: h.auth, Usage: h.auth, PublicURL: housetest.PublicURL,
		Catalog: h.catalog, Ingest: h.ingest, Upload: uploads, Bucket: "local",
		Links: h.links, Query: queries, Knowledge: knowledge.New(knowledge.Options{Store: h.store, Catalog: h.catalog, Now: time.Now}),
		Runs: h.runs, Models: embeddedOnly{}, KeepAlive: keepAlive,
	}
	h.addFeedback(&deps)
	h.addLessons(&deps, parts)
	h.objects = objects
	h.admin = admin.New(admin.Options{
		Store: h.store, Auth: h.auth, Catalog: h.catalog, Upload: uploads, Ingest: h.ingest, Runs: h.runs, Settle: time.Nanosecond,
		Retention: map[quern.RetentionKind]time.Duration{quern.RetainTraces: 720 * time.Hour}, Log: log,
	})
	deps.Admin = h.admin
	mux.Handle("/", rest.New(deps))
	s, err := server.New(server.Options{Handler: mux, Log: log})
	must(t, err)
	listening := httptest.NewServer(s)
	t.Cleanup(listening.Close)
	h.url, h.http = listening.URL, apitest.Client(t, listening.Client())
	return h
}

var must = housetest.Must

// user adds a user and returns its token.
func (h *house) user(name string) string {
	h.t.Helper()
	if h.tokens[name] == "" {
		_, err := h.auth.AddUser(h.t.Context(), name, "a long enough password")
		must(h.t, err)
		h.tokens[name] = h.token(name, quern.TokenSpec{Name: "test"})
	}
	return h.tokens[name]
}

func (h *house) token(name string, spec quern.TokenSpec) string {
	h.t.Helper()
	p, err := h.auth.As(h.t.Context(), name)
	must(h.t, err)
	_, secret, err := h.auth.CreateToken(h.t.Context(), p, spec)
	must(h.t, err)
	return secret
}

// as asks in a user's name, adding the user on first use.
func (h *house) as(name, method, path, body string) answer {
	h.t.Helper()
	a := ask{method: method, path: "/api/v1" + path, token: h.user(name), body: body}
	if strings.HasSuffix(path, "/rename") {
		a.header = http.Header{"Content-Type": {"text/plain"}}
	}
	return h.do(a)
}

// want asks and fails the test unless the status is the wanted one.
func (h *house) want(status int, name, method, path, body string) answer {
	h.t.Helper()
	a := h.as(name, method, path, body)
	if a.StatusCode != status {
		h.t.Errorf("%s: %s %s %.200s = %d %.500s, want %d", name, method, path, body, a.StatusCode, a.body, status)
	}
	return a
}

// rows runs a query and returns its rows as compact JSON.
func (h *house) rows(name, namespace, sql string) string {
	h.t.Helper()
	body, err := json.Marshal(map[string]any{"username": "self", "namespace": namespace, "query": sql, "includeMetadata": false})
	must(h.t, err)
	a := h.want(200, name, "POST", "/query", string(body))
	return string(into[struct{ Data json.RawMessage }](h.t, a).Data)
}

// open begins a request whose answer is read bit by bit, past the client that
// checks answers whole.
func (h *house) open(name, path string) *http.Response {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), "GET", h.url+"/api/v1"+path, nil)
	must(h.t, err)
	r.Header.Set("Authorization", "Bearer "+h.user(name))
	resp, err := http.DefaultTransport.RoundTrip(r)
	must(h.t, err)
	return resp
}

func drain(r io.Reader) (int64, error) { return io.Copy(io.Discard, r) }
