// Package trace owns how the work on a run is written down: the spans of its
// trace, from question to answer, and the score that its asker gave it.
//
// A part of the program calls Start around a piece of work; the spans of a run
// go to every place that wants them through a queue each:
//
//	Start … End → queue → Sink (the metadata, Langfuse, Phoenix, a collector)
//
// Scores take the other way: they are given to the one Keeper that is in use and
// count only when it has accepted them.
//
// It never records rows, and questions, queries and answers only where the
// settings allow it. The failure it is built around is the tracing store that is
// slow or away: no run waits for it or fails because of it. A queue that is full
// drops spans and counts them.
package trace

import (
	"context"

	"quern"
)

// Sink takes spans.
type Sink interface {
	// Record stores spans. A span that it has already is kept once: as it was, or as it
	// is now, which is the same where a batch is tried again. When it fails with
	// Unreachable or Unavailable, the same spans may be tried again; other errors mean
	// that it will never take them.
	Record(ctx context.Context, spans []quern.Span) error
}

// Keeper is a tracing store: it keeps the traces of runs and the scores on them.
type Keeper interface {
	Sink
	// Score stores what was thought of a run, in the place of what it has for
	// that run. It returns nil only when the store has accepted the score, and
	// fails with Unreachable when the store did not answer, or not with consent.
	Score(ctx context.Context, f quern.Feedback) error
	// Unscore removes a run's score. It is no error when there is none.
	Unscore(ctx context.Context, run quern.RunID) error
}
