package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"quern"
	"quern/ask"
	"quern/ask/asktest"
	"quern/auth/authtest"
	"quern/run"
	"quern/store"
)

func TestARunAndItsEvents(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		s, _ := h.working()
		r := h.ask(s, "How many ships?")
		afar := h.replica() // serves readers, does no work
		if got := h.story(afar, h.ada, r.ID, 0); got != whole {
			t.Errorf("events = %s, want %s", got, whole)
		}
		words := strings.Fields(whole)
		for after := range words {
			if got, want := h.story(s, h.ada, r.ID, int64(after)), strings.Join(words[after:], " "); got != want {
				t.Errorf("events behind %d = %s, want %s", after, got, want)
			}
		}
		if got := h.story(s, h.ada, r.ID, 99); got != "" {
			t.Errorf("events behind the last = %s, want none", got)
		}
		done := h.finished(s, r.ID, quern.RunCompleted)
		if done.Result.Response != "42 ships" || len(done.Steps) != 2 || done.Steps[1].Instruction != "count crews" || done.EndedAt.IsZero() || done.Last != int64(len(words)) {
			t.Errorf("run = %+v, want the whole of it", done)
		}
		want := map[int64]string{
			1: fmt.Sprintf(`{"runId":%q,"conversationId":%q}`, r.ID, r.Conversation),
			2: `{}`,
			3: `{"steps":["count ships","count crews"],"reasoning":"two things are asked"}`,
			7: `{"index":1,"instruction":"count crews"}`,
			8: `{"index":1}`,
			9: `{"index":1,"instruction":"count crews","query":"SELECT 1","reasoning":"because","data":[{"n":1,"__metadata":{"score":1}}]}`,
			// The rest are like these.
			11: `{"response":"42 ships"}`,
		}
		for e, err := range s.Events(t.Context(), h.ada, r.ID, 0) {
			h.must(err)
			if data, ok := want[e.Seq]; ok && data != string(e.Data) {
				t.Errorf("event %d %s = %s, want %s", e.Seq, e.Type, e.Data, data)
			}
		}
	})
}

// Who starts a run need not look its first events up, be it worked on at once or later.
func TestFirstEventsAreThoseThatAreStored(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		s, _ := h.working(func(o *run.Options) { o.Limits.Workers = 1 })
		open := h.script.gate("plan")
		defer open()
		for range 3 { // the first has a place, unless it is being looked for work
			r := h.ask(s, "why?")
			first := run.FirstEvents(r)
			stored, _, err := s.Next(t.Context(), h.ada, r.ID, 0)
			h.must(err)
			if len(first) != int(r.Last) || fmt.Sprint(first) != fmt.Sprint(stored[:min(len(first), len(stored))]) {
				t.Errorf("FirstEvents() = %v, want the first %d of %v", first, r.Last, stored)
			}
		}
	})
}

func TestQuestionsThatAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		s := h.replica(func(o *run.Options) {
			o.Models = asktest.Only(nil, nil)
		})
		bo := h.user("bo")
		foreign := h.ask(s, "mine")
		restricted := h.token(h.ada, quern.TokenSpec{Scopes: []quern.Scope{{Username: "ada", Namespace: "harbour"}}})
		_, err := h.catalog.CreateNamespace(t.Context(), h.ada, "other")
		h.must(err)
		_, err = h.catalog.CreateNamespace(t.Context(), bo, "own")
		h.must(err)
		good := run.Ask{In: h.in, Agent: quern.AgentAssistant, Task: quern.Task{Question: "why?"}}
		with := func(change func(*run.Ask)) run.Ask {
			a := good
			change(&a)
			return a
		}
		for name, c := range map[string]struct {
			p    quern.Principal
			ask  run.Ask
			want quern.Kind
		}{
			"an empty question":        {h.ada, with(func(a *run.Ask) { a.Task.Question = " \n" }), quern.Invalid},
			"a long question":          {h.ada, with(func(a *run.Ask) { a.Task.Question = strings.Repeat("ü", 10_001) }), quern.Invalid},
			"a long helper prompt":     {h.ada, with(func(a *run.Ask) { a.Task.HelperPrompt = strings.Repeat("ü", 10_001) }), quern.Invalid},
			"an unknown model":         {h.ada, with(func(a *run.Ask) { a.Task.Model = "m" }), quern.Invalid},
			"no agent":                 {h.ada, with(func(a *run.Ask) { a.Agent = quern.AgentNL2QL }), quern.Unavailable},
			"an unknown namespace":     {h.ada, with(func(a *run.Ask) { a.In.Namespace = "none" }), quern.NotFound},
			"a foreign namespace":      {bo, good, quern.NotFound},
			"an unknown conversation":  {h.ada, with(func(a *run.Ask) { a.Conversation = quern.NewID[quern.ConversationID]() }), quern.NotFound},
			"a malformed conversation": {h.ada, with(func(a *run.Ask) { a.Conversation = "x" }), quern.NotFound},
			"a foreign conversation": {bo, with(func(a *run.Ask) {
				a.Conversation, a.In = foreign.Conversation, quern.NamespacePath{Owner: "bo", Namespace: "own"}
			}), quern.NotFound},
			"a conversation beyond the token": {restricted, with(func(a *run.Ask) { a.Conversation = foreign.Conversation }), quern.NotFound},
			"a conversation elsewhere": {h.ada, with(func(a *run.Ask) {
				a.Conversation, a.In.Namespace = foreign.Conversation, "other"
			}), quern.Invalid},
		} {
			_, err := s.Start(t.Context(), c.p, c.ask)
			h.wantKind("Start() with "+name, err, c.want)
		}
		if _, err := s.Start(t.Context(), h.ada, with(func(a *run.Ask) { a.Task.Question = strings.Repeat("ü", 10_000) })); err != nil {
			t.Errorf("Start() with 10,000 characters = %v, want a run", err)
		}
	})
}

func TestAUserHasSoManyRunsAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		h.wantStarted(24, 8, func(*run.Options) {})
	})
}

// Questions that come at once are all counted, whether they share a transaction or not.
func TestAUserAsksSoOftenADay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		most, now := int64(5), time.Now()
		h.wantStarted(24, int(most), func(o *run.Options) {
			o.Quota.Questions, o.Limits.PerUser, o.Now = &most, 100, func() time.Time { return now } // on one day
		})
		h.must(h.store.View(t.Context(), func(tx *store.Tx) error {
			counted, err := tx.Questions(t.Context(), h.ada.User.ID, quern.Day(now))
			if counted != most {
				t.Errorf("Questions() = %d, want %d", counted, most)
			}
			return err
		}))
	})
}

// wantStarted asks so many questions at once, and wants some to be started, and all others to be
// throttled.
func (h *house) wantStarted(many, want int, change func(*run.Options)) {
	h.t.Helper()
	t := h.t
	open := h.script.gate("plan")
	defer open()
	s, _ := h.working(change)
	var mu sync.Mutex
	var started, refused int
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			_, err := s.Start(t.Context(), h.ada, run.Ask{In: h.in, Agent: quern.AgentAssistant, Task: quern.Task{Question: "why?"}})
			var timed interface{ RetryAfter() time.Duration }
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				started++
			case quern.Is(err, quern.Throttled) && errors.As(err, &timed) && timed.RetryAfter() > 0:
				refused++
			default:
				t.Errorf("Start() = %v, want a run or kind throttled with a time", err)
			}
		})
	}
	all.Wait()
	if started != want || refused != many-want {
		t.Errorf("started %d and refused %d of %d, want %d started", started, refused, many, want)
	}
}

func TestEveryRunEndsOnceThoughPlacesAreFew(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		few := func(o *run.Options) { o.Limits.Workers, o.Limits.PerUser = 2, 100 }
		one, _ := h.working(few)
		two, _ := h.working(few)
		var ids []quern.RunID
		for i := range 30 {
			ids = append(ids, h.ask([]*run.Service{one, two}[i%2], "why?").ID)
		}
		for _, id := range ids {
			if got := h.story(two, h.ada, id, 0); got != whole {
				t.Errorf("events = %s, want %s", got, whole)
			}
		}
		if n := h.script.counted("answer"); n != 30 {
			t.Errorf("%d answers, want 30", n)
		}
	})
}

