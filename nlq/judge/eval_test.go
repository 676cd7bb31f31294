package judge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quern/nlq/judge"
)

func TestEvaluate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database(t, dir, "library", library...)
	database(t, dir, "one", "CREATE TABLE numbers (n INTEGER)", "INSERT INTO numbers VALUES (1), (2)")
	h := newHouse(t)
	script := scripted(h)
	script.Knows("how many books?", "SELECT count(*) FROM books")
	script.Knows("who is alive?", "SELECT name FROM authors WHERE alive = 1")
	script.Knows("titles by price", "SELECT title FROM books ORDER BY price")
	script.Knows("dear ones", "SELECT price, title FROM books WHERE price > 15")
	script.Knows("no such column", "SELECT nothing FROM books")
	script.Knows("numbers", "SELECT n FROM numbers")
	questions := []judge.Question{
		{DB: "library", Question: "how many books?", SQL: "SELECT count(*) FROM books"},
		{DB: "library", Question: "who is alive?", SQL: "SELECT name FROM authors"},                    // wrong
		{DB: "one", Question: "numbers", SQL: "SELECT n FROM numbers ORDER BY n DESC"},                 // wrong: in another order
		{DB: "library", Question: "titles by price", SQL: "SELECT title FROM books ORDER BY price"},    // in order
		{DB: "library", Question: "dear ones", SQL: "SELECT title, price FROM books WHERE price > 15"}, // columns swapped
		{DB: "library", Question: "what is love?", SQL: "SELECT 1"},                                    // asked back
		{DB: "library", Question: "no such column", SQL: "SELECT 1"},                                   // an error
		{DB: "library", Question: "broken", SQL: "SELECT nonsense FROM books"},                         // left out
		{DB: "library", Question: "empty", SQL: " "},                                                   // left out
	}
	reasons, order := map[string]string{}, []string{}
	told := 0
	summary, err := h.Evaluate(t.Context(), dir, questions, func(v judge.Verdict) {
		reasons[v.Question.Question] = v.Reason
		order = append(order, v.Question.DB)
		if v.LeftOut == (v.Took > 0) || v.Correct != (v.Reason == "") || v.Answered != (v.Query != "") {
			t.Errorf("verdict %+v does not fit together", v)
		}
	}, func(done, _ int, _ string) { told = done })
	must(t, err)
	if summary.P50 <= 0 || summary.P95 < summary.P50 {
		t.Errorf("p50 and p95 = %v, %v ms, want times", summary.P50, summary.P95)
	}
	summary.P50, summary.P95 = 0, 0
	want := judge.Summary{Counts: judge.Counts{
		Questions: 7, Answered: 5, Correct: 3, ExecutionAccuracy: 3.0 / 7, AccuracyWhenAnswered: 0.6, SilentlyWrong: 2, Declined: 2, Score: 1.0 / 7,
	}}
	if !reflect.DeepEqual(summary, want) {
		t.Errorf("Evaluate() = %+v, want %+v", summary, want)
	}
	for question, want := range map[string]string{
		"how many books?": "", "titles by price": "", "dear ones": "", "who is alive?": "other rows", "numbers": "other rows",
		"what is love?": "asked back: ", "no such column": "error: ", "broken": "left out: ", "empty": "left out: ",
	} {
		if got, ok := reasons[question]; !ok || want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("reason of %q = %q, want %q", question, got, want)
		}
	}
	if got := strings.Join(order, " "); got != strings.Repeat("library ", 8)+"one" || told != len(questions) {
		t.Errorf("databases were judged as %s, told %d of %d", got, told, len(questions))
	}
	for _, asked := range script.Asked() {
		if asked.Text == "broken" || asked.Text == "empty" || strings.Contains(asked.Text, "SELECT") || asked.Now.IsZero() {
			t.Errorf("the translator was asked %+v", asked)
		}
	}
}

func TestEvaluateExplainsWhatIsMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "text.sqlite"), []byte(strings.Repeat("this is no database ", 100)), 0o600))
	database(t, dir, "twice", `CREATE TABLE "a b" (n)`, `CREATE TABLE a_b (n)`)
	database(t, dir, "x y", "CREATE TABLE numbers (n INTEGER)")
	database(t, dir, "x_y", "CREATE TABLE numbers (n INTEGER)")
	h := newHouse(t)
	scripted(h)
	for want, names := range map[string][]string{
		"there is no database " + filepath.Join(dir, "away.sqlite"): {"away"},
		`"../text" cannot name a database`:                          {"../text"},
		"database text: ":                                           {"text"},
		"database twice: table a_b: ":                               {"twice"},
		`the databases "x y" and "x_y" would be one namespace`:      {"x y", "x_y"},
	} {
		var questions []judge.Question
		for _, name := range names {
			questions = append(questions, judge.Question{DB: name, Question: "what?", SQL: "SELECT 1"})
		}
		_, err := h.Evaluate(t.Context(), dir, questions, func(judge.Verdict) {}, quiet)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Evaluate of %v = %v, want %q", names, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Evaluate(ctx, dir, []judge.Question{{DB: "x y", Question: "what?", SQL: "SELECT 1"}}, func(judge.Verdict) {}, quiet); err == nil {
		t.Error("Evaluate that was called off = nil, want an error")
	}
}

