package app

import (
	"context"
	"runtime"

	"quern/engine"
	"quern/engine/duckdb"
	"quern/engine/worker"
	"quern/ingest/isolate"
	"quern/sandbox"
	"quern/server"
)

// queryWork names the work of the processes that run queries.
const queryWork = "query"

// waitingQueries is how many queries may wait for a place. One that waits costs a goroutine;
// how long it may is bounded as well.
const waitingQueries = 1024

// Works is what this program does when it is started as a worker.
func Works() map[string]sandbox.Work {
	return map[string]sandbox.Work{queryWork: worker.Serve(openWorker), documentWork: isolate.Work}
}

// openWorker opens the engine inside a worker, for one query at a time.
func openWorker(l worker.Limits, work, scratch string) (engine.Engine, error) {
	return duckdb.New(duckdb.Options{
		TempDir: work, SpillDir: scratch, MemoryLimit: l.Memory, Threads: l.Threads, MaxTime: l.Time, Concurrency: 1, Spares: 1,
	})
}

// addEngine makes the engine: people's queries run in workers, statements of ours
// in this process.
func (a *App) addEngine(context.Context) error {
	temp, err := a.tempDir("query")
	if err != nil {
		return err
	}
	q := a.cfg.Query
	apart := q.Workers > 0 && sandbox.Able()
	local, err := duckdb.New(duckdb.Options{
		TempDir: temp, MemoryLimit: q.Memory, Threads: q.Threads, MaxTime: q.Time, Concurrency: q.Concurrency, Queue: waitingQueries,
		AtNeed: apart, // the workers are what people wait for
	})
	if err != nil {
		return err
	}
	a.onClose(local.Close)
	a.parts.local = local
	if !apart {
		a.log.Warn("queries run inside the server: one can take its memory and need not end", "engine_workers", q.Workers)
		a.parts.engine = local
		return nil
	}
	if a.parts.workers, err = a.newWorkers(local); err != nil {
		return err
	}
	a.parts.engine = a.parts.workers
	a.onClose(a.parts.workers.Close)
	return nil
}

func (a *App) newWorkers(local engine.Engine) (*worker.Engine, error) {
	dir, err := a.tempDir("worker")
	if err != nil {
		return nil, err
	}
	q := a.cfg.Query
	if q.Threads == 0 {
		q.Threads = runtime.GOMAXPROCS(0)
	}
	return worker.New(worker.Options{
		Local: local, Work: queryWork, Dir: dir, Read: duckdb.SystemFiles(),
		Limits:      worker.Limits{Memory: q.Memory, Threads: q.Threads, Time: q.Time},
		Concurrency: q.Concurrency, Queue: waitingQueries, Workers: q.Workers, Log: a.log,
	})
}

// queryCounts tells how queries fared on their way to a place.
func (a *App) queryCounts() []server.Count {
	return []server.Count{
		{Name: "quern_queries_total", Label: "outcome", Help: "Queries that got a place, and those that were turned away or gave up waiting.",
			Values: func() map[string]int64 {
				c := a.engineQueues()["queries"]
				return map[string]int64{"entered": c.Entered, "refused": c.Refused}
			}},
		{Name: "quern_query_wait_milliseconds_total", Label: "outcome", Help: "How long queries waited for a place, all together.",
			Values: func() map[string]int64 {
				return map[string]int64{"entered": a.engineQueues()["queries"].Waited.Milliseconds()}
			}},
	}
}
