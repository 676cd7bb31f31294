package judge_test

import (
	"os"
	"strings"
	"testing"

	"quern/structure"
	"quern/structure/judge"
)

// TestDocumentsAsPeopleHaveThem runs the steps over documents that were written before the
// code that reads them was mended, and holds what comes out to what came out then.
func TestDocumentsAsPeopleHaveThem(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/documents.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := judge.Documents(f)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := judge.Evaluate(t.Context(), structure.New(structure.Options{}), all, func(v judge.Verdict) {
		if v.Lost > 0 || v.Recall < 1 {
			t.Logf("%s: %d of %d rows lost, precision %.2f, recall %.2f", v.Name, v.Lost, v.Gold, v.Precision, v.Recall)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for step, least := range map[string]struct {
		precision, recall float64
		lost              int
	}{"table": {0.94, 0.8, 12}, "rows": {1, 1, 0}, "normalise": {1, 0.7, 0}, "validate": {1, 1, 0}, "reverseGeo": {1, 1, 0}, "namedEntities": {1, 1, 0}} {
		if s := scores[step]; s.Precision < least.precision || s.Recall < least.recall || s.Lost > least.lost {
			t.Errorf("%s = %d rows lost, precision %.3f, recall %.3f; want %+v", step, s.Lost, s.Precision, s.Recall, least)
		}
	}
}

// TestWhatCountsAsFound compares rows with gold ones.
func TestWhatCountsAsFound(t *testing.T) {
	t.Parallel()
	all, err := judge.Documents(strings.NewReader(strings.ReplaceAll(`{"name":"d","rows":[{"text":"[{\"a\":1,\"b\":\"x\",\"c\":[{\"k\":1,\"l\":2},{\"k\":5}]},{\"a\":3}]"}],
		"steps":[{"type":"rows","deriveFrom":"text"}],"gold":[{"a":"1.0","b":"y","c":[{"k":1},{"k":2}]},{"a":2}]}`, "\n", " ")))
	if err != nil {
		t.Fatal(err)
	}
	scores, err := judge.Evaluate(t.Context(), structure.New(structure.Options{}), all, func(judge.Verdict) {})
	if err != nil {
		t.Fatal(err)
	}
	// Of a, b and the two of c, a and one of c are right; the second row is another.
	if s := scores["rows"]; s.Lost != 1 || s.Extra != 1 || s.Precision != 2.0/5 || s.Recall != 2.0/5 {
		t.Errorf("score = %+v, want 2 of 5 values found, 2 of 5 right, and a row lost", s)
	}
	if _, err := judge.Documents(strings.NewReader(`{"name":"d","gold":[]}`)); err == nil || !strings.Contains(err.Error(), "line 1: a document needs steps") {
		t.Errorf("a document without steps = %v", err)
	}
}
