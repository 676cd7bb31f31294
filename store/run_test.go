package store_test

import (
	"encoding/json"
	"reflect"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

// asked is a conversation of a user's with one run that waits.
func asked(owner quern.User) (quern.Conversation, quern.Run, []store.RunEvent) {
	at := owner.CreatedAt
	in := quern.NamespacePath{Owner: owner.Username, Namespace: "Harbour"}
	c := quern.Conversation{
		ID: quern.NewID[quern.ConversationID](), Owner: owner.ID, Token: "t", In: in, Title: "Ships?", CreatedAt: at, UpdatedAt: at,
	}
	r := quern.Run{
		ID: quern.NewID[quern.RunID](), Conversation: c.ID, Actor: owner.ID, Token: "t", Scopes: []quern.Scope{{Username: "a", Namespace: "b"}},
		Agent: quern.AgentAssistant, In: in, Task: quern.Task{Question: "Ships?", Model: "m"}, Status: quern.RunRunning, Last: 1,
		CreatedAt: at, UpdatedAt: at,
	}
	return c, r, []store.RunEvent{happened(1, quern.EventRunStarted, `{"runId":"x"}`, "", at)}
}

func happened(seq int64, kind quern.RunEventType, data, kept string, at time.Time) store.RunEvent {
	e := store.RunEvent{RunEvent: quern.RunEvent{Seq: seq, Type: kind, Data: json.RawMessage(data), At: at}}
	if kept != "" {
		e.Kept = json.RawMessage(kept)
	}
	return e
}

// inserted stores a user with an asked run.
func inserted(t *testing.T, s *store.Store) (quern.User, quern.Conversation, quern.Run) {
	t.Helper()
	ada := user("ada")
	c, r, events := asked(ada)
	update(t, s, func(tx *store.Tx) error {
		if err := tx.InsertUser(t.Context(), ada, ""); err != nil {
			return err
		}
		if err := tx.InsertConversation(t.Context(), c); err != nil {
			return err
		}
		return tx.InsertRun(t.Context(), r, quern.Lease{Until: r.CreatedAt}, events)
	})
	return ada, c, r
}

func update(t *testing.T, s *store.Store, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func TestARunIsAdvancedByItsHolderAlone(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		_, _, r := inserted(t, s)
		now := r.CreatedAt
		update(t, s, func(tx *store.Tx) error {
			if got, err := tx.Run(ctx, r.ID); err != nil || !reflect.DeepEqual(got, r) {
				t.Errorf("Run() = %+v, %v, want %+v", got, err, r)
			}
			if _, _, err := tx.TakeRun(ctx, quern.Claim{Lease: quern.Lease{Holder: "early", Until: now}, Now: now.Add(-time.Second),
				Suspects: true}, nil); !quern.Is(err, quern.NotFound) || err == nil {
				t.Errorf("TakeRun() before it is due = %v, want kind not found", err)
			}
			return nil
		})
		update(t, s, func(tx *store.Tx) error {
			got, _, err := tx.TakeRun(ctx, quern.Claim{Lease: quern.Lease{Holder: "one", Until: now.Add(time.Second)}, Now: now, Suspects: true},
				nil)
			if err != nil || got.ID != r.ID || got.Attempt != 1 {
				t.Errorf("TakeRun() = %+v, %v, want attempt 1 of %s", got, err, r.ID)
			}
			r = got
			return nil
		})
		step := r
		step.Last, step.UpdatedAt = 2, now.Add(time.Millisecond)
		write := func(r quern.Run, holder string, events ...store.RunEvent) (ok bool) {
			update(t, s, func(tx *store.Tx) (err error) {
				ok, err = tx.AdvanceRun(ctx, r, holder, events)
				return err
			})
			return ok
		}
		plan := happened(2, quern.EventPlan, `{"steps":["a"],"reasoning":"b"}`, "", now)
		if write(step, "two", plan) {
			t.Error("AdvanceRun() of somebody who does not hold the run = true, want false")
		}
		if !write(step, "one", plan) || write(step, "one", plan) {
			t.Error("AdvanceRun() twice with one event is not true, then false")
		}
		update(t, s, func(tx *store.Tx) error {
			for holder, want := range map[string]bool{"one": true, "two": false} {
				if kept, err := tx.KeepRun(ctx, r.ID, quern.Lease{Holder: holder, Until: now.Add(2 * time.Second)}, false); err != nil || kept != want {
					t.Errorf("KeepRun(%s) = %v, %v, want %v", holder, kept, err, want)
				}
			}
			_, _, err := tx.TakeRun(ctx, quern.Claim{Lease: quern.Lease{Holder: "two", Until: now}, Now: now.Add(time.Second), Suspects: true}, nil)
			if !quern.Is(err, quern.NotFound) || err == nil {
				t.Errorf("TakeRun() of one that is held = %v, want kind not found", err)
			}
			return nil
		})
		update(t, s, func(tx *store.Tx) error {
			got, _, err := tx.TakeRun(ctx, quern.Claim{Lease: quern.Lease{Holder: "two", Until: now.Add(3 * time.Second)},
				Now: now.Add(2 * time.Second), Suspects: true}, nil)
			if err != nil || got.Attempt != 1 {
				t.Errorf("TakeRun() after the lease = %+v, %v, want attempt 1: what a server died over has not failed", got, err)
			}
			return nil
		})
		done := step
		done.Last, done.Status, done.EndedAt = 3, quern.RunFailed, now.Add(time.Second)
		done.Failure = &quern.Failure{Code: quern.CodeTimeout, Message: "late"}
		end := happened(3, quern.EventError, `{}`, "", now)
		if write(done, "one", end) || !write(done, "two", end) || write(done, "two", end) {
			t.Error("AdvanceRun() to the end is not false for the first holder, true once for the second")
		}
		update(t, s, func(tx *store.Tx) error {
			got, holder, err := tx.LockRun(ctx, r.ID)
			if err != nil || holder != "two" || got.Status != quern.RunFailed || !reflect.DeepEqual(got.Failure, done.Failure) ||
				!got.EndedAt.Equal(done.EndedAt) {
				t.Errorf("LockRun() = %+v, %s, %v, want the failed run of two", got, holder, err)
			}
			return nil
		})
	})
}

