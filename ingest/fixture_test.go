package ingest_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/blob/fs"
	"quern/catalog"
	"quern/engine/duckdb"
	"quern/ingest"
	"quern/query"
	"quern/store"
	"quern/store/storetest"
)

// house is everything an ingest stands on, all of it real.
type house struct {
	t       *testing.T
	ada     quern.Principal
	catalog *catalog.Service
	service *ingest.Service
	query   *query.Service
	objects *fs.Store
}

func newHouse(t *testing.T) *house {
	t.Helper()
	s := storetest.Open(t, storetest.SQLite(t))
	objects, err := fs.New(fs.Options{Dir: filepath.Join(t.TempDir(), "objects")})
	if err != nil {
		t.Fatal(err)
	}
	engine, err := duckdb.New(duckdb.Options{TempDir: t.TempDir(), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	h := &house{t: t, objects: objects, ada: quern.Principal{User: quern.User{ID: quern.NewID[quern.UserID](), Username: "ada", CreatedAt: time.Now()}}}
	if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.InsertUser(t.Context(), h.ada.User, "") }); err != nil {
		t.Fatal(err)
	}
	h.catalog = catalog.New(catalog.Options{Store: s, Now: time.Now, Grace: time.Hour})
	h.service = ingest.New(ingest.Options{Catalog: h.catalog, Objects: objects, Files: objects, Engine: engine, Temp: t.TempDir(),
		Limits: ingest.Limits{Rows: 100_000, Columns: 100}})
	h.query = query.New(query.Options{Catalog: h.catalog, Files: objects, Engine: engine, Temp: t.TempDir(), MaxRows: 1000})
	return h
}

func (h *house) create(name string) quern.DatasetPath {
	h.t.Helper()
	path := quern.DatasetPath{Owner: "ada", Namespace: "ns", Dataset: name}
	if _, err := h.catalog.CreateDataset(h.t.Context(), h.ada, path, quern.InferDefinition{}); err != nil {
		h.t.Fatal(err)
	}
	return path
}

func (h *house) ingest(d quern.DatasetPath, body, key string) int64 {
	h.t.Helper()
	n, err := h.service.JSON(h.t.Context(), h.ada, d, strings.NewReader(body), key)
	if err != nil {
		h.t.Fatalf("JSON(%.200s) = %s, want it stored", body, spelled(err))
	}
	return n
}

func (h *house) segments(d quern.DatasetPath) []quern.Segment {
	h.t.Helper()
	snap, err := h.catalog.Snapshot(h.t.Context(), h.ada, d)
	if err != nil {
		h.t.Fatal(err)
	}
	return snap.Segments
}

// rows reads a dataset back; numbers keep their digits.
func (h *house) rows(d quern.DatasetPath) (rows []map[string]any) {
	h.t.Helper()
	export, err := h.query.Export(h.t.Context(), h.ada, d, query.NDJSON)
	if err != nil {
		h.t.Fatal(err)
	}
	var out bytes.Buffer
	if err := export.Write(h.t.Context(), &out); err != nil {
		h.t.Fatal(err)
	}
	for dec := decoder(out.Bytes()); dec.More(); {
		var row map[string]any
		if err := dec.Decode(&row); err != nil {
			h.t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

func decoder(text []byte) *json.Decoder {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return dec
}
