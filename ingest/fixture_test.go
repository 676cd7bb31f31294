package ingest_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"quern"
	"quern/engine/duckdb"
	"quern/housetest"
	"quern/ingest"
	"quern/query"
)

// house is everything an ingest stands on, all of it real.
type house struct {
	*housetest.House
	t       *testing.T
	ada     quern.Principal
	service *ingest.Service
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{House: housetest.New(t, housetest.Options{Engine: duckdb.Options{Threads: 1}}), t: t}
	h.ada = h.User("ada")
	h.service = h.NewIngest(func(o *ingest.Options) { o.Limits.Columns = 100 })
	return h
}

func (h *house) create(name string) quern.DatasetPath {
	h.t.Helper()
	return h.Dataset(h.ada, "ns/"+name, "")
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
	snap, err := h.Catalog.Snapshot(h.t.Context(), h.ada, d)
	if err != nil {
		h.t.Fatal(err)
	}
	return snap.Segments
}

// rows reads a dataset back; numbers keep their digits.
func (h *house) rows(d quern.DatasetPath) (rows []map[string]any) {
	h.t.Helper()
	export, err := h.Query.Export(h.t.Context(), h.ada, d, query.NDJSON)
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
