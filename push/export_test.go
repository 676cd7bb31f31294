package push

import (
	"context"

	"quern"
)

// Once tells what is due, once, and reports whether anything was.
func (s *Service) Once(ctx context.Context, source Source) bool {
	s.source = source
	took, err := s.workers.Once(ctx)
	return took && err == nil
}

// Take takes what is due and does nothing with it, as a server that dies.
func (s *Service) Take(ctx context.Context) bool {
	_, err := s.take(ctx, quern.Claim{Lease: s.workers.Lease(), Now: s.now()}, nil)
	return err == nil
}

// Close frees the connections of a service that does not work.
func (s *Service) Close() { s.http.CloseIdleConnections() }
