package judge_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"quern/nlq/judge"
)

func TestQuestions(t *testing.T) {
	t.Parallel()
	const set = `{"db":"a","question":"one?","sql":"SELECT 1"}

{"db":"b","question":"two?","target":["SEL"],"values":[[0,3]],"set":"made","unknown":1}
{"db":"c","question":"three?"}
{"db":"d","question":"four?","sql":null,"kind":"deed"}
{"db":"e","question":"five?","sql":"SELECT 1","also":["SELECT 2"],"dialogue":"x","turn":2,"today":"2026-11-18"}
`
	want := []judge.Question{
		{DB: "a", Question: "one?", SQL: "SELECT 1"},
		{DB: "b", Question: "two?", Target: []string{"SEL"}, Spans: [][2]int{{0, 3}}, Set: "made"},
		{DB: "c", Question: "three?"},
		{DB: "d", Question: "four?", Unanswerable: true, Kind: "deed"},
		{DB: "e", Question: "five?", SQL: "SELECT 1", Also: []string{"SELECT 2"}, Dialogue: "x", Turn: 2, Today: "2026-11-18"},
	}
	for limit, n := range map[int]int{0: 5, 2: 2, 9: 5} {
		if got, err := judge.Questions(strings.NewReader(set), limit); err != nil || !reflect.DeepEqual(got, want[:n]) {
			t.Errorf("Questions(limit %d) = %+v, %v, want %+v", limit, got, err, want[:n])
		}
	}
}

func TestBadQuestionsAreNamed(t *testing.T) {
	t.Parallel()
	const good = `{"db":"a","question":"one?"}` + "\n"
	for _, tt := range []struct{ set, want string }{
		{"", "there are no questions"},
		{"\n\n", "there are no questions"},
		{good + "nonsense", "line 2 "},
		{good + "\n" + `{"db":1,"question":"x"}`, "line 3 "},
		{good + `{"question":"x"}`, "line 2 of the questions names no db or no question"},
		{good + `{"db":"x","question":"x","dialogue":"d"}`, "line 2 of the questions is of a dialogue and has no turn"},
		{good + `{"db":"x","question":"x","today":"18.11.2026"}`, `line 2 of the questions is asked on "18.11.2026", which is no day`},
		{good + `{"db":"x","question":"x","sql":null,"also":["SELECT 1"]}`, "line 2 of the questions has no right query"},
		{good + `{"db":"x"}`, "line 2 of the questions names no db or no question"},
		{good + `{"db":"x","question":"` + strings.Repeat("x", 1<<20) + `"}`, "the questions cannot be read"},
	} {
		if got, err := judge.Questions(strings.NewReader(tt.set), 0); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Questions(%.60q) = %v, %v, want %q", tt.set, got, err, tt.want)
		}
	}
	broken := errors.New("the disk is gone")
	if _, err := judge.Questions(iotest.ErrReader(broken), 0); !errors.Is(err, broken) {
		t.Errorf("Questions of what cannot be read = %v, want %v", err, broken)
	}
}

func TestCandidatesNeedReadings(t *testing.T) {
	t.Parallel()
	h := &judge.Product{}
	if err := h.Candidates(t.Context(), "", nil, &bytes.Buffer{}, quiet); err == nil {
		t.Error("Candidates of a translator without readings = nil, want an error")
	}
}