func TestFeatures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database(t, dir, "library", library...)
	h := houseWith(t, [][]byte{}) // an export needs no networks
	questions := []judge.Question{
		{DB: "library", Question: "How many books are there?", SQL: "SELECT count(*) FROM books"},
		{DB: "library", Question: "Which books did Grace write?", SQL: `SELECT T2.title FROM authors AS T1 JOIN books AS T2 ON T1.author_id = T2.author_id WHERE T1.name = "Grace";`},
		{DB: "library", Question: "Books with over 100 pages", SQL: "SELECT `title` FROM books WHERE pages > 100"}, // SQLite finds any text to be over 100
		{DB: "library", Question: "Something else", SQL: "SELECT title FROM books WHERE price = 77"},
		{DB: "library", Question: "Not in our words", SQL: "SELECT CASE WHEN price > 1 THEN 2 END FROM books"},
		{DB: "library", Question: "The name Ada", Target: []string{"SEL", "c1", "WHERE", "c1", "=", "VAL", "q", "q", "END"}, Spans: [][2]int{{9, 12}}, Set: "made"},
		{DB: "library", Question: "The name Ada", Target: []string{"SEL", "c1", "WHERE", "c1", "=", "VAL", "q", "q", "END"}, Spans: [][2]int{{9, 11}}},
	}
	var out bytes.Buffer
	export, err := h.Features(t.Context(), dir, questions, judge.FeatureFile{Out: &out, Check: true, Tell: quiet})
	must(t, err)
	if export.Questions != 7 || export.Derived != 4 || export.Faithful != 2 || len(export.Unsayable) != 4 || export.Unsayable["unfaithful: other rows"] != 1 {
		t.Errorf("Features() = %+v, want 7 questions, 4 derived, 2 faithful and 4 reasons", export)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 1+len(questions) {
		t.Fatalf("Features() wrote %d lines, want the database and %d questions", len(lines), len(questions))
	}
	checkDatabase(t, lines[0])
	for i, want := range []string{
		"SEL count STAR t1 END", "SEL c6 WHERE c1 = VAL q3 q3 END", "SEL c6 WHERE c8 > VAL q3 q3 END", "", "", "SEL c1 WHERE c1 = VAL q2 q2 END", "",
	} {
		var q struct {
			DB, Question string
			ID           int
			Tokens       [][]any
			Kinds        []int
			Target       []string
		}
		must(t, json.Unmarshal([]byte(lines[i+1]), &q))
		if got := strings.Join(q.Target, " "); got != want || q.ID != i || q.Question != questions[i].Question || len(q.Kinds) != len(q.Tokens) {
			t.Errorf("line %d = %s, want the derivation %q", i+1, lines[i+1], want)
		}
	}
}

func checkDatabase(t *testing.T, line string) {
	t.Helper()
	var d struct {
		Schema  string
		Tables  []struct{ Name string }
		Columns []struct {
			Table  int
			Name   string
			Number bool
			Values []string
		}
		Links [][2]int
	}
	must(t, json.Unmarshal([]byte(line), &d))
	numbers := map[string]bool{}
	for _, c := range d.Columns {
		numbers[d.Tables[c.Table].Name+"."+c.Name] = c.Number
	}
	want := map[string]bool{
		"authors.author_id": true, "authors.name": false, "authors.born": false, "authors.alive": true,
		"books.book_id": true, "books.author_id": true, "books.title": false, "books.price": true, "books.pages": true,
	}
	if d.Schema != "library" || !maps.Equal(numbers, want) || len(d.Links) == 0 || len(d.Columns[1].Values) != 3 {
		t.Errorf("the database's line = %s, want columns %v, a link and the authors' names", line, want)
	}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database(t, dir, "library", library...)
	h := newHouse(t)
	var out bytes.Buffer
	must(t, h.Candidates(t.Context(), dir, []judge.Question{
		{DB: "library", Question: "How many books are there?", SQL: "SELECT count(*) FROM books"},
		{DB: "library", Question: "How many books are there?", SQL: "SELECT 5"},
	}, &out, quiet))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("Candidates() wrote %d lines, want the names and one for each question:\n%s", len(lines), out.String())
	}
	var head struct{ Names []string }
	must(t, json.Unmarshal([]byte(lines[0]), &head))
	for i, wanted := range []bool{true, false} {
		var line struct {
			SQL   []string
			Signs [][]float64
			Right []bool
		}
		must(t, json.Unmarshal([]byte(lines[i+1]), &line))
		if len(line.SQL) == 0 || len(line.Signs) != len(line.SQL) || len(line.Right) != len(line.SQL) || len(line.Signs[0]) != len(head.Names) {
			t.Errorf("line %s does not fit together, or the %d names", lines[i+1], len(head.Names))
		}
		if slices.Contains(line.Right, true) != wanted {
			t.Errorf("line %s: right readings, want any: %v", lines[i+1], wanted)
		}
	}
}
