package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"quern"
	"quern/ask"
	"quern/door"
	"quern/lease"
	"quern/nlq"
	"quern/store"
	"quern/tree"
)

// Why the work on a run stops before its end.
var (
	errExpired = errors.New("run: the run is past its life")
	errAgain   = errors.New("run: the store failed")
)

// maxEarlier is how many turns of a conversation its next question knows of.
const maxEarlier = 10

// job is a run that is worked on.
type job struct {
	quern.Run               // as it was when it was taken
	model     *ask.Model    // nil: not looked up yet
	rows      *ask.Delivery // nil: nobody waits for them here
}

// held is a run in hand.
type held = lease.Held[job]

func taken(j job, s quern.Suspicion) lease.Taken[job] {
	return lease.Taken[job]{ID: string(j.ID), Job: j, Suspicion: s}
}

// working says how runs are worked on.
func (s *Service) working(alone bool) lease.Options[job] {
	o := lease.Options[job]{
		Name: "run", Places: s.limits.Workers, Finish: s.limits.Finish, Now: s.now, Log: s.log,
		Take: s.take, Keep: s.keep, Do: s.work, Fail: s.fail, PutBack: s.putBack,
	}
	if alone {
		o.Free = func(ctx context.Context) error {
			return s.store.Update(ctx, func(tx *store.Tx) error { return tx.FreeRuns(ctx, s.now()) })
		}
	}
	return o
}

// Work works on runs until ctx ends, and then hands back what it could not
// finish soon. Every server runs it, once.
func (s *Service) Work(ctx context.Context) {
	swept := make(chan struct{})
	go func() {
		defer close(swept)
		s.sweepUntil(ctx)
	}()
	s.workers.Work(ctx)
	<-swept
}

func (s *Service) take(ctx context.Context, c quern.Claim, inHand []string) (t lease.Taken[job], err error) {
	err = s.batcher.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		r, suspicion, err := tx.TakeRun(ctx, c, inHand)
		if err != nil {
			return err
		}
		err = tx.RunContent(ctx, &r, true)
		t = taken(job{Run: r}, suspicion)
		return err
	})
	return t, err
}

// keep renews leases where the work on the runs writes: two transactions over the
// same runs, each in an order of its own, would wait for each other.
func (s *Service) keep(ctx context.Context, all []*held, until time.Time) (lost []*held, err error) {
	err = s.batcher.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		lost = nil
		for _, h := range all {
			kept, err := tx.KeepRun(ctx, h.Job.ID, quern.Lease{Holder: h.Holder, Until: until}, h.OnTrial())
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

// work works on a run until it has ended.
func (s *Service) work(ctx context.Context, h *held) error {
	if h.Suspicion >= quern.Guilty {
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "servers died again and again while working on this; it was given up")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, h.Job.CreatedAt.Add(s.limits.Life).Sub(s.now()), errExpired)
	defer cancel()
	w := &worker{Service: s, held: h, run: h.Job.Run}
	err := w.drive(ctx)
	switch {
	case err != nil && errors.Is(context.Cause(ctx), errExpired):
		return errExpired
	case store.Away(err):
		return again(err) // an agent's call needs the store too
	}
	return err
}

// worker is the work on one run.
type worker struct {
	*Service
	held *held
	run  quern.Run // as it is stored
}

// drive calls the agent for what is still to be done, storing what each call
// returns before the next.
func (w *worker) drive(ctx context.Context) error {
	w.arrivals.wait(ctx)
	work, err := w.background(ctx, w.run)
	if err != nil {
		return again(err)
	}
	if work.Model, err = w.namedModel(); err != nil {
		return err
	}
	work.Rows = w.held.Job.rows
	if w.run.Last == 1 {
		planning := newEvent{kind: quern.EventPlanningStarted, shown: nothing{}}
		if err := w.write(ctx, w.run, entry{To: quern.RunRunning, Events: []newEvent{planning}}); err != nil {
			return err
		}
	}
	for !w.run.Status.Final() {
		if work.Principal, err = w.asker(ctx, w.run); err != nil {
			return err
		}
		if err := w.call(ctx, work); err != nil {
			return err
		}
	}
	return nil
}

// namedModel is the model of the run's task: as it was found when the run was
// asked, or as it is on the server that took it up.
func (w *worker) namedModel() (ask.Model, error) {
	if found := w.held.Job.model; found != nil {
		return *found, nil
	}
	return w.model(w.run.Task)
}

// again marks a failure of the store's: what was done is stored or not, and the
// next attempt finds out.
func again(err error) error { return fmt.Errorf("%w: %w", errAgain, err) }

// call makes the next call of the agent and stores what it returns.
func (w *worker) call(ctx context.Context, work ask.Work) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("run: an agent panicked: %v\n%s", p, debug.Stack())
		}
	}()
	r := w.run
	agent := w.agents[r.Agent]
	if agent == nil {
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "this server has no agent to answer with")
	}
	work.Steps = r.Steps
	if r.Plan == nil {
		plan, err := agent.Plan(ctx, work)
		if err != nil {
			return err
		}
		r.Plan = &plan
		return w.write(ctx, r, entry{To: quern.RunRunning, Events: append([]newEvent{planEvent(plan)}, nextEvents(r)...)})
	}
	work.Plan = *r.Plan
	if i := len(r.Steps); i < len(r.Plan.Steps) && !askedBack(r) {
		step, err := agent.Step(ctx, work, i)
		if err != nil {
			return err
		}
		step.Index = i
		if step.Instruction == "" {
			step.Instruction = r.Plan.Steps[i]
		}
		r.Steps = append(slices.Clip(r.Steps), step)
		return w.write(ctx, r, entry{To: quern.RunRunning, Events: append([]newEvent{stepEvent(step)}, nextEvents(r)...)})
	}
	result, err := agent.Answer(ctx, work)
	if err != nil {
		return err
	}
	r.Result = &result
	return w.write(ctx, r, entry{To: quern.RunCompleted, Events: []newEvent{answerEvent(result)}})
}

