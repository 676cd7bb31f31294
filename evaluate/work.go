package evaluate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"quern"
	"quern/ask"
	"quern/lease"
	"quern/store"
)

const (
	// maxAttempts is how often work is begun that fails in passing.
	maxAttempts = 4
	// firstPause and maxPause bound how long is waited after such a failure.
	firstPause, maxPause = 2 * time.Second, time.Minute
	// mostDatasets is how many datasets of a namespace are looked at.
	mostDatasets = 1_000
)

// held is an evaluation in hand.
type held = lease.Held[quern.Evaluation]

// working says how evaluations are worked on.
func (s *Service) working() lease.Options[quern.Evaluation] {
	o := lease.Options[quern.Evaluation]{
		Name: "evaluation", Places: places, Now: s.o.Now, Log: s.o.Log,
		Take: s.take, Keep: s.keep, Do: s.work, Fail: s.giveUp, PutBack: s.putBack,
	}
	if s.o.Alone {
		o.Free = func(ctx context.Context) error {
			return s.o.Store.Update(ctx, func(tx *store.Tx) error { return tx.FreeEvaluations(ctx, s.o.Now()) })
		}
	}
	return o
}

// Work evaluates what is queued until ctx ends. Every server may run it.
func (s *Service) Work(ctx context.Context) { s.workers.Work(ctx) }

// WorkOnce takes the evaluation that is due longest and works on it until it is done,
// handed back or lost. It reports whether there was one.
func (s *Service) WorkOnce(ctx context.Context) (took bool, err error) { return s.workers.Once(ctx) }

func (s *Service) take(ctx context.Context, c quern.Claim, inHand []string) (t lease.Taken[quern.Evaluation], err error) {
	err = s.o.Store.Update(ctx, func(tx *store.Tx) error {
		e, suspicion, err := tx.TakeEvaluation(ctx, c, inHand)
		t = lease.Taken[quern.Evaluation]{ID: string(e.ID), Job: e, Suspicion: suspicion}
		return err
	})
	return t, err
}

