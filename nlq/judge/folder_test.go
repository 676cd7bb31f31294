package judge_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/catalog"
	"quern/nlq/judge"
)

// sheets makes DIR/name with CSV files, each a name and its text.
func sheets(t *testing.T, dir, name string, files map[string]string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Join(dir, name), 0o700))
	for file, text := range files {
		must(t, os.WriteFile(filepath.Join(dir, name, file), []byte(text), 0o600))
	}
}

// club is sheets as a club keeps them.
var club = map[string]string{
	"Our members.csv": "Member No,Name,Joined,Active,Fee paid,Phone\n1,Ann,2021-03-04,true,yes,\n2,Bob,2022-05-06,false,no,01234 5\n3,Cy,2023-07-08,true,yes,\n",
	"Gifts.CSV":       "Gift No,Member No,Amt\n10,1,2.50\n11,1,4\n12,3,1.25\n",
	"notes.txt":       "not a sheet",
}

func TestLoadFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sheets(t, dir, "club", club)
	h := newHouse(t)
	for range 2 { // the second time it is there already
		d, err := judge.Open(dir, "club")
		must(t, err)
		must(t, h.Load(t.Context(), d))
		must(t, d.Close())
	}
	want := map[string]quern.Type{
		"Member_No": quern.Integer, "Name": quern.Text, "Joined": quern.Date, "Active": quern.Boolean, "Fee_paid": quern.Text, "Phone": quern.Text,
	}
	if got := columns(t.Context(), t, h, "club", "Our_members"); !maps.Equal(got, want) {
		t.Errorf("columns of the members = %v, want %v", got, want)
	}
	text := `SELECT count(*), count(Phone), count(*) FILTER (Active), (SELECT sum(Amt) FROM Gifts) FROM Our_members`
	if got, want := one(t, h, "club", text), []any{int64(3), int64(1), int64(2), 7.75}; !judge.Same(rows(got), rows(want), judge.Order{All: true}) {
		t.Errorf("%s = %v, want %v", text, got, want)
	}
	s, err := h.Schemas.Schema(t.Context(), h.Principal, quern.NamespacePath{Owner: "judge", Namespace: "club"}, "", nil)
	must(t, err)
	if len(s.Tables) != 2 || len(s.Links) == 0 {
		t.Errorf("the schema has %d tables and %d links, want 2 and some", len(s.Tables), len(s.Links))
	}
}

func TestEvaluateFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sheets(t, dir, "club", club)
	h := newHouse(t)
	script := scripted(h)
	script.Knows("who has paid?", "SELECT Name FROM Our_members WHERE Fee_paid = 'yes'")
	script.Knows("who is active?", "SELECT Name FROM Our_members")
	reasons := map[string]string{}
	summary, err := h.Evaluate(t.Context(), dir, []judge.Question{
		{DB: "club", Question: "who has paid?", SQL: `SELECT "Name" FROM Our_members WHERE Fee_paid ILIKE 'y%'`},
		{DB: "club", Question: "who is active?", SQL: "SELECT Name FROM Our_members WHERE Active"},
		{DB: "club", Question: "broken", SQL: "SELECT nonsense FROM Our_members"},
	}, func(v judge.Verdict) { reasons[v.Question.Question] = v.Reason }, quiet)
	must(t, err)
	if summary.Questions != 2 || summary.Correct != 1 || reasons["who has paid?"] != "" || reasons["who is active?"] != "other rows" || !strings.HasPrefix(reasons["broken"], "left out: ") {
		t.Errorf("Evaluate() = %+v for %v, want one of two right and one left out", summary, reasons)
	}
}

func TestFolderThatIsNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sheets(t, dir, "bare", map[string]string{"notes.txt": "nothing"})
	sheets(t, dir, "twice", map[string]string{"a b.csv": "n\n1\n", "a_b.csv": "n\n2\n"})
	sheets(t, dir, "empty", map[string]string{"nothing.csv": ""})
	h := newHouse(t)
	scripted(h)
	for name, want := range map[string]string{
		"bare":      "there is no CSV file in " + filepath.Join(dir, "bare"),
		"twice":     "database twice: file a_b.csv: ",
		"empty":     "database empty: file nothing.csv: the ingestion is failed: ",
		"away":      "there is no database " + filepath.Join(dir, "away.sqlite") + ", nor a folder " + filepath.Join(dir, "away"),
		"loading-x": `"loading-x" cannot name a database`,
	} {
		_, err := h.Evaluate(t.Context(), dir, []judge.Question{{DB: name, Question: "what?", SQL: "SELECT 1"}}, func(judge.Verdict) {}, quiet)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Evaluate of %s = %v, want %q", name, err, want)
		}
	}
}

