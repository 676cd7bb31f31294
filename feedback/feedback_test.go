package feedback_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/feedback"
	"quern/run"
	"quern/store"
	"quern/store/storetest"
	"quern/trace"
	"quern/trace/langfuse"
	"quern/trace/langfuse/langfusetest"
)

// desk is where feedback is given: real metadata, and a Langfuse.
type desk struct {
	*feedback.Service
	t        *testing.T
	store    *store.Store
	runs     *run.Service
	langfuse *langfusetest.Server
	ada      quern.Principal
}

// onEach runs fn on both databases with a Langfuse.
func onEach(t *testing.T, fn func(*testing.T, *desk)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) { fn(t, newDesk(t, s, time.Second)) })
}

func newDesk(t *testing.T, s *store.Store, timeout time.Duration) *desk {
	t.Helper()
	d := &desk{t: t, store: s, langfuse: langfusetest.New(t), runs: run.New(run.Options{Store: s})}
	keeper := langfuse.New(langfuse.Options{URL: d.langfuse.URL, PublicKey: langfusetest.PublicKey, SecretKey: langfusetest.SecretKey})
	t.Cleanup(func() { _ = keeper.Close() }) // it lets go of idle connections only
	d.Service = feedback.New(feedback.Options{Store: s, Runs: d.runs, Keeper: keeper, Timeout: timeout})
	d.ada = quern.Principal{User: storetest.User(t, s, "ada")}
	return d
}

func (d *desk) run(r quern.Run) quern.RunID {
	d.t.Helper()
	return storetest.Run(d.t, d.store, d.ada.User, r).ID
}

func (d *desk) give(id quern.RunID, up bool, comment string) error {
	return d.Give(d.t.Context(), d.ada, quern.Feedback{Run: id, ThumbsUp: up, Comment: comment})
}

// want fails the test unless both places have the rating.
func (d *desk) want(id quern.RunID, up bool, comment string) {
	d.t.Helper()
	here, err := d.Feedback(d.t.Context(), d.ada, id)
	there, ok := d.langfuse.Score(id.ScoreID())
	if err != nil || here.ThumbsUp != up || here.Comment != comment || here.GivenAt.IsZero() {
		d.t.Errorf("here the feedback is %+v, %v; want %t %q", here, err, up, comment)
	}
	if !ok || there.Value == 1 != up || there.Comment != comment {
		d.t.Errorf("there the score is %+v (%t); want %t %q", there, ok, up, comment)
	}
}

// wantNone fails the test when either place has a rating.
func (d *desk) wantNone(id quern.RunID) {
	d.t.Helper()
	if here, err := d.Feedback(d.t.Context(), d.ada, id); !quern.Is(err, quern.NotFound) || err == nil {
		d.t.Errorf("here the feedback is %+v, %v; want none", here, err)
	}
	if there, ok := d.langfuse.Score(id.ScoreID()); ok {
		d.t.Errorf("there the score is %+v; want none", there)
	}
}

func TestBothPlacesHaveTheLastRating(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d *desk) {
		id := d.run(quern.Run{})
		d.wantNone(id)
		for i, up := range []bool{true, false, true} {
			if err := d.give(id, up, fmt.Sprint("c", i)); err != nil {
				t.Fatalf("Give() = %v, want nil", err)
			}
			d.want(id, up, fmt.Sprint("c", i))
		}
		if err := d.give(id, false, ""); err != nil {
			t.Fatal(err)
		}
		d.want(id, false, "")
		if d.langfuse.Scores() != 1 {
			t.Errorf("%d scores are kept there, want 1", d.langfuse.Scores())
		}
		for range 2 {
			if err := d.Clear(t.Context(), d.ada, id); err != nil {
				t.Fatalf("Clear() = %v, want nil", err)
			}
			d.wantNone(id)
		}
	})
}

func TestOnlyCompletedRunsAreRated(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d *desk) {
		for _, status := range []quern.RunStatus{quern.RunRunning, quern.RunFailed, quern.RunCancelled, quern.RunExpired} {
			id := d.run(quern.Run{Status: status})
			if err := d.give(id, true, ""); !quern.Is(err, quern.Invalid) {
				t.Errorf("Give() to a run that is %s = %v, want Invalid", status, err)
			}
			d.wantNone(id)
		}
		if n := len(d.langfuse.Log()); n != 0 {
			t.Errorf("Langfuse was asked %d times, want never", n)
		}
	})
}

func TestOthersRunsAreNotThere(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d *desk) {
		bob := quern.Principal{User: storetest.User(t, d.store, "bob")}
		token := quern.Principal{User: d.ada.User, Token: "other", Scopes: []quern.Scope{{Username: "ada", Namespace: "harbour"}}}
		id := d.run(quern.Run{})
		running := d.run(quern.Run{Status: quern.RunRunning})
		if err := d.give(id, true, ""); err != nil {
			t.Fatal(err)
		}
		unknown := d.give(quern.NewID[quern.RunID](), true, "")
		for name, err := range map[string]error{
			"unknown": unknown, "garbage": d.give("garbage", true, ""), "empty": d.give("", true, ""),
			"bob's": d.Give(t.Context(), bob, quern.Feedback{Run: id}), "bob's, running": d.Give(t.Context(), bob, quern.Feedback{Run: running}),
			"by another token": d.Give(t.Context(), token, quern.Feedback{Run: id}),
			"cleared by bob":   d.Clear(t.Context(), bob, id),
		} {
			if !quern.Is(err, quern.NotFound) || fmt.Sprint(err) != fmt.Sprint(unknown) {
				t.Errorf("%s: %v, want %v", name, err, unknown)
			}
		}
		if _, err := d.Feedback(t.Context(), bob, id); !quern.Is(err, quern.NotFound) {
			t.Errorf("Feedback() for bob = %v, want NotFound", err)
		}
		d.want(id, true, "")
	})
}

