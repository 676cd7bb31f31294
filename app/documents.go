package app

import (
	"context"
	"os"
	"path/filepath"
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
	compiled, err := a.compiledDir()
	if err != nil {
		return nil, err
	}
	if a.cfg.Query.Workers == 0 || !sandbox.Able() {
		return func(ctx context.Context, path string, kind format.Kind, o format.Options) ([]format.Table, error) {
			o.Compiled = compiled
			return format.Tables(ctx, path, kind, o)
		}, nil
	}
	dir, err := a.tempDir("document")
	if err != nil {
		return nil, err
	}
	pool := sandbox.NewPool(sandbox.PoolOptions{
		Spec: sandbox.Spec{Name: documentWork, Dir: dir, Memory: documentMemory, Read: []string{compiled}},
		Keep: 1, Uses: documentUses, Log: a.log,
	})
	a.onClose(func() error {
		pool.Close()
		return nil
	})
	a.parts.readers = pool
	return isolate.NewReader(pool, documentTime, compiled, a.log).Tables, nil
}

// compiledDir is the folder for what is compiled to read documents. Whatever is in it
// is made anew when it is missing.
func (a *App) compiledDir() (string, error) {
	dir, err := filepath.Abs(filepath.Join(a.cfg.Data, "cache", "compiled"))
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o700)
}