// later is an hour ahead, for which every lease has run out.
func later(o *run.Options) {
	o.Now = func() time.Time { return time.Now().Add(time.Hour) }
	o.Limits.Life = 24 * time.Hour
}

func TestARunIsTakenUpFromItsLastStep(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		open := h.script.gate("step-1")
		one, _ := h.working()
		r := h.ask(one, "How many ships?")
		<-h.script.came
		// The first server is at its second step, and stays there: cut off, as far
		// as the second can see.
		two, _ := h.working(later)
		<-h.script.came
		if h.script.counted("plan") != 1 || h.script.counted("step-0") != 1 || h.script.counted("step-1") != 2 {
			t.Errorf("calls = %v, want nothing again but the step that was not stored", h.script.calls)
		}
		w := h.script.seen("step-1")
		if len(w.Steps) != 1 || string(w.Steps[0].Data[0]) != `{"n":0,"__metadata":{"score":1}}` || !w.AskedAt.Equal(r.CreatedAt) {
			t.Errorf("work = %+v, want the first step's rows in it", w)
		}
		if len(w.Steps) == 1 && w.Steps[0].Units["ships.fee"] != "€" {
			t.Errorf("units of the first step = %v, want those that it was done with", w.Steps[0].Units)
		}
		open() // both go on; the first finds that the run is no longer its own
		if got := h.story(two, h.ada, r.ID, 0); got != whole {
			t.Errorf("events = %s, want %s", got, whole)
		}
		if got := h.story(one, h.ada, r.ID, 0); got != whole {
			t.Errorf("events at the first server = %s, want %s", got, whole)
		}
	})
}

func TestAStoppingServerHandsItsRunsBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		open := h.script.gate("step-0")
		one, stop := h.working()
		r := h.ask(one, "How many ships?")
		<-h.script.came
		waited := make(chan error, 1)
		go func() {
			_, err := one.Wait(t.Context(), h.ada, r.ID)
			waited <- err
		}()
		stop()
		h.wantKind("Wait() at a server that stops", <-waited, quern.Unavailable)
		if r := h.ask(one, "Still there?"); r.Last != 1 {
			t.Errorf("a run at a stopped server has %d events, want the first", r.Last)
		}
		open()
		two, _ := h.working()
		if done := h.finished(two, r.ID, quern.RunCompleted); done.Attempt != 1 {
			t.Errorf("attempt = %d, want 1: being handed back does not count", done.Attempt)
		}
		if got := h.story(two, h.ada, r.ID, 0); got != whole {
			t.Errorf("events = %s, want %s", got, whole)
		}
	})
}

func TestCancel(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		defer h.script.gate("step-0")()
		s, _ := h.working()
		for name, by := range map[string]*run.Service{"its server": s, "another server": h.replica()} {
			r := h.ask(s, "why?")
			<-h.script.came
			began := time.Now()
			got, err := by.Cancel(t.Context(), h.ada, r.ID)
			if err != nil || got.Status != quern.RunCancelled {
				t.Errorf("Cancel() by %s = %+v, %v, want it cancelled", name, got, err)
			}
			<-h.script.left
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("the work went on for %v after Cancel() by %s", took, name)
			}
			if got := h.story(by, h.ada, r.ID, 4); got != "queryExecuting error" {
				t.Errorf("the events end with %s, want queryExecuting error", got)
			}
			if _, err := by.Cancel(t.Context(), h.ada, r.ID); err != nil {
				t.Errorf("Cancel() again = %v, want nil", err)
			}
		}
	})
}

