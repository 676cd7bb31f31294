package ingest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/auth/authtest"
	"quern/config"
	"quern/housetest"
	"quern/ingest"
	"quern/ingest/format"
	"quern/store"
)

// fileHouse is a house into which files come as if they had been uploaded.
type fileHouse struct {
	*housetest.House
	t       testing.TB
	ingest  *ingest.Service
	ada     quern.Principal
	clock   authtest.Clock
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

func newFileHouse(t testing.TB) *fileHouse { return newFileHouseOn(t, nil) }

// newFileHouseOn makes a house on a store; nil: on a fresh SQLite.
func newFileHouseOn(t testing.TB, s *store.Store) *fileHouse {
	t.Helper()
	h := &fileHouse{t: t, uploads: uploads{}}
	h.House = housetest.New(t, housetest.Options{Store: s, Now: h.clock.Now})
	h.ingest = h.NewIngest(func(o *ingest.Options) { o.Uploads, o.NullValues, o.Tables = h.uploads, usualNulls(t), tables })
	h.ada = h.User("ada")
	return h
}

// tables reads files in this process, with what tests keep compiled.
func tables(ctx context.Context, path string, kind format.Kind, o format.Options) ([]format.Table, error) {
	o.Compiled = filepath.Join(os.TempDir(), "quern-compiled")
	return format.Tables(ctx, path, kind, o)
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

var must = housetest.Must

// file is an uploaded file.
type file struct {
	name string
	data []byte
}

// upload makes a session of completed files.
func (m *fileHouse) upload(files ...file) quern.SessionID {
	m.t.Helper()
	id := quern.NewID[quern.SessionID]()
	m.uploads[id] = []quern.UploadFile{}
	for _, f := range files {
		u := quern.UploadFile{
			ID: quern.NewID[quern.FileID](), Session: id, Name: f.name, Size: int64(len(f.data)),
			Key: "uploads/" + quern.NewID[string](), Status: quern.UploadCompleted,
		}
		must(m.t, m.Objects.Put(m.t.Context(), u.Key, bytes.NewReader(f.data), u.Size))
		m.uploads[id] = append(m.uploads[id], u)
	}
	return id
}

func dataset(name string) quern.DatasetPath {
	return quern.DatasetPath{Owner: "ada", Namespace: "files", Dataset: name}
}

// start queues files for a dataset.
func (m *fileHouse) start(name string, o quern.IngestionOptions, files ...file) quern.Ingestion {
	m.t.Helper()
	id, err := m.ingest.Start(m.t.Context(), m.ada, dataset(name), ingest.Request{Session: m.upload(files...), Options: o})
	must(m.t, err)
	return m.ingestion(id)
}

// ingestFiles queues files, works on them and returns what came of it.
func (m *fileHouse) ingestFiles(name string, o quern.IngestionOptions, files ...file) quern.Ingestion {
	m.t.Helper()
	i := m.start(name, o, files...)
	took, err := m.ingest.WorkOnce(m.t.Context())
	if !took || err != nil {
		m.t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
	}
	return m.ingestion(i.ID)
}

func (m *fileHouse) ingestion(id quern.IngestionID) quern.Ingestion {
	m.t.Helper()
	i, _, err := m.ingest.Ingestion(m.t.Context(), m.ada, id)
	must(m.t, err)
	return i
}

// table writes a dataset as text: names and types, then the rows as JSON.
func (m *fileHouse) table(name string) string {
	m.t.Helper()
	page, err := m.Query.Rows(m.t.Context(), m.ada, dataset(name), 0, 1000)
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
