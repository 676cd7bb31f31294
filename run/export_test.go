package run

import (
	"context"
	"time"

	"quern/store"
)

// Sweep does once what Work does from time to time.
func Sweep(ctx context.Context, s *Service) { s.sweep(ctx) }

// Title makes a title of a question.
func Title(question string) string { return title(question) }

// Batcher writes for many at once, with so much patience for each transaction.
func Batcher(s *store.Store, patience time.Duration) func(context.Context, func(context.Context, *store.Tx) error) error {
	return newBatcher(s, patience).write
}

// Keep renews the leases, as Work does all the time.
func Keep(ctx context.Context, s *Service) { s.workers.Renew(ctx) }

// Write writes where a service's work does.
func Write(ctx context.Context, s *Service, do func(context.Context, *store.Tx) error) error {
	return s.batcher.write(ctx, do)
}

// Waiting counts the writes that wait for the one that is under way.
func Waiting(s *Service) int { return s.batcher.Waiting() }
