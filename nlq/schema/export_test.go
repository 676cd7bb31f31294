package schema

import "quern"

// Kept returns the version at which a dataset is indexed, or about to be; 0: none.
func (s *Service) Kept(id quern.DatasetID) int64 { return s.versions()[id] }