func TestRightsAreAskedForBeforeEveryStep(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		s, _ := h.working(func(o *run.Options) { o.Limits.PerUser = 100 })
		ctx := t.Context()
		soon := time.Now().Add(time.Hour)
		for name, c := range map[string]struct {
			asker  func(quern.Principal) quern.Principal
			change func(quern.Principal) error
			want   string
		}{
			"disabled": {nil, func(p quern.Principal) error { return h.auth.DisableUser(ctx, p.User.Username) }, "the user who asked is disabled"},
			"revoked": {
				func(p quern.Principal) quern.Principal { return h.token(p, quern.TokenSpec{}) },
				func(p quern.Principal) error { return h.auth.RevokeToken(ctx, quern.Principal{User: p.User}, p.Token) },
				"the token that asked was revoked",
			},
			"signed-out": {
				func(p quern.Principal) quern.Principal {
					in, _ := authtest.SignIn(t, h.auth.Service, p.User.Username)
					return quern.Principal{User: p.User, Session: in.ID}
				},
				func(p quern.Principal) error { return h.auth.EndSession(ctx, p, p.Session) },
				"the session that asked was ended",
			},
			"unshared": {nil, func(p quern.Principal) error {
				_, err := h.catalog.Revoke(ctx, h.ada, shared(h.in), p.User.Username)
				return err
			}, "the namespace ada/Harbour is gone, or no longer shared with the asker"},
			"later": {func(p quern.Principal) quern.Principal { return h.token(p, quern.TokenSpec{ExpiresAt: soon}) }, nil, ""},
		} {
			p := h.user(name)
			_, err := h.catalog.Share(ctx, h.ada, shared(h.in), quern.Share{Username: name, Role: quern.Viewer})
			h.must(err)
			if c.asker != nil {
				p = c.asker(p)
			}
			open := h.script.gate("step-0")
			r := h.askAs(s, p, run.Ask{Task: quern.Task{Question: "why?"}})
			<-h.script.came
			if c.change != nil {
				h.must(c.change(p))
			}
			open()
			done, err := s.Wait(ctx, quern.Principal{User: p.User}, r.ID)
			h.must(err)
			if c.want == "" && done.Status != quern.RunCompleted || c.want != "" && (done.Failure == nil || done.Failure.Message != c.want || len(done.Steps) != 1) {
				t.Errorf("%s: run = %+v %+v, want %q after one step", name, done.Status, done.Failure, c.want)
			}
		}
	})
}

func TestANamespaceDeletedInMidRun(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		open := h.script.gate("step-1")
		s, _ := h.working()
		r := h.ask(s, "why?")
		<-h.script.came
		_, err := h.catalog.DeleteNamespace(t.Context(), h.ada, h.in, true)
		h.must(err)
		open()
		done := h.finished(s, r.ID, quern.RunFailed)
		if done.Failure.Code != quern.CodeNotFound || !strings.Contains(done.Failure.Message, "ada/Harbour is gone") || len(done.Steps) != 2 {
			t.Errorf("run = %+v, want it to fail for its namespace", done.Failure)
		}
	})
}

func TestATokenThatExpiresInMidRun(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		p := h.token(h.ada, quern.TokenSpec{ExpiresAt: time.Now().Add(30 * time.Minute)})
		h.askAs(h.replica(), p, run.Ask{Task: quern.Task{Question: "why?"}})
		page, err := h.replica().Runs(t.Context(), h.ada, run.Filter{Limit: 1})
		h.must(err)
		h.clock.Add(time.Hour)
		s, _ := h.working()
		if done := h.finished(s, page.Runs[0].ID, quern.RunFailed); done.Failure.Message != "the token that asked has expired" {
			t.Errorf("failure = %+v, want the token's end", done.Failure)
		}
	})
}

