package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"quern"
	"quern/engine"
	"quern/sandbox"
)

// limitsVariable carries the limits to a worker.
const limitsVariable = "QUERN_ENGINE_LIMITS"

// Limits are those of the engine that a worker runs.
type Limits struct {
	Memory  int64
	Threads int
	Time    time.Duration
}

// Open opens the engine that a worker runs queries with. It may make and link
// files in work, and write files in scratch.
type Open func(l Limits, work, scratch string) (engine.Engine, error)

// Serve makes the work of a worker process: it runs one query after the other
// until the server hangs up.
func Serve(open Open) sandbox.Work {
	return func(w *sandbox.Worker) error {
		var limits Limits
		if err := json.Unmarshal([]byte(os.Getenv(limitsVariable)), &limits); err != nil {
			return fmt.Errorf("worker: limits: %w", err)
		}
		e, err := open(limits, w.Work, w.Scratch)
		if err != nil {
			return err
		}
		s := &service{engine: e, out: &sender{to: w}, tables: make(chan resolved, 1), there: make(chan struct{}, 1)}
		// The first query pays for what the engine only makes when it is asked.
		s.warm()
		if err := w.Ready(); err != nil {
			return err
		}
		return s.serve(newFrames(w))
	}
}

// service is a worker at work.
type service struct {
	engine engine.Engine
	out    *sender
	tables chan resolved
	there  chan struct{} // told of every thereFrame

	mu     sync.Mutex
	cancel context.CancelFunc // of the running query; nil when none runs
}

func (s *service) warm() {
	rows, err := s.engine.Query(context.Background(), engine.Query{SQL: "SELECT 1"})
	if err != nil {
		return
	}
	for rows.Next() {
	}
	_ = rows.Close()
}

// serve reads what the server sends. Whatever a query is at, the end of the
// socket ends the process.
func (s *service) serve(in *frames) error {
	for {
		k, body, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch k {
		case queryFrame:
			var r request
			if err := json.Unmarshal(body, &r); err != nil {
				return err
			}
			s.begin(r)
		case tableFrame:
			var t resolved
			if err := json.Unmarshal(body, &t); err != nil {
				return err
			}
			s.tables <- t
		case thereFrame:
			s.there <- struct{}{}
		case cancelFrame:
			s.stop()
		default:
			return errFrame
		}
	}
}

func (s *service) begin(r request) {
	select { // meant for a query that was cancelled
	case <-s.tables:
	case <-s.there:
	default:
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.mu.Lock()
	s.cancel = cancel
	s.mu.Unlock()
	go func() {
		total, err := s.query(ctx, r)
		s.stop()
		if s.out.end(ending{Total: total, Problem: newProblem(err)}) != nil {
			os.Exit(1) // nobody listens any more
		}
	}()
}

// stop cancels the running query, if one runs.
func (s *service) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
}

func (s *service) query(ctx context.Context, r request) (total int64, err error) {
	rows, err := s.engine.Query(ctx, engine.Query{SQL: r.SQL, User: r.User, MaxRows: r.MaxRows, Resolve: r.resolver(s), Files: s.resolve, Fetch: s.fetch})
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	if err := s.out.frame(columnFrame, rows.Columns()); err != nil {
		return 0, err
	}
	for rows.Next() {
		if err := s.out.row(rows); err != nil {
			return 0, err
		}
	}
	return rows.Total(), rows.Err()
}

// resolver returns what finds the tables of a query: among those that came with it, or else
// by asking the server.
func (r request) resolver(s *service) func(context.Context, engine.Ref) (engine.Table, error) {
	return func(ctx context.Context, ref engine.Ref) (engine.Table, error) {
		for _, t := range r.Tables {
			if t.Ref == ref {
				return t.Table, nil
			}
		}
		return s.resolve(ctx, ref)
	}
}

// fetch has the server bring bytes of sparse segments into their files.
func (s *service) fetch(ctx context.Context, spans []engine.Span) error {
	if err := s.out.frame(spanFrame, spans); err != nil {
		return err
	}
	if err := s.out.flush(); err != nil {
		return err
	}
	select {
	case <-s.there:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// resolve asks the server for a table.
func (s *service) resolve(ctx context.Context, ref engine.Ref) (engine.Table, error) {
	if err := s.out.frame(nameFrame, ref); err != nil {
		return engine.Table{}, err
	}
	if err := s.out.flush(); err != nil {
		return engine.Table{}, err
	}
	select {
	case t := <-s.tables:
		switch {
		case t.Table != nil:
			return *t.Table, nil
		case t.Missing:
			return engine.Table{}, quern.E(quern.NotFound, quern.CodeNotFound, "there is no such dataset")
		}
		return engine.Table{}, errors.New("worker: the server has no table")
	case <-ctx.Done():
		return engine.Table{}, ctx.Err()
	}
}
