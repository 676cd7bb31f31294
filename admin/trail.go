package admin

import (
	"context"
	"time"

	"quern"
	"quern/store"
)

const (
	// sealEvery is how often entries of the audit trail are sealed.
	sealEvery = time.Minute
	// sealMost is how many entries a stretch has, at most.
	sealMost = 1000
	// cutMost is how many stretches are cut in one transaction.
	cutMost = 100
)

// KeepAudit seals the audit trail, and cuts what is past its retention, until ctx ends.
func (s *Service) KeepAudit(ctx context.Context) {
	tick := time.NewTicker(sealEvery)
	defer tick.Stop()
	for {
		if err := s.SealAudit(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "the audit trail is sealed later", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// SealAudit seals all entries that are not sealed yet, and cuts stretches that are past
// their retention. Of two servers that seal at once one gives way.
func (s *Service) SealAudit(ctx context.Context) error {
	for {
		var seal quern.AuditSeal
		err := s.Store.Update(ctx, func(tx *store.Tx) (err error) {
			seal, err = s.seal(ctx, tx)
			return err
		})
		switch {
		case quern.Is(err, quern.Conflict):
			return nil // another server does it
		case err != nil:
			return err
		case seal.Entries > 0:
			// Whoever keeps the log can tell later whether the trail was changed as a whole.
			s.Log.InfoContext(ctx, "audit trail sealed", "stretch", seal.Stretch, "entries", seal.Entries, "digest", seal.Digest)
		}
		if seal.Entries < sealMost {
			break
		}
	}
	return s.cutAudit(ctx)
}

func (s *Service) seal(ctx context.Context, tx *store.Tx) (seal quern.AuditSeal, err error) {
	last, err := tx.LastAuditSeal(ctx)
	if err != nil {
		return seal, err
	}
	entries, err := tx.UnsealedAudit(ctx, sealMost)
	if err != nil || len(entries) == 0 {
		return seal, err
	}
	seal = quern.AuditSeal{
		Stretch: last.Stretch + 1, Entries: int64(len(entries)), FirstAt: entries[0].At, LastAt: entries[0].At, Before: last.Digest,
		SealedAt: s.Now().UTC().Truncate(time.Microsecond),
	}
	chain := quern.NewAuditChain(seal.Before)
	for _, e := range entries {
		chain.Add(e)
		if e.At.After(seal.LastAt) {
			seal.LastAt = e.At
		}
		if e.At.Before(seal.FirstAt) {
			seal.FirstAt = e.At
		}
	}
	seal.Digest = chain.Digest()
	return seal, tx.SealAudit(ctx, seal, entries)
}

func (s *Service) cutAudit(ctx context.Context) error {
	for {
		var n int64
		err := s.Store.Update(ctx, func(tx *store.Tx) error {
			n = 0
			keep, err := tx.Retention(ctx, quern.RetainAudit, s.Options.Retention[quern.RetainAudit])
			if err == nil && keep > 0 {
				n, err = tx.CutAudit(ctx, s.Now().Add(-keep), cutMost)
			}
			return err
		})
		if err != nil || n < cutMost {
			return err
		}
	}
}

// maxSeals is how many stretches a page of the audit trail has.
const maxSeals = 20

// Audit returns a page of the audit trail, from a stretch on: entries, then their seal,
// for up to 20 stretches. Behind the last stretch come the entries that are not sealed yet.
func (s *Service) Audit(ctx context.Context, p quern.Principal, from int64) (page []quern.AuditLine, err error) {
	if err := p.MayAdminister(); err != nil {
		return nil, err
	}
	add := func(entries []quern.AuditEntry) {
		for _, e := range entries {
			page = append(page, quern.AuditLine{Entry: &e})
		}
	}
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		page = nil
		seals, err := tx.AuditSeals(ctx, from, maxSeals)
		if err != nil {
			return err
		}
		for _, seal := range seals {
			entries, err := tx.SealedAudit(ctx, seal.Stretch)
			if err != nil {
				return err
			}
			add(entries)
			page = append(page, quern.AuditLine{Seal: &seal})
		}
		if len(seals) == maxSeals {
			return nil
		}
		open, err := tx.UnsealedAudit(ctx, sealMost)
		add(open)
		return err
	})
	return page, err
}
