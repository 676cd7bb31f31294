package run_test

import (
	"testing"

	"quern"
	"quern/ask"
	"quern/run"
)

// unclear makes the script ask back until the question is the answer.
func (h *house) unclear(answer string) {
	asks := &quern.Clarification{Question: "which?", Choices: []quern.Choice{{Label: answer, Question: answer, Query: "SELECT 1"}}}
	h.script.step = func(w ask.Work, _ int) (quern.Step, error) {
		if w.Task.Question == answer {
			return quern.Step{Query: "SELECT 1"}, nil
		}
		return quern.Step{Clarification: asks}, nil
	}
	h.script.answer = func(w ask.Work) (quern.Result, error) {
		if w.Task.Question == answer {
			return quern.Result{Response: "that one"}, nil
		}
		return quern.Result{Response: "which?", Clarification: asks}, nil
	}
}

func TestAThread(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		h.unclear("this")
		s, _ := h.working()
		ctx := t.Context()
		first := h.finished(s, h.ask(s, "what?").ID, quern.RunCompleted)
		reading := h.ada
		reading.ReadOnly = true
		_, err := s.Start(ctx, reading, run.Ask{After: first.ID, Agent: quern.AgentAssistant, Task: quern.Task{Question: "this"}})
		h.wantKind("Start() behind a question that a read-only token did not ask", err, quern.Forbidden)
		second := h.askAs(s, h.ada, run.Ask{After: first.ID, Message: "m-2", Task: quern.Task{Question: "still what?"}})
		h.finished(s, second.ID, quern.RunCompleted)
		if _, err := s.Start(ctx, h.ada, run.Ask{After: first.ID, Task: quern.Task{Question: "this"}, Agent: quern.AgentAssistant}); !quern.Is(err, quern.Conflict) {
			t.Errorf("Start() behind a run that was answered = %v, want Conflict", err)
		}
		third := h.finished(s, h.askAs(s, h.ada, run.Ask{After: second.ID, Task: quern.Task{Question: "this"}}).ID, quern.RunCompleted)
		if second.Conversation != first.Conversation || third.Conversation != first.Conversation || third.First() != first.ID || second.Message != "m-2" {
			t.Errorf("the runs of a thread = %+v, %+v, want them in one conversation behind the first", second, third)
		}
		all, err := s.Thread(ctx, h.ada, first.ID)
		h.must(err)
		if len(all) != 3 || all[1].ID != second.ID || all[2].Result.Response != "that one" || !all[0].AskedBack() {
			t.Errorf("Thread() = %+v, want three runs in order", all)
		}
		_, err = s.Thread(ctx, h.ada, second.ID)
		h.wantKind("Thread() of a run that is not the first", err, quern.NotFound)
		_, err = s.Thread(ctx, h.user("eve"), first.ID)
		h.wantKind("Thread() of somebody else's", err, quern.NotFound)
		page, err := s.Runs(ctx, h.ada, run.Filter{Latest: true, Limit: 10, Outline: true})
		h.must(err)
		if page.Total != 1 || len(page.Runs) != 1 || page.Runs[0].ID != third.ID || page.Runs[0].AskedBack() {
			t.Errorf("Runs(latest) = %+v, want the last of the thread", page)
		}
		_, err = s.Start(ctx, h.ada, run.Ask{After: third.ID, Agent: quern.AgentAssistant, Task: quern.Task{Question: "more"}})
		h.wantKind("Start() behind a run that asked nothing", err, quern.Conflict)
		_, err = s.Start(ctx, h.user("bob"), run.Ask{After: first.ID, Agent: quern.AgentAssistant, Task: quern.Task{Question: "this"}})
		h.wantKind("Start() behind somebody else's run", err, quern.NotFound)
		// What is left of a thread whose first run is deleted stands alone.
		h.must(s.Delete(ctx, h.ada, first.ID))
		if r, err := s.Run(ctx, h.ada, third.ID); err != nil || r.First() != third.ID {
			t.Errorf("the last run once the first is deleted = %+v, %v, want it on its own", r, err)
		}
	})
}

func TestWithdraw(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		h.unclear("this")
		s, _ := h.working()
		ctx := t.Context()
		r := h.finished(s, h.ask(s, "what?").ID, quern.RunCompleted)
		_, err := s.Withdraw(ctx, h.user("eve"), r.ID)
		h.wantKind("Withdraw() of somebody else's", err, quern.NotFound)
		got, err := s.Withdraw(ctx, h.ada, r.ID)
		if err != nil || got.Status != quern.RunCancelled || got.Failure.Code != quern.CodeCancelled {
			t.Errorf("Withdraw() = %+v, %v, want a cancelled run", got, err)
		}
		_, err = s.Withdraw(ctx, h.ada, r.ID)
		h.wantKind("Withdraw() again", err, quern.Conflict)
		_, err = s.Start(ctx, h.ada, run.Ask{After: r.ID, Agent: quern.AgentAssistant, Task: quern.Task{Question: "this"}})
		h.wantKind("Start() behind a run that was withdrawn", err, quern.Conflict)
		answered := h.finished(s, h.ask(s, "what else?").ID, quern.RunCompleted)
		h.finished(s, h.askAs(s, h.ada, run.Ask{After: answered.ID, Task: quern.Task{Question: "this"}}).ID, quern.RunCompleted)
		_, err = s.Withdraw(ctx, h.ada, answered.ID)
		h.wantKind("Withdraw() of one that was answered", err, quern.Conflict)
		page, err := s.Runs(ctx, h.ada, run.Filter{Failed: true, Limit: 10})
		if err != nil || page.Total != 0 {
			t.Errorf("Runs(failed) = %+v, %v, want none: withdrawn is not failed", page, err)
		}
	})
}
