// Package housetest builds what most packages stand on, out of real parts: a store,
// objects in files, DuckDB, users, datasets, links and queries. Tests add their own
// part on top of it.
//
// It owns no behaviour. What it makes is closed when the test ends, in the reverse
// order.
package housetest

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
	"quern/blob/fs"
	"quern/catalog"
	"quern/engine/duckdb"
	"quern/ingest"
	"quern/link"
	"quern/query"
	"quern/store"
	"quern/store/storetest"
)

// PublicURL is where the house's objects and tokens say that they come from.
const PublicURL = "http://quern.example"

// Options says what a test wants otherwise; the zero value is a house on a fresh
// SQLite, by the real clock, that logs nowhere.
type Options struct {
	Store  *store.Store
	Engine duckdb.Options // a folder and a memory limit are filled in
	Now    func() time.Time
	Log    *slog.Logger
	Settle time.Duration // how long data must rest before links are looked for
	// Journal says that rows which come a few at a time go into the journal; else every
	// ingest makes a segment.
	Journal bool
}

// House is a set of parts that belong together.
type House struct {
	Store   *store.Store
	Objects *fs.Store
	Files   *catalog.SegmentFiles // of the objects, and of rows in the journal
	Engine  *duckdb.Engine
	Auth    *auth.Service
	Catalog *catalog.Service
	Ingest  *ingest.Service
	Links   *link.Service
	Query   *query.Service
	Temp    string // a folder for files in the making
	Options Options

	t     testing.TB
	users *authtest.Service
}

// New makes a house that ends with the test.
func New(t testing.TB, o Options) *House {
	t.Helper()
	if o.Store == nil {
		o.Store = storetest.Open(t, storetest.SQLite(t))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	h := &House{t: t, Store: o.Store, Temp: t.TempDir(), Options: o}
	h.addTools()
	h.addVerbs()
	return h
}

func (h *House) addTools() {
	h.t.Helper()
	var err error
	h.Objects, err = fs.New(fs.Options{Dir: filepath.Join(h.t.TempDir(), "objects"), PublicURL: PublicURL})
	Must(h.t, err)
	e := h.Options.Engine
	if e.TempDir == "" {
		e.TempDir = h.t.TempDir()
	}
	if e.MemoryLimit == 0 {
		e.MemoryLimit = 256 << 20
	}
	h.Engine, err = duckdb.New(e)
	Must(h.t, err)
	h.t.Cleanup(func() { Must(h.t, h.Engine.Close()) })
	h.Files = catalog.NewSegmentFiles(h.Objects, h.Store, h.Options.Log)
	h.Files.MakeRows(h.Engine, h.Temp)
	h.t.Cleanup(func() { Must(h.t, h.Files.Close()) })
}

func (h *House) addVerbs() {
	h.t.Helper()
	o := h.Options
	h.users = authtest.New(h.t, auth.Options{Store: h.Store, PublicURL: PublicURL, Now: o.Now, Log: o.Log})
	h.Auth = h.users.Service
	h.Catalog = catalog.New(catalog.Options{Store: h.Store, Now: o.Now, Grace: time.Hour})
	h.Ingest = h.NewIngest()
	h.Links = link.New(link.Options{Store: h.Store, Catalog: h.Catalog, Files: h.Files, Engine: h.Engine, Now: o.Now, Log: o.Log,
		Settle: o.Settle})
	h.Query = query.New(query.Options{Catalog: h.Catalog, Files: h.Files, Engine: h.Engine, Links: h.Links, Temp: h.Temp, MaxRows: 10_000})
}

// NewIngest makes a service of its own, with changes, on the house's parts.
func (h *House) NewIngest(change ...func(*ingest.Options)) *ingest.Service {
	o := ingest.Options{
		Catalog: h.Catalog, Objects: h.Objects, Files: h.Files, Engine: h.Engine, Temp: h.Temp,
		Limits: ingest.Limits{Rows: 100_000, Columns: 1_000},
		Store:  h.Store, Still: h.Auth.Still, Now: h.Options.Now, Log: h.Options.Log, Journal: h.Options.Journal,
	}
	for _, fn := range change {
		fn(&o)
	}
	return ingest.New(o)
}

// Must fails the test on an error.
var Must = authtest.Must

// User returns the principal of a user, who is added on first use.
func (h *House) User(name string) quern.Principal {
	h.t.Helper()
	return h.users.Principal(name)
}

// Path is a dataset of a user's; path is namespace/name.
func Path(owner, path string) quern.DatasetPath {
	namespace, name, _ := strings.Cut(path, "/")
	return quern.DatasetPath{Owner: owner, Namespace: namespace, Dataset: name}
}

// Dataset makes a dataset of the principal's from a JSON array of rows, which may
// be empty, and returns where it is; path is namespace/name.
func (h *House) Dataset(p quern.Principal, path, rows string, about ...quern.InferDefinition) quern.DatasetPath {
	h.t.Helper()
	at := Path(p.User.Username, path)
	about = append(about, quern.InferDefinition{})
	_, err := h.Catalog.CreateDataset(h.t.Context(), p, at, about[0])
	Must(h.t, err)
	if rows != "" {
		h.Append(p, at, rows)
	}
	return at
}

// Fill adds n rows, each made by row, to a dataset, which it makes when it is not
// there.
func (h *House) Fill(p quern.Principal, at quern.DatasetPath, n int, row func(i int) string, about ...quern.InferDefinition) {
	h.t.Helper()
	about = append(about, quern.InferDefinition{})
	_, err := h.Catalog.CreateDataset(h.t.Context(), p, at, about[0])
	if !quern.Is(err, quern.Conflict) {
		Must(h.t, err)
	}
	all := make([]string, n)
	for i := range all {
		all[i] = row(i)
	}
	h.Append(p, at, "["+strings.Join(all, ",")+"]")
}

// Append adds a JSON array of rows to a dataset, in a segment of their own.
func (h *House) Append(p quern.Principal, at quern.DatasetPath, rows string) {
	h.t.Helper()
	_, err := h.Ingest.JSON(h.t.Context(), p, at, strings.NewReader(`{"data":`+rows+`}`), "")
	Must(h.t, err)
}

// Link adds a link; its ends are owner.namespace.dataset.column.
func (h *House) Link(p quern.Principal, origin, destination string) {
	h.t.Helper()
	_, _, err := h.Links.Add(h.t.Context(), p, link.Pair{Origin: "ri." + origin, Destination: "ri." + destination})
	Must(h.t, err)
}

// Rows runs a query in a namespace of the principal's and returns its rows as
// JSON, in their order.
func (h *House) Rows(p quern.Principal, namespace, sql string) []string {
	h.t.Helper()
	in := quern.NamespacePath{Owner: p.User.Username, Namespace: namespace}
	rows, err := h.Query.SQL(h.t.Context(), p, query.Request{In: in, SQL: sql})
	if err != nil {
		h.t.Fatalf("SQL(%s) = %v, want rows", sql, err)
	}
	defer rows.Close()
	encoder, out := query.NewEncoder(rows.Columns()), []string{}
	for rows.Next() {
		out = append(out, string(encoder.Append(nil, rows.Row())))
	}
	Must(h.t, rows.Err())
	return out
}
