// Package feedback owns what askers think of completed runs: thumbs up or down,
// and a comment.
//
// A rating is the tracing store's before it is ours. Whoever rates holds the
// run's feedback while the store is asked, so that two ratings of one run never
// cross on the way, and both places end with the same one:
//
//	held ─► the tracing store takes it ─► stored here ─► free
//	            │                             └─ the run is gone: taken back there
//	            └─ it does not: free, and nothing was given
//
// It never rates by itself. The failure it is built around is the rating that
// only one side has: what the tracing store did not accept was not given.
package feedback

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"quern"
	"quern/run"
	"quern/store"
	"quern/trace"
)

const (
	// DefaultTimeout is how long the tracing store has where nothing else is said.
	DefaultTimeout = 5 * time.Second
	// grace is what a lease lasts beyond the tracing store's time, for the store here.
	grace = 30 * time.Second
	// look is how often somebody looks whether another's rating is done.
	look = 50 * time.Millisecond
)

// Options says what feedback works with.
type Options struct {
	Store  *store.Store
	Runs   *run.Service
	Keeper trace.Keeper
	// Timeout is how long the tracing store has; 0 means DefaultTimeout.
	Timeout time.Duration
	Now     func() time.Time // nil: time.Now
	Log     *slog.Logger     // nil: none
}

// Service is what was thought of runs.
type Service struct{ Options }

// New makes a Service.
func New(o Options) *Service {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{o}
}

// Give rates a run of the principal's, in the place of an earlier rating.
// NotFound when the principal does not see the run, Invalid when it is not
// completed, Unreachable when the tracing store does not take the rating: then
// nothing has changed.
func (s *Service) Give(ctx context.Context, p quern.Principal, f quern.Feedback) error {
	r, err := s.Runs.Header(ctx, p, f.Run)
	if err == nil {
		err = p.MayTend(r.Token)
	}
	if err != nil {
		return err
	}
	if r.Status != quern.RunCompleted {
		return quern.E(quern.Invalid, quern.CodeInvalid, "only a completed run can be rated; this one is %s", r.Status)
	}
	f.GivenAt = s.Now().UTC().Truncate(time.Microsecond)
	return s.change(ctx, f.Run,
		func(ctx context.Context) error { return s.Keeper.Score(ctx, f) },
		func(ctx context.Context, tx *store.Tx, holder string) error { return tx.PutFeedback(ctx, f, holder) })
}

// Clear takes back what the principal thought of a run of its own, if anything.
// NotFound when the principal does not see the run, Unreachable when the tracing
// store does not take it back: then nothing has changed.
func (s *Service) Clear(ctx context.Context, p quern.Principal, id quern.RunID) error {
	r, err := s.Runs.Header(ctx, p, id)
	if err == nil {
		err = p.MayTend(r.Token)
	}
	if err != nil {
		return err
	}
	return s.change(ctx, id,
		func(ctx context.Context) error { return s.Keeper.Unscore(ctx, id) },
		func(ctx context.Context, tx *store.Tx, holder string) error {
			return tx.DeleteFeedback(ctx, id, holder)
		})
}

// Feedback returns what the principal thought of a run of its own; NotFound when
// the principal does not see the run, or has not rated it.
func (s *Service) Feedback(ctx context.Context, p quern.Principal, id quern.RunID) (f quern.Feedback, err error) {
	if _, err := s.Runs.Header(ctx, p, id); err != nil {
		return f, err
	}
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		f, err = tx.Feedback(ctx, id)
		return err
	})
	return f, err
}

// change makes a change there and then here, while nobody else makes one. Once
// it has begun, it goes on whether or not somebody still waits for it.
func (s *Service) change(ctx context.Context, id quern.RunID,
	there func(context.Context) error, here func(context.Context, *store.Tx, string) error,
) error {
	holder, err := s.take(ctx, id)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Timeout)
	defer cancel()
	if err := there(ctx); err != nil {
		s.free(ctx, id, holder)
		return refused(err)
	}
	ctx = context.WithoutCancel(ctx)
	err = s.Store.Update(ctx, func(tx *store.Tx) error { return here(ctx, tx, holder) })
	if err != nil {
		s.restore(ctx, id)
		s.free(ctx, id, holder)
	}
	return err
}

// refused says what it means that the tracing store did not do as asked.
func refused(err error) error {
	if quern.Is(err, quern.NotFound) {
		return err // the run went away meanwhile
	}
	return quern.E(quern.Unreachable, quern.CodeUnreachable, "the tracing store did not take the feedback; nothing was recorded").Because(err)
}

// take waits for the run's feedback and holds it.
func (s *Service) take(ctx context.Context, id quern.RunID) (holder string, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	holder = quern.NewID[string]()
	held := false // whether the store has ever said that somebody else rates it
	for taken := false; ; {
		err = s.Store.Update(ctx, func(tx *store.Tx) error {
			now := s.Now()
			taken, err = tx.LeaseFeedback(ctx, id, holder, now, now.Add(s.Timeout+grace))
			return err
		})
		if err == nil && taken {
			return holder, nil
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return "", err
		}
		held = held || err == nil
		select {
		case <-time.After(look):
		case <-ctx.Done():
			if !held {
				return "", quern.E(quern.Unavailable, quern.CodeUnavailable, "the metadata store does not answer").Because(err)
			}
			return "", quern.E(quern.Conflict, quern.CodeConflict, "the run is being rated by another request; try again").Because(ctx.Err())
		}
	}
}

// free lets others change the run's feedback.
func (s *Service) free(ctx context.Context, id quern.RunID, holder string) {
	ctx = context.WithoutCancel(ctx)
	if err := s.Store.Update(ctx, func(tx *store.Tx) error { return tx.ReleaseFeedback(ctx, id, holder) }); err != nil {
		s.Log.WarnContext(ctx, "a run can be rated again only later", "run", id, "error", err)
	}
}

// restore makes the tracing store say again what is stored here, after a change
// that went there but not here.
func (s *Service) restore(ctx context.Context, id quern.RunID) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	var f quern.Feedback
	err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		f, err = tx.Feedback(ctx, id)
		return err
	})
	switch {
	case err == nil:
		err = s.Keeper.Score(ctx, f)
	case quern.Is(err, quern.NotFound):
		err = s.Keeper.Unscore(ctx, id)
	}
	if err != nil {
		s.Log.WarnContext(ctx, "the tracing store has a rating that was not given", "run", id, "error", err)
	}
}
