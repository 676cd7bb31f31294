package duckdb_test

import (
	"testing"

	"go.uber.org/goleak"

	"quern/engine"
	"quern/engine/duckdb"
	"quern/engine/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newEngine(t testing.TB, o duckdb.Options) *duckdb.Engine {
	t.Helper()
	o.TempDir = t.TempDir()
	e, err := duckdb.New(o)
	if err != nil {
		t.Fatalf("New(%+v) = %v, want an engine", o, err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("Close() = %v, want no error", err)
		}
	})
	return e
}

func TestEngine(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, "../enginetest/testdata", func(t *testing.T, l enginetest.Limits) engine.Engine {
		return newEngine(t, duckdb.Options{MemoryLimit: l.Memory, MaxTime: l.Time, Concurrency: l.Concurrency, Queue: l.Queue})
	})
}
