package ingest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/blob/fs"
	"quern/catalog"
	"quern/config"
	"quern/engine/duckdb"
	"quern/ingest"
	"quern/query"
	"quern/store"
	"quern/store/storetest"
)

// mill is ingestion with every real part around it. Files come to it as if they
// had been uploaded.
type mill struct {
	t       testing.TB
	store   *store.Store
	objects *fs.Store
	catalog *catalog.Service
	ingest  *ingest.Service
	query   *query.Service
	ada     quern.Principal
	auth    *auth.Service
	later   atomic.Int64 // how far the clock of the tokens is ahead
	log     *bytes.Buffer
	uploads uploads
}

// uploads are sessions of completed files.
type uploads map[quern.SessionID][]quern.UploadFile

func (u uploads) Files(_ context.Context, _ quern.Principal, id quern.SessionID) ([]quern.UploadFile, error) {
	files, ok := u[id]
	if !ok {
		return nil, quern.E(quern.NotFound, quern.CodeNotFound, "not found")
	}
	return files, nil
}

func newMill(t testing.TB) *mill { return newMillOn(t, storetest.Open(t, storetest.SQLite(t))) }

func newMillOn(t testing.TB, s *store.Store) *mill {
	t.Helper()
	m := &mill{t: t, store: s, log: &bytes.Buffer{}, uploads: uploads{}}
	var err error
	m.objects, err = fs.New(fs.Options{Dir: t.TempDir(), PublicURL: "http://quern.example"})
	must(t, err)
	engine, err := duckdb.New(duckdb.Options{TempDir: t.TempDir(), MemoryLimit: 256 << 20})
	must(t, err)
	t.Cleanup(func() { must(t, engine.Close()) })
	m.catalog = catalog.New(catalog.Options{Store: s, Now: time.Now, Grace: time.Hour})
	m.auth, err = auth.New(auth.Options{
		Store: s, Log: slog.New(slog.DiscardHandler), Cost: auth.Cost{Memory: 64, Time: 1, Threads: 1},
		Now: func() time.Time { return time.Now().Add(time.Duration(m.later.Load())) },
	})
	must(t, err)
	t.Cleanup(func() { must(t, m.auth.Close()) })
	m.ingest = ingest.New(ingest.Options{
		Catalog: m.catalog, Objects: m.objects, Files: m.objects, Engine: engine, Temp: t.TempDir(),
		Limits: ingest.Limits{Rows: 100_000, Columns: 1_000},
		Store:  s, Uploads: m.uploads, Still: m.auth.Still, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		NullValues: usualNulls(t),
	})
	m.query = query.New(query.Options{Catalog: m.catalog, Files: m.objects, Engine: engine, Temp: t.TempDir(), MaxRows: 10_000})
	m.ada = quern.Principal{User: quern.User{ID: quern.NewID[quern.UserID](), Username: "ada", CreatedAt: time.Now()}}
	must(t, s.Update(t.Context(), func(tx *store.Tx) error { return tx.InsertUser(t.Context(), m.ada.User, "x") }))
	return m
}

// usualNulls are the spellings of null that servers start with.
func usualNulls(t testing.TB) []string {
	t.Helper()
	for _, s := range config.Definitions() {
		if s.Name == "ingest_nulls" {
			return strings.Split(s.Default, ",")
		}
	}
	t.Fatal("there is no setting for spellings of null")
	return nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// file is an uploaded file.
type file struct {
	name string
	data []byte
}

// upload makes a session of completed files.
func (m *mill) upload(files ...file) quern.SessionID {
	m.t.Helper()
	id := quern.NewID[quern.SessionID]()
	m.uploads[id] = []quern.UploadFile{}
	for _, f := range files {
		u := quern.UploadFile{
			ID: quern.NewID[quern.FileID](), Session: id, Name: f.name, Size: int64(len(f.data)),
			Key: "uploads/" + quern.NewID[string](), Status: quern.UploadCompleted,
		}
		must(m.t, m.objects.Put(m.t.Context(), u.Key, bytes.NewReader(f.data), u.Size))
		m.uploads[id] = append(m.uploads[id], u)
	}
	return id
}

func dataset(name string) quern.DatasetPath {
	return quern.DatasetPath{Owner: "ada", Namespace: "files", Dataset: name}
}

// start queues files for a dataset.
func (m *mill) start(name string, o quern.IngestionOptions, files ...file) quern.Ingestion {
	m.t.Helper()
	id, err := m.ingest.Start(m.t.Context(), m.ada, dataset(name), ingest.Request{Session: m.upload(files...), Options: o})
	must(m.t, err)
	return m.ingestion(id)
}

// ingestFiles queues files, works on them and returns what came of it.
func (m *mill) ingestFiles(name string, o quern.IngestionOptions, files ...file) quern.Ingestion {
	m.t.Helper()
	i := m.start(name, o, files...)
	took, err := m.ingest.WorkOnce(m.t.Context())
	if !took || err != nil {
		m.t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
	}
	return m.ingestion(i.ID)
}

func (m *mill) ingestion(id quern.IngestionID) quern.Ingestion {
	m.t.Helper()
	i, _, err := m.ingest.Ingestion(m.t.Context(), m.ada, id)
	must(m.t, err)
	return i
}

// table writes a dataset as text: names and types, then the rows as JSON.
func (m *mill) table(name string) string {
	m.t.Helper()
	page, err := m.query.Rows(m.t.Context(), m.ada, dataset(name), 0, 1000)
	must(m.t, err)
	defer page.Rows.Close()
	var b strings.Builder
	for i, c := range page.Rows.Columns() {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %s", c.Name, c.Type)
	}
	b.WriteByte('\n')
	for page.Rows.Next() {
		row, err := json.Marshal(page.Rows.Row())
		must(m.t, err)
		b.Write(row)
		b.WriteByte('\n')
	}
	must(m.t, page.Rows.Err())
	return b.String()
}
