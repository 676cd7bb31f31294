package ingest

import "quern"

// Previewing is how many files are looked at for previews, and how many may be at once.
func (s *Service) Previewing() quern.Room { return quern.Places(s.previews) }