func TestWhatARunsEventsHold(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		_, _, r := inserted(t, s)
		now := r.CreatedAt
		r.Last, r.Status = 4, quern.RunCompleted
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.AdvanceRun(ctx, r, "", []store.RunEvent{
				happened(2, quern.EventPlan, `{"steps":["a"],"reasoning":"b"}`, "", now),
				happened(3, quern.EventStep, `{"index":0,"query":"q","data":[{"a":1}],"clarification":{"question":"?","choices":[{"label":"l","question":"m"}]}}`,
					`{"tree":"SELECT 1","clarification":{"question":"?","choices":[{"label":"l","question":"m","query":"secret"}]}}`, now),
				happened(4, quern.EventAnswer, `{"response":"42"}`, `{}`, now),
			})
			return err
		})
		whole, bare := r, r
		update(t, s, func(tx *store.Tx) error {
			if err := tx.RunContent(ctx, &whole, true); err != nil {
				return err
			}
			if err := tx.RunContent(ctx, &bare, false); err != nil {
				return err
			}
			for limit, want := range map[int][]int64{1: {2}, 100: {2, 3}, 1 << 20: {2, 3, 4}} {
				var got []int64
				events, err := tx.RunEvents(ctx, r.ID, 1, 16, limit)
				for _, e := range events {
					got = append(got, e.Seq)
				}
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("RunEvents(%d bytes) = %v, %v, want %v", limit, got, err, want)
				}
			}
			if n, err := tx.LastStepEvent(ctx, r.ID); n != 3 || err != nil {
				t.Errorf("LastStepEvent() = %d, %v, want 3", n, err)
			}
			return nil
		})
		if whole.Plan.Reasoning != "b" || len(whole.Steps) != 1 || string(whole.Steps[0].Data[0]) != `{"a":1}` ||
			whole.Steps[0].Tree != "SELECT 1" ||
			whole.Steps[0].Clarification.Choices[0].Query != "secret" || whole.Result.Response != "42" {
			t.Errorf("RunContent() = %+v, want the plan, the step with what is kept, the answer", whole)
		}
		if bare.Steps[0].Data != nil || bare.Steps[0].Tree != "SELECT 1" {
			t.Errorf("RunContent() without rows = %+v, want the tree and no rows", bare)
		}
	})
}

