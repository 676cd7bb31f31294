package run_test

import (
	"fmt"
	"testing"
	"time"

	"quern"
	"quern/ask"
	"quern/store"
)

// dies takes the run that is due, as a server does that dies over it.
func (h *house) dies() {
	h.t.Helper()
	h.must(h.store.Update(h.t.Context(), func(tx *store.Tx) error {
		now := time.Now()
		c := quern.Claim{Lease: quern.Lease{Holder: "a server that dies", Until: now}, Now: now, Suspects: true}
		_, _, err := tx.TakeRun(h.t.Context(), c, nil)
		return err
	}))
}

func TestARunThatServersDieOfIsGivenUp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		r := h.ask(h.replica(), "why?")
		h.dies()
		for range quern.Trials {
			h.dies()
		}
		s, _ := h.working()
		done := h.finished(s, r.ID, quern.RunFailed)
		if done.Failure.Code != quern.CodeUnavailable || done.Failure.Kind != quern.Unavailable || h.script.counted("plan") != 0 {
			t.Errorf("failure = %+v after %d plans, want it given up", done.Failure, h.script.counted("plan"))
		}
	})
}

// TestARunOutlivesADatabaseThatIsAway when an agent calls: it is put back, and goes on.
func TestARunOutlivesADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	_, away := store.Open(t.Context(), store.Options{URL: "postgres://quern@127.0.0.1:1/none?connect_timeout=2"})
	if !store.Away(away) {
		t.Fatalf("Open() of a database that is away = %v, want Away of it", away)
	}
	each(t, func(t *testing.T, h *house) {
		failed, step := false, h.script.step
		h.script.step = func(w ask.Work, i int) (quern.Step, error) {
			if i == 1 && !failed {
				failed = true
				return quern.Step{}, fmt.Errorf("nlq: %w", away)
			}
			return step(w, i)
		}
		r := h.ask(h.replica(), "why?")
		s, _ := h.working()
		if done := h.finished(s, r.ID, quern.RunCompleted); done.Result == nil || h.script.counted("step-1") != 2 {
			t.Errorf("result = %+v after %d calls of the step, want it made again", done.Result, h.script.counted("step-1"))
		}
	})
}

// TestDeathsCountForOneStep lets a server die over every call of a run, over none
// of them twice: the run is not the cause.
func TestDeathsCountForOneStep(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		h.script.plan.Steps = make([]string, 6)
		r := h.ask(h.replica(), "why?")
		for i := range h.script.plan.Steps {
			h.dies()
			h.script.gate(fmt.Sprintf("step-%d", i))
			_, stop := h.working()
			<-h.script.came // the call behind the one that was suspected
			stop()
			h.script.ungate(fmt.Sprintf("step-%d", i))
		}
		h.dies()
		s, _ := h.working()
		h.finished(s, r.ID, quern.RunCompleted)
	})
}
