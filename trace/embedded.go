package trace

import (
	"context"
	"time"

	"quern"
	"quern/store"
)

const (
	// MaxSpans is how many spans of one trace are shown.
	MaxSpans = 10_000
	// sweepBatch is how many spans are deleted at once.
	sweepBatch = 1000
	sweepEvery = 10 * time.Minute
	// EmbeddedName is the embedded keeper's name as a destination.
	EmbeddedName = "embedded"
)

// Embedded keeps traces and scores in the metadata.
type Embedded struct {
	store *store.Store
	now   func() time.Time
}

// NewEmbedded makes an Embedded.
func NewEmbedded(s *store.Store, now func() time.Time) *Embedded { return &Embedded{s, now} }

// Record stores spans. Those of runs that are gone are left out.
func (e *Embedded) Record(ctx context.Context, spans []quern.Span) error {
	put := func(tx *store.Tx) error { return tx.PutSpans(ctx, spans) }
	err := e.store.Update(ctx, put)
	if quern.Is(err, quern.Conflict) {
		err = e.store.Update(ctx, put) // a run went away at that moment; now it is seen to be gone
	}
	return err
}

// Spans lists the spans of a run's trace.
func (e *Embedded) Spans(ctx context.Context, run quern.RunID) (all []quern.Span, err error) {
	err = e.store.View(ctx, func(tx *store.Tx) (err error) {
		all, err = tx.Spans(ctx, run, MaxSpans)
		return err
	})
	return all, err
}

// Score stores what was thought of a run; NotFound when the run is gone.
func (e *Embedded) Score(ctx context.Context, f quern.Feedback) error {
	return e.store.Update(ctx, func(tx *store.Tx) error { return tx.PutScore(ctx, f) })
}

// Unscore removes a run's score.
func (e *Embedded) Unscore(ctx context.Context, run quern.RunID) error {
	return e.store.Update(ctx, func(tx *store.Tx) error { return tx.DeleteScore(ctx, run) })
}

// Sweep deletes the spans that began longer ago than they are kept: as administrators
// said, or else so long.
func (e *Embedded) Sweep(ctx context.Context, keep time.Duration) error {
	for {
		var n int64
		err := e.store.Update(ctx, func(tx *store.Tx) error {
			keep, err := tx.Retention(ctx, quern.RetainTraces, keep)
			if err == nil {
				n, err = tx.DeleteSpans(ctx, e.now().Add(-keep), sweepBatch)
			}
			return err
		})
		if err != nil || n < sweepBatch {
			return err
		}
	}
}

// Upkeep sweeps from time to time until ctx ends; what fails is told to fail.
func (e *Embedded) Upkeep(ctx context.Context, keep time.Duration, fail func(error)) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := e.Sweep(ctx, keep); err != nil && ctx.Err() == nil {
			fail(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
