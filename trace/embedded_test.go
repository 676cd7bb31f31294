package trace_test

import (
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
	"quern/trace"
	"quern/trace/tracetest"
)

func TestEmbeddedKeeper(t *testing.T) {
	t.Parallel()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tracetest.Run(t, func(t *testing.T) tracetest.Fixture { return fixture(t, storetest.Open(t, options(t))) })
		})
	}
}

func fixture(t *testing.T, s *store.Store) tracetest.Fixture {
	t.Helper()
	ada, keeper := storetest.User(t, s, "ada"), trace.NewEmbedded(s, time.Now)
	spans := func(run quern.RunID) []quern.Span {
		all, err := keeper.Spans(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	return tracetest.Fixture{
		Keeper: keeper,
		Run:    func() quern.RunID { return storetest.Run(t, s, ada, quern.Run{}).ID },
		Spans:  func(run quern.RunID, _ int) int { return len(spans(run)) },
		Span: func(run quern.RunID, id quern.SpanID) (tracetest.Kept, bool) {
			for _, s := range spans(run) {
				if s.ID == id {
					return tracetest.Kept{Parent: s.Parent, Name: s.Name, Start: s.Start, End: s.End, Failed: s.Failure != "", Attributes: s.Attributes}, true
				}
			}
			return tracetest.Kept{}, false
		},
		Score: func(run quern.RunID) (f quern.Feedback, ok bool) {
			err := s.View(t.Context(), func(tx *store.Tx) (err error) {
				f, err = tx.Score(t.Context(), run)
				return err
			})
			return f, err == nil
		},
	}
}

func TestARunThatIsGoneIsNotTraced(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ada, keeper := storetest.User(t, s, "ada"), trace.NewEmbedded(s, time.Now)
		gone, here := storetest.Run(t, s, ada, quern.Run{}), storetest.Run(t, s, ada, quern.Run{})
		record := func() {
			t.Helper()
			if err := keeper.Record(t.Context(), []quern.Span{whole(gone), whole(here)}); err != nil {
				t.Fatalf("Record() = %v, want nil", err)
			}
		}
		record()
		if err := keeper.Score(t.Context(), quern.Feedback{Run: gone.ID, GivenAt: time.Now()}); err != nil {
			t.Fatal(err)
		}
		if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.DeleteRun(t.Context(), gone.ID) }); err != nil {
			t.Fatalf("DeleteRun() of a traced and scored run = %v, want nil", err)
		}
		record()
		for run, want := range map[quern.RunID]int{gone.ID: 0, here.ID: 1} {
			if all, err := keeper.Spans(t.Context(), run); err != nil || len(all) != want {
				t.Errorf("Spans() = %d, %v, want %d", len(all), err, want)
			}
		}
		if err := keeper.Score(t.Context(), quern.Feedback{Run: gone.ID, GivenAt: time.Now()}); !quern.Is(err, quern.NotFound) {
			t.Errorf("Score() of a run that is gone = %v, want NotFound", err)
		}
	})
}

func whole(r quern.Run) quern.Span {
	return quern.Span{Run: r.ID, ID: r.ID.SpanID(), Kind: quern.SpanRun, Name: "run", Start: r.CreatedAt, End: r.CreatedAt}
}

func TestOldSpansAreSwept(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		now := time.Now()
		ada, keeper := storetest.User(t, s, "ada"), trace.NewEmbedded(s, func() time.Time { return now })
		run := storetest.Run(t, s, ada, quern.Run{})
		var all []quern.Span
		for i := range 2500 {
			one := whole(run)
			one.ID, one.Start = trace.NewSpanID(), now.Add(-time.Duration(i)*time.Minute)
			all = append(all, one)
		}
		if err := keeper.Record(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		if err := keeper.Sweep(t.Context(), 100*time.Minute); err != nil {
			t.Fatal(err)
		}
		if left, err := keeper.Spans(t.Context(), run.ID); err != nil || len(left) != 101 {
			t.Errorf("%d spans are left, %v; want the 101 of the last 100 minutes", len(left), err)
		}
	})
}