// TestLoadAfterOneThatWasCutOff loads a database whose first load ended midway,
// in the same data directory.
func TestLoadAfterOneThatWasCutOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := newHouse(t)
	load := func() error {
		d, err := judge.Open(dir, "club")
		must(t, err)
		defer d.Close()
		return h.Load(t.Context(), d)
	}
	sheets(t, dir, "club", club)
	sheets(t, dir, "club", map[string]string{"Visits.csv": ""})
	if err := load(); err == nil {
		t.Fatal("Load of an empty file = nil, want an error")
	}
	in := quern.NamespacePath{Owner: "judge", Namespace: "club"}
	if _, err := h.Catalog.Namespace(t.Context(), h.Principal, in); !quern.Is(err, quern.NotFound) {
		t.Errorf("Namespace() after half a load = %v, want NotFound", err)
	}
	sheets(t, dir, "club", map[string]string{"Visits.csv": "Visit No,Member No\n1,2\n2,2\n"})
	must(t, load())
	text := "SELECT (SELECT count(*) FROM Our_members), (SELECT count(*) FROM Gifts), (SELECT count(*) FROM Visits)"
	if got, want := one(t, h, "club", text), []any{int64(3), int64(3), int64(2)}; !judge.Same(rows(got), rows(want), judge.Order{All: true}) {
		t.Errorf("rows after a load that went through = %v, want %v", got, want)
	}
}

// TestEveryday holds the sets of our own: their queries run and give rows.
func TestEveryday(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"everyday", "everyday-closed", "cryptic"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkEveryday(t, filepath.Join("testdata", name))
		})
	}
}

// TestOpenSets holds the set on which rules were tried, and its dialogues: all their
// queries run.
func TestOpenSets(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("testdata", "everyday-open2")
	h := newHouse(t)
	loaded := map[string]bool{}
	for _, name := range []string{"questions.jsonl", "dialogues.jsonl"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		questions, err := judge.Questions(bytes.NewReader(text), 0)
		must(t, err)
		for _, q := range questions {
			if !loaded[q.DB] {
				d, err := judge.Open(dir, q.DB)
				must(t, err)
				must(t, h.Load(t.Context(), d))
				must(t, d.Close())
				loaded[q.DB] = true
			}
			for _, sql := range append([]string{q.SQL}, q.Also...) {
				if !q.Unanswerable {
					one(t, h, q.DB, sql)
				}
			}
		}
	}
}

func checkEveryday(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "questions.jsonl"))
	must(t, err)
	defer f.Close()
	questions, err := judge.Questions(f, 0)
	must(t, err)
	h := newHouse(t)
	asked := map[string]int{}
	for _, q := range questions {
		if asked[q.DB]++; asked[q.DB] == 1 {
			d, err := judge.Open(dir, q.DB)
			must(t, err)
			must(t, h.Load(t.Context(), d))
			must(t, d.Close())
		}
		if got := one(t, h, q.DB, q.SQL); got[0] == nil {
			t.Errorf("%s: %s = %v, want a value", q.DB, q.SQL, got)
		}
	}
	for db, n := range asked {
		if n != 30 {
			t.Errorf("there are %d questions about %s, want 30", n, db)
		}
	}
	if len(asked) != 6 {
		t.Errorf("the questions are about %d databases, want 6", len(asked))
	}
}

// TestLoadOfWhatIsTaught loads sheets with what they are and what is taught about
// them.
func TestLoadOfWhatIsTaught(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := newHouse(t)
	sheets(t, dir, "club", club)
	sheets(t, dir, "club", map[string]string{
		"definitions.json": `{"Gifts":{"schemaDefinition":{"amt":"amount in EUR"}}}`,
		"knowledge.yaml":   "quern: 1\nwords: [{word: donations, means: Gifts}]\n",
	})
	d, err := judge.Open(dir, "club")
	must(t, err)
	must(t, h.Load(t.Context(), d))
	in := quern.NamespacePath{Owner: "judge", Namespace: "club"}
	taught, err := h.Knowledge.Read(t.Context(), h.Principal, in)
	must(t, err)
	if len(taught.Words) != 1 || len(taught.Problems) != 0 {
		t.Errorf("what is taught is %+v with the problems %v, want one word and none", taught.Words, taught.Problems)
	}
	gifts, err := h.Catalog.Dataset(t.Context(), h.Principal, quern.DatasetPath{Owner: "judge", Namespace: "club", Dataset: "Gifts"}, catalog.Read)
	must(t, err)
	if got := gifts.Definition.SchemaDefinition["amt"]; got != "amount in EUR" {
		t.Errorf("the definition of amt is %q, want what the file says", got)
	}
	sheets(t, dir, "broken", club)
	sheets(t, dir, "broken", map[string]string{"knowledge.yaml": "measures: [{name: m, dataset: Gifts, expression: nothing}]\n"})
	broken, err := judge.Open(dir, "broken")
	must(t, err)
	if err := h.Load(t.Context(), broken); err == nil {
		t.Error("Load of what cannot be taught = nil, want an error")
	}
}
