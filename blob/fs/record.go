package fs

import (
	"path/filepath"

	"quern/blob"
)

// arrival is a part whose bytes last and whose record is to be written.
type arrival struct {
	part partRecord
	// recorded says that err is what became of it. Both are guarded by upload.journal.
	recorded bool
	err      error
}

// recordPart records a part whose bytes last, for good. Parts that arrive while the
// journal is being synced are recorded together, with one sync, by the first of
// them whose turn it is.
func (s *Store) recordPart(u *upload, p partRecord) error {
	a := &arrival{part: p}
	u.mu.Lock()
	u.arrivals = append(u.arrivals, a)
	u.mu.Unlock()

	u.journal.Lock()
	defer u.journal.Unlock()
	if !a.recorded {
		s.recordArrivals(u)
	}
	return a.err
}

// recordArrivals records the parts that wait for it. The caller holds u.journal, so
// that the upload is neither sealed nor removed meanwhile; others may go on to
// begin and to write parts.
func (s *Store) recordArrivals(u *upload) {
	all, err := s.takeArrivals(u)
	if err != nil {
		for _, a := range all {
			a.recorded, a.err = true, err
			s.forgetPart(u, a.part)
		}
		return
	}
	records := make([]record, len(all))
	for i, a := range all {
		records[i] = record{Part: &a.part}
	}
	err = s.writeJournal(filepath.Join(u.dir, journalFile), 0, records...)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.loaded = err == nil // else nobody knows what the journal holds
	for _, a := range all {
		a.recorded, a.err = true, err
		s.settlePart(u, a.part, err)
	}
}

// takeArrivals returns the parts that wait to be recorded, and why they cannot be.
func (s *Store) takeArrivals(u *upload) ([]*arrival, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.arrivals
	u.arrivals = nil
	err := s.load(u)
	if ended := u.gone || u.sealed; err == nil && ended {
		err = blob.ErrNoUpload
	}
	return all, err
}

// settlePart takes note of a part's record. One that failed to be written may yet be
// there, so its file stays. The caller holds u.mu.
func (s *Store) settlePart(u *upload, p partRecord, failed error) {
	if p.File == dataFile {
		delete(u.claims, p.Number)
	}
	if failed != nil {
		return
	}
	if old, replaced := u.parts[p.Number]; replaced && old.File != dataFile {
		s.disk.Remove(filepath.Join(u.dir, old.File))
	}
	u.parts[p.Number] = p
}

// forgetPart gives up a part that will not be recorded.
func (s *Store) forgetPart(u *upload, p partRecord) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if p.File == dataFile {
		delete(u.claims, p.Number)
		return
	}
	s.disk.Remove(filepath.Join(u.dir, p.File))
}
