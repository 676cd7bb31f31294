package run

import (
	"context"
	"time"

	"quern"
	"quern/store"
)

// Sweep does once what Work does from time to time.
func Sweep(ctx context.Context, s *Service) { s.sweep(ctx) }

// Title makes a title of a question.
func Title(question string) string { return title(question) }

// Scribe writes for many at once, with so much patience for each transaction.
func Scribe(s *store.Store, patience time.Duration) func(context.Context, func(context.Context, *store.Tx) error) error {
	return (&scribe{store: s, patience: patience}).write
}

// Keep does once what Work does all the time: it keeps the leases.
func Keep(ctx context.Context, s *Service) { s.keep(ctx) }

// Hold makes a service keep the lease of a run, as one that works on it does.
func Hold(s *Service, r quern.Run) {
	s.crew.add(&held{run: r, kept: s.now(), stop: func(error) {}})
}

// Write writes where a service's work does.
func Write(ctx context.Context, s *Service, do func(context.Context, *store.Tx) error) error {
	return s.scribe.write(ctx, do)
}

// Waiting counts the writes that wait for the one that is under way.
func Waiting(s *Service) int {
	s.scribe.mu.Lock()
	defer s.scribe.mu.Unlock()
	return len(s.scribe.queue)
}

// Take takes a run that is due, as Work does, and reports whether there was one.
func Take(ctx context.Context, s *Service) bool {
	s.crew.open(ctx)
	s.crew.slots <- struct{}{}
	return s.takeOne(ctx)
}
