// Package app is the whole program as one value that runs and closes: the
// binary and the tests start the same one.
//
// It owns the wiring, the data directory and its lock, the log and the tracing.
// It holds no rules of its own: what a part does is that part's. The failure it
// is built around is the half-made program: what New could not finish is closed
// again, and Close ends the parts in the reverse order of their making.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"quern/config"
	"quern/nlq/ground"
	"quern/server"
	"quern/store"
)

// Options is what New needs beside the settings.
type Options struct {
	Log io.Writer        // where log lines go
	Now func() time.Time // nil: this machine's, or that of the database which servers share
	// Weights are networks to read questions with instead of those in this
	// program; empty but not nil: none, and no question is read.
	Weights [][]byte
	// Without are the mechanisms of reading questions that are left out, to measure what
	// they are worth.
	Without []ground.Mechanism
	// Free returns the free bytes of a folder's disk; nil asks the system.
	Free func(dir string) (int64, error)
}

// App is a server with everything it stands on.
type App struct {
	cfg      *config.Config
	clock    *clock // nil where the caller has another one
	now      func() time.Time
	free     func(dir string) (int64, error)
	log      *slog.Logger
	url      string
	listener net.Listener
	metrics  net.Listener // nil where metrics have none of their own
	server   *server.Server
	parts    parts
	presence store.Server // as it is told to whoever shares the metadata
	weights  [][]byte
	without  []ground.Mechanism
	closers  []func() error
}

// New makes everything ready to serve, listening included, so that the address
// is known and taken.
func New(ctx context.Context, cfg *config.Config, o Options) (*App, error) {
	var shared *clock
	if o.Now == nil {
		shared = newClock()
		o.Now = shared.now
	}
	if o.Free == nil {
		o.Free = freeSpace
	}
	a := &App{cfg: cfg, clock: shared, now: o.Now, free: o.Free, log: newLog(o.Log, cfg), weights: o.Weights, without: o.Without}
	if err := a.make(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

func (a *App) make(ctx context.Context) error {
	unlock, err := lock(a.cfg.Data)
	if err != nil {
		return err
	}
	a.onClose(unlock)
	a.listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", a.cfg.Listen)
	if err != nil {
		return fmt.Errorf("the address %s cannot be listened on: %w", a.cfg.Listen, err)
	}
	a.onClose(func() error { return ignoreClosed(a.listener.Close()) })
	a.url = a.cfg.Origin(a.listener.Addr().String())
	if a.cfg.MetricsListen != "" {
		if a.metrics, err = (&net.ListenConfig{}).Listen(ctx, "tcp", a.cfg.MetricsListen); err != nil {
			return fmt.Errorf("the address %s for metrics cannot be listened on: %w", a.cfg.MetricsListen, err)
		}
		a.onClose(func() error { return ignoreClosed(a.metrics.Close()) })
	}
	return a.wire(ctx)
}

// ignoreClosed is the error of closing a listener that the server may have closed.
func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// MetricsURL is where metrics are served.
func (a *App) MetricsURL() string {
	if a.metrics == nil {
		return a.url + "/metrics"
	}
	return "http://" + a.metrics.Addr().String() + "/metrics"
}

// onClose adds what Close has to do, before all that was added earlier.
func (a *App) onClose(fn func() error) { a.closers = append(a.closers, fn) }

// URL is the address under which the server is reached.
func (a *App) URL() string { return a.url }

// Run serves until ctx ends and the requests in flight are done.
func (a *App) Run(ctx context.Context) error {
	a.log.Info("serving", "url", a.url, "listen", a.listener.Addr().String(), "version", Version,
		"data", a.cfg.Data, "database", a.parts.store.Dialect())
	upkeep, stop := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() { a.parts.tables.Upkeep(upkeep, a.cfg.Upkeep.Interval) })
	working.Go(func() { a.parts.ingest.Upkeep(upkeep, a.cfg.Upkeep.Interval, a.cfg.Upkeep.MergeIdle, a.now) })
	working.Go(func() { a.parts.ingest.FoldFull(upkeep) })
	working.Go(func() { a.parts.ingest.Work(upkeep) })
	working.Go(func() { a.parts.upload.Run(upkeep) })
	working.Go(func() { a.parts.link.Run(upkeep) })
	working.Go(func() { a.parts.run.Work(upkeep) })
	working.Go(func() { a.parts.evaluate.Work(upkeep) })
	working.Go(func() { a.parts.admin.Run(upkeep) })
	working.Go(func() { a.parts.admin.KeepAudit(upkeep) })
	working.Go(func() { a.keepTraces(upkeep) })
	working.Go(func() { a.stayPresent(upkeep) })
	working.Go(func() { a.followClock(upkeep) })
	working.Go(func() { a.prepare(upkeep) })
	working.Go(func() {
		a.parts.store.Watch(upkeep, func(err error) {
			a.log.ErrorContext(upkeep, "the metadata store does not stand up to a check", "error", err)
		})
	})
	working.Go(func() { a.parts.schema.Run(upkeep) })
	working.Go(func() { a.parts.push.Work(upkeep, a.parts.a2a) })
	if a.metrics != nil {
		working.Go(func() {
			if err := a.server.ServeMetrics(upkeep, a.metrics); err != nil {
				a.log.ErrorContext(upkeep, "metrics are served no longer", "error", err)
			}
		})
	}
	err := a.server.Serve(ctx, a.listener)
	stop()
	working.Wait()
	return err
}

// Close frees everything. It is harmless to call it twice.
func (a *App) Close() error {
	var errs []error
	for i := len(a.closers) - 1; i >= 0; i-- {
		errs = append(errs, a.closers[i]())
	}
	a.closers = nil
	return errors.Join(errs...)
}
