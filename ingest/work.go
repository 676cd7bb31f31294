package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quern"
	"quern/catalog"
	"quern/lease"
	"quern/store"
)

const (
	// workers is how many ingestions one server works on at a time, and userWorkers
	// how many of one user's: many or slow ones leave places for others.
	workers, userWorkers = 4, 2
	// maxAttempts is how often work is begun that fails in passing.
	maxAttempts = 6
	// firstPause and maxPause bound how long is waited after such a failure.
	firstPause, maxPause = 2 * time.Second, time.Minute
)

// progress is how far the work on an ingestion is.
type progress struct {
	bytes   atomic.Int64 // read so far
	counted atomic.Int64 // rows so far
}

// job is an ingestion that is worked on.
type job struct {
	quern.Ingestion
	progress
}

// held is an ingestion in hand.
type held = lease.Held[*job]

// working says how ingestions are worked on.
func (s *Service) working(alone bool) lease.Options[*job] {
	o := lease.Options[*job]{
		Name: "ingestion", Places: workers, Now: s.now, Log: s.log,
		Take: s.take, Keep: s.keep, Do: s.work, Fail: s.giveUp, PutBack: s.putBack,
	}
	if alone {
		o.Free = func(ctx context.Context) error {
			return s.store.Update(ctx, func(tx *store.Tx) error { return tx.FreeIngestions(ctx, s.now()) })
		}
	}
	return o
}

// Work ingests what is queued until ctx ends. Every server may run it: an
// ingestion is worked on by whoever holds its lease.
func (s *Service) Work(ctx context.Context) { s.workers.Work(ctx) }

// WorkOnce takes the ingestion that is due longest and works on it until it is
// done, handed back or lost. It reports whether there was one.
func (s *Service) WorkOnce(ctx context.Context) (took bool, err error) { return s.workers.Once(ctx) }

func (s *Service) take(ctx context.Context, c quern.Claim, inHand []string) (t lease.Taken[*job], err error) {
	c.Busy = s.places.busy()
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		i, suspicion, err := tx.TakeIngestion(ctx, c, inHand)
		t = lease.Taken[*job]{ID: string(i.ID), Job: &job{Ingestion: i}, Suspicion: suspicion}
		return err
	})
	if err == nil {
		s.places.add(t.Job.Actor, 1)
	}
	return t, err
}

// userPlaces counts the places that each user has at this server.
type userPlaces struct {
	mu    sync.Mutex
	taken map[quern.UserID]int
}

func (u *userPlaces) add(user quern.UserID, n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.taken == nil {
		u.taken = map[quern.UserID]int{}
	}
	if u.taken[user] += n; u.taken[user] == 0 {
		delete(u.taken, user)
	}
}

// busy returns the users who have as many places as one user may have.
func (u *userPlaces) busy() (users []quern.UserID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for user, n := range u.taken {
		if n >= userWorkers {
			users = append(users, user)
		}
	}
	return users
}

// keep renews leases and stores how far the work is.
func (s *Service) keep(ctx context.Context, all []*held, until time.Time) (lost []*held, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		lost = nil
		for _, h := range all {
			so := store.Progress{Bytes: h.Job.bytes.Load(), Rows: h.Job.counted.Load()}
			kept, err := tx.KeepIngestion(ctx, h.Job.ID, quern.Lease{Holder: h.Holder, Until: until}, h.OnTrial(), so)
			if err != nil {
				return err
			}
			if !kept {
				lost = append(lost, h)
			}
		}
		return nil
	})
	return lost, err
}

// work ingests, and logs that it did.
func (s *Service) work(ctx context.Context, h *held) error {
	defer s.places.add(h.Job.Actor, -1)
	if h.Suspicion >= quern.Guilty {
		return refused("servers died again and again while working on this; it was given up")
	}
	err := s.attempt(ctx, h)
	if err == nil {
		s.log.InfoContext(ctx, "an ingestion is complete", "ingestion", h.ID, "rows", h.Job.counted.Load())
	}
	return err
}

// errPanicked is for a file that breaks what reads it.
var errPanicked = errors.New("ingest: a reader panicked")

// attempt reads the files and commits what was made of them. It starts over when
// others change the dataset's columns meanwhile. A file that breaks its reader
// fails alone: it must not take the server with it, again and again.
func (s *Service) attempt(ctx context.Context, h *held) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", errPanicked, p, debug.Stack())
		}
	}()
	for range maxReplans {
		h.Job.bytes.Store(0)
		h.Job.counted.Store(0)
		err := s.try(ctx, h)
		if !errors.Is(err, catalog.ErrReplan) {
			return err
		}
	}
	return quern.E(quern.Unavailable, quern.CodeUnavailable, "the dataset's columns keep changing")
}