func (s *Service) keep(ctx context.Context, all []*held, until time.Time) (lost []*held, err error) {
	err = s.o.Store.Update(ctx, func(tx *store.Tx) error {
		lost = nil
		for _, h := range all {
			kept, err := tx.KeepEvaluation(ctx, h.Job.ID, quern.Lease{Holder: h.Holder, Until: until}, h.OnTrial())
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

// work asks the questions that were not asked yet, and ends the evaluation.
func (s *Service) work(ctx context.Context, h *held) error {
	if h.Suspicion >= quern.Guilty {
		return quern.E(quern.Invalid, quern.CodeInvalid, "servers died again and again while working on this; it was given up")
	}
	e := h.Job
	a, err := s.begin(ctx, &e)
	if err != nil {
		return err
	}
	done := 0
	err = s.o.Store.Update(ctx, func(tx *store.Tx) error {
		held, err := tx.BeginEvaluation(ctx, e, h.Holder)
		if err == nil && !held {
			err = lease.ErrLost
		}
		if err != nil {
			return err
		}
		verdicts, err := tx.Verdicts(ctx, e.ID)
		done = len(verdicts)
		return err
	})
	if err != nil {
		return err
	}
	for i := done; i < len(a.questions); i++ {
		// Asking takes a while: the asker may be gone, or see less.
		if a.principal, err = s.o.Still(ctx, e.Actor, e.Token); err != nil {
			return err
		}
		v, err := a.put(ctx, a.questions[i])
		if err != nil {
			return err
		}
		if err := s.note(ctx, h, i, v); err != nil {
			return err
		}
		h.Acquit()
	}
	return s.complete(ctx, h, a)
}

// begin finds out what the evaluation is of, and which questions it asks.
func (s *Service) begin(ctx context.Context, e *quern.Evaluation) (*asker, error) {
	p, err := s.o.Still(ctx, e.Actor, e.Token)
	if err != nil {
		return nil, err
	}
	model, err := s.o.Models.Model("", "")
	if err != nil {
		return nil, err
	}
	now, err := s.o.Knowledge.Read(ctx, p, e.In)
	if err != nil {
		return nil, err
	}
	a := &asker{service: s, principal: p, in: e.In, model: model, questions: questionsOf(&now.Document)}
	if e.Subject, err = s.subject(ctx, p, e.In, model); err != nil {
		return nil, err
	}
	a.subject, a.left = e.Subject, max(0, len(a.questions)-mostQuestions)
	a.questions = a.questions[:len(a.questions)-a.left]
	e.Total = len(a.questions)
	return a, nil
}

// subject returns what an evaluation is of now.
func (s *Service) subject(ctx context.Context, p quern.Principal, in quern.NamespacePath, model ask.Model) (quern.EvaluationSubject, error) {
	now, err := s.o.Knowledge.Read(ctx, p, in)
	if err != nil {
		return quern.EvaluationSubject{}, err
	}
	_, heads, err := s.o.Catalog.Heads(ctx, p, in, mostDatasets)
	sum := sha256.New()
	for _, d := range heads {
		fmt.Fprintf(sum, "%s %d\n", d.ID, d.Version)
	}
	const digits = 16
	return quern.EvaluationSubject{
		Knowledge: now.Version, Data: hex.EncodeToString(sum.Sum(nil))[:digits], Release: s.o.Release, Model: model.Name,
	}, err
}

// note stores how a question went.
func (s *Service) note(ctx context.Context, h *held, position int, v quern.Verdict) error {
	return s.o.Store.Update(ctx, func(tx *store.Tx) error {
		held, err := tx.InsertVerdict(ctx, h.Job.ID, h.Holder, position, v)
		if err == nil && !held {
			err = lease.ErrLost
		}
		return err
	})
}

// complete ends an evaluation whose questions were all asked.
func (s *Service) complete(ctx context.Context, h *held, a *asker) error {
	e := h.Job
	e.Status, e.EndedAt = quern.EvaluationCompleted, s.o.Now()
	if a.left > 0 {
		e.Message = fmt.Sprintf("%d questions were left out: one evaluation asks at most %d", a.left, mostQuestions)
	}
	now, err := s.subject(ctx, a.principal, a.in, a.model)
	if err != nil {
		return err
	}
	if now != a.subject {
		e.Message = joined(e.Message, "knowledge or data changed while it ran")
	}
	return s.o.Store.Update(ctx, func(tx *store.Tx) error { return tx.EndEvaluation(ctx, e, h.Holder) })
}

// joined joins two remarks.
func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// passing tells failures that may not happen again from those that will.
func passing(err error) bool {
	switch quern.KindOf(err) {
	case quern.Internal, quern.Unreachable, quern.Unavailable, quern.Timeout, quern.Throttled:
		return true
	}
	return false
}

// giveUp hands an evaluation back to be tried later, or fails it for good.
func (s *Service) giveUp(ctx context.Context, h *held, cause error) error {
	e := h.Job
	if passing(cause) && e.Attempt < maxAttempts {
		s.o.Log.WarnContext(ctx, "an evaluation will be tried again", "evaluation", e.ID, "attempt", e.Attempt, "error", cause)
		at := s.o.Now().Add(lease.Pause(e.Attempt, firstPause, maxPause))
		return s.o.Store.Update(ctx, func(tx *store.Tx) error { return tx.PutBackEvaluation(ctx, e.ID, h.Holder, at, true) })
	}
	e.Status, e.EndedAt, e.Message = quern.EvaluationFailed, s.o.Now(), "something went wrong on the server"
	if known, ok := errors.AsType[*quern.Error](cause); ok && known.Kind != quern.Internal {
		e.Message = known.Detail
	}
	s.o.Log.InfoContext(ctx, "an evaluation has failed", "evaluation", e.ID, "error", cause)
	return s.o.Store.Update(ctx, func(tx *store.Tx) error { return tx.EndEvaluation(ctx, e, h.Holder) })
}

// putBack hands an evaluation to whoever comes next; the attempt does not count.
func (s *Service) putBack(ctx context.Context, h *held) error {
	return s.o.Store.Update(ctx, func(tx *store.Tx) error { return tx.PutBackEvaluation(ctx, h.Job.ID, h.Holder, s.o.Now(), false) })
}

// Places reports how the places of this server stand.
func (s *Service) Places() lease.Counts { return s.workers.Counts() }