func TestAgentsThatFail(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		s, _ := h.working()
		for name, c := range map[string]struct {
			fail func() error
			want quern.Failure
		}{
			"known": {func() error {
				return quern.E(quern.Unreachable, quern.CodeUnreachable, "the model is away").Because(errors.New("secret"))
			}, quern.Failure{Kind: quern.Unreachable, Code: quern.CodeUnreachable, Message: "the model is away"}},
			"unknown": {func() error { return errors.New("secret") }, quern.Failure{Code: quern.CodeInternal, Message: "something went wrong on our side"}},
			"panic":   {func() error { panic("secret") }, quern.Failure{Code: quern.CodeInternal, Message: "something went wrong on our side"}},
			"full disk": {func() error { return fmt.Errorf("secret: %w", syscall.ENOSPC) },
				quern.Failure{Kind: quern.Unavailable, Code: quern.CodeUnavailable, Message: "the server has no room left to store this"}},
			"late": {func() error { return context.DeadlineExceeded }, quern.Failure{Kind: quern.Timeout, Code: quern.CodeTimeout, Message: "the work took longer than it may"}},
		} {
			h.script.step = func(ask.Work, int) (quern.Step, error) { return quern.Step{}, c.fail() }
			r := h.ask(s, "why?")
			done := h.finished(s, r.ID, quern.RunFailed)
			if done.Failure == nil || *done.Failure != c.want {
				t.Errorf("%s: failure = %+v, want %+v", name, done.Failure, c.want)
			}
			if got := h.story(s, h.ada, r.ID, 3); got != "stepStarted queryExecuting error" {
				t.Errorf("%s: events = %s, want an error at the end", name, got)
			}
		}
	})
}

func TestARunPastItsLifeExpires(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		defer h.script.gate("step-0")()
		s, _ := h.working(func(o *run.Options) { o.Limits.Life = 3 * time.Second })
		r := h.ask(s, "why?")
		done := h.finished(s, r.ID, quern.RunExpired)
		if done.Failure.Code != quern.CodeTimeout || len(h.script.left) != 1 {
			t.Errorf("failure = %+v with %d calls ended, want a timeout and 1", done.Failure, len(h.script.left))
		}
		_, _, err := s.Resume(t.Context(), h.ada, r.ID)
		h.wantKind("Resume() of an expired run", err, quern.Gone)
	})
}

func TestOldRunsAreSwept(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		s, stop := h.working()
		old := h.ask(s, "why?")
		h.finished(s, old.ID, quern.RunCompleted)
		stop()
		stuck := h.ask(s, "and why?")
		after := h.replica(func(o *run.Options) {
			o.Limits.Life, o.Limits.Retention = 30*time.Minute, 30*time.Minute
			o.Now = func() time.Time { return time.Now().Add(time.Hour) }
		})
		run.Sweep(t.Context(), after)
		_, err := after.Run(t.Context(), h.ada, old.ID)
		h.wantKind("Run() past its retention", err, quern.NotFound)
		if r, err := after.Run(t.Context(), h.ada, stuck.ID); err != nil || r.Status != quern.RunExpired {
			t.Errorf("Run() that nobody worked on = %s, %v, want it expired", r.Status, err)
		}
	})
}

func TestResumeDeleteAndWhoseRunsTheyAre(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		ctx, bo := t.Context(), h.user("bo")
		open := h.script.gate("step-1")
		s, _ := h.working()
		r := h.ask(s, "why?")
		<-h.script.came
		if _, after, err := s.Resume(ctx, h.ada, r.ID); err != nil || after != 5 {
			t.Errorf("Resume() = %d, %v, want to go on behind 5, where the first step is", after, err)
		}
		for name, id := range map[string]quern.RunID{"a foreign run": r.ID, "an unknown run": quern.NewID[quern.RunID](), "no run": "x"} {
			p := bo
			if id != r.ID {
				p = h.ada
			}
			_, err := s.Run(ctx, p, id)
			h.wantKind("Run() of "+name, err, quern.NotFound)
			_, err = s.Cancel(ctx, p, id)
			h.wantKind("Cancel() of "+name, err, quern.NotFound)
			_, _, err = s.Resume(ctx, p, id)
			h.wantKind("Resume() of "+name, err, quern.NotFound)
			_, _, err = s.Next(ctx, p, id, 0)
			h.wantKind("Next() of "+name, err, quern.NotFound)
			_, err = s.Wait(ctx, p, id)
			h.wantKind("Wait() of "+name, err, quern.NotFound)
			h.wantKind("Delete() of "+name, s.Delete(ctx, p, id), quern.NotFound)
		}
		open()
		h.finished(s, r.ID, quern.RunCompleted)
		got, _, err := s.Resume(ctx, h.ada, r.ID)
		if h.wantKind("Resume() of a completed run", err, quern.Gone); got.Result == nil {
			t.Error("Resume() of a completed run gives no result with its error")
		}
		_, err = s.Cancel(ctx, h.ada, r.ID)
		h.wantKind("Cancel() of a completed run", err, quern.Conflict)
		deletedInMidRun(h, s)
	})
}

