package judge_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"quern/nlq/judge"
)

func rows(all ...[]any) [][]any { return all }

func TestSame(t *testing.T) {
	t.Parallel()
	type row = []any
	day := time.Date(2021, 3, 4, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		a, b          [][]any
		same, ordered bool // whether they are the same, and are in the same order
	}{
		"nothing":                      {nil, rows(), true, true},
		"nothing and something":        {nil, rows(row{int64(1)}), false, false},
		"one row":                      {rows(row{int64(1), "x"}), rows(row{int64(1), "x"}), true, true},
		"other columns":                {rows(row{int64(1)}), rows(row{int64(1), int64(1)}), false, false},
		"order of rows":                {rows(row{"a"}, row{"b"}), rows(row{"b"}, row{"a"}), true, false},
		"order of columns":             {rows(row{"a", int64(1)}, row{"b", int64(2)}), rows(row{int64(1), "a"}, row{int64(2), "b"}), true, true},
		"one order of columns for all": {rows(row{"a", "b"}, row{"c", "d"}), rows(row{"a", "b"}, row{"d", "c"}), false, false},
		"same columns, other rows": {
			rows(row{int64(1), int64(2)}, row{int64(2), int64(3)}, row{int64(3), int64(1)}, row{int64(4), int64(5)}, row{int64(5), int64(6)}, row{int64(6), int64(4)}),
			rows(row{int64(1), int64(2)}, row{int64(2), int64(3)}, row{int64(3), int64(1)}, row{int64(5), int64(4)}, row{int64(6), int64(5)}, row{int64(4), int64(6)}),
			false, false,
		},
		"twice is not once":         {rows(row{"a"}, row{"a"}, row{"b"}), rows(row{"a"}, row{"b"}, row{"b"}), false, false},
		"a cell is not its row":     {rows(row{"a", "a"}, row{"b", "b"}), rows(row{"a", "b"}, row{"a", "b"}), false, false},
		"numbers of other types":    {rows(row{int64(2), 3.0}), rows(row{json.Number("2.0"), "3"}), true, true},
		"within the tolerance":      {rows(row{1.0 / 3}), rows(row{0.33333}), true, true},
		"beyond the tolerance":      {rows(row{0.333}), rows(row{0.334}), false, false},
		"zero has no sign":          {rows(row{-0.00001}), rows(row{int64(0)}), true, true},
		"large numbers":             {rows(row{1e15}), rows(row{1e15 + 1}), true, true},
		"null and empty":            {rows(row{nil}), rows(row{""}), true, true},
		"null and its name":         {rows(row{nil}), rows(row{"null"}), false, false},
		"null and zero":             {rows(row{nil}), rows(row{int64(0)}), false, false},
		"truth":                     {rows(row{true, false}), rows(row{int64(1), int64(0)}), true, true},
		"bytes":                     {rows(row{[]byte("é")}), rows(row{"é"}), true, true},
		"letters count":             {rows(row{"a"}), rows(row{"A"}), false, false},
		"days":                      {rows(row{day}), rows(row{"2021-03-04 00:00:00"}), true, true},
		"a day as engines write it": {rows(row{day}), rows(row{"2021-03-04"}), true, true},
		"times":                     {rows(row{"2021-03-04T10:00:00Z"}), rows(row{day.Add(10 * time.Hour)}), true, true},
		"other days":                {rows(row{day}), rows(row{"2021-03-05"}), false, false},
	} {
		if got := judge.Same(tt.a, tt.b, judge.Order{}); got != tt.same {
			t.Errorf("%s: Same(%v, %v) = %v, want %v", name, tt.a, tt.b, got, tt.same)
		}
		if got := judge.Same(tt.b, tt.a, judge.Order{All: true}); got != tt.ordered {
			t.Errorf("%s: Same(%v, %v, ordered) = %v, want %v", name, tt.b, tt.a, got, tt.ordered)
		}
	}
}

func TestDecimals(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]int{
		"SELECT 100.0 * count(*) / nullif(sum(n), 0) FROM t":                              -1,
		"SELECT round(100.0 * count(*) FILTER (WHERE a) / nullif(count(*), 0), 2) FROM t": 2,
		"select name, ROUND (avg(price)) from t":                                          0,
		"SELECT round(avg(price), 1), round(sum(price), 3) FROM t":                        1,
		"SELECT round(price, digits) FROM t":                                              -1,
		"SELECT round(price, 2 FROM t":                                                    -1,
	} {
		if got := judge.Decimals(sql); got != want {
			t.Errorf("Decimals(%s) = %d, want %d", sql, got, want)
		}
	}
}

// TestSameOfManyColumns would not end if every order of equal columns were tried.
func TestSameOfManyColumns(t *testing.T) {
	t.Parallel()
	a, b := make([]any, 40), make([]any, 40)
	b[39] = "x"
	if judge.Same(rows(a), rows(b), judge.Order{}) {
		t.Error("Same() = true of rows that differ in one of forty columns")
	}
	a[0] = "x"
	if !judge.Same(rows(a), rows(b), judge.Order{All: true}) {
		t.Error("Same() = false of rows whose columns are in another order")
	}
}

func TestSummarise(t *testing.T) {
	t.Parallel()
	var all []judge.Verdict
	for i := range 20 {
		all = append(all, judge.Verdict{Answered: i < 16, Correct: i < 12, Took: time.Duration(i+1) * time.Millisecond})
	}
	all = append(all, judge.Verdict{LeftOut: true, Took: time.Hour})
	want := judge.Summary{Counts: judge.Counts{
		Questions: 20, Answered: 16, Correct: 12, ExecutionAccuracy: 0.6, AccuracyWhenAnswered: 0.75, SilentlyWrong: 4, Declined: 4, Score: 0.4,
	}, P50: 10, P95: 19}
	if got := judge.Summarise(all); !reflect.DeepEqual(got, want) {
		t.Errorf("Summarise() = %+v, want %+v", got, want)
	}
	if got := judge.Summarise(nil); !reflect.DeepEqual(got, judge.Summary{}) {
		t.Errorf("Summarise(nil) = %+v, want zeros", got)
	}
}

func TestSurest(t *testing.T) {
	t.Parallel()
	all := []judge.Verdict{{Confidence: 0.1}, {Confidence: 0.9, Correct: true}, {Confidence: 0.8}, {Confidence: 0.7, Correct: true}, {Confidence: 0.2, Correct: true}}
	for part, want := range map[float64]float64{0: 0, 0.2: 1, 0.4: 0.5, 0.6: 2.0 / 3, 1: 0.6} {
		if got := judge.Surest(all, part); got != want {
			t.Errorf("Surest(%v) = %v, want %v", part, got, want)
		}
	}
	if all[0].Confidence != 0.1 {
		t.Error("Surest changed the order of its verdicts")
	}
}
