package schema

import (
	"context"
	"time"

	"quern"
	"quern/store"
)

const (
	// lookEvery is how often to look for data that changed.
	lookEvery = 5 * time.Second
	// eagerLooks is at how many looks in a row a dataset may have changed and be indexed at
	// once. One that changes on is indexed when it has rested from one look to the next, or
	// at one of seldomLooks: to read it all again every time would be for nobody.
	eagerLooks  = 2
	seldomLooks = 12
	// busyVersions is how many versions a dataset has had since the look before, at least, that is
	// taken for one that changes on: it will have changed before it is indexed.
	busyVersions = 50
	// newFor is how long a version of a dataset is indexed without a question.
	newFor = time.Hour
	// mostNew is how many of these one look at the store returns.
	mostNew = 20
)

// changing is a dataset that had changed when it was looked at.
type changing struct {
	version int64
	looks   int  // in a row, at which it had changed again
	waits   bool // it is not indexed before a question asks for it, or a later look
}

// Run indexes changed data of the datasets that were asked about until ctx ends.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := s.Upkeep(ctx); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "indexing values failed", "error", err)
		}
	}
}

// Upkeep starts indexing the datasets among those kept whose data have changed and
// those that are new, except for those that change all the time, and forgets those that
// are gone. While there is other work it lets looks pass, but not seldomLooks of them. Only one runs at a time.
func (s *Service) Upkeep(ctx context.Context) error {
	if s.passed++; s.busy != nil && s.busy() && s.passed < seldomLooks {
		return nil
	}
	s.passed = 0
	last := s.changing
	s.changing = map[quern.DatasetID]changing{}
	for id, version := range s.versions() {
		current, err := s.catalog.Version(ctx, id)
		switch {
		case quern.Is(err, quern.NotFound):
			s.forget(id)
		case err != nil:
			return err
		case current > version:
			if err := s.indexAhead(ctx, quern.Dataset{ID: id, Version: current}, last); err != nil {
				return err
			}
		}
	}
	return s.indexNew(ctx, last)
}

// indexNew starts to index and encode the versions that were made of late, so that
// the first question about them finds it done.
func (s *Service) indexNew(ctx context.Context, last map[quern.DatasetID]changing) error {
	if s.encoder == nil {
		return nil
	}
	var made []quern.Dataset
	err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		made, err = tx.UnencodedDatasets(ctx, s.encoder.Fingerprint(), s.now().Add(-newFor), mostNew)
		return err
	})
	if err != nil {
		return err
	}
	for _, d := range made {
		if err := s.indexAhead(ctx, d, last); err != nil {
			return err
		}
	}
	return nil
}

// indexAhead starts to index a dataset that has changed, unless it changes all the time.
func (s *Service) indexAhead(ctx context.Context, d quern.Dataset, last map[quern.DatasetID]changing) error {
	now, looked := s.changing[d.ID]
	if !looked {
		now = last[d.ID].next(d.Version)
		s.changing[d.ID] = now
	}
	if now.waits {
		return nil
	}
	if _, err := s.table(ctx, d); err != nil && !quern.Is(err, quern.NotFound) {
		return err
	}
	return nil
}

// next is what is known at the next look, which finds a version.
func (c changing) next(version int64) changing {
	if c.version == version {
		return changing{version: version} // it has rested
	}
	looks := c.looks + 1
	busy := looks > eagerLooks || version-c.version >= busyVersions
	return changing{version, looks, busy && looks%seldomLooks != 0}
}
