package push

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"quern"
	"quern/store"
)

const (
	// workers is how many receivers one server tells at a time.
	workers = 8
	// leaseLife is how long a configuration stays with a worker that is not heard
	// of; longer than any one message takes.
	leaseLife = time.Minute
	// look is how often a server without anything to send looks for what others
	// left.
	look = 5 * time.Second
	// maxAttempts is how often one message is tried.
	maxAttempts = 12
	// firstPause and maxPause bound how long is waited after a failure; it doubles
	// each time.
	firstPause = time.Second
	maxPause   = 5 * time.Minute
	// goodbye is how long a stopping server takes to hand its work back.
	goodbye = 5 * time.Second
)

// Work tells what there is to tell until ctx ends. Every server may run it.
func (s *Service) Work(ctx context.Context, source Source) {
	defer s.http.CloseIdleConnections()
	if s.alone {
		err := s.store.Update(ctx, func(tx *store.Tx) error { return tx.FreePush(ctx, s.now()) })
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "notifications that were cut off wait for their lease to end", "error", err)
		}
	}
	slots := make(chan struct{}, workers)
	var working sync.WaitGroup
	defer working.Wait()
	for {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		job, holder, took := s.take(ctx)
		if !took {
			<-slots
			if !s.rest(ctx) {
				return
			}
			continue
		}
		working.Go(func() {
			defer func() { <-slots; s.wake() }()
			s.tell(ctx, source, job, holder)
		})
	}
}

// rest waits until something may be due. It reports whether to go on.
func (s *Service) rest(ctx context.Context) bool {
	pause := look
	err := s.store.View(ctx, func(tx *store.Tx) error {
		due, err := tx.NextPush(ctx)
		if err == nil && !due.IsZero() {
			pause = min(pause, max(0, due.Sub(s.now()))+time.Millisecond)
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "notifications wait for the store", "error", err)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-s.woken:
	case <-timer.C:
	}
	return true
}

func (s *Service) take(ctx context.Context) (job store.PushJob, holder string, took bool) {
	due := false
	err := s.store.View(ctx, func(tx *store.Tx) error {
		at, err := tx.NextPush(ctx)
		due = !at.IsZero() && !at.After(s.now())
		return err
	})
	if err != nil || !due {
		return job, "", false
	}
	holder = quern.NewID[string]()
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		job, err = tx.TakePush(ctx, store.Lease{Holder: holder, Until: s.now().Add(leaseLife)}, s.now())
		return err
	})
	if err != nil && !quern.Is(err, quern.NotFound) && ctx.Err() == nil {
		s.log.WarnContext(ctx, "a notification could not be taken", "error", err)
	}
	return job, holder, err == nil
}

// errLost says that the lease is no longer the worker's.
var errLost = errors.New("push: the lease is lost")

// tell sends what is behind the cursor and hands the configuration back.
func (s *Service) tell(ctx context.Context, source Source, job store.PushJob, holder string) {
	pause, err := s.sendAll(ctx, source, &job, holder)
	var due time.Time
	switch {
	case errors.Is(err, errLost):
		return
	case ctx.Err() != nil:
		due = s.now()
	case err == nil && pause > 0:
		due = s.now().Add(pause)
	case err == nil: // done
	case quern.Is(err, quern.NotFound):
		s.drop(ctx, job, holder)
		return
	default:
		due = s.failed(ctx, &job, err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	err = s.store.Update(ctx, func(tx *store.Tx) error { return tx.PutBackPush(ctx, job, holder, due) })
	if err != nil {
		s.log.WarnContext(ctx, "a notification waits for its lease to end", "run", job.Run, "error", err)
	}
}

// sendAll sends message after message, noting each, until there is no more for
// now. It gives how long to wait for more.
func (s *Service) sendAll(ctx context.Context, source Source, job *store.PushJob, holder string) (pause time.Duration, err error) {
	defer func() {
		if p := recover(); p != nil { // what cannot be told must not take the server with it
			err = fmt.Errorf("push: the source panicked: %v\n%s", p, debug.Stack())
		}
	}()
	for {
		batch, err := source.Behind(ctx, job.PushConfig, job.Cursor)
		if err != nil {
			return 0, err
		}
		if len(batch.Messages) == 0 {
			return batch.Pause, nil
		}
		for _, m := range batch.Messages {
			if err := s.send(ctx, job.PushConfig, m.Body); err != nil {
				return 0, err
			}
			job.Cursor, job.Attempt = m.Cursor, 0
			if err := s.advance(ctx, *job, holder); err != nil {
				return 0, err
			}
		}
	}
}

func (s *Service) advance(ctx context.Context, job store.PushJob, holder string) error {
	// What was sent is noted although the server stops.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	return s.store.Update(ctx, func(tx *store.Tx) error {
		held, err := tx.AdvancePush(ctx, job, store.Lease{Holder: holder, Until: s.now().Add(leaseLife)})
		if err == nil && !held {
			return errLost
		}
		return err
	})
}

// failed notes a failure and gives when to try again; zero when that is of no use.
func (s *Service) failed(ctx context.Context, job *store.PushJob, cause error) time.Time {
	job.Attempt++
	if hopeless(cause) || job.Attempt >= maxAttempts {
		s.log.WarnContext(ctx, "notifications of a run are given up", "run", job.Run, "config", job.ID, "attempts", job.Attempt, "error", cause)
		return time.Time{}
	}
	pause := min(firstPause<<(job.Attempt-1), maxPause)
	if answer, refused := errors.AsType[*refusal](cause); refused {
		pause = max(pause, answer.after)
	}
	s.log.InfoContext(ctx, "a notification is tried again", "run", job.Run, "config", job.ID, "attempt", job.Attempt, "in", pause, "error", cause)
	return s.now().Add(pause + rand.N(pause/4+1))
}

// drop removes a configuration that nobody may be told of, unless another was put
// in its place meanwhile.
func (s *Service) drop(ctx context.Context, job store.PushJob, holder string) {
	err := s.store.Update(ctx, func(tx *store.Tx) error { return tx.DropPush(ctx, job, holder) })
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "a notification that nobody may get could not be removed", "run", job.Run, "error", err)
	}
}
