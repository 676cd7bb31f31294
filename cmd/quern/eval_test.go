package main

import (
	"database/sql"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// questionSet makes a folder with a database, and a question set over it: three
// questions, and one whose own query does not run.
func questionSet(t *testing.T) (questions, databases string) {
	t.Helper()
	databases = t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(databases, "harbour.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"CREATE TABLE ships (ship_id INTEGER PRIMARY KEY, name TEXT, tons REAL)",
		"INSERT INTO ships VALUES (1, 'Ada', 10.5), (2, 'Grace', 20), (3, 'Barbara', 30)",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	questions = filepath.Join(t.TempDir(), "questions.jsonl")
	const lines = `{"db":"harbour","question":"How many ships are there?","sql":"SELECT count(*) FROM ships"}
{"db":"harbour","question":"What are the names of all ships?","sql":"SELECT name FROM ships WHERE 1 = 0"}
{"db":"harbour","question":"What is the heaviest ship?","sql":"SELECT name FROM ships ORDER BY tons DESC LIMIT 1"}
{"db":"harbour","question":"Broken?","sql":"SELECT nonsense FROM ships"}
`
	if err := os.WriteFile(questions, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return questions, databases
}

func TestEvalSumsUp(t *testing.T) {
	t.Parallel()
	quern := in(t)
	questions, databases := questionSet(t)
	keep := filepath.Join(t.TempDir(), "kept")
	r := quern("", "eval", "--questions", questions, "--databases", databases, "--keep", keep, "--verdicts", keep+".jsonl", "--json")
	verdicts, err := os.ReadFile(keep + ".jsonl")
	if err != nil || strings.Count(string(verdicts), "\n") != 3 {
		t.Errorf("eval --verdicts wrote %s, %v, want a line for each question that counts", verdicts, err)
	}
	if r.code != exitDone || r.err != "" {
		t.Fatalf("eval --json = %+v, want success", r)
	}
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	var sum map[string]float64
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &sum); err != nil {
		t.Fatalf("the last line of eval --json = %s, %v, want numbers", lines[len(lines)-1], err)
	}
	keys := []string{
		"accuracy_when_answered", "answered", "asked_back", "correct", "declined", "execution_accuracy", "missing_named", "missing_said", "offered_right", "p50_ms", "p95_ms",
		"questions", "right_with_note", "score", "silently_wrong", "unanswerable", "unanswerable_declined", "wrong_with_note",
	}
	if got := slices.Sorted(maps.Keys(sum)); !slices.Equal(got, keys) {
		t.Errorf("eval --json sums up %v, want %v", got, keys)
	}
	misses := lines[:len(lines)-1]
	if sum["questions"] != 3 || sum["correct"] > 2 || sum["execution_accuracy"] != sum["correct"]/3 || float64(len(misses)) != 4-sum["correct"] {
		t.Errorf("eval --json = %s, want three questions, one of them wrong, and a line for each that is not right", r.out)
	}
	for _, line := range misses {
		var miss map[string]string
		if err := json.Unmarshal([]byte(line), &miss); err != nil || miss["reason"] == "" {
			t.Errorf("miss = %s, %v, want texts with a reason", line, err)
		}
		if got := slices.Sorted(maps.Keys(miss)); !slices.Equal(got, []string{"db", "gold", "query", "question", "reason"}) {
			t.Errorf("a miss has %v", got)
		}
	}
	r = quern("", "eval", "--questions", questions, "--databases", databases, "--keep", keep, "--limit", "1")
	counts := regexp.MustCompile(`(?m)^questions +1$`)
	if r.code != exitDone || !counts.MatchString(r.out) || !strings.Contains(r.out, "execution accuracy") {
		t.Errorf("eval --limit 1 on what was kept = %+v, want a readable summary", r)
	}
}

func TestEvalWritesCandidates(t *testing.T) {
	t.Parallel()
	quern := in(t)
	questions, databases := questionSet(t)
	out := filepath.Join(t.TempDir(), "candidates.jsonl")
	r := quern("", "eval", "--questions", questions, "--databases", databases, "--candidates", out)
	data, err := os.ReadFile(out)
	if r.code != exitDone || r.out != "" || err != nil || strings.Count(string(data), "\n") != 4 {
		t.Fatalf("eval --candidates = %+v, wrote %s, %v, want the names of the signs and three questions in the file", r, data, err)
	}
	names, questionLines, _ := strings.Cut(string(data), "\n")
	if !strings.HasPrefix(names, `{"names":["share",`) {
		t.Errorf("candidates begin with %s, want the names of the signs", names)
	}
	for line := range strings.Lines(questionLines) {
		var c struct {
			DB, Question string
			Signs        [][]float64
			Right        []bool
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil || c.DB != "harbour" || len(c.Signs) != len(c.Right) {
			t.Errorf("candidates = %s, %v, want as many signs as verdicts", line, err)
		}
	}
}

func TestFeaturesAreWritten(t *testing.T) {
	t.Parallel()
	quern := in(t)
	questions, databases := questionSet(t)
	out := filepath.Join(t.TempDir(), "features.jsonl")
	r := quern("", "features", "--questions", questions, "--databases", databases, "--out", out, "--check", "--json")
	var export struct {
		Questions, Derived, Faithful int
		Unsayable                    map[string]int
	}
	if err := json.Unmarshal([]byte(r.out), &export); r.code != exitDone || err != nil || export.Questions != 4 || export.Derived != 2 || export.Faithful != 2 {
		t.Errorf("features --json = %+v, %v, want 4 questions and 2 of them derived", r, err)
	}
	data, err := os.ReadFile(out)
	if err != nil || strings.Count(string(data), "\n") != 5 {
		t.Errorf("features wrote %s, %v, want the database and four questions", data, err)
	}
}

func TestEvalExplainsItsUse(t *testing.T) {
	t.Parallel()
	quern := in(t)
	questions, databases := questionSet(t)
	empty := t.TempDir()
	bad := filepath.Join(empty, "bad.jsonl")
	if err := os.WriteFile(bad, []byte("nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"eval"}, exitUsage, "--questions and --databases are needed"},
		{[]string{"eval", "--questions", questions}, exitUsage, "--questions and --databases are needed"},
		{[]string{"eval", "set"}, exitUsage, `there is no command "set"`},
		{[]string{"eval", "--limit", "few"}, exitUsage, "--limit"},
		{[]string{"features", "--questions", questions, "--databases", databases}, exitUsage, "--out is needed"},
		{[]string{"features", "--out", filepath.Join(empty, "out")}, exitUsage, "--questions and --databases are needed"},
		{[]string{"eval", "--questions", filepath.Join(empty, "away"), "--databases", databases}, exitFailed, "no such file"},
		{[]string{"eval", "--questions", bad, "--databases", databases}, exitFailed, "line 1 of the questions"},
		{[]string{"eval", "--questions", questions, "--databases", empty}, exitFailed, "there is no database " + filepath.Join(empty, "harbour.sqlite")},
		{[]string{"eval", "--questions", questions, "--databases", databases, "--weights", bad}, exitFailed, "weights: "},
	} {
		if r := quern("", tt.args...); r.code != tt.code || !strings.Contains(r.err, tt.want) || r.out != "" {
			t.Errorf("quern %v = %+v, want code %d and %q", tt.args, r, tt.code, tt.want)
		}
	}
	if _, err := os.Stat(filepath.Join(empty, "out")); err == nil {
		t.Error("features wrote a file although it was called wrongly")
	}
}
