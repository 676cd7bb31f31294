package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/nlq/judge"
	"quern/tree"
)

// cryptic is where the files of a namespace with cryptic names are, what their columns
// are, and questions about them.
const cryptic = "../../nlq/judge/testdata/cryptic"

// taught is a server with a namespace of CSV files whose names say nothing.
type taught struct {
	*home
	server     *server
	ada, name  string
	namespace  string
	definition map[string]quern.InferDefinition
}

func newTaught(t *testing.T, name string) *taught {
	t.Helper()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	k := &taught{home: h, server: s, name: name, namespace: "/api/v1/knowledge/ada/" + name,
		ada: strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))}
	h.environ = append(h.environ, "QUERN_SERVER="+s.checkedURL(), "QUERN_TOKEN="+k.ada)
	files, err := filepath.Glob(filepath.Join(cryptic, name, "*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no files of %s: %v", name, err)
	}
	for _, file := range files {
		h.must("", "upload", file, "--to", name+"/"+strings.TrimSuffix(filepath.Base(file), ".csv"))
	}
	text, err := os.ReadFile(filepath.Join(cryptic, name, "definitions.json"))
	if err == nil {
		err = json.Unmarshal(text, &k.definition)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// tests returns the questions about the namespace whose queries knowledge can hold.
func (k *taught) tests() string {
	k.t.Helper()
	f, err := os.Open(filepath.Join(cryptic, "questions.jsonl"))
	if err != nil {
		k.t.Fatal(err)
	}
	defer f.Close()
	all, err := judge.Questions(f, 0)
	if err != nil {
		k.t.Fatal(err)
	}
	lines := []string{"quern: 1", "tests:"}
	for _, q := range all {
		if _, err := tree.Parse(q.SQL); q.DB != k.name || err != nil && !q.Unanswerable {
			continue
		}
		query := fmt.Sprintf("%q", q.SQL)
		if q.Unanswerable {
			query = "null"
		}
		lines = append(lines, fmt.Sprintf("- {question: %q, query: %s}", q.Question, query))
	}
	path := filepath.Join(k.t.TempDir(), "tests.yaml")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		k.t.Fatal(err)
	}
	return path
}

// right evaluates the namespace and returns how many of its questions are good, of how
// many.
func (k *taught) right() (good, of int) {
	k.t.Helper()
	var report struct{ Evaluation struct{ Good, Done int } }
	if err := json.Unmarshal([]byte(k.must("", "eval", "--namespace", k.name, "--json")), &report); err != nil {
		k.t.Fatal(err)
	}
	return report.Evaluation.Good, report.Evaluation.Done
}

// TestACrypticNamespaceIsTaught takes a namespace of cryptic files from nearly no right
// answer to most, by definitions and a few entries.
func TestACrypticNamespaceIsTaught(t *testing.T) {
	t.Parallel()
	k := newTaught(t, "vet")
	k.must("", "knowledge", "import", "-n", k.name, k.tests())
	before, of := k.right()
	for dataset, d := range k.definition {
		body, err := json.Marshal(map[string]any{"dataDescription": d.DataDescription, "schemaDefinition": d.SchemaDefinition})
		if err != nil {
			t.Fatal(err)
		}
		k.server.call("PUT", "/api/v1/data/ada/"+k.name+"/"+dataset+"/inferDefinition", k.ada, string(body))
	}
	defined, _ := k.right()
	t.Logf("of %d questions %d were right before anything was said, %d with definitions", of, before, defined)
	if before*5 > of || defined*4 < of*3 {
		t.Errorf("of %d questions %d were right before anything was said and %d with definitions; want at most a fifth, and three quarters", of, before, defined)
	}
	if history := k.must("", "eval", "--namespace", k.name, "--history"); strings.Count(history, "completed") != 2 {
		t.Errorf("the history is %s, want two evaluations", history)
	}
}
