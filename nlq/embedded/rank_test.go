package embedded_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"

	"quern/nlq/embedded"
	"quern/nlq/model"
	"quern/nlq/nlqtest"
	"quern/nlq/sign"
)

func TestTheJudgementHasLearnedOfEverySign(t *testing.T) {
	t.Parallel()
	var learned struct {
		Signs map[string][2]float64 `json:"signs"`
	}
	if err := json.Unmarshal(model.Judgement, &learned); err != nil {
		t.Fatal(err)
	}
	got, want := slices.Sorted(maps.Keys(learned.Signs)), slices.Sorted(slices.Values(sign.Names()))
	if !slices.Equal(got, want) {
		t.Errorf("the judgement has learned of %q, want %q: fit it again with learned/train/judgement.py", got, want)
	}
}

func TestRankingBySigns(t *testing.T) {
	t.Parallel()
	if _, err := embedded.NewSignRanker([]byte(`{"signs": {"the weather": [1, 1]}}`)); err == nil {
		t.Error("a judgement of what is no sign was taken")
	}
	reading := func(share, empty float64) embedded.Reading {
		all := make([]float64, len(sign.Names()))
		all[slices.Index(sign.Names(), "share")], all[slices.Index(sign.Names(), "empty")] = share, empty
		return embedded.Reading{Signs: all}
	}
	ranker, err := embedded.NewSignRanker([]byte(`{"signs": {"share": [1, 0], "empty": [-2, -1]}, "probability": 1, "lead": 1, "one": 0}`))
	must(t, err)
	one, alone, err := ranker.Rank(t.Context(), "", []embedded.Reading{reading(-1, 0)})
	if err != nil || one != 0 {
		t.Fatalf("the best of one is %d, %v", one, err)
	}
	best, sure, err := ranker.Rank(t.Context(), "", []embedded.Reading{reading(-1, 1), reading(-2, 0)})
	if err != nil || best != 1 {
		t.Errorf("the best is %d, %v, want the one that finds something", best, err)
	}
	if sure >= alone || sure <= 0 {
		t.Errorf("the confidence is %v beside another reading and %v alone, want less beside another", sure, alone)
	}
}

// takesLast ranks the last reading first, or fails.
type takesLast struct {
	err  error
	seen *[]embedded.Reading
}

func (r takesLast) Rank(_ context.Context, _ string, all []embedded.Reading) (int, float64, error) {
	*r.seen = all
	return len(all) - 1, 0.99, r.err
}

// A ranker of somebody else's decides which reading is given.
func TestRankerTakesOver(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	var seen []embedded.Reading
	translator, err := embedded.New(embedded.Options{Schemas: h.Schemas, Query: h.House.Query, Ranker: takesLast{seen: &seen}})
	must(t, err)
	const ambiguous = "which shops are in the city of the most orders?"
	got, err := translator.Translate(t.Context(), h.Ada, nlqtest.Question(ambiguous))
	must(t, err)
	if len(seen) < 2 {
		t.Fatalf("the ranker saw %d readings, want a choice", len(seen))
	}
	last := seen[len(seen)-1]
	if got.SQL != last.SQL || got.Confidence <= 0.5 || last.Query == nil || len(last.Signs) != len(sign.Names()) {
		t.Errorf("Translate = %s at %v, want the ranker's choice %s", got.SQL, got.Confidence, last.SQL)
	}
	translator, err = embedded.New(embedded.Options{Schemas: h.Schemas, Query: h.House.Query, Ranker: takesLast{errors.New("away"), &seen}})
	must(t, err)
	if _, err := translator.Translate(t.Context(), h.Ada, nlqtest.Question(ambiguous)); err == nil {
		t.Error("Translate with a ranker that fails = nil, want its error")
	}
}