func TestWhatTheStoreDoesNotTakeWasNotGiven(t *testing.T) {
	t.Parallel()
	for name, mood := range map[string]func(*langfusetest.Server){
		"unplugged":  func(s *langfusetest.Server) { s.Unplug() },
		"cut":        func(s *langfusetest.Server) { s.Cut() },
		"stalled":    func(s *langfusetest.Server) { s.Stall() },
		"broken off": func(s *langfusetest.Server) { s.Break() },
		"500":        func(s *langfusetest.Server) { s.Answer(500, "") },
		"400":        func(s *langfusetest.Server) { s.Answer(400, `{"message":"no"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, storetest.Open(t, storetest.SQLite(t)), 300*time.Millisecond)
			fresh, rated := d.run(quern.Run{}), d.run(quern.Run{})
			if err := d.give(rated, true, "before"); err != nil {
				t.Fatal(err)
			}
			mood(d.langfuse)
			for _, err := range []error{d.give(fresh, true, "x"), d.give(rated, false, "x"), d.Clear(t.Context(), d.ada, rated)} {
				if !quern.Is(err, quern.Unreachable) {
					t.Errorf("the answer is %v, want Unreachable", err)
				}
			}
			d.wantNone(fresh)
			d.want(rated, true, "before")
			if name == "unplugged" {
				d.langfuse.Plug()
			}
			d.langfuse.Recover()
			if err := d.give(fresh, true, "later"); err != nil {
				t.Errorf("Give() once it is back = %v, want nil", err)
			}
			d.want(fresh, true, "later")
		})
	}
}

func TestRatingsOfOneRunDoNotCross(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d := newDesk(t, s, 30*time.Second)
		id := d.run(quern.Run{})
		// Two services, as on two servers, share nothing but the metadata.
		other := feedback.New(d.Options)
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				service := []*feedback.Service{d.Service, other}[i%2]
				if err := service.Give(t.Context(), d.ada, quern.Feedback{Run: id, ThumbsUp: i%3 == 0, Comment: fmt.Sprint(i)}); err != nil {
					t.Errorf("Give() beside others = %v, want nil", err)
				}
			})
		}
		all.Wait()
		last, err := d.Feedback(t.Context(), d.ada, id)
		if err != nil {
			t.Fatal(err)
		}
		d.want(id, last.ThumbsUp, last.Comment)
	})
}

func TestARunThatIsDeletedWhileItIsRated(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d := newDesk(t, s, 30*time.Second)
		id := d.run(quern.Run{})
		asked, release := d.langfuse.Slow()
		given := make(chan error)
		go func() { given <- d.give(id, true, "x") }()
		<-asked
		if err := d.runs.Delete(t.Context(), d.ada, id); err != nil {
			t.Fatalf("Delete() of a run that is being rated = %v, want nil", err)
		}
		release()
		if err := <-given; !quern.Is(err, quern.NotFound) {
			t.Errorf("Give() = %v, want NotFound", err)
		}
		d.wantNone(id)
	})
}

func TestSomebodyElseIsRating(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d := newDesk(t, s, 30*time.Second)
		id := d.run(quern.Run{})
		asked, release := d.langfuse.Slow()
		defer release()
		given := make(chan error, 1)
		go func() { given <- d.give(id, true, "first") }()
		<-asked
		hasty := d.Options
		hasty.Timeout = time.Second
		if err := feedback.New(hasty).Give(t.Context(), d.ada, quern.Feedback{Run: id}); !quern.Is(err, quern.Conflict) {
			t.Errorf("Give() while another holds the feedback = %v, want Conflict", err)
		}
		release()
		if err := <-given; err != nil {
			t.Fatal(err)
		}
		d.want(id, true, "first")
	})
}

func TestAClientThatGoesDoesNotLeaveHalf(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d := newDesk(t, s, 30*time.Second)
		id := d.run(quern.Run{})
		asked, release := d.langfuse.Slow()
		ctx, cancel := context.WithCancel(t.Context())
		given := make(chan error)
		go func() { given <- d.Give(ctx, d.ada, quern.Feedback{Run: id, ThumbsUp: true, Comment: "x"}) }()
		<-asked
		cancel()
		release()
		if err := <-given; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("Give() = %v", err)
		}
		d.want(id, true, "x")
	})
}

func TestWithoutATracingStore(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ada := quern.Principal{User: storetest.User(t, s, "ada")}
		id := storetest.Run(t, s, ada.User, quern.Run{}).ID
		f := feedback.New(feedback.Options{Store: s, Runs: run.New(run.Options{Store: s}), Keeper: trace.NewEmbedded(s, time.Now)})
		if err := f.Give(t.Context(), ada, quern.Feedback{Run: id, Comment: "no"}); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Feedback(t.Context(), ada, id); err != nil || got.ThumbsUp || got.Comment != "no" {
			t.Errorf("Feedback() = %+v, %v", got, err)
		}
		if err := s.View(t.Context(), func(tx *store.Tx) error {
			score, err := tx.Score(t.Context(), id)
			if score.Comment != "no" {
				t.Errorf("the score is %+v", score)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	})
}
