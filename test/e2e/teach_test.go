package e2e_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// transcript is where what was typed and printed is written to, for docs/knowledge.md.
var transcript = flag.String("teach.transcript", "", "a file for what was typed and printed while a namespace was taught")

// types runs a command that a transcript shows, and returns what it printed.
func (k *taught) types(shown *strings.Builder, args ...string) string {
	k.t.Helper()
	out := k.must("", args...)
	words := make([]string, len(args))
	for i, a := range args {
		if words[i] = a; strings.ContainsAny(a, " ?") {
			words[i] = fmt.Sprintf("%q", a)
		} else if strings.HasPrefix(a, "/") {
			words[i] = filepath.Base(a)
		}
	}
	fmt.Fprintf(shown, "$ quern %s\n%s\n\n", strings.Join(words, " "), out)
	return out
}

// define saves what the columns of the files are.
func (k *taught) define(shown *strings.Builder) {
	k.t.Helper()
	for _, dataset := range slices.Sorted(maps.Keys(k.definition)) {
		d := k.definition[dataset]
		body, err := json.MarshalIndent(map[string]any{"dataDescription": d.DataDescription, "schemaDefinition": d.SchemaDefinition}, "", "  ")
		if err != nil {
			k.t.Fatal(err)
		}
		path := "/api/v1/data/ada/" + k.name + "/" + dataset + "/inferDefinition"
		if got := k.server.call("PUT", path, k.ada, string(body)); got.status != 201 {
			k.t.Fatalf("PUT %s = %d %s, want 201", path, got.status, got.body)
		}
		fmt.Fprintf(shown, "PUT %s\n%s\n\n", path, body)
	}
}