// deletedInMidRun deletes a run and a conversation while they are worked on.
func deletedInMidRun(h *house, s *run.Service) {
	h.t.Helper()
	defer h.script.gate("step-0")()
	for name, remove := range map[string]func(quern.Run) error{
		"Delete()":             func(r quern.Run) error { return s.Delete(h.t.Context(), h.ada, r.ID) },
		"DeleteConversation()": func(r quern.Run) error { return s.DeleteConversation(h.t.Context(), h.ada, r.Conversation) },
	} {
		r := h.ask(s, "why?")
		<-h.script.came
		h.must(remove(r))
		if why := <-h.script.left; why == nil {
			h.t.Errorf("%s left the work going on", name)
		}
		_, _, err := s.Next(h.t.Context(), h.ada, r.ID, 99)
		h.wantKind("Next() after "+name, err, quern.NotFound)
	}
	r := h.ask(s, "why?")
	<-h.script.came
	_, err := s.Cancel(h.t.Context(), h.ada, r.ID)
	h.must(err)
	_, _, err = s.Resume(h.t.Context(), h.ada, r.ID)
	h.wantKind("Resume() of a cancelled run", err, quern.Gone)
	h.script.step = func(ask.Work, int) (quern.Step, error) { return quern.Step{}, errors.New("no") }
	h.script.gate("step-0")() // one that is open
	r = h.ask(s, "why?")
	h.finished(s, r.ID, quern.RunFailed)
	_, _, err = s.Resume(h.t.Context(), h.ada, r.ID)
	h.wantKind("Resume() of a failed run", err, quern.Invalid)
}

func TestRunsAreListedInPages(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		s, _ := h.working(func(o *run.Options) { o.Limits.PerUser = 100 })
		want := map[quern.RunID]bool{}
		for range 5 {
			r := h.ask(s, "why?")
			h.finished(s, r.ID, quern.RunCompleted)
			want[r.ID] = true
		}
		f, last := run.Filter{Limit: 2, Whole: true}, time.Now().Add(time.Hour)
		for pages := 0; ; pages++ {
			page, err := s.Runs(t.Context(), h.ada, f)
			h.must(err)
			for _, r := range page.Runs {
				if !want[r.ID] || r.UpdatedAt.After(last) || r.Result == nil || page.Total != 5 {
					t.Errorf("Runs() gives %+v of %d, want each whole run once, latest first", r, page.Total)
				}
				delete(want, r.ID)
				last = r.UpdatedAt
			}
			if f.After = page.Next; page.Next == "" {
				break
			}
		}
		if len(want) > 0 {
			t.Errorf("Runs() left out %v", want)
		}
		for _, after := range []string{"x", "1", "1.x", "x." + quern.NewID[string]()} {
			_, err := s.Runs(t.Context(), h.ada, run.Filter{Limit: 1, After: after})
			h.wantKind("Runs() after "+after, err, quern.Malformed)
		}
	})
}

func TestWhoEndsARunIsTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		told := make(chan quern.Run, 10)
		s, _ := h.working(func(o *run.Options) { o.Ended = func(_ context.Context, r quern.Run) { told <- r } })
		r := h.ask(s, "why?")
		if got := <-told; got.ID != r.ID || got.Status != quern.RunCompleted || got.Result == nil || len(got.Steps) != 2 {
			t.Errorf("told of %+v, want the completed run", got)
		}
	})
}
