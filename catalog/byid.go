package catalog

import (
	"cmp"
	"context"
	"errors"

	"quern"
	"quern/store"
)

// datasetByID returns a dataset known by its id if the principal may do the action.
func datasetByID(ctx context.Context, tx *store.Tx, p quern.Principal, id quern.DatasetID, a Action) (quern.Dataset, error) {
	access, err := tx.DatasetAccessByID(ctx, p.User.ID, id)
	if err := decide(p, a, access, err); err != nil {
		return quern.Dataset{}, err
	}
	return access.Dataset, nil
}

// ByID returns a dataset known by its id if the principal may do the action.
func (s *Service) ByID(ctx context.Context, p quern.Principal, id quern.DatasetID, a Action) (d quern.Dataset, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		d, err = datasetByID(ctx, tx, p, id, a)
		return err
	})
	return d, err
}

// ForWriting runs fn in one transaction with the dataset at path, if the
// principal may write to it. One that is missing is made first, as a draft, where
// the path is in the principal's own name.
func (s *Service) ForWriting(
	ctx context.Context, p quern.Principal, path quern.DatasetPath, fn func(*store.Tx, quern.Dataset) error,
) error {
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		d, err := s.lockOrDraft(ctx, tx, p, path, quern.NewID[quern.DatasetID]())
		if err != nil {
			return err
		}
		return fn(tx, d)
	})
	return nameTaken("dataset", path.Dataset, err)
}

// lockOrDraft locks the dataset at path for writing, or the draft there; where there
// is neither it makes a draft with an id. NotFound when the principal can have none
// there.
func (s *Service) lockOrDraft(
	ctx context.Context, tx *store.Tx, p quern.Principal, path quern.DatasetPath, id quern.DatasetID,
) (quern.Dataset, error) {
	access, err := lockDataset(ctx, tx, p, path, Write)
	if !quern.Is(err, quern.NotFound) {
		return access.Dataset, err
	}
	d, err := lockDraft(ctx, tx, p, path)
	if !quern.Is(err, quern.NotFound) {
		return d, err
	}
	if err := cmp.Or(mayMake(p, &path, notFound()), p.MayChange()); err != nil {
		return quern.Dataset{}, err
	}
	owner := quern.Namespace{OwnerID: p.User.ID, Owner: p.User.Username}
	return s.create(ctx, tx, path, quern.Dataset{ID: id, Namespace: owner, Draft: true})
}

// draft returns the principal's own draft at path, or NotFound.
func draft(ctx context.Context, tx *store.Tx, p quern.Principal, path quern.DatasetPath) (quern.Dataset, error) {
	if err := mayMake(p, &path, notFound()); err != nil {
		return quern.Dataset{}, notFound()
	}
	access, err := tx.DraftAccess(ctx, p.User.ID, path)
	if quern.Is(err, quern.NotFound) {
		err = notFound()
	}
	return access.Dataset, err
}

// lockDraft is draft for a change: what it returns stays true until the transaction
// ends. It is no draft any more when another change made a dataset of it meanwhile.
func lockDraft(ctx context.Context, tx *store.Tx, p quern.Principal, path quern.DatasetPath) (quern.Dataset, error) {
	d, err := draft(ctx, tx, p, path)
	if err != nil {
		return d, err
	}
	if err := tx.LockDataset(ctx, d.ID); err != nil {
		return d, err
	}
	return datasetByID(ctx, tx, p, d.ID, Write)
}

// OrDraft returns the dataset at path if the principal may do the action, or else the
// principal's own draft there.
func (s *Service) OrDraft(ctx context.Context, p quern.Principal, path quern.DatasetPath, a Action) (d quern.Dataset, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		if d, err = dataset(ctx, tx, p, path, a); quern.Is(err, quern.NotFound) {
			if d, err = draft(ctx, tx, p, path); err == nil && a.changes() {
				err = p.MayChange()
			}
		}
		return err
	})
	return d, err
}

// Sources tells where rows of a dataset the principal may read came from: those
// from an id up to, but not including, another.
func (s *Service) Sources(ctx context.Context, p quern.Principal, id quern.DatasetID, from, to int64) (sources []quern.Source, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		if _, err := datasetByID(ctx, tx, p, id, Read); err != nil {
			return err
		}
		sources, err = tx.Sources(ctx, id, store.RowRange{From: from, To: to})
		return err
	})
	return sources, err
}

// Remember makes a transaction over a dataset happen once: it returns the answer of the one that
// came first under the same key, or notes once's. The key under another request
// is a Conflict.
func (s *Service) Remember(
	ctx context.Context, tx *store.Tx, p quern.Principal, id quern.DatasetID, once Once,
) (answer string, repeated bool, err error) {
	answer, repeated, err = findAnswer(ctx, tx, p, once)
	if err != nil || repeated {
		return answer, repeated, err
	}
	if once.Key == "" {
		return once.Answer, false, nil
	}
	return once.Answer, false, tx.InsertIdempotentAnswer(ctx, store.IdempotentAnswer{
		User: p.User.ID, Key: once.Key, Dataset: id, Request: once.Request, Answer: once.Answer, At: s.now(),
	})
}

// mayMake reports whether the principal can have a dataset at path, giving
// missing when not, and completes the path.
func mayMake(p quern.Principal, path *quern.DatasetPath, missing error) error {
	name, ok := owner(p, path.Owner)
	if path.Owner = name; !ok || name != p.User.Username || !covers(p, *path) {
		return missing
	}
	return errors.Join(validName("namespace", path.Namespace), validName("datasetName", path.Dataset))
}

// MayWrite reports whether the principal may write to the dataset at path, be it
// by making it first: what ForWriting would say.
func (s *Service) MayWrite(ctx context.Context, p quern.Principal, path quern.DatasetPath) error {
	return s.store.View(ctx, func(tx *store.Tx) error {
		_, err := dataset(ctx, tx, p, path, Write)
		if err == nil || !quern.Is(err, quern.NotFound) {
			return err
		}
		return cmp.Or(mayMake(p, &path, err), p.MayChange())
	})
}