// TestACrypticNamespaceIsTaught takes a namespace of cryptic files from few right answers
// to most, by definitions: they answer more than half of the questions.
func TestACrypticNamespaceIsTaught(t *testing.T) {
	t.Parallel()
	k := newTaught(t, "vet")
	const question = "which rabbits are neutered?"
	var shown strings.Builder
	k.types(&shown, "query", "-n", k.name, "select * from tbl_a limit 3")
	k.types(&shown, "ask", "-n", k.name, question)
	k.types(&shown, "knowledge", "import", "-n", k.name, k.tests())
	before, of := k.right()
	k.define(&shown)
	k.types(&shown, "ask", "-n", k.name, question)
	k.types(&shown, "eval", "--namespace", k.name)
	defined, _ := k.right()
	t.Logf("of %d questions %d were right before anything was said, %d with definitions", of, before, defined)
	if (defined-before)*2 <= of || defined*5 < of*4 {
		t.Errorf("of %d questions %d were right before anything was said and %d with definitions; want four fifths, and more than half of them by definitions", of, before, defined)
	}
	if history := k.types(&shown, "eval", "--namespace", k.name, "--history"); strings.Count(history, "completed") != 3 {
		t.Errorf("the history is %s, want three evaluations", history)
	}
	if *transcript != "" {
		if err := os.WriteFile(*transcript, []byte(shown.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// asks puts a question over REST and returns the run and the answer as it came.
func (k *taught) asks(token, question string) (run, answer string) {
	k.t.Helper()
	body, err := json.Marshal(map[string]string{"username": "ada", "namespace": k.name, "query": question})
	if err != nil {
		k.t.Fatal(err)
	}
	got := k.server.call("POST", "/api/v1/query/autorag", token, string(body))
	if got.status != 200 {
		k.t.Fatalf("asking %q = %d %s, want 200", question, got.status, got.body)
	}
	run, _ = got.json(k.t)["runId"].(string)
	return run, got.body
}

// TestRatingsTeach has somebody else rate an answer, the owner take over what was told,
// and the next answer be verified.
func TestRatingsTeach(t *testing.T) {
	t.Parallel()
	k := newTaught(t, "vet")
	k.must("", "user", "add", "bob", "--generate")
	bob := strings.TrimSpace(k.must("", "token", "create", "--user", "bob"))
	if got := k.server.call("POST", "/api/v1/permissions/namespaces/ada/vet/shares", k.ada, `{"username":"bob","role":"viewer"}`); got.status != 200 {
		t.Fatalf("sharing = %d %s, want 200", got.status, got.body)
	}
	run, _ := k.asks(bob, "how many rabbits are there?")
	inbox := func() string { return k.server.call("GET", k.namespace+"/inbox", k.ada, "").body }
	for until := time.Now().Add(patience); !strings.Contains(inbox(), `"rabbits"`); { // it is counted once the run has ended
		if time.Now().After(until) {
			t.Fatalf("the inbox is %s, want the word that nothing answered to", inbox())
		}
	}
	if got := inbox(); strings.Contains(got, "how many rabbits") {
		t.Errorf("the inbox is %s, want nothing of the question but the word", got)
	}
	rating := `{"thumbsUp":false,"tellOwner":true,"meant":"patients of the species R","correctedQuery":"SELECT count(*) FROM tbl_a WHERE a_sp = 'R'"}`
	if got := k.server.call("POST", "/api/v1/query/runs/"+run+"/feedback", bob, rating); got.status != 204 {
		t.Fatalf("rating = %d %s, want 204", got.status, got.body)
	}
	var items []struct {
		Action   string
		Proposal json.RawMessage
	}
	if err := json.Unmarshal([]byte(inbox()), &items); err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		if item.Action != "addVerified" {
			continue
		}
		body := `{"merge":` + string(item.Proposal) + `}`
		if got := k.patch(body, 0); got.status != 200 {
			t.Fatalf("teaching what was proposed = %d %s, want 200", got.status, got.body)
		}
	}
	if _, answer := k.asks(bob, "how many rabbits are there?"); !strings.Contains(answer, "verified by ada") {
		t.Errorf("the answer is %s, want it to be verified by ada", answer)
	}
}

// TestChoicesTeach teaches a word for two things, has somebody be asked back and choose,
// and the owner take over what was chosen; then nothing is asked back any more.
func TestChoicesTeach(t *testing.T) {
	t.Parallel()
	k := newTaught(t, "vet")
	k.must("", "user", "add", "bob", "--generate")
	bob := strings.TrimSpace(k.must("", "token", "create", "--user", "bob"))
	if got := k.server.call("POST", "/api/v1/permissions/namespaces/ada/vet/shares", k.ada, `{"username":"bob","role":"viewer"}`); got.status != 200 {
		t.Fatalf("sharing = %d %s, want 200", got.status, got.body)
	}
	two := `{"merge":{"words":[{"word":"patients","means":"tbl_a"},{"word":"title","means":"tbl_a.a_nm"},{"word":"title","means":"tbl_a.a_ow"}]}}`
	if got := k.patch(two, 0); got.status != 200 || !strings.Contains(got.body, "means several things") {
		t.Fatalf("teaching a word for two things = %d %s, want 200 and that said", got.status, got.body)
	}
	const question = "list the titles of the patients"
	_, back := k.asks(bob, question)
	var asked struct {
		ConversationID string
		Clarification  struct{ Choices []struct{ Question string } }
	}
	if err := json.Unmarshal([]byte(back), &asked); err != nil || len(asked.Clarification.Choices) != 2 {
		t.Fatalf("the answer is %s, want two choices", back)
	}
	body, err := json.Marshal(map[string]string{"username": "ada", "namespace": k.name, "query": asked.Clarification.Choices[0].Question, "conversationId": asked.ConversationID})
	if err != nil {
		t.Fatal(err)
	}
	if got := k.server.call("POST", "/api/v1/query/autorag", bob, string(body)); got.status != 200 {
		t.Fatalf("choosing = %d %s, want 200", got.status, got.body)
	}
	var proposal json.RawMessage
	for until := time.Now().Add(patience); proposal == nil; { // it is counted once the run has ended
		var items []struct {
			Kind, Word, Meaning string
			Proposal            json.RawMessage
		}
		inbox := k.server.call("GET", k.namespace+"/inbox", k.ada, "").body
		if err := json.Unmarshal([]byte(inbox), &items); err != nil || time.Now().After(until) {
			t.Fatalf("the inbox is %s, %v, want the choice", inbox, err)
		}
		for _, item := range items {
			if item.Kind == "choice" && strings.HasPrefix(item.Word, "title") {
				proposal = item.Proposal
			}
		}
	}
	if got := k.patch(`{"remove":{"words":[{"word":"title","means":"tbl_a.a_nm"},{"word":"title","means":"tbl_a.a_ow"}]},"merge":`+string(proposal)+`}`, 1); got.status != 200 {
		t.Fatalf("teaching what was chosen = %d %s, want 200", got.status, got.body)
	}
	if _, answer := k.asks(bob, question); strings.Contains(answer, `"clarification":{`) {
		t.Errorf("the answer is %s, want no question back", answer)
	}
}

// patch changes what is taught, over a version.
func (k *taught) patch(body string, version int) reply {
	k.t.Helper()
	req, err := http.NewRequestWithContext(k.t.Context(), http.MethodPatch, k.server.url+k.namespace, strings.NewReader(body))
	if err != nil {
		k.t.Fatal(err)
	}
	req.Header = http.Header{"Authorization": {"Bearer " + k.ada}, "Content-Type": {"application/json"}, "If-Match": {fmt.Sprintf("%q", fmt.Sprint(version))}}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		k.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		k.t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, string(text)}
}
