package duckdb

import (
	"context"
	"time"

	"quern"
)

// maxWait is how long a caller waits for a place.
const maxWait = 15 * time.Second

// gate lets a bounded number of callers work and a bounded number wait.
type gate struct {
	places chan struct{} // one token per working caller
	inside chan struct{} // one token per working or waiting caller
}

func newGate(working, waiting int) *gate {
	return &gate{
		places: make(chan struct{}, working),
		inside: make(chan struct{}, working+waiting),
	}
}

// enter waits for a place. The caller must leave once if and only if enter
// returns nil.
func (g *gate) enter(ctx context.Context) error {
	select {
	case g.inside <- struct{}{}:
	default:
		return quern.E(quern.Unavailable, quern.CodeUnavailable,
			"too many queries are waiting; try again later")
	}
	late := time.NewTimer(maxWait)
	defer late.Stop()
	select {
	case g.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		<-g.inside
		return ctx.Err()
	case <-late.C:
		<-g.inside
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "the server is busy; try again later")
	}
}

func (g *gate) leave() {
	<-g.places
	<-g.inside
}