func TestRunsAndConversationsAreListedLatestFirst(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		ada, c, first := inserted(t, s)
		second := first
		second.ID, second.Token, second.Agent = quern.NewID[quern.RunID](), "", quern.AgentNL2QL
		second.CreatedAt = first.CreatedAt.Add(time.Second)
		update(t, s, func(tx *store.Tx) error {
			if err := tx.TouchConversation(ctx, c.ID, second.CreatedAt); err != nil {
				return err
			}
			return tx.InsertRun(ctx, second, quern.Lease{Until: second.CreatedAt}, nil)
		})
		no := false
		update(t, s, func(tx *store.Tx) error {
			for name, want := range map[string]struct {
				filter store.RunFilter
				ids    []quern.RunID
			}{
				"all":       {store.RunFilter{}, []quern.RunID{second.ID, first.ID}},
				"a token's": {store.RunFilter{Token: "t"}, []quern.RunID{first.ID}},
				"an agent's": {store.RunFilter{Agent: quern.AgentNL2QL, Status: quern.RunRunning, AskedBack: &no, Conversation: c.ID},
					[]quern.RunID{second.ID}},
				"late":      {store.RunFilter{Since: second.CreatedAt}, []quern.RunID{second.ID}},
				"next page": {store.RunFilter{Before: store.Position{At: second.CreatedAt, ID: string(second.ID)}}, []quern.RunID{first.ID}},
				"none":      {store.RunFilter{Status: quern.RunFailed}, nil},
			} {
				want.filter.Actor, want.filter.Limit = ada.ID, 10
				var ids []quern.RunID
				list, err := tx.Runs(ctx, want.filter)
				for _, r := range list {
					ids = append(ids, r.ID)
				}
				if err != nil || !reflect.DeepEqual(ids, want.ids) {
					t.Errorf("Runs(%s) = %v, %v, want %v", name, ids, err, want.ids)
				}
				if n, err := tx.CountRuns(ctx, want.filter); name != "next page" && (err != nil || n != len(want.ids)) {
					t.Errorf("CountRuns(%s) = %d, %v, want %d", name, n, err, len(want.ids))
				}
			}
			if turns, err := tx.Turns(ctx, store.TurnFilter{Conversation: c.ID}); err != nil || len(turns) != 2 || turns[0].ID != first.ID {
				t.Errorf("Turns() = %v, %v, want both, the first first", turns, err)
			}
			if turns, err := tx.Turns(ctx, store.TurnFilter{Conversation: c.ID, Token: "t"}); err != nil || len(turns) != 1 {
				t.Errorf("Turns() of a token = %v, %v, want one", turns, err)
			}
			if turns, err := tx.CompletedTurns(ctx, second, "", 10); err != nil || len(turns) != 0 {
				t.Errorf("CompletedTurns() = %v, %v, want none", turns, err)
			}
			if n, err := tx.CountRunning(ctx, ada.ID); n != 2 || err != nil {
				t.Errorf("CountRunning() = %d, %v, want 2", n, err)
			}
			return nil
		})
		conversations(t, s, ada, c, second.CreatedAt)
	})
}

// conversations checks what lists of conversations hold when one was touched.
func conversations(t *testing.T, s *store.Store, ada quern.User, old quern.Conversation, touched time.Time) {
	t.Helper()
	ctx := t.Context()
	fresh := old
	fresh.ID, fresh.Token, fresh.In.Namespace = quern.NewID[quern.ConversationID](), "", "other"
	update(t, s, func(tx *store.Tx) error { return tx.InsertConversation(ctx, fresh) })
	update(t, s, func(tx *store.Tx) error {
		if err := tx.RenameConversation(ctx, old.ID, "Boats"); err != nil {
			return err
		}
		if got, err := tx.Conversation(ctx, old.ID); err != nil || got.Title != "Boats" || !got.UpdatedAt.Equal(touched) {
			t.Errorf("Conversation() = %+v, %v, want it renamed and touched", got, err)
		}
		for name, want := range map[string]struct {
			filter store.ConversationFilter
			ids    []quern.ConversationID
		}{
			"all":         {store.ConversationFilter{}, []quern.ConversationID{old.ID, fresh.ID}},
			"a token's":   {store.ConversationFilter{Token: "t"}, []quern.ConversationID{old.ID}},
			"a namespace": {store.ConversationFilter{In: quern.NamespacePath{Owner: "ada", Namespace: "hARBOUR"}}, []quern.ConversationID{old.ID}},
			"elsewhere":   {store.ConversationFilter{In: quern.NamespacePath{Owner: "bo"}}, nil},
			"next page":   {store.ConversationFilter{Before: store.Position{At: touched, ID: string(old.ID)}}, []quern.ConversationID{fresh.ID}},
		} {
			want.filter.Owner, want.filter.Limit = ada.ID, 10
			var ids []quern.ConversationID
			list, err := tx.Conversations(ctx, want.filter)
			for _, c := range list {
				ids = append(ids, c.ID)
			}
			if err != nil || !reflect.DeepEqual(ids, want.ids) {
				t.Errorf("Conversations(%s) = %v, %v, want %v", name, ids, err, want.ids)
			}
		}
		return tx.DeleteConversation(ctx, old.ID)
	})
	update(t, s, func(tx *store.Tx) error {
		if n, err := tx.CountRunning(ctx, ada.ID); n != 0 || err != nil {
			t.Errorf("CountRunning() after DeleteConversation() = %d, %v, want 0", n, err)
		}
		return nil
	})
}

