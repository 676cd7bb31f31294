package ingest_test

import (
	"context"
	"testing"

	"quern"
	"quern/blob"
	"quern/ingest"
)

// breaking returns files that break what reads them.
type breaking struct{ blob.Files }

func (breaking) File(context.Context, string) (string, func(), error) { panic("a reader breaks") }

// TestAFileThatBreaksItsReader fails alone and at once; the worker goes on.
func TestAFileThatBreaksItsReader(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	broken := m.NewIngest(func(o *ingest.Options) { o.Files, o.Uploads = breaking{m.Objects}, m.uploads })
	i := m.start("it", quern.IngestionOptions{}, file{"a.csv", []byte("id\n1\n")})
	if took, err := broken.WorkOnce(t.Context()); !took || err != nil {
		t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
	}
	if got := m.ingestion(i.ID); got.Status != quern.IngestionFailed || got.Message != "something went wrong on the server" {
		t.Errorf("ingestion = %s %q, want it failed, in words that tell nothing of the cause", got.Status, got.Message)
	}
	if got := m.ingestFiles("it", quern.IngestionOptions{}, file{"b.csv", []byte("id\n2\n")}); got.Status != quern.IngestionCompleted {
		t.Errorf("the ingestion after it = %s %s, want completed", got.Status, got.Message)
	}
}
