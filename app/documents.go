package app

import (
	"time"

	"quern/ingest"
	"quern/ingest/format"
	"quern/ingest/isolate"
	"quern/sandbox"
)

// documentWork names the work of the processes that read documents.
const documentWork = "document"

// What a worker may cost that reads a document, and how often it does.
const (
	documentMemory = 1 << 30
	documentTime   = 2 * time.Minute
	documentUses   = 16
)

// documents returns what reads the tables of files: workers, where there are any.
func (a *App) documents() (ingest.Tables, error) {
	if a.cfg.Query.Workers == 0 || !sandbox.Able() {
		return format.Tables, nil
	}
	dir, err := a.tempDir("document")
	if err != nil {
		return nil, err
	}
	pool := sandbox.NewPool(sandbox.PoolOptions{
		Spec: sandbox.Spec{Name: documentWork, Dir: dir, Memory: documentMemory}, Keep: 1, Uses: documentUses, Log: a.log,
	})
	a.onClose(func() error {
		pool.Close()
		return nil
	})
	return isolate.NewReader(pool, documentTime).Tables, nil
}
