package run_test

import (
	"testing"

	"quern"
	"quern/run"
	"quern/store/storetest"
)

// TestTransactionsThatAreRunAgain asks, follows up, cancels and waits over a store
// that runs every transaction twice, as one may that gives way to another writer:
// a run has the same events as ever.
func TestTransactionsThatAreRunAgain(t *testing.T) {
	t.Parallel()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			o.Rehearse = true
			h := newHouse(t, storetest.Open(t, o))
			s, _ := h.working()
			first := h.ask(s, "How many ships?")
			if got := h.story(s, h.ada, first.ID, 0); got != whole {
				t.Errorf("events = %s, want %s", got, whole)
			}
			h.finished(s, first.ID, quern.RunCompleted)
			second := h.askAs(s, h.ada, run.Ask{Conversation: first.Conversation, Task: quern.Task{Question: "And crews?"}})
			h.finished(s, second.ID, quern.RunCompleted)
			open := h.script.gate("plan")
			defer open()
			third := h.ask(s, "How many piers?")
			<-h.script.came
			_, err := s.Cancel(t.Context(), h.ada, third.ID)
			h.must(err)
			if got := h.story(s, h.ada, third.ID, 0); got != "run-started planningStarted error" {
				t.Errorf("events of a cancelled run = %s, want its beginning and the error", got)
			}
		})
	}
}
