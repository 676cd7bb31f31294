package store

import (
	"context"
	"errors"
	"time"

	"quern"
)

// verifyEvery is how often Watch looks for damage; on a large database less often,
// so that looking takes at most one part in verifyShare of the time.
const (
	verifyEvery = time.Minute
	verifyShare = 100
)

// damaged makes the error of a database whose files cannot be believed. What is
// not found in it may have been there, so nothing of it is NotFound.
func damaged(cause error) *quern.Error {
	return quern.E(quern.Unavailable, quern.CodeUnavailable, "the metadata store is damaged; restore it from a backup").Because(cause)
}

// Verify reads the whole database and fails when it is damaged. From then on Ping
// fails too, and what is not found is Unavailable, until a later Verify finds the
// database whole. PostgreSQL looks after its own files: there it is Ping.
func (s *Store) Verify(ctx context.Context) error {
	if s.dialect.verify == "" {
		return s.Ping(ctx)
	}
	var answer string
	err := s.read.QueryRowContext(ctx, s.dialect.verify).Scan(&answer)
	switch {
	case err != nil:
		return s.classify(err)
	case answer != "ok":
		found := damaged(errors.New(answer))
		s.damage.Store(found)
		return found
	}
	s.damage.Store(nil)
	return nil
}

// Watch verifies the database now and then until ctx ends. Each failure goes to
// report.
func (s *Store) Watch(ctx context.Context, report func(error)) {
	if s.dialect.verify == "" {
		return
	}
	for {
		begun := time.Now()
		if err := s.Verify(ctx); err != nil && ctx.Err() == nil {
			report(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(verifyEvery, verifyShare*time.Since(begun))):
		}
	}
}

// believe turns NotFound into the damage of the database, if any is known.
func (s *Store) believe(err error) error {
	if known := s.damage.Load(); known != nil && quern.Is(err, quern.NotFound) {
		return known
	}
	return err
}
