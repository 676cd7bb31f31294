package embedded_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"quern/nlq/embedded"
	"quern/nlq/model"
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
		t.Errorf("the judgement has learned of %q, want %q: fit it again with train/judgement.py", got, want)
	}
}

func TestJudgement(t *testing.T) {
	t.Parallel()
	if _, _, err := embedded.Judge([]byte(`{"signs": {"the weather": [1, 1]}}`), nil); err == nil {
		t.Error("a judgement of what is no sign was taken")
	}
	signs := func(share, empty float64) []float64 {
		all := make([]float64, len(sign.Names()))
		all[slices.Index(sign.Names(), "share")], all[slices.Index(sign.Names(), "empty")] = share, empty
		return all
	}
	learned := []byte(`{"signs": {"share": [1, 0], "empty": [-2, -1]}, "probability": 1, "lead": 1, "one": 0}`)
	one, alone, err := embedded.Judge(learned, [][]float64{signs(-1, 0)})
	if err != nil || one != 0 {
		t.Fatalf("the best of one is %d, %v", one, err)
	}
	best, sure, err := embedded.Judge(learned, [][]float64{signs(-1, 1), signs(-2, 0)})
	if err != nil || best != 1 {
		t.Errorf("the best is %d, %v, want the one that finds something", best, err)
	}
	if sure >= alone || sure <= 0 {
		t.Errorf("the confidence is %v beside another reading and %v alone, want less beside another", sure, alone)
	}
}
