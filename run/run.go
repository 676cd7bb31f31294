// Package run owns runs and conversations: a question that was asked, the work
// on it, the events of that work, and the turns that belong together.
//
// A run belongs to the server, not to the connection that began it. Whoever
// holds its lease works on it; a lease that ran out is anybody's:
//
//	             ┌──── server stopped, lease ran out ────┐
//	             ▼                                       │
//	Start ─► running, waiting ── taken ─► running, held ─┼─► completed
//	             │                              │        └─► failed
//	             ├───────────── Cancel ─────────┴──────────► cancelled
//	             └───────────── past its life ─────────────► expired
//
// What a run has done is its events: each is stored before anyone sees it, in
// the transaction that makes it true, under the lease of the worker that did it.
// The event that begins a call of the agent is stored with the end of the call
// before, so that a run that is taken up begins nothing twice.
//
//	run-started ─► planningStarted ─► plan ─┬─► stepStarted ─► queryExecuting ─► step ─┐
//	                                        ├──────────────────◄───────────────────────┘
//	                                        └─► answerStarted ─► answer      (error may come instead, at any place)
//
// It never plans, queries or answers: agents do. The failure it is built around
// is the crash in mid-answer, with readers attached: every run ends exactly once,
// and every reader sees the same events, whichever server it asks.
package run

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"quern"
	"quern/ask"
	"quern/catalog"
	"quern/lease"
	"quern/store"
)

// Options says what runs work with.
type Options struct {
	Store   *store.Store
	Catalog *catalog.Service
	// Agents answer; a run of a kind that is not here cannot be started.
	Agents map[quern.AgentKind]ask.Agent
	// Models are what tasks may name; nil: agents get none, and every task is taken.
	Models ask.Models
	// Still returns the principal that a user is now, with the API token that it
	// asked with, if any; Forbidden, with the reason, when it is none any more. It
	// is asked before every call of an agent.
	Still func(ctx context.Context, user quern.UserID, token quern.TokenID) (quern.Principal, error)
	// Ended, if not nil, is told of every run that this server ended, once that is
	// stored. A crash in between keeps it from being told.
	Ended  func(context.Context, quern.Run)
	Limits Limits
	// Quota is that of users who have none of their own.
	Quota quern.Quota
	Now   func() time.Time // nil: time.Now
	Log   *slog.Logger     // nil: slog.Default()
	// Alone says that no other server works on the same store, so that what a
	// crash left is taken up at once instead of when its lease has run out.
	Alone bool
}

// Limits bounds runs. Zero fields take the defaults that DefaultLimits states.
type Limits struct {
	PerUser   int           // running at once
	Workers   int           // worked on at once by this server
	Life      time.Duration // of a run that does not end by itself
	Retention time.Duration // of one that has ended; 0: for good
	Finish    time.Duration // for runs to end by themselves when the server stops
}

// DefaultLimits are the limits where nothing else is set.
func DefaultLimits() Limits {
	return Limits{PerUser: 8, Workers: 16, Life: 15 * time.Minute, Finish: 5 * time.Second}
}

// Service is runs and conversations.
type Service struct {
	store   *store.Store
	catalog *catalog.Service
	agents  map[quern.AgentKind]ask.Agent
	models  ask.Models
	still   func(context.Context, quern.UserID, quern.TokenID) (quern.Principal, error)
	ended   func(context.Context, quern.Run)
	limits  Limits
	quota   quern.Quota
	now     func() time.Time
	log     *slog.Logger
	// broadcast, workers, batcher and arrivals are what this process alone knows of runs.
	broadcast *broadcast
	workers   *lease.Workers[job]
	batcher   *batcher
	arrivals  arrivals
}

// New makes a Service. Runs are worked on while Work runs.
func New(o Options) *Service {
	d := DefaultLimits()
	o.Limits.PerUser = cmp.Or(o.Limits.PerUser, d.PerUser)
	o.Limits.Workers = cmp.Or(o.Limits.Workers, d.Workers)
	o.Limits.Life = cmp.Or(o.Limits.Life, d.Life)
	o.Limits.Finish = cmp.Or(o.Limits.Finish, d.Finish)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Ended == nil {
		o.Ended = func(context.Context, quern.Run) {}
	}
	s := &Service{
		store: o.Store, catalog: o.Catalog, agents: o.Agents, models: o.Models, still: o.Still, ended: o.Ended, limits: o.Limits, quota: o.Quota,
		now: o.Now, log: o.Log, broadcast: newBroadcast(), batcher: newBatcher(o.Store, writePatience),
	}
	s.workers = lease.New(s.working(o.Alone))
	return s
}

func notFound() error { return quern.E(quern.NotFound, quern.CodeNotFound, "not found") }

// missing reports whether a read found nothing.
func missing(err error) bool { return quern.Is(err, quern.NotFound) }
