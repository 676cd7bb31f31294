package link

import (
	"context"
	"slices"
	"time"

	"quern"
	"quern/store"
)

const (
	// longestWait is how long a reader of links waits for those of new datasets.
	longestWait = 3 * time.Second
	// mostRowsAwaited is how large a dataset may be for its links to be waited for.
	mostRowsAwaited = 1_000_000
	// pollPause is the pause between looks at what another server works on.
	pollPause = 20 * time.Millisecond
)

// newData says which datasets are looked at before links are read.
func (s *Service) newData() store.NewData {
	now := s.now()
	return store.NewData{Rows: mostRowsAwaited, Now: now, Since: now.Add(lease - longestWait), Limit: atOnce}
}

// reading is how some datasets' links are read: which of the datasets are new, and
// the links.
type reading struct {
	fresh func(*store.Tx) ([]quern.DatasetID, error)
	links func(*store.Tx) ([]store.Link, error)
}

// read returns the links as they are stored, and which datasets are new, of one
// snapshot.
func (s *Service) read(ctx context.Context, of reading) (stored []store.Link, fresh []quern.DatasetID, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) (err error) {
		if fresh, err = of.fresh(tx); err != nil {
			return err
		}
		stored, err = of.links(tx)
		return err
	})
	return stored, fresh, err
}

// readFresh returns the links as they are stored, once those of new datasets are.
func (s *Service) readFresh(ctx context.Context, of reading) ([]store.Link, error) {
	stored, fresh, err := s.read(ctx, of)
	if err != nil || len(fresh) == 0 {
		return stored, err
	}
	if err := s.awaitNew(ctx, of.fresh); err != nil {
		return nil, err
	}
	stored, _, err = s.read(ctx, of)
	return stored, err
}

// awaitNew looks for the links of new datasets now, so that whoever asks right after
// data have come in sees them, and waits for those that another server has taken.
// What takes too long, or fails, is left to Upkeep. List returns the new ones.
func (s *Service) awaitNew(ctx context.Context, list func(tx *store.Tx) ([]quern.DatasetID, error)) error {
	waiting, cancel := context.WithTimeout(ctx, longestWait)
	defer cancel()
	tried := map[quern.DatasetID]bool{}
	for waiting.Err() == nil {
		var fresh []quern.DatasetID
		err := s.store.View(ctx, func(tx *store.Tx) (err error) {
			fresh, err = list(tx)
			return err
		})
		fresh = slices.DeleteFunc(fresh, func(id quern.DatasetID) bool { return tried[id] })
		if err != nil || len(fresh) == 0 {
			return err
		}
		mine := false
		for _, id := range fresh {
			taken, err := s.rebuildLeased(waiting, id)
			if err != nil {
				s.leave(ctx, id, err, waiting.Err() != nil)
			}
			tried[id] = taken || err != nil
			mine = mine || tried[id]
		}
		if mine {
			continue
		}
		select {
		case <-waiting.Done():
		case <-time.After(pollPause):
		}
	}
	return context.Cause(ctx)
}

// leave leaves a dataset's links to Upkeep: at once where there was no more time, and
// once the lease is over where they cannot be found. Neither is a failure of who asked.
func (s *Service) leave(ctx context.Context, id quern.DatasetID, cause error, late bool) {
	s.log.WarnContext(ctx, "looking for a new dataset's links is left for later", "dataset", id, "error", cause)
	if !late {
		return
	}
	free := context.WithoutCancel(ctx)
	if err := s.store.Update(free, func(tx *store.Tx) error { return tx.FreeSketch(free, id) }); err != nil {
		s.log.WarnContext(ctx, "a new dataset's links wait for a lease to end", "dataset", id, "error", err)
	}
}
