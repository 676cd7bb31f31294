package store

import (
	"context"
	"errors"
	"time"

	"quern"
)

// verifyEvery is how often Watch looks for damage; on a large database less often,
// so that looking takes at most one part in verifyShare of the time. Where damage is known it
// looks more often: a disk that failed for a moment looks like damage, too, and the server
// does nothing until it knows better.
const (
	verifyEvery = time.Minute
	verifyShare = 100

	suspectEvery = 5 * time.Second
	suspectShare = 5
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
		return s.suspect(damaged(errors.New(answer)))
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
		if !s.waitToVerify(ctx, time.Since(begun)) {
			return
		}
	}
}

// waitToVerify waits until the database is to be verified again, after that took a while.
// It is false when ctx ends first.
func (s *Store) waitToVerify(ctx context.Context, took time.Duration) bool {
	usual := time.NewTimer(max(verifyEvery, verifyShare*took))
	defer usual.Stop()
	suspected := s.suspected
	if s.damage.Load() != nil {
		suspected = nil
		usual.Reset(max(suspectEvery, suspectShare*took))
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-usual.C:
			return true
		case <-suspected:
			suspected = nil
			usual.Reset(max(suspectEvery, suspectShare*took))
		}
	}
}

// suspect notes damage, and has Watch look soon.
func (s *Store) suspect(found *quern.Error) *quern.Error {
	s.damage.Store(found)
	select {
	case s.suspected <- struct{}{}:
	default:
	}
	return found
}

// believe turns NotFound into the damage of the database, if any is known.
func (s *Store) believe(err error) error {
	if known := s.damage.Load(); known != nil && quern.Is(err, quern.NotFound) {
		return known
	}
	return err
}
