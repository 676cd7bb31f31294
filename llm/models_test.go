package llm_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"quern"
	"quern/llm"
)

func TestNewPutsEverythingTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bare := map[string]*scripted{
			"big":   steps(fails(llm.Fault{Reason: llm.Away}), says("ok")),
			"small": steps(stalls),
		}
		book := &ledger{spent: map[quern.UserID]quern.ModelUsage{}}
		all := llm.New(llm.Options{
			Provider: "openai", Names: []string{"big", "small"}, Open: func(name string) llm.Model { return bare[name] },
			Prices: map[string]llm.Price{"big": {Input: 2, Output: 4}}, Ledger: book, Budget: llm.Budget{Tokens: 15},
			Timeout: time.Minute, Retries: 1, Concurrency: 1, Failures: 1, Rest: time.Hour,
			Now: time.Now, Rand: func() float64 { return 0 }, Log: slog.New(slog.DiscardHandler),
		})
		if len(all) != 2 || all[0].Name != "big" || all[1].Provider != "openai" {
			t.Fatalf("New = %+v, want big and small of openai", all)
		}
		got, err := all[0].Complete(t.Context(), llm.Request{For: "ada"})
		if err != nil || got.Text != "ok" || bare["big"].count() != 2 {
			t.Errorf("big = %q, %v after %d calls, want an answer at the second", got.Text, err, bare["big"].count())
		}
		if spent := book.spent["ada"]; spent.Cost != 40 || spent.Requests != 1 {
			t.Errorf("big was counted as %+v, want one answer for 2*10+4*5", spent)
		}
		if _, err := all[1].Complete(t.Context(), llm.Request{For: "grace"}); reason(err) != llm.Slow {
			t.Errorf("small = %v, want too slow", err)
		}
		if a, b := all[0].Condition(), all[1].Condition(); a.State != quern.ModelReady || b.State != quern.ModelAway || time.Until(b.Until) != time.Hour {
			t.Errorf("big is %+v, small is %+v; want ready, and away for an hour", a, b)
		}
		if _, err := all[0].Complete(t.Context(), llm.Request{For: "ada"}); reason(err) != llm.Spent {
			t.Errorf("beyond the budget = %v, want the refusal", err)
		}
	})
}