func TestOldRunsAreFoundAndDeleted(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		_, c, r := inserted(t, s)
		now := r.CreatedAt
		update(t, s, func(tx *store.Tx) error {
			for after, want := range map[time.Duration]int{0: 0, time.Second: 1} {
				if ids, err := tx.OverdueRuns(ctx, now.Add(after), 10); err != nil || len(ids) != want {
					t.Errorf("OverdueRuns(%v) = %v, %v, want %d", after, ids, err, want)
				}
			}
			if n, err := tx.DeleteEndedRuns(ctx, now.Add(time.Hour), 10); n != 0 || err != nil {
				t.Errorf("DeleteEndedRuns() of a running one = %d, %v, want 0", n, err)
			}
			r.Status, r.Last, r.EndedAt = quern.RunCancelled, 2, now
			_, err := tx.AdvanceRun(ctx, r, "", []store.RunEvent{happened(2, quern.EventError, `{}`, "", now)})
			return err
		})
		update(t, s, func(tx *store.Tx) error {
			for _, step := range []struct {
				at   time.Time
				want int64
			}{{now, 0}, {now.Add(time.Second), 1}, {now.Add(time.Second), 0}} {
				if n, err := tx.DeleteEndedRuns(ctx, step.at, 10); n != step.want || err != nil {
					t.Errorf("DeleteEndedRuns(%v) = %d, %v, want %d", step.at, n, err, step.want)
				}
			}
			return nil
		})
		err := s.View(ctx, func(tx *store.Tx) error {
			_, err := tx.Conversation(ctx, c.ID)
			return err
		})
		if !quern.Is(err, quern.NotFound) || err == nil {
			t.Errorf("Conversation() of one whose runs were deleted = %v, want kind not found", err)
		}
	})
}

func TestEachRunIsTakenByOne(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		_, _, r := inserted(t, s)
		const runs = 20
		update(t, s, func(tx *store.Tx) error {
			for range runs - 1 {
				r.ID = quern.NewID[quern.RunID]()
				if err := tx.InsertRun(ctx, r, quern.Lease{Until: r.CreatedAt}, nil); err != nil {
					return err
				}
			}
			return nil
		})
		var mu sync.Mutex
		taken := map[quern.RunID]int{}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for {
					var got quern.Run
					err := s.Update(ctx, func(tx *store.Tx) (err error) {
						got, _, err = tx.TakeRun(ctx, quern.Claim{Lease: quern.Lease{Holder: quern.NewID[string](), Until: r.CreatedAt.Add(time.Hour)},
							Now: r.CreatedAt, Suspects: true}, nil)
						return err
					})
					if err != nil {
						if !quern.Is(err, quern.NotFound) {
							t.Errorf("TakeRun() = %v, want a run or kind not found", err)
						}
						return
					}
					mu.Lock()
					taken[got.ID]++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		for id, n := range taken {
			if n != 1 {
				t.Errorf("run %s was taken %d times, want once", id, n)
			}
		}
		if len(taken) != runs {
			t.Errorf("%d runs were taken, want %d", len(taken), runs)
		}
	})
}

func TestRunsThatAreHandedBackOrFreed(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		_, _, r := inserted(t, s)
		now := r.CreatedAt
		take := func(holder string) (got quern.Run) {
			update(t, s, func(tx *store.Tx) (err error) {
				got, _, err = tx.TakeRun(ctx, quern.Claim{Lease: quern.Lease{Holder: holder, Until: now.Add(time.Hour)}, Now: now, Suspects: true}, nil)
				return err
			})
			return got
		}
		take("one")
		update(t, s, func(tx *store.Tx) error { return tx.PutBackRun(ctx, r.ID, "one", now) })
		if got := take("two"); got.Attempt != 1 {
			t.Errorf("attempt after PutBackRun() = %d, want 1", got.Attempt)
		}
		update(t, s, func(tx *store.Tx) error { return tx.FreeRuns(ctx, now) })
		if got := take("three"); got.Attempt != 1 {
			t.Errorf("attempt after FreeRuns() = %d, want 1", got.Attempt)
		}
		update(t, s, func(tx *store.Tx) error { return tx.DeleteRun(ctx, r.ID) })
	})
}

