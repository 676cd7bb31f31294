package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"quern"
	"quern/ask"
	"quern/nlq"
	"quern/store"
	"quern/tree"
)

// maxEarlier is how many turns of a conversation its next question knows of.
const maxEarlier = 10

// hold works on a run in a place of the crew's, until it has ended, is lost or is
// handed back.
func (s *Service) hold(ctx context.Context, r quern.Run, holder string) {
	defer s.crew.leave()
	ctx, cancel := context.WithTimeoutCause(ctx, r.CreatedAt.Add(s.limits.Life).Sub(s.now()), errExpired)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	h := &held{run: r, holder: holder, kept: s.now(), stop: stop}
	s.crew.add(h)
	defer s.crew.remove(h)
	err := s.drive(ctx, &r, holder)
	switch cause := context.Cause(ctx); {
	case err == nil, errors.Is(err, errLost), errors.Is(cause, errLost):
		return
	case errors.Is(cause, errStopping):
		err = s.putBack(ctx, r, holder)
	case errors.Is(cause, errExpired):
		err = s.write(context.WithoutCancel(ctx), &r, holder, quern.RunExpired, &expiry, failed(expiry))
	case !errors.Is(err, errAgain):
		err = s.fail(ctx, &r, holder, err)
	}
	if err != nil && !errors.Is(err, errLost) {
		s.log.WarnContext(ctx, "a run is left to whoever takes it next", "run", r.ID, "error", err)
	}
}

// drive calls the agent for what is still to be done, storing what each call
// gives before the next.
func (s *Service) drive(ctx context.Context, r *quern.Run, holder string) error {
	if r.Attempt > maxAttempts {
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "the server stopped %d times while working on this; it was given up", maxAttempts)
	}
	w, err := s.background(ctx, *r)
	if err != nil {
		return again(err)
	}
	if r.Last == 1 {
		if err := s.write(ctx, r, holder, quern.RunRunning, nil, happening{kind: quern.EventPlanningStarted, shown: nothing{}}); err != nil {
			return err
		}
	}
	for !r.Status.Final() {
		if w.Principal, err = s.asker(ctx, *r); err != nil {
			return err
		}
		if err := s.advanceBy(ctx, r, holder, w); err != nil {
			return err
		}
	}
	return nil
}

// again marks a failure of the store's: what was done is stored or not, and the
// next attempt finds out.
func again(err error) error { return fmt.Errorf("%w: %w", errAgain, err) }

// advanceBy makes the next call of the agent and stores what it gives.
func (s *Service) advanceBy(ctx context.Context, r *quern.Run, holder string, w ask.Work) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("run: an agent panicked: %v\n%s", p, debug.Stack())
		}
	}()
	agent := s.agents[r.Agent]
	if agent == nil {
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "this server has no agent to answer with")
	}
	w.Steps = r.Steps
	if r.Plan == nil {
		plan, err := agent.Plan(ctx, w)
		if err != nil {
			return err
		}
		r.Plan = &plan
		return s.write(ctx, r, holder, quern.RunRunning, nil, append([]happening{planned(plan)}, next(*r)...)...)
	}
	w.Plan = *r.Plan
	if i := len(r.Steps); i < len(r.Plan.Steps) && !askedBack(*r) {
		step, err := agent.Step(ctx, w, i)
		if err != nil {
			return err
		}
		step.Index = i
		if step.Instruction == "" {
			step.Instruction = r.Plan.Steps[i]
		}
		r.Steps = append(r.Steps, step)
		return s.write(ctx, r, holder, quern.RunRunning, nil, append([]happening{stepped(step)}, next(*r)...)...)
	}
	result, err := agent.Answer(ctx, w)
	if err != nil {
		return err
	}
	r.Result = &result
	return s.write(ctx, r, holder, quern.RunCompleted, nil, answered(result))
}

// write stores what has happened under the worker's lease, and tells.
func (s *Service) write(ctx context.Context, r *quern.Run, holder string, to quern.RunStatus, why *quern.Failure, all ...happening) error {
	before := *r
	err := s.scribe.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		*r = before
		held, err := s.advance(ctx, tx, r, holder, to, why, all...)
		if err == nil && !held {
			return errLost
		}
		return err
	})
	if err != nil {
		*r = before
		return again(err)
	}
	s.board.post(r.ID)
	if to.Final() {
		s.ended(ctx, *r)
	}
	return nil
}

// fail ends a run with the reason that its asker may know.
func (s *Service) fail(ctx context.Context, r *quern.Run, holder string, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	why := quern.Failure{Code: quern.CodeInternal, Message: "something went wrong on our side"}
	known, ok := errors.AsType[*quern.Error](cause)
	switch {
	case ok && known.Kind != quern.Internal:
		why = quern.Failure{Code: known.Code, Message: known.Detail}
	case errors.Is(cause, context.DeadlineExceeded):
		why = quern.Failure{Code: quern.CodeTimeout, Message: "the work took longer than it may"}
	}
	s.log.InfoContext(ctx, "a run has failed", "run", r.ID, "error", cause)
	return s.write(ctx, r, holder, quern.RunFailed, &why, failed(why))
}

// putBack hands a run to whoever comes next.
func (s *Service) putBack(ctx context.Context, r quern.Run, holder string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.PutBackRun(ctx, r.ID, holder, s.now()) })
}

// background is what an agent knows beside the question: the turns before it.
func (s *Service) background(ctx context.Context, r quern.Run) (ask.Work, error) {
	w := ask.Work{Run: r.ID, Conversation: r.Conversation, AskedAt: r.CreatedAt, In: r.In, Task: r.Task}
	asked := quern.Principal{Token: r.Token, Scopes: r.Scopes}
	var turns []quern.Run
	err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		if turns, err = tx.CompletedTurns(ctx, r, asked.OnlyToken(), maxEarlier); err != nil {
			return err
		}
		for i := range turns {
			if err := tx.RunContent(ctx, &turns[i], false); err != nil {
				return err
			}
		}
		return nil
	})
	for i := len(turns) - 1; i >= 0; i-- {
		w.Choices = nil
		if turns[i].AskedBack() {
			w.Choices = turns[i].Result.Clarification.Choices
		}
		w.Earlier = append(w.Earlier, read(turns[i])...)
	}
	return w, err
}

// read gives how a turn was read: by its last query, as far as it can still be
// understood.
func read(r quern.Run) []nlq.Turn {
	for i := len(r.Steps) - 1; i >= 0; i-- {
		if r.Steps[i].Tree == "" {
			continue
		}
		if q, err := tree.Parse(r.Steps[i].Tree); err == nil {
			return []nlq.Turn{{Question: r.Task.Question, Query: q}}
		}
	}
	return nil
}

// asker returns the principal that asked, with the rights that it has now.
func (s *Service) asker(ctx context.Context, r quern.Run) (quern.Principal, error) {
	p, err := s.still(ctx, r.Actor, r.Token)
	switch {
	case quern.Is(err, quern.Forbidden):
		return p, err
	case err != nil:
		return p, again(err)
	}
	if _, err = s.catalog.Namespace(ctx, p, r.In); missing(err) {
		err = quern.E(quern.NotFound, quern.CodeNotFound, "the namespace %s/%s is gone, or no longer shared with the asker", r.In.Owner, r.In.Namespace)
	} else if err != nil {
		err = again(err)
	}
	return p, err
}
