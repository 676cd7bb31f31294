package query_test

import (
	"encoding/json"
	"math"
	"testing"

	"quern"
	"quern/query"
)

func TestEncoder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value any
		want  string
	}{
		{nil, "null"}, {true, "true"}, {int64(math.MinInt64), "-9223372036854775808"},
		{json.Number("0.10"), "0.10"}, {json.RawMessage(`{"a":[1]}`), `{"a":[1]}`},
		{1e21, "1e+21"}, {0.1, "0.1"}, {1e-7, "1e-07"}, {float64(100000), "100000"},
		{"a\"\\\n<b>é", `"a\"\\\n<b>é"`}, {"not\xffutf8", `"not�utf8"`},
	} {
		e := query.NewEncoder([]quern.Column{{Name: `v "1"`}})
		got := e.Append([]byte("> "), []any{tt.value})
		if want := `> {"v \"1\"":` + tt.want + `}`; string(got) != want || !json.Valid(got[2:]) {
			t.Errorf("Append(%v) = %s, want %s", tt.value, got, want)
		}
	}
}

func TestEncoderScores(t *testing.T) {
	t.Parallel()
	plain := []quern.Column{{Name: "a"}}
	for _, tt := range []struct {
		columns []quern.Column
		score   float64
		row     []any
		want    string
	}{
		{plain, 1, []any{int64(1)}, `{"a":1,"__metadata":{"score":1.0}}`},
		{plain, 0.25, []any{int64(1)}, `{"a":1,"__metadata":{"score":0.25}}`},
		{plain, -1, []any{int64(1)}, `{"a":1,"__metadata":{"score":0}}`},
		{nil, 1, nil, `{"__metadata":{"score":1.0}}`},
		{[]quern.Column{{Name: "__metadata"}}, 1, []any{"mine"}, `{"__metadata":"mine"}`},
	} {
		if got := query.NewEncoder(tt.columns).Scored(tt.score).Append(nil, tt.row); string(got) != tt.want {
			t.Errorf("Scored(%v).Append = %s, want %s", tt.score, got, tt.want)
		}
	}
}

func TestEncoderRefusesWhatTheEngineNeverGives(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("Append of a value of no known type did not panic")
		}
	}()
	query.NewEncoder([]quern.Column{{Name: "a"}}).Append(nil, []any{struct{}{}})
}