// TestServersThatDieOverRuns follows one that may be the cause to its end, beside
// one that is not.
func TestServersThatDieOverRuns(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		_, _, r := inserted(t, s)
		now := r.CreatedAt
		claim := func(holder string, suspects bool, inHand ...string) (id quern.RunID, found quern.Suspicion) {
			update(t, s, func(tx *store.Tx) error {
				c := quern.Claim{Lease: quern.Lease{Holder: holder, Until: now.Add(time.Second)}, Now: now, Suspects: suspects}
				got, suspicion, err := tx.TakeRun(ctx, c, inHand)
				if quern.Is(err, quern.NotFound) {
					err = nil
				}
				id, found = got.ID, suspicion
				return err
			})
			return id, found
		}
		want := func(what string, got, want quern.Suspicion) {
			t.Helper()
			if got != want {
				t.Errorf("%s = %v, want %v", what, got, want)
			}
		}
		_, fresh := claim("one", false)
		want("a fresh run", fresh, quern.Innocent)
		now = now.Add(time.Minute) // it dies
		if id, _ := claim("two", false); id != "" {
			t.Error("a run that a server died over was taken as if it were fresh")
		}
		if id, _ := claim("two", true, string(r.ID)); id != "" {
			t.Error("a run that is in hand was taken")
		}
		_, tried := claim("two", true)
		want("after a death", tried, quern.OnTrial)
		update(t, s, func(tx *store.Tx) error { return tx.PutBackRun(ctx, r.ID, "two", now) })
		_, tried = claim("three", true)
		want("after a stop", tried, quern.OnTrial)
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.KeepRun(ctx, r.ID, quern.Lease{Holder: "three", Until: now.Add(time.Second)}, false)
			return err
		})
		now = now.Add(time.Minute)
		_, tried = claim("four", true)
		want("after a death in company", tried, quern.OnTrial)
		for n := range quern.Trials {
			if !tried.OnTrial() {
				t.Errorf("after %d deaths on trial it is %v, want it tried again", n, tried)
			}
			now = now.Add(time.Minute)
			_, tried = claim("five", true)
		}
		want("after a death in each trial", tried, quern.Guilty)
		update(t, s, func(tx *store.Tx) error {
			r.Last++
			_, err := tx.AdvanceRun(ctx, r, "five", []store.RunEvent{happened(r.Last, quern.EventPlan, `{}`, "", now)})
			return err
		})
		update(t, s, func(tx *store.Tx) error { return tx.PutBackRun(ctx, r.ID, "five", now) })
		_, fresh = claim("six", false)
		want("after progress", fresh, quern.Innocent)
	})
}

// TestUsersTakeTurns takes runs of a user with many and of one with few.
func TestUsersTakeTurns(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		many, _, r := inserted(t, s)
		now := r.CreatedAt
		few := quern.User{ID: quern.NewID[quern.UserID](), Username: "few", CreatedAt: now}
		update(t, s, func(tx *store.Tx) error {
			if err := tx.InsertUser(ctx, few, ""); err != nil {
				return err
			}
			for i := range 5 {
				r := r
				r.ID, r.CreatedAt = quern.NewID[quern.RunID](), now.Add(time.Duration(i)*time.Millisecond)
				if i == 4 {
					r.Actor = few.ID // the last to ask
				}
				if err := tx.InsertRun(ctx, r, quern.Lease{Until: r.CreatedAt}, nil); err != nil {
					return err
				}
			}
			return nil
		})
		var order []quern.UserID
		update(t, s, func(tx *store.Tx) error {
			order = nil
			for range 3 {
				later := now.Add(time.Second)
				got, _, err := tx.TakeRun(ctx, quern.Claim{Lease: quern.Lease{Holder: quern.NewID[string](), Until: later.Add(time.Hour)},
					Now: later}, nil)
				if err != nil {
					return err
				}
				order = append(order, got.Actor)
			}
			return nil
		})
		if want := []quern.UserID{many.ID, few.ID, many.ID}; !reflect.DeepEqual(order, want) {
			t.Errorf("runs of %v were taken, want %v: whoever has the fewest in hand is next", order, want)
		}
	})
}
