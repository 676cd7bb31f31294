package link

import (
	"context"
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
// What takes too long is left to Upkeep. List returns the new ones.
func (s *Service) awaitNew(ctx context.Context, list func(tx *store.Tx) ([]quern.DatasetID, error)) error {
	waiting, cancel := context.WithTimeout(ctx, longestWait)
	defer cancel()
	for {
		var fresh []quern.DatasetID
		err := s.store.View(ctx, func(tx *store.Tx) (err error) {
			fresh, err = list(tx)
			return err
		})
		if err != nil || len(fresh) == 0 {
			return err
		}
		mine := false
		for _, dataset := range fresh {
			taken, err := s.rebuildLeased(waiting, dataset)
			if err != nil {
				return s.giveUp(ctx, dataset, err)
			}
			mine = mine || taken
		}
		if mine {
			continue
		}
		select {
		case <-waiting.Done():
			return context.Cause(ctx)
		case <-time.After(pollPause):
		}
	}
}

// giveUp leaves a dataset's links to Upkeep. That they could not be found is no
// failure of who asked, unless it is the end of the request itself.
func (s *Service) giveUp(ctx context.Context, id quern.DatasetID, cause error) error {
	s.log.WarnContext(ctx, "looking for a new dataset's links is left for later", "dataset", id, "error", cause)
	err := s.store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error { return tx.FreeSketch(ctx, id) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
