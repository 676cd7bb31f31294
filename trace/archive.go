package trace

import (
	"context"

	"quern"
)

// Archive is the traces that can be read here. They are those of the metadata,
// whichever other destinations spans have.
type Archive struct {
	// Kept is where they are; nil when the settings keep none.
	Kept *Embedded
	// Recorder may hold spans that are not yet there.
	Recorder *Recorder
}

// Trace returns a run's trace as a tree. Conflict when no traces are kept here.
func (a Archive) Trace(ctx context.Context, run quern.Run) (Node, error) {
	if a.Kept == nil {
		return Node{}, quern.E(quern.Conflict, quern.CodeConflict,
			"this server keeps no traces; they are in the tracing store, as %s", run.ID.TraceID())
	}
	spans, err := a.Spans(ctx, run.ID)
	return Tree(run, spans), err
}

// Spans lists the spans of a run's trace that are kept here; none where no traces are.
func (a Archive) Spans(ctx context.Context, run quern.RunID) ([]quern.Span, error) {
	if a.Kept == nil {
		return nil, nil
	}
	if err := a.Recorder.Flush(ctx, EmbeddedName); err != nil {
		return nil, err
	}
	return a.Kept.Spans(ctx, run)
}
