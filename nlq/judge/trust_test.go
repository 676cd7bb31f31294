package judge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quern"
	"quern/nlq/judge"
)

// TestEvaluateCountsTrust holds what is counted beside right and wrong: questions
// that nothing answers, other fair readings, notes, choices and kinds.
func TestEvaluateCountsTrust(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database(t, dir, "library", library...)
	h := newHouse(t)
	script := scripted(h)
	script.Knows("how many books?", "SELECT count(*) FROM books")
	script.Knows("how many?", "SELECT count(*) FROM books")
	script.Knows("wrong", "SELECT count(*) FROM authors")
	script.Knows("which one?", "?SELECT count(*) FROM authors\nSELECT count(*) FROM books")
	script.Knows("again: Counts books", "SELECT count(*) FROM books")
	script.Knows("delete all books", "SELECT title FROM books")
	script.Knows("which one is heavy?", "?SELECT title FROM books")
	script.Accounts("which one is heavy?", quern.Word{Text: "heavy", State: quern.WordUnknown})
	script.Knows("which one is light?", "?SELECT title FROM books")
	script.Accounts("which one is light?", quern.Word{Text: "one", State: quern.WordUnknown})
	const right = "SELECT count(*) FROM books"
	kinds := map[string]string{}
	summary, err := h.Evaluate(t.Context(), dir, []judge.Question{
		{DB: "library", Question: "how many books?", SQL: right, Kind: "count"},
		{DB: "library", Question: "how many?", SQL: "SELECT count(*) FROM authors", Also: []string{right}, Kind: "count"},
		{DB: "library", Question: "wrong", SQL: right},
		{DB: "library", Question: "which one?", SQL: right},
		{DB: "library", Question: "what is love?", Unanswerable: true, Kind: "other topic"},
		{DB: "library", Question: "delete all books", Unanswerable: true, Kind: "deed", Class: "deed"},
		{DB: "library", Question: "which one is heavy?", Unanswerable: true, Class: "missing column", Missing: "heavy"},
		{DB: "library", Question: "which one is light?", Unanswerable: true, Class: "missing column", Missing: "light"},
	}, func(v judge.Verdict) { kinds[v.Question.Question] = v.Reason }, quiet)
	must(t, err)
	summary.P50, summary.P95 = 0, 0
	want := judge.Summary{
		Counts: judge.Counts{
			Questions: 4, Answered: 3, Correct: 2, ExecutionAccuracy: 0.5, AccuracyWhenAnswered: 2.0 / 3, SilentlyWrong: 1,
			Declined: 1, AskedBack: 1, OfferedRight: 1, Unanswerable: 4, UnanswerableDeclined: 3, Score: 3.0 / 8,
			MissingSaid: 2, MissingNamed: 1,
		},
		Kinds: map[string]judge.Counts{
			"count":       {Questions: 2, Answered: 2, Correct: 2, ExecutionAccuracy: 1, AccuracyWhenAnswered: 1, Score: 1},
			"other topic": {Unanswerable: 1, UnanswerableDeclined: 1, Score: 1},
			"deed":        {Unanswerable: 1, Score: -1},
		},
		Classes: map[string]judge.Counts{
			"deed":           {Unanswerable: 1, Score: -1},
			"missing column": {Unanswerable: 2, UnanswerableDeclined: 2, MissingSaid: 2, MissingNamed: 1, Score: 1},
		},
	}
	if !reflect.DeepEqual(summary, want) {
		t.Errorf("Evaluate() = %+v, want %+v (%v)", summary, want, kinds)
	}
}

func TestLinesThatSayWhyNothingAnswers(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"db":"d","question":"heavy books","sql":null,"class":"missing column","missing":"heavy"}`: "",
		`{"db":"d","question":"heavy books","sql":null,"class":"laziness"}`:                         "laziness",
		`{"db":"d","question":"heavy books","sql":null,"missing":"light"}`:                          "no word of it",
		`{"db":"d","question":"heavy books","sql":"select 1","class":"deed"}`:                       "has a right query",
	} {
		_, err := judge.Questions(strings.NewReader(line), 0)
		if got := fmt.Sprint(err); (err == nil) != (want == "") || !strings.Contains(got, want) {
			t.Errorf("Questions(%s) = %v, want %q", line, err, want)
		}
	}
}

func TestDialoguesAreAskedInTurn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database(t, dir, "library", library...)
	h := newHouse(t)
	script := scripted(h)
	script.Knows("all books", "SELECT title FROM books")
	script.Knows("how many are that?", "SELECT count(*) FROM books")
	_, err := h.Evaluate(t.Context(), dir, []judge.Question{
		{DB: "library", Question: "third", SQL: "SELECT 1", Dialogue: "a", Turn: 3},
		{DB: "library", Question: "alone", SQL: "SELECT 1"},
		{DB: "library", Question: "how many are that?", SQL: "SELECT count(*) FROM books", Dialogue: "a", Turn: 2},
		{DB: "library", Question: "all books", SQL: "SELECT nonsense FROM books", Dialogue: "a", Turn: 1}, // left out, and asked for the others
		{DB: "library", Question: "of another", SQL: "SELECT 1", Dialogue: "b", Turn: 1},
	}, func(judge.Verdict) {}, quiet)
	must(t, err)
	var got []string
	for _, q := range script.Asked() {
		line := q.Text
		if q.Previous != nil {
			line += " after " + q.Previous.Question
		}
		got = append(got, line)
	}
	want := "all books; how many are that? after all books; third after how many are that?; alone; of another"
	if strings.Join(got, "; ") != want {
		t.Errorf("the translator was asked %q, want %q", strings.Join(got, "; "), want)
	}
}

func TestVerdictsSayWhatDoubtThereWas(t *testing.T) {
	t.Parallel()
	var counted judge.Counts
	all := []judge.Verdict{
		{Answered: true, Correct: true, Noted: true}, {Answered: true, Noted: true}, {Answered: true},
		{Question: judge.Question{Unanswerable: true}, Correct: true},
	}
	counted = judge.Summarise(all).Counts
	want := judge.Counts{
		Questions: 3, Answered: 3, Correct: 1, ExecutionAccuracy: 1.0 / 3, AccuracyWhenAnswered: 1.0 / 3,
		RightWithNote: 1, WrongWithNote: 1, SilentlyWrong: 1, Unanswerable: 1, UnanswerableDeclined: 1,
	}
	if counted != want {
		t.Errorf("Summarise() = %+v, want %+v", counted, want)
	}
	var out bytes.Buffer
	must(t, judge.WriteVerdict(&out, all[3]))
	must(t, judge.WriteVerdict(&out, all[0]))
	lines := strings.Split(out.String(), "\n")
	for i, sql := range []string{"null", `""`} {
		var line map[string]json.RawMessage
		must(t, json.Unmarshal([]byte(lines[i]), &line))
		if string(line["sql"]) != sql || string(line["noted"]) != map[bool]string{true: "true", false: "false"}[i == 1] {
			t.Errorf("WriteVerdict wrote %s, want sql %s", lines[i], sql)
		}
	}
}
