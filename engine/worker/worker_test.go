package worker_test

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern/engine"
	"quern/engine/duckdb"
	"quern/engine/enginetest"
	"quern/engine/worker"
	"quern/sandbox"
)

const work = "sql"

func TestMain(m *testing.M) {
	sandbox.Main(map[string]sandbox.Work{work: worker.Serve(open)})
	goleak.VerifyTestMain(m)
}

// open opens the engine of a worker.
func open(l worker.Limits, temp, spill string) (engine.Engine, error) {
	return duckdb.New(duckdb.Options{
		TempDir: temp, SpillDir: spill, MemoryLimit: l.Memory, Threads: l.Threads, MaxTime: l.Time, Concurrency: 1, Spares: 1,
	})
}

func newEngine(t testing.TB, o worker.Options) *worker.Engine {
	t.Helper()
	if o.Limits.Memory == 0 {
		o.Limits.Memory = 512 << 20
	}
	if o.Limits.Time == 0 {
		o.Limits.Time = time.Minute
	}
	if o.Concurrency == 0 {
		o.Concurrency = 4
	}
	if o.Queue == 0 {
		o.Queue = 64
	}
	o.Limits.Threads, o.Workers, o.Work, o.Dir = 2, 2, work, t.TempDir()
	o.Read = duckdb.SystemFiles()
	o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	local, err := duckdb.New(duckdb.Options{TempDir: t.TempDir(), MemoryLimit: o.Limits.Memory, Concurrency: o.Concurrency, Queue: o.Queue})
	if err != nil {
		t.Fatal(err)
	}
	o.Local = local
	e, err := worker.New(o)
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
		return newEngine(t, worker.Options{Limits: worker.Limits{Memory: l.Memory, Time: l.Time}, Concurrency: l.Concurrency, Queue: l.Queue})
	})
}
