package catalog

import (
	"cmp"
	"context"

	"quern"
	"quern/store"
)

// Change is what one transaction does to one dataset.
type Change struct {
	Dataset quern.DatasetID
	// Name makes the dataset under this name beside the first one of the commit, which
	// must be in the principal's own namespace; empty when it exists.
	Name    string
	Replace bool // all rows that it has go first
	Pieces  []Piece
	// Also is done in the same transaction, given the dataset as it was before; may be nil.
	Also func(*store.Tx, quern.Dataset) error
}

// Commit makes changes to datasets, in order, in one transaction: all of them, or
// none. Drafts among them become datasets. ErrReplan when a piece does not fit behind
// those before it, or a name has been taken meanwhile.
func (s *Service) Commit(ctx context.Context, p quern.Principal, changes []Change) error {
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		var first quern.Dataset
		for i, c := range changes {
			d, err := s.lockForChange(ctx, tx, p, c, first)
			if err != nil {
				return err
			}
			if err := s.apply(ctx, tx, d, c); err != nil {
				return err
			}
			if i == 0 {
				first = d
			}
		}
		return nil
	})
	if quern.Is(err, quern.Conflict) {
		return ErrReplan
	}
	return err
}

func (s *Service) lockForChange(
	ctx context.Context, tx *store.Tx, p quern.Principal, c Change, beside quern.Dataset,
) (quern.Dataset, error) {
	if c.Name != "" {
		path := beside.Path()
		path.Dataset = c.Name
		if err := cmp.Or(mayMake(p, &path, forbidden()), p.MayChange()); err != nil {
			return quern.Dataset{}, err
		}
		return s.create(ctx, tx, path, quern.Dataset{ID: c.Dataset, Namespace: beside.Namespace, MadeFor: beside.ID})
	}
	if err := tx.LockDataset(ctx, c.Dataset); err != nil {
		return quern.Dataset{}, err
	}
	return datasetByID(ctx, tx, p, c.Dataset, Write)
}

// apply does to a locked dataset what c says.
func (s *Service) apply(ctx context.Context, tx *store.Tx, d quern.Dataset, c Change) error {
	if c.Replace {
		if err := s.empty(ctx, tx, d.ID); err != nil {
			return err
		}
		if err := keepFields(ctx, tx, d); err != nil {
			return err
		}
		d = Emptied(d)
		d.DataChangedAt = s.now()
		if err := tx.UpdateData(ctx, d); err != nil {
			return err
		}
	}
	if c.Also != nil {
		if err := c.Also(tx, d); err != nil {
			return err
		}
	}
	if d.Draft {
		if err := tx.PublishDataset(ctx, d); err != nil {
			return err
		}
	}
	for _, piece := range c.Pieces {
		var err error
		if d, err = s.append(ctx, tx, d, piece); err != nil {
			return err
		}
	}
	return nil
}

// keepFields remembers the columns of a dataset that is about to lose them, so that
// those that come back keep their numbers.
func keepFields(ctx context.Context, tx *store.Tx, d quern.Dataset) error {
	if len(d.Columns) == 0 {
		return nil
	}
	known, err := tx.KnownFields(ctx, d.ID)
	if err != nil {
		return err
	}
	all, _ := quern.Fields(known, tableColumns(d))
	return tx.UpdateFields(ctx, d.ID, all)
}

func tableColumns(d quern.Dataset) []quern.Column {
	all := make([]quern.Column, len(d.Columns))
	for i, c := range d.Columns {
		all[i] = c.Column
	}
	return all
}

// Emptied returns the dataset as it would be with its rows and columns gone, so that
// what takes their place can be planned.
func Emptied(d quern.Dataset) quern.Dataset {
	d.Columns, d.Rows, d.Journal, d.Version = nil, 0, quern.Stored{}, d.Version+1
	return d
}
