package push

import "context"

// Once tells what is due, once, and reports whether anything was.
func (s *Service) Once(ctx context.Context, source Source) bool {
	job, holder, took := s.take(ctx)
	if took {
		s.tell(ctx, source, job, holder)
	}
	return took
}

// Take takes what is due and does nothing with it, as a server that dies.
func (s *Service) Take(ctx context.Context) bool {
	_, _, took := s.take(ctx)
	return took
}

// Close frees the connections of a service that does not work.
func (s *Service) Close() { s.http.CloseIdleConnections() }
