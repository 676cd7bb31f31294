package ingest_test

import (
	"context"
	"strings"
	"testing"

	"quern"
	"quern/blob"
	"quern/ingest"
	"quern/store"
)

// slowFiles holds the readers of some objects until the test ends.
type slowFiles struct {
	blob.Files
	slow    map[string]bool // by key
	reached chan string
}

func (f slowFiles) File(ctx context.Context, key string) (string, func(), error) {
	if f.slow[key] {
		f.reached <- key
		<-ctx.Done()
		return "", nil, ctx.Err()
	}
	return f.Files.File(ctx, key)
}

// TestSlowIngestionsOfOneUserHoldUpNobodyElse queues more slow ingestions than a
// server has places, and behind them the small file of somebody else.
func TestSlowIngestionsOfOneUserHoldUpNobodyElse(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	bob := m.User("bob")
	files := slowFiles{Files: m.Objects, slow: map[string]bool{}, reached: make(chan string, 100)}
	service := m.NewIngest(func(o *ingest.Options) { o.Files, o.Uploads, o.Limits = files, m.uploads, ingest.Limits{Columns: 10} })
	for range 10 {
		session := m.upload(file{"slow.csv", []byte("id\n1\n")})
		files.slow[m.uploads[session][0].Key] = true
		_, err := service.Start(t.Context(), m.ada, dataset("it"), ingest.Request{Session: session})
		must(t, err)
	}
	session := m.upload(file{"small.csv", []byte("id\n1\n")})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		service.Work(ctx)
	}()
	defer func() { stop(); <-done }()
	<-files.reached
	<-files.reached // ada has all the places that one user may have
	at := quern.DatasetPath{Owner: "bob", Namespace: "files", Dataset: "small"}
	small, err := service.Start(t.Context(), bob, at, ingest.Request{Session: session})
	must(t, err)
	for status := quern.IngestionPending; status != quern.IngestionCompleted; {
		if status == quern.IngestionFailed {
			t.Fatal("bob's file failed, want it completed")
		}
		select {
		case key := <-files.reached:
			t.Fatalf("a third slow ingestion of one user was begun (%s)", strings.TrimPrefix(key, "uploads/"))
		default:
		}
		must(t, m.Store.View(t.Context(), func(tx *store.Tx) error {
			i, err := tx.Ingestion(t.Context(), small)
			status = i.Status
			return err
		}))
	}
}