func (s *Service) try(ctx context.Context, h *held) error {
	job := h.Job.Ingestion
	p, err := s.still(ctx, job.Actor, job.Token)
	if err != nil {
		return err
	}
	d, err := s.catalog.ByID(ctx, p, job.Dataset, catalog.Write)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(s.temp, "ingestion-")
	if err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	defer os.RemoveAll(dir)
	r := s.newReading(job, d, dir)
	r.progress, r.actor, r.path = &h.Job.progress, p, d.Path()
	err = r.readAll(ctx)
	h.Job.Files = r.job.Files
	if err != nil {
		return errors.Join(err, s.noteRejected(ctx, job.ID, r.rejected))
	}
	// Reading may have taken longer than the asker's token lives.
	if p, err = s.still(ctx, job.Actor, job.Token); err != nil {
		return err
	}
	return s.commit(ctx, p, r, h.Holder)
}

// noteRejected keeps the rows that made an ingestion fail, for its owner to see.
func (s *Service) noteRejected(ctx context.Context, id quern.IngestionID, rows []quern.RejectedRow) error {
	if len(rows) == 0 {
		return nil
	}
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.PutRejectedRows(ctx, id, rows) })
}

// commit makes the pieces part of their datasets and completes the ingestion in one
// transaction, so that a crash leaves both undone or both done.
func (s *Service) commit(ctx context.Context, p quern.Principal, r *reading, holder string) error {
	done := r.job
	done.Status, done.Report, done.EndedAt = quern.IngestionCompleted, r.report, s.now()
	done.ProcessedBytes, done.ProcessedRows = done.ExpectedBytes, 0
	changes := make([]catalog.Change, len(r.targets))
	for i, t := range r.targets {
		done.ProcessedRows += t.rows
		changes[i] = catalog.Change{Dataset: t.dataset.ID, Name: t.name, Replace: r.replaces() && t.name == "", Pieces: t.pieces,
			Also: func(tx *store.Tx, before quern.Dataset) error {
				return errors.Join(t.numberedAsRead(before), t.noteSources(ctx, tx, before))
			}}
	}
	first := changes[0].Also
	changes[0].Also = func(tx *store.Tx, before quern.Dataset) error {
		ended, err := tx.EndIngestion(ctx, done, holder)
		if err != nil {
			return err
		}
		if !ended {
			return lease.ErrLost
		}
		if err := tx.PutRejectedRows(ctx, r.job.ID, slices.Concat(r.rejected, r.totals)); err != nil {
			return err
		}
		return first(tx, before)
	}
	return s.catalog.Commit(ctx, p, changes)
}

// noteSources stores where the rows came from, given the dataset as it was before
// them.
func (t *target) noteSources(ctx context.Context, tx *store.Tx, before quern.Dataset) error {
	sources := make([]quern.Source, len(t.sources))
	for i, src := range t.sources {
		src.FirstRow += before.NextRow
		sources[i] = src
	}
	return tx.InsertSources(ctx, before.ID, sources)
}

// passing tells failures that may not happen again from those that will.
func passing(err error) bool {
	if errors.Is(err, errPanicked) {
		return false
	}
	switch quern.KindOf(err) {
	case quern.Internal, quern.Unreachable, quern.Unavailable, quern.Timeout, quern.Throttled:
		return true
	}
	return false
}

// giveUp hands an ingestion back to be tried later, or fails it for good.
func (s *Service) giveUp(ctx context.Context, h *held, cause error) error {
	job := h.Job.Ingestion
	if passing(cause) && job.Attempt < maxAttempts {
		s.log.WarnContext(ctx, "an ingestion will be tried again", "ingestion", job.ID, "attempt", job.Attempt, "error", cause)
		at := s.now().Add(lease.Pause(job.Attempt, firstPause, maxPause))
		return s.store.Update(ctx, func(tx *store.Tx) error { return tx.PutBackIngestion(ctx, job.ID, h.Holder, at, true) })
	}
	job.Status, job.EndedAt, job.Message = quern.IngestionFailed, s.now(), "something went wrong on the server"
	job.ProcessedBytes, job.ProcessedRows = h.Job.bytes.Load(), h.Job.counted.Load()
	if e, ok := errors.AsType[*quern.Error](cause); ok && e.Kind != quern.Internal {
		job.Message = e.Detail
	}
	s.log.InfoContext(ctx, "an ingestion has failed", "ingestion", job.ID, "error", cause)
	return s.store.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.EndIngestion(ctx, job, h.Holder)
		return err
	})
}

// putBack hands an ingestion to whoever comes next; the attempt does not count.
func (s *Service) putBack(ctx context.Context, h *held) error {
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.PutBackIngestion(ctx, h.Job.ID, h.Holder, s.now(), false) })
}

// Places reports how the places of this server stand.
func (s *Service) Places() lease.Counts { return s.workers.Counts() }
