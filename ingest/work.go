package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"quern"
	"quern/catalog"
	"quern/store"
)

const (
	// workers is how many ingestions one server works on at a time.
	workers = 2
	// leaseLife is how long an ingestion stays with a worker that is not heard of.
	leaseLife = 30 * time.Second
	// beat is how often a worker is heard of.
	beat = 2 * time.Second
	// look is how often a worker without work looks for some that other servers
	// queued, or left.
	look = time.Second
	// maxAttempts is how often work is begun before it is given up.
	maxAttempts = 6
	// goodbye is how long a stopping server takes to hand its work back.
	goodbye = 5 * time.Second
)

// wake tells a worker that there is something to do.
func (s *Service) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// Work ingests what is queued until ctx ends. Every server may run it: an
// ingestion is worked on by whoever holds its lease.
func (s *Service) Work(ctx context.Context) {
	if s.alone {
		err := s.store.Update(ctx, func(tx *store.Tx) error { return tx.FreeIngestions(ctx, s.now()) })
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "ingestions that were cut off wait for their lease to end", "error", err)
		}
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { s.work(ctx) })
	}
	all.Wait()
}

func (s *Service) work(ctx context.Context) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		took, err := s.WorkOnce(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "an ingestion could not be worked on", "error", err)
		}
		if took && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-s.woken:
		case <-tick.C:
		}
	}
}

// WorkOnce takes the ingestion that is due longest and works on it until it is
// done, handed back or lost. It reports whether there was one.
func (s *Service) WorkOnce(ctx context.Context) (took bool, err error) {
	holder := quern.NewID[string]()
	var job quern.Ingestion
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		job, err = tx.TakeIngestion(ctx, store.Lease{Holder: holder, Until: s.now().Add(leaseLife)}, s.now())
		return err
	})
	if quern.Is(err, quern.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, s.hold(ctx, job, holder)
}

// hold works on an ingestion while it keeps the lease.
func (s *Service) hold(ctx context.Context, job quern.Ingestion, holder string) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var bytes, rows atomic.Int64
	var beating sync.WaitGroup
	beating.Go(func() { s.beat(working, stop, job.ID, holder, &bytes, &rows) })
	err := s.attempt(working, job, holder, &bytes, &rows)
	stop(nil)
	beating.Wait()
	if errors.Is(context.Cause(working), errLost) || errors.Is(err, errLost) {
		s.log.InfoContext(ctx, "an ingestion was cancelled or taken over", "ingestion", job.ID)
		return nil
	}
	if err == nil {
		s.log.InfoContext(ctx, "an ingestion is complete", "ingestion", job.ID, "rows", rows.Load())
		return nil
	}
	return s.giveUp(ctx, job, holder, &bytes, &rows, err)
}

// errLost says that the lease is no longer the worker's.
var errLost = errors.New("ingest: the lease is lost")

// beat keeps the lease and tells how far the work is, until the work ends.
func (s *Service) beat(ctx context.Context, stop context.CancelCauseFunc, id quern.IngestionID, holder string, bytes, rows *atomic.Int64) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var kept bool
		err := s.store.Update(ctx, func(tx *store.Tx) (err error) {
			kept, err = tx.KeepIngestion(ctx, id, store.Lease{Holder: holder, Until: s.now().Add(leaseLife)}, bytes.Load(), rows.Load())
			return err
		})
		if err == nil && !kept {
			stop(errLost)
			return
		}
	}
}

// errPanicked is for a file that breaks what reads it.
var errPanicked = errors.New("ingest: a reader panicked")

// attempt reads the files and commits what was made of them. It starts over when
// others change the dataset's columns meanwhile. A file that breaks its reader
// fails alone: it must not take the server with it, again and again.
func (s *Service) attempt(ctx context.Context, job quern.Ingestion, holder string, bytes, rows *atomic.Int64) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", errPanicked, p, debug.Stack())
		}
	}()
	if job.Attempt > maxAttempts {
		return refused("the server stopped %d times while working on this; it was given up", maxAttempts)
	}
	for range maxReplans {
		bytes.Store(0)
		rows.Store(0)
		err := s.try(ctx, job, holder, bytes, rows)
		if !errors.Is(err, catalog.ErrReplan) {
			return err
		}
	}
	return quern.E(quern.Unavailable, quern.CodeUnavailable, "the dataset's columns keep changing")
}

func (s *Service) try(ctx context.Context, job quern.Ingestion, holder string, bytes, rows *atomic.Int64) error {
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
	r := &reading{
		service: s, job: job, dir: dir, dataset: d, bytes: bytes, counted: rows,
		nulls: s.nulls, quarantine: job.Options.OnError == quern.Quarantine,
	}
	if own := job.Options.NullValues; own != nil {
		r.nulls = newNullWords(own)
	}
	if err := r.readAll(ctx); err != nil {
		return errors.Join(err, s.noteRejected(ctx, job.ID, r.rejected))
	}
	// Reading may have taken longer than the asker's token lives.
	if p, err = s.still(ctx, job.Actor, job.Token); err != nil {
		return err
	}
	return s.commit(ctx, p, r, holder)
}

// noteRejected keeps the rows that made an ingestion fail, for its owner to see.
func (s *Service) noteRejected(ctx context.Context, id quern.IngestionID, rows []quern.RejectedRow) error {
	if len(rows) == 0 {
		return nil
	}
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.PutRejectedRows(ctx, id, rows) })
}

// commit makes the pieces part of the dataset and completes the ingestion in one
// transaction, so that a crash leaves both undone or both done.
func (s *Service) commit(ctx context.Context, p quern.Principal, r *reading, holder string) error {
	done := r.job
	done.Status, done.Report, done.EndedAt = quern.IngestionCompleted, r.report, s.now()
	done.ProcessedBytes, done.ProcessedRows = done.ExpectedBytes, r.rows
	return s.catalog.AppendAll(ctx, p, r.job.Dataset, r.pieces, func(tx *store.Tx, before quern.Dataset) error {
		ended, err := tx.EndIngestion(ctx, done, holder)
		if err != nil {
			return err
		}
		if !ended {
			return errLost
		}
		sources := make([]quern.Source, len(r.sources))
		for i, src := range r.sources {
			src.FirstRow += before.NextRow
			sources[i] = src
		}
		if err := tx.InsertSources(ctx, r.job.Dataset, sources); err != nil {
			return err
		}
		return tx.PutRejectedRows(ctx, r.job.ID, r.rejected)
	})
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
func (s *Service) giveUp(ctx context.Context, job quern.Ingestion, holder string, bytes, rows *atomic.Int64, cause error) error {
	stopping := ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	if stopping || passing(cause) && job.Attempt < maxAttempts {
		at := s.now()
		if !stopping {
			at = at.Add(time.Second << job.Attempt)
			s.log.WarnContext(ctx, "an ingestion will be tried again", "ingestion", job.ID, "attempt", job.Attempt, "error", cause)
		}
		return s.store.Update(ctx, func(tx *store.Tx) error {
			return tx.PutBackIngestion(ctx, job.ID, holder, at, !stopping)
		})
	}
	job.Status, job.EndedAt, job.Message = quern.IngestionFailed, s.now(), "something went wrong on the server"
	job.ProcessedBytes, job.ProcessedRows = bytes.Load(), rows.Load()
	if e, ok := errors.AsType[*quern.Error](cause); ok && e.Kind != quern.Internal {
		job.Message = e.Detail
	}
	s.log.InfoContext(ctx, "an ingestion has failed", "ingestion", job.ID, "error", cause)
	return s.store.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.EndIngestion(ctx, job, holder)
		return err
	})
}
