package upload

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/store"
)

const (
	// freeTime is how long freeing what one session stored may take.
	freeTime = 5 * time.Minute
	// settle is how long after its end a session is freed once more: longer than
	// a step that was under way can take.
	settle = 15 * time.Minute
	// memory is how long an ended session is still known.
	memory = 7 * 24 * time.Hour
	// batch is how many sessions one look at the store returns.
	batch = 100
)

// Abort ends a session and frees what it stored, completed files included.
// Aborting again is harmless; it fails with Invalid for a completed session.
func (s *Service) Abort(ctx context.Context, p quern.Principal, id quern.SessionID) (quern.UploadSession, error) {
	session, err := s.visible(ctx, p, id)
	if err == nil {
		err = p.MayChange()
	}
	if err == nil && session.Status == quern.UploadPreparing {
		session, err = s.end(ctx, session, quern.UploadPreparing, quern.UploadAborted)
	}
	if err == nil && session.Status == quern.UploadCompleted {
		err = errCompleted
	}
	return session, err
}

// end moves a session on, frees what it stored if it was this call that did, and
// returns the session as it is then.
func (s *Service) end(ctx context.Context, session quern.UploadSession, from, to quern.UploadStatus) (quern.UploadSession, error) {
	moved := false
	err := s.store.Update(ctx, func(tx *store.Tx) (err error) {
		if moved, err = tx.EndUploadSession(ctx, session.ID, from, to, s.now()); err != nil {
			return err
		}
		session, err = tx.UploadSession(ctx, session.ID)
		return err
	})
	if err == nil && moved {
		s.freeLater(ctx, session)
	}
	return session, err
}

// freeLater frees what a session stored now if that can be done, and leaves it
// to Upkeep else.
func (s *Service) freeLater(ctx context.Context, session quern.UploadSession) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), freeTime)
	defer cancel()
	held, err := s.held(ctx)
	if held {
		return
	}
	if err == nil {
		err = s.free(ctx, session)
	}
	if err != nil {
		s.log.WarnContext(ctx, "parts of an ended upload session stay until upkeep frees them", "session", session.ID, "error", err)
	}
}

// clockSkew is by how much replicas' clocks may differ: a hold counts for so much longer.
const clockSkew = time.Minute

// held reports whether a backup may yet have to copy what sessions stored.
func (s *Service) held(ctx context.Context) (held bool, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		held, err = tx.Held(ctx, s.now().Add(-clockSkew))
		return err
	})
	return held, err
}

// free drops the parts and the objects of a session's files. The upload goes
// first: what it may still turn into is then there to be deleted.
func (s *Service) free(ctx context.Context, session quern.UploadSession) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(busy)
	for _, f := range session.Files {
		group.Go(func() error {
			if err := s.objects.Abort(ctx, f.Key, f.UploadID); err != nil {
				return err
			}
			return s.objects.Delete(ctx, f.Key)
		})
	}
	return group.Wait()
}

// Run does the upkeep, now and then, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	pause := min(max(s.limits.SessionLife/24, time.Second), 10*time.Minute)
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		if err := s.Upkeep(ctx); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "the upkeep of uploads is not complete", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Upkeep aborts sessions whose life has ended, removes completed ones that have
// outlived their retention, frees what ended sessions stored, and aborts uploads
// of the object store that belong to no session. It is safe to run on several
// replicas at once, and a failure of one step does not keep the others from
// their turn.
func (s *Service) Upkeep(ctx context.Context) error {
	return errors.Join(s.expire(ctx), s.retire(ctx), s.freeEnded(ctx), s.dropOrphans(ctx))
}

func (s *Service) expire(ctx context.Context) error {
	return s.endAll(ctx, quern.UploadPreparing, quern.UploadAborted, func(tx *store.Tx) ([]quern.SessionID, error) {
		return tx.ExpiredUploadSessions(ctx, s.now(), batch)
	})
}

func (s *Service) retire(ctx context.Context) error {
	return s.endAll(ctx, quern.UploadCompleted, quern.UploadRemoved, func(tx *store.Tx) ([]quern.SessionID, error) {
		keep, err := tx.Retention(ctx, quern.RetainOriginals, s.limits.Retention)
		if err != nil || keep == 0 {
			return nil, err
		}
		return tx.CompletedUploadSessions(ctx, s.now().Add(-keep), batch)
	})
}

// endAll moves the sessions on that find returns, until it returns no more.
func (s *Service) endAll(ctx context.Context, from, to quern.UploadStatus, find func(*store.Tx) ([]quern.SessionID, error)) error {
	for {
		ids, err := s.find(ctx, find)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := s.end(ctx, quern.UploadSession{ID: id}, from, to); err != nil {
				return err
			}
			s.log.InfoContext(ctx, "an upload session has ended", "session", id, "status", to)
		}
		if len(ids) < batch {
			return nil
		}
	}
}

func (s *Service) find(ctx context.Context, find func(*store.Tx) ([]quern.SessionID, error)) (ids []quern.SessionID, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		ids, err = find(tx)
		return err
	})
	return ids, err
}

// freeEnded frees, for the last time, what ended sessions may have stored, and
// forgets those that ended long ago. While a backup runs, both wait.
func (s *Service) freeEnded(ctx context.Context) error {
	for {
		if held, err := s.held(ctx); held || err != nil {
			return err
		}
		ids, err := s.find(ctx, func(tx *store.Tx) ([]quern.SessionID, error) {
			return tx.UnfreedUploadSessions(ctx, s.now().Add(-settle), batch)
		})
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.freeOne(ctx, id); err != nil {
				return err
			}
		}
		if len(ids) < batch {
			break
		}
	}
	return s.store.Update(ctx, func(tx *store.Tx) error {
		return tx.DeleteFreedUploadSessions(ctx, s.now().Add(-memory))
	})
}

func (s *Service) freeOne(ctx context.Context, id quern.SessionID) error {
	session, err := s.session(ctx, id)
	if err != nil {
		return err
	}
	if err := s.free(ctx, session); err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.FreeUploadSession(ctx, id, s.now()) })
}

// dropOrphans aborts uploads that were begun longer ago than any session lives
// and that no open session names.
func (s *Service) dropOrphans(ctx context.Context) error {
	oldest := s.now().Add(-s.limits.SessionLife)
	for u, err := range s.objects.Uploads(ctx, Prefix) {
		if err != nil {
			return err
		}
		if u.Began.After(oldest) {
			continue
		}
		var known bool
		err := s.store.View(ctx, func(tx *store.Tx) (err error) {
			known, err = tx.KnowsUpload(ctx, u.Key, u.ID)
			return err
		})
		if err != nil {
			return err
		}
		if known {
			continue
		}
		if err := s.objects.Abort(ctx, u.Key, u.ID); err != nil {
			return err
		}
		s.log.InfoContext(ctx, "an upload that belongs to no session was aborted", "key", u.Key)
	}
	return nil
}
