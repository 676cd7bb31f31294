package run

import (
	"context"

	"quern/store"
)

// Sweep does once what Work does from time to time.
func Sweep(ctx context.Context, s *Service) { s.sweep(ctx) }

// Title makes a title of a question.
func Title(question string) string { return title(question) }

// Scribe writes for many at once.
func Scribe(s *store.Store) func(context.Context, func(context.Context, *store.Tx) error) error {
	return (&scribe{store: s}).write
}
