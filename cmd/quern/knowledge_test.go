package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// taughtServer answers for the knowledge of one namespace.
func taughtServer(t *testing.T) *httptest.Server {
	t.Helper()
	version, document := 0, json.RawMessage(`{}`)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/knowledge/self/shop" {
			t.Errorf("asked for %s, want the knowledge of shop", r.URL.Path)
		}
		if r.Method == http.MethodPut {
			if want := `"` + string(rune('0'+version)) + `"`; r.Header.Get("If-Match") != want {
				t.Errorf("If-Match is %s, want %s", r.Header.Get("If-Match"), want)
			}
			version++
			if err := json.NewDecoder(r.Body).Decode(&document); err != nil {
				t.Error(err)
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"version": version, "knowledge": document, "problems": []any{}})
	}))
	t.Cleanup(s.Close)
	return s
}

func TestKnowledgeOfFiles(t *testing.T) {
	t.Parallel()
	s := taughtServer(t)
	quern := in(t, "QUERN_SERVER="+s.URL, "QUERN_TOKEN=t")
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	words := write("words.csv", "word,means\nvessels,ships\n,x\n")
	if r := quern("", "knowledge", "import", "-n", "shop", words); r.code != 0 || r.out != "version 1, 1 changes\n" || !strings.Contains(r.err, "not taken over: line 3") {
		t.Errorf("import = %+v, want one change and a line that was lost", r)
	}
	more := write("more.yaml", "quern: 1\nwords: [{word: boats, means: ships}]\n")
	if r := quern("", "knowledge", "import", "-n", "shop", more); r.code != 0 || r.out != "version 2, 1 changes\n" {
		t.Errorf("import of more = %+v, want one change", r)
	}
	exported := quern("", "knowledge", "export", "-n", "shop")
	if exported.code != 0 || !strings.Contains(exported.out, "vessels") || !strings.Contains(exported.out, "boats") {
		t.Errorf("export = %+v, want both words", exported)
	}
	if r := quern("", "knowledge", "diff", "-n", "shop", write("same.yaml", exported.out)); r.code != 0 || r.out != "" {
		t.Errorf("diff with what was exported = %+v, want nothing", r)
	}
	if r := quern("", "knowledge", "import", "-n", "shop", "--prune", more); r.out != "version 3, 1 changes\n" {
		t.Errorf("import --prune = %+v, want one change", r)
	}
	if r := quern("", "knowledge", "export", "-n", "shop", "--format", "ossie"); r.code != 0 || !strings.Contains(r.out, "version: 0.1.1") {
		t.Errorf("export as Ossie = %+v, want a model", r)
	}
}

func TestKnowledgeIsChecked(t *testing.T) {
	t.Parallel()
	quern := in(t)
	path := filepath.Join(t.TempDir(), "k.yaml")
	for text, want := range map[string]string{
		"measures: [{name: a, dataset: d, expression: b}, {name: b, dataset: d, expression: a}]": "leads back to itself",
		"measures: [{name: a, dataset: d, expression: (select 1 from e)}]":                       "no query inside",
		"words: [{word: a, means: d, wrong: 1}]":                                                 "wrong",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := quern("", "knowledge", "check", path); r.code != exitFailed || !strings.Contains(r.err, want) {
			t.Errorf("check of %s = %+v, want %q", text, r, want)
		}
	}
}
