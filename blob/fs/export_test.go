package fs

// Arrivals is how many parts of an upload wait to be recorded.
func (s *Store) Arrivals(id string) int {
	s.mu.Lock()
	u := s.uploads[id]
	s.mu.Unlock()
	if u == nil {
		return 0
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.arrivals)
}
