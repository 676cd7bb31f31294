// Package push owns the addresses at which callers want to be told of their
// runs, and the telling: over HTTP, in order, at least once.
//
// A configuration is a row and a job at once. Its cursor is what was sent last;
// whoever holds its lease sends what is behind the cursor and moves it, one
// message at a time:
//
//	Put ─► due ─── taken ──► sending ─┬─► waiting ─── for more, or after a failure ──► due
//	                                  └─► done        (nothing follows, or given up)
//
// It never knows what it tells: a Source does. The failure it is built around is
// the address that is not what it seems: every connection is made to an address
// that was looked at after the name was resolved, redirects are not followed,
// and nothing that a receiver answers is ever shown to anybody.
package push

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"quern"
	"quern/lease"
	"quern/store"
)

// Source says what is to be told.
type Source interface {
	// Behind returns what is to be sent behind a cursor, "" at first. NotFound
	// when there is nobody left to tell.
	Behind(ctx context.Context, c quern.PushConfig, cursor string) (Batch, error)
}

// Batch is some of what is to be told.
type Batch struct {
	Messages []Message
	// Pause is how long to wait for more behind the last message; zero when
	// nothing follows.
	Pause time.Duration
}

// Message is one thing to tell, and the cursor behind it.
type Message struct {
	Body   []byte
	Cursor string
}

// Options says what notifications are sent with.
type Options struct {
	Store *store.Store
	// Private lets notifications go to addresses that are not public, and over
	// plain HTTP.
	Private bool
	// Alone says that no other server works on the same store, so that what a
	// crash left is sent at once instead of when its lease has run out.
	Alone bool
	Now   func() time.Time // nil: time.Now
	Log   *slog.Logger     // nil: slog.Default()
	// Resolve looks up a name; nil: the machine's resolver.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// Agent is how the sender calls itself.
	Agent string
}

// Service is the addresses and the telling.
type Service struct {
	store   *store.Store
	private bool
	now     func() time.Time
	log     *slog.Logger
	agent   string
	http    *http.Client
	source  Source // set while it works
	workers *lease.Workers[*store.PushJob]
}

// New makes a Service. Notifications are sent while Work runs.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Resolve == nil {
		o.Resolve = resolve
	}
	s := &Service{
		store: o.Store, private: o.Private, now: o.Now, log: o.Log, agent: o.Agent,
		http: newClient(o.Private, o.Resolve),
	}
	s.workers = lease.New(s.working(o.Alone))
	return s
}

// MaxConfigs is how many configurations a thread may have.
const MaxConfigs = 10

// Put stores a configuration, in the place of one with the same id, and sends
// what there is to tell from the beginning. Invalid when it is not one that
// could be sent to; Conflict when the thread has too many.
func (s *Service) Put(ctx context.Context, c quern.PushConfig) (quern.PushConfig, error) {
	if err := s.Check(c); err != nil {
		return c, err
	}
	if c.ID == "" {
		c.ID = quern.NewID[string]()
	}
	c.CreatedAt = s.now().UTC().Truncate(time.Microsecond)
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.PushConfigs(ctx, c.Run)
		if err != nil {
			return err
		}
		others := 0
		for _, other := range all {
			if other.ID != c.ID {
				others++
			}
		}
		if others >= MaxConfigs {
			return quern.E(quern.Conflict, quern.CodeConflict, "there are %d configurations already, which is the most", others)
		}
		return tx.PutPushConfig(ctx, c)
	})
	if err == nil {
		s.workers.Wake()
	}
	return c, err
}

// Configs lists the configurations of a thread, oldest first.
func (s *Service) Configs(ctx context.Context, run quern.RunID) (all []quern.PushConfig, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		all, err = tx.PushConfigs(ctx, run)
		return err
	})
	return all, err
}

// Config returns a configuration, or NotFound.
func (s *Service) Config(ctx context.Context, run quern.RunID, id string) (quern.PushConfig, error) {
	all, err := s.Configs(ctx, run)
	for _, c := range all {
		if c.ID == id {
			return c, nil
		}
	}
	if err == nil {
		err = quern.E(quern.NotFound, quern.CodeNotFound, "not found")
	}
	return quern.PushConfig{}, err
}

// Delete removes a configuration; deleting one that is not there is harmless.
func (s *Service) Delete(ctx context.Context, run quern.RunID, id string) error {
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.DeletePushConfig(ctx, run, id) })
}

// Wake says that a thread has gone on.
func (s *Service) Wake(ctx context.Context, run quern.RunID) error {
	err := s.store.Update(ctx, func(tx *store.Tx) error { return tx.WakePush(ctx, run, s.now()) })
	s.workers.Wake()
	return err
}
