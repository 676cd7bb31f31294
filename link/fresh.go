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
	// mostAwaited is how many new datasets are waited for whatever the reader wants. Where
	// there are more, those alone that it is about are, and no more of them than this.
	mostAwaited = 32
	// pollPause is the pause between looks at what another server works on.
	pollPause = 20 * time.Millisecond
)

// About says which datasets a reader of links is about, the likeliest first.
type About func() []quern.DatasetID

// reading is how some datasets' links are read: which of the datasets are new, which
// of them matter where they are many, and the links.
type reading struct {
	fresh func(*store.Tx, store.NewData) ([]quern.DatasetID, error)
	about About // nil: none matters more than others
	links func(*store.Tx) ([]store.Link, error)
}

// newData says which datasets are looked at before links are read; of are those that
// matter, nil for all.
func (s *Service) newData(of []quern.DatasetID) store.NewData {
	now := s.now()
	return store.NewData{Rows: mostRowsAwaited, Now: now, Since: now.Add(lease - longestWait), Of: of, Limit: mostAwaited + 1}
}

// read returns the links as they are stored, and which datasets are new, of one
// snapshot.
func (s *Service) read(ctx context.Context, of reading) (stored []store.Link, fresh []quern.DatasetID, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) (err error) {
		if fresh, err = of.fresh(tx, s.newData(nil)); err != nil {
			return err
		}
		stored, err = of.links(tx)
		return err
	})
	return stored, fresh, err
}

// readFresh returns the links as they are stored, once those of new datasets are: of all
// new ones where they are few, else of those that the reader is about. The others are left
// to Upkeep.
func (s *Service) readFresh(ctx context.Context, of reading) ([]store.Link, error) {
	stored, fresh, err := s.read(ctx, of)
	if err != nil || len(fresh) == 0 {
		return stored, err
	}
	var awaited []quern.DatasetID
	if len(fresh) > mostAwaited {
		if of.about != nil {
			awaited = of.about()
		}
		if len(awaited) == 0 {
			return stored, nil
		}
		awaited = awaited[:min(len(awaited), mostAwaited)]
	}
	list := func(tx *store.Tx) ([]quern.DatasetID, error) { return of.fresh(tx, s.newData(awaited)) }
	if err := s.awaitNew(ctx, list); err != nil {
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