// write stores what has happened under the worker's lease, and tells.
func (w *worker) write(ctx context.Context, r quern.Run, e entry) error {
	r, err := w.add(ctx, r, w.held.Holder, e)
	if err != nil {
		return again(err)
	}
	w.run = r
	w.held.Acquit()
	return nil
}

// add adds an entry to a run that a holder has, and tells. ErrLost when the
// holder has lost it.
func (s *Service) add(ctx context.Context, r quern.Run, holder string, e entry) (quern.Run, error) {
	before := r
	err := s.batcher.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		r = before
		held, err := s.advance(ctx, tx, &r, holder, e)
		if err == nil && !held {
			return lease.ErrLost
		}
		return err
	})
	if err != nil {
		return before, err
	}
	s.broadcast.tell(r.ID)
	if e.To.Final() {
		s.ended(ctx, r)
	}
	return r, nil
}

// fail ends a run with the reason that its asker may know. What failed because of
// the store is put back instead.
func (s *Service) fail(ctx context.Context, h *held, cause error) error {
	if errors.Is(cause, errAgain) {
		s.log.WarnContext(ctx, "a run is put back", "run", h.ID, "error", cause)
		return s.putBack(ctx, h)
	}
	end := ending(quern.RunFailed, failure(cause))
	if errors.Is(cause, errExpired) {
		end = ending(quern.RunExpired, expiry)
	}
	s.log.InfoContext(ctx, "a run has failed", "run", h.ID, "error", cause)
	r, err := s.header(ctx, h.Job.ID)
	if err == nil {
		_, err = s.add(ctx, r, h.Holder, end)
	}
	if missing(err) {
		return lease.ErrLost
	}
	return err
}

// header reads a run without what it has done.
func (s *Service) header(ctx context.Context, id quern.RunID) (r quern.Run, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		r, err = tx.Run(ctx, id)
		return err
	})
	return r, err
}

// failure is what a run's asker may know of an error.
func failure(cause error) quern.Failure {
	known, ok := errors.AsType[*quern.Error](cause)
	if !ok || known.Kind == quern.Internal {
		known = door.Classify(cause)
	}
	return quern.Failure{Kind: known.Kind, Code: known.Code, Message: known.Detail}
}

// putBack hands a run to whoever comes next.
func (s *Service) putBack(ctx context.Context, h *held) error {
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.PutBackRun(ctx, h.Job.ID, h.Holder, s.now()) })
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
		said := turns[i].Task.Question
		if c, ok := ask.Chosen(w.Choices, said); ok {
			said = c.Question // "1" says nothing by itself
		}
		w.Choices = nil
		if turns[i].AskedBack() {
			w.Choices = turns[i].Result.Clarification.Choices
		}
		w.Earlier = goOn(w.Earlier, turns[i], said)
	}
	return w, err
}

// Chosen returns the reading that a run's question chose of those that the run before
// it had offered, and that run; ok is false when it chose none.
func (s *Service) Chosen(ctx context.Context, r quern.Run) (before quern.Run, c quern.Choice, ok bool, err error) {
	asked := quern.Principal{Token: r.Token, Scopes: r.Scopes}
	var turns []quern.Run
	err = s.store.View(ctx, func(tx *store.Tx) (err error) {
		if turns, err = tx.CompletedTurns(ctx, r, asked.OnlyToken(), 1); err != nil || len(turns) == 0 {
			return err
		}
		return tx.RunContent(ctx, &turns[0], true) // its words are what is shown
	})
	if err != nil || len(turns) == 0 || !turns[0].AskedBack() {
		return before, c, false, err
	}
	c, ok = ask.Chosen(turns[0].Result.Clarification.Choices, r.Task.Question)
	return turns[0], c, ok, nil
}

// goOn returns how the turns so far were read, with one more. One that was not read is
// noted with the last that was. Its question is told in full.
func goOn(earlier []nlq.Turn, r quern.Run, said string) []nlq.Turn {
	var last *nlq.Turn
	if n := len(earlier); n > 0 {
		last = &earlier[n-1]
	}
	if q, doubt := read(r); q != nil {
		return append(earlier, *last.Next(said, q, doubt))
	}
	if last == nil {
		return append(earlier, *last.Without(said))
	}
	*last = *last.Without(said)
	return earlier
}

// read returns how a turn was read, by its last query that can still be understood, and
// whether that was in doubt; nil when there is none.
func read(r quern.Run) (q *tree.Query, doubt bool) {
	for i := len(r.Steps) - 1; i >= 0; i-- {
		if r.Steps[i].Tree == "" {
			continue
		}
		if q, err := tree.Parse(r.Steps[i].Tree); err == nil {
			return q, r.Steps[i].Doubt
		}
	}
	return nil, false
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
		err = quern.E(quern.NotFound, quern.CodeNotFound,
			"the namespace %s/%s is gone, or no longer shared with the asker", r.In.Owner, r.In.Namespace)
	} else if err != nil {
		err = again(err)
	}
	return p, err
}

// Places reports how the places of this server stand.
func (s *Service) Places() lease.Counts { return s.workers.Counts() }
