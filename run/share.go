package run

import (
	"context"
	"crypto/rand"

	"quern"
	"quern/catalog"
	"quern/store"
)

// Share returns the link to the answer of a run of the principal's, making it when
// there is none. Invalid when the run has no answer that others could be shown, or was
// asked before it was kept what its queries read.
func (s *Service) Share(ctx context.Context, p quern.Principal, id quern.RunID) (link quern.RunShare, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		r, err := changeable(ctx, tx, p, id)
		if err != nil {
			return err
		}
		if link, err = tx.RunShareOf(ctx, id); !quern.Is(err, quern.NotFound) {
			return err
		}
		if err := tx.RunContent(ctx, &r, false); err != nil {
			return err
		}
		if _, ok := reads(r); !ok {
			return quern.E(quern.Invalid, quern.CodeInvalid, "only the answer of a completed run can be shared, and only one whose queries are known")
		}
		link = quern.RunShare{Run: id, ID: rand.Text(), CreatedAt: stored(s.now())}
		return tx.InsertRunShare(ctx, link)
	})
	if quern.Is(err, quern.Conflict) { // somebody else made it at the same moment
		return s.ShareOf(ctx, p, id)
	}
	return link, err
}

// ShareOf returns the link to the answer of a run of the principal's; NotFound when
// there is none.
func (s *Service) ShareOf(ctx context.Context, p quern.Principal, id quern.RunID) (link quern.RunShare, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		if _, err := visible(ctx, tx, p, id); err != nil {
			return err
		}
		link, err = tx.RunShareOf(ctx, id)
		return err
	})
	return link, err
}

// Unshare takes the link to the answer of a run of the principal's back. It is
// idempotent.
func (s *Service) Unshare(ctx context.Context, p quern.Principal, id quern.RunID) error {
	return s.store.Update(ctx, func(tx *store.Tx) error {
		if _, err := changeable(ctx, tx, p, id); err != nil {
			return err
		}
		return tx.DeleteRunShare(ctx, id)
	})
}

// Shared returns the run that a link leads to, and who asked, for a principal that may
// read every dataset that its queries read; NotFound, all alike, for everyone else, for
// links that were taken back and for those that never were.
func (s *Service) Shared(ctx context.Context, p quern.Principal, id string) (r quern.Run, asker quern.User, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		link, err := tx.RunShare(ctx, id)
		if err != nil {
			return err
		}
		if r, err = tx.Run(ctx, link.Run); err != nil {
			return err
		}
		if asker, err = tx.User(ctx, r.Actor); err != nil {
			return err
		}
		return tx.RunContent(ctx, &r, true)
	})
	if err != nil {
		return quern.Run{}, quern.User{}, err
	}
	datasets, ok := reads(r)
	if !ok {
		return quern.Run{}, quern.User{}, notFound()
	}
	for _, d := range datasets {
		if _, err := s.catalog.ByID(ctx, p, d, catalog.Read); err != nil {
			return quern.Run{}, quern.User{}, err
		}
	}
	return r, asker, nil
}

// reads lists the datasets that the queries of a run read; ok is false when it has no
// answer, or when it is not known of every query.
func reads(r quern.Run) (all []quern.DatasetID, ok bool) {
	for _, step := range r.Steps {
		if step.Clarification != nil || len(step.Reads) == 0 {
			return nil, false
		}
		all = append(all, step.Reads...)
	}
	return all, r.Status == quern.RunCompleted && len(r.Steps) > 0
}
