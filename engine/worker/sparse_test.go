package worker_test

import (
	"context"
	"errors"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/enginetest"
	"quern/engine/worker"
)

// What a query answers over whole segments, a worker answers over sparse ones, also when it
// has kept their views.
func TestSparseInAWorker(t *testing.T) {
	t.Parallel()
	enginetest.RunAnswers(t, "../enginetest/testdata", func(t *testing.T, l enginetest.Limits) engine.Engine {
		e := newEngine(t, worker.Options{Limits: worker.Limits{Memory: l.Memory, Time: l.Time}, Concurrency: l.Concurrency, Queue: l.Queue})
		return asked{enginetest.NewSparse(t, e)}
	})
}

// asked asks every query three times before.
type asked struct{ *enginetest.Sparse }

func (a asked) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	q.User = "ada"
	for range 3 {
		if err := drain(a.Sparse.Query(ctx, q)); err != nil && !quern.Is(err, quern.Invalid) {
			return nil, err
		}
	}
	return a.Sparse.Query(ctx, q)
}

// What a worker asks for is fetched before the query runs, once for the same query over
// tables that it kept; who does not fetch it is who fails.
func TestSparseIsFetchedForAWorker(t *testing.T) {
	t.Parallel()
	e := newEngine(t, worker.Options{Limits: worker.Limits{Time: patience, Memory: 256 << 20}, Workers: 1, Concurrency: 1})
	resolve := textTable(t, e)
	sparse := enginetest.NewSparse(t, e)
	q := engine.Query{SQL: "SELECT count(s), max(s) FROM t", User: "ada", Resolve: resolve}
	var times []int64
	for range 5 {
		if err := drain(sparse.Query(t.Context(), q)); err != nil {
			t.Fatal(err)
		}
		times = append(times, sparse.Asked)
	}
	if times[0] != 1 || times[4] > times[3] {
		t.Errorf("a query asked five times had bytes fetched %v times, want once at first and no more at last", times)
	}
	sparse.Forget()
	away := errors.New("away")
	rows, err := sparse.QueryFetching(t.Context(), q, func(context.Context, []engine.Span) error { return away })
	if err = drain(rows, err); !errors.Is(err, away) {
		t.Errorf("Query() whose bytes nobody fetches = %v, want %v", err, away)
	}
	if err := drain(sparse.Query(t.Context(), q)); err != nil {
		t.Errorf("Query() afterwards = %v, want rows", err)
	}
}
