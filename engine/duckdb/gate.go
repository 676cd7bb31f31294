package duckdb

import (
	"context"

	"quern"
)

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
	select {
	case g.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		<-g.inside
		return ctx.Err()
	}
}

func (g *gate) leave() {
	<-g.places
	<-g.inside
}
