package worker_test

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/enginetest"
	"quern/engine/worker"
)

// warmed answers every query with a worker that has answered it before, as the same user: from
// tables and statements that it kept, where it keeps them.
type warmed struct{ *worker.Engine }

func (w warmed) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	if q.User == "" {
		q.User = "ada"
	}
	for range 3 {
		if err := drain(w.Engine.Query(ctx, q)); err != nil && !quern.Is(err, quern.Invalid) {
			return nil, err
		}
	}
	return w.Engine.Query(ctx, q)
}

// What a query answers, it answers when it is asked again: its rows, and what is refused.
func TestWarmEngine(t *testing.T) {
	t.Parallel()
	enginetest.RunAnswers(t, "../enginetest/testdata", func(t *testing.T, l enginetest.Limits) engine.Engine {
		return warmed{newEngine(t, worker.Options{Limits: worker.Limits{Memory: l.Memory, Time: l.Time}, Concurrency: l.Concurrency, Queue: l.Queue})}
	})
}

// Memory that the engine does not count ends the query also where its table is kept.
func TestMemoryAttacksOnKeptTables(t *testing.T) {
	t.Parallel()
	const limit = 256 << 20
	e := newEngine(t, worker.Options{Limits: worker.Limits{Time: patience, Memory: limit}})
	resolve := textTable(t, e)
	for range 8 {
		if err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT s FROM t", User: "eve", Resolve: resolve})); err != nil {
			t.Fatal(err)
		}
	}
	for _, attack := range gluttons {
		sql := attack + ", t WHERE length(s) > 0"
		err := within(t, func() error {
			return drain(e.Query(t.Context(), engine.Query{SQL: sql, User: "eve", Resolve: resolve}))
		})
		if !quern.Is(err, quern.Invalid) {
			t.Errorf("Query(%s) = %v, want it refused", sql, err)
		}
		if err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT s FROM t", User: "eve", Resolve: resolve})); err != nil {
			t.Errorf("Query afterwards = %v, want rows", err)
		}
	}
}

// Tables that a query named before are resolved anew, as whoever asks.
func TestRememberedNamesAreResolvedAnew(t *testing.T) {
	t.Parallel()
	e := newEngine(t, worker.Options{Concurrency: 1})
	resolve := textTable(t, e)
	const sql = "SELECT length(s) FROM t"
	ask := func(user string, resolve func(context.Context, engine.Ref) (engine.Table, error)) error {
		return drain(e.Query(t.Context(), engine.Query{SQL: sql, User: user, Resolve: resolve}))
	}
	missing := func(context.Context, engine.Ref) (engine.Table, error) {
		return engine.Table{}, quern.E(quern.NotFound, quern.CodeNotFound, "no such dataset")
	}
	away := quern.E(quern.Unreachable, quern.CodeUnreachable, "the store is away")
	for range 4 {
		if err := ask("ada", resolve); err != nil {
			t.Errorf("Query(%s) of who may = %v, want rows", sql, err)
		}
		for _, user := range []string{"ada", "eve"} {
			if err := ask(user, missing); !quern.Is(err, quern.Invalid) {
				t.Errorf("Query(%s) of %s, who sees no such table = %v, want it refused", sql, user, err)
			}
		}
		if err := ask("ada", func(context.Context, engine.Ref) (engine.Table, error) { return engine.Table{}, away }); err != error(away) {
			t.Errorf("Query(%s) = %v, want the resolver's error itself", sql, err)
		}
	}
}

// keptTable makes an engine whose worker has kept a table, and returns a query of it and its
// file.
func keptTable(t *testing.T) (e *worker.Engine, q engine.Query, file string) {
	t.Helper()
	e = newEngine(t, worker.Options{Concurrency: 1})
	resolve := textTable(t, e)
	table, err := resolve(t.Context(), engine.Ref{})
	if err != nil {
		t.Fatal(err)
	}
	q = engine.Query{SQL: "SELECT length(s) FROM t", User: "ada", Resolve: resolve}
	for range 4 {
		if err := drain(e.Query(t.Context(), q)); err != nil {
			t.Fatal(err)
		}
	}
	return e, q, table.Segments[0].Path
}

// A table that a worker kept is not answered from once its files are gone.
func TestKeptTablesEndWithTheirFiles(t *testing.T) {
	t.Parallel()
	e, q, file := keptTable(t)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	lost, ok := errors.AsType[*quern.Error](drain(e.Query(t.Context(), q)))
	if !ok || lost.Code != quern.CodeDataLost {
		t.Errorf("Query of a kept table whose file is gone = %v, want %s", lost, quern.CodeDataLost)
	}
}

// A worker that has a table is shown no file of it any more.
func TestKeptTablesNeedNoFiles(t *testing.T) {
	t.Parallel()
	e, q, file := keptTable(t)
	rows, err := e.Query(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if links := info.Sys().(*syscall.Stat_t).Nlink; links != 1 {
		t.Errorf("names of the file while a kept table is queried = %d, want its own", links)
	}
}
