package push

import (
	"context"
	"errors"
	"time"

	"quern"
	"quern/lease"
	"quern/store"
)

const (
	// workers is how many receivers one server tells at a time.
	workers = 8
	// leaseLife is how long a configuration stays with a worker that is not heard
	// of. Every message renews it, and none takes as long.
	leaseLife = time.Minute
	// look is how often a server without anything to send looks for what others
	// left.
	look = 5 * time.Second
	// maxAttempts is how often one message is tried.
	maxAttempts = 12
	// firstPause and maxPause bound how long is waited after a failure.
	firstPause = time.Second
	maxPause   = 5 * time.Minute
	// noteTime bounds how long it takes to store that a message was sent.
	noteTime = 5 * time.Second
)

// held is a configuration whose receiver is being told.
type held = lease.Held[*store.PushJob]

// working says how receivers are told.
func (s *Service) working(alone bool) lease.Options[*store.PushJob] {
	o := lease.Options[*store.PushJob]{
		Name: "notification", Places: workers, Life: leaseLife, Look: look, Now: s.now, Log: s.log,
		Take: s.take, Next: s.next, Do: s.tell, Fail: s.fail, PutBack: s.putBack,
	}
	if alone {
		o.Free = func(ctx context.Context) error {
			return s.store.Update(ctx, func(tx *store.Tx) error { return tx.FreePush(ctx, s.now()) })
		}
	}
	return o
}

// Work tells what there is to tell until ctx ends. Every server may run it, once.
func (s *Service) Work(ctx context.Context, source Source) {
	defer s.http.CloseIdleConnections()
	s.source = source
	s.workers.Work(ctx)
}

// next reports when something is due.
func (s *Service) next(ctx context.Context) (due time.Time, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		due, err = tx.NextPush(ctx)
		return err
	})
	return due, err
}

func (s *Service) take(ctx context.Context, c quern.Claim, _ []string) (t lease.Taken[*store.PushJob], err error) {
	due, err := s.next(ctx)
	later := due.IsZero() || due.After(c.Now)
	if err == nil && later {
		err = quern.E(quern.NotFound, quern.CodeNotFound, "nothing is due")
	}
	if err != nil {
		return t, err
	}
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		job, err := tx.TakePush(ctx, c.Lease, c.Now)
		t = lease.Taken[*store.PushJob]{ID: string(job.Run) + "/" + job.ID, Job: &job}
		return err
	})
	return t, err
}

// tell sends what is behind the cursor and hands the configuration back.
func (s *Service) tell(ctx context.Context, h *held) error {
	pause, err := s.sendAll(ctx, h)
	if err != nil {
		return err
	}
	var due time.Time // zero: nothing follows
	if pause > 0 {
		due = s.now().Add(pause)
	}
	return s.handBack(ctx, *h.Job, h.Holder, due)
}

func (s *Service) handBack(ctx context.Context, job store.PushJob, holder string, due time.Time) error {
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.PutBackPush(ctx, job, holder, due) })
}

// putBack hands a configuration to whoever comes next.
func (s *Service) putBack(ctx context.Context, h *held) error {
	return s.handBack(ctx, *h.Job, h.Holder, s.now())
}

// sendAll sends message after message, noting each, until there is no more for
// now. It returns how long to wait for more.
func (s *Service) sendAll(ctx context.Context, h *held) (pause time.Duration, err error) {
	job := h.Job
	for {
		batch, err := s.source.Behind(ctx, job.PushConfig, job.Cursor)
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
			if err := s.advance(ctx, *job, h.Holder); err != nil {
				return 0, err
			}
		}
	}
}

func (s *Service) advance(ctx context.Context, job store.PushJob, holder string) error {
	// What was sent is noted although the server stops.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	return s.store.Update(ctx, func(tx *store.Tx) error {
		held, err := tx.AdvancePush(ctx, job, quern.Lease{Holder: holder, Until: s.now().Add(leaseLife)})
		if err == nil && !held {
			return lease.ErrLost
		}
		return err
	})
}

// fail hands a configuration back to be tried again later, if that is of any use.
// One that nobody may be told of is removed, unless another was put in its place
// meanwhile.
func (s *Service) fail(ctx context.Context, h *held, cause error) error {
	job := *h.Job
	if quern.Is(cause, quern.NotFound) {
		return s.store.Update(ctx, func(tx *store.Tx) error { return tx.DropPush(ctx, job, h.Holder) })
	}
	job.Attempt++
	if hopeless(cause) || job.Attempt >= maxAttempts {
		s.log.WarnContext(ctx, "notifications of a run are given up", "run", job.Run, "config", job.ID, "attempts", job.Attempt, "error", cause)
		return s.handBack(ctx, job, h.Holder, time.Time{})
	}
	pause := lease.Pause(job.Attempt, firstPause, maxPause)
	if answer, refused := errors.AsType[*refusal](cause); refused {
		pause = max(pause, answer.after)
	}
	s.log.InfoContext(ctx, "a notification is tried again",
		"run", job.Run, "config", job.ID, "attempt", job.Attempt, "in", pause, "error", cause)
	return s.handBack(ctx, job, h.Holder, s.now().Add(pause))
}

// Places reports how the places of this server stand.
func (s *Service) Places() lease.Counts { return s.workers.Counts() }
