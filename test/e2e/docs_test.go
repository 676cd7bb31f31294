package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// block is a fenced block of a Markdown file.
type block struct {
	file, language, text string
	line                 int
	notRun               string // why it is not, where a comment above says so
}

var (
	fencePattern  = regexp.MustCompile("^```(?P<language>[a-z]*)$")
	notRunPattern = regexp.MustCompile(`^<!-- not run: (?P<reason>.+) -->$`)
	// commandPattern finds commands in blocks that do not say that they hold any.
	commandPattern = regexp.MustCompile(`(?m)^(?P<program>quern|bin/quern|curl|export|make|go|until|call) `)
)

// blocksOf returns the fenced blocks of a file.
func blocksOf(t *testing.T, file string) (blocks []block) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	var open *block
	var before string
	for n, line := range strings.Split(string(text), "\n") {
		fence := fencePattern.FindStringSubmatch(line)
		switch {
		case open != nil && line == "```":
			blocks, open = append(blocks, *open), nil
		case open != nil:
			open.text += line + "\n"
		case fence != nil:
			open = &block{file: file, language: fence[fencePattern.SubexpIndex("language")], line: n + 1}
			if m := notRunPattern.FindStringSubmatch(before); m != nil {
				open.notRun = m[notRunPattern.SubexpIndex("reason")]
			}
		}
		if line != "" {
			before = line
		}
	}
	return blocks
}

// pages lists README and the pages of docs.
func pages(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("docs/*.md = %v, %v, want pages", docs, err)
	}
	files := []string{"README.md"}
	for _, path := range docs {
		files = append(files, "docs/"+filepath.Base(path))
	}
	return files
}

// TestEveryCommandOfTheDocsRuns runs the blocks marked sh of README and every page
// of docs as they stand there, those of one page one after the other, against a
// fresh server with the sample. A block that cannot be run has a comment above it
// that says why: <!-- not run: the reason -->.
func TestEveryCommandOfTheDocsRuns(t *testing.T) {
	t.Parallel()
	for _, file := range pages(t) {
		var script strings.Builder
		for _, b := range blocksOf(t, file) {
			switch {
			case b.language == "" && commandPattern.MatchString(b.text):
				t.Errorf("%s:%d holds commands and is not marked sh", b.file, b.line)
			case b.language == "sh" && b.notRun == "":
				script.WriteString(b.text)
			}
		}
		if script.Len() > 0 {
			t.Run(file, func(t *testing.T) {
				t.Parallel()
				out := runScript(t, script.String())
				if file == "README.md" {
					checkFirstSteps(t, out)
				}
			})
		}
	}
}

// runScript runs the commands of a page and returns what they print. A command
// that fails, or an answer that is an error, fails the test.
func runScript(t *testing.T, script string) string {
	t.Helper()
	h := newHome(t)
	s := h.serveChecked("--first-user", "ada")
	dir := t.TempDir()
	for _, name := range []string{"arrivals.csv", "departures.csv", "big.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("ship,berth\nAriadne,North 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(dir, "bin", "quern")); err != nil {
		t.Fatal(err)
	}
	token := h.must("", "token", "create", "--user", "ada")
	script = strings.NewReplacer(
		"http://127.0.0.1:8080", s.url, "https://quern.example", s.url, "QUERN_TOKEN=…", "QUERN_TOKEN="+token,
		// The id to revoke is one that the reader picks from the list above it.
		"revoke ID", `revoke "$(quern token list | awk '$3 == "reports" { print $1 }')"`,
	).Replace(script)
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"), "QUERN_SERVER=" + s.url, "QUERN_TOKEN=" + token}, h.environ[1:]...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the commands end with %v:\n%s", err, out)
	}
	if strings.Contains(string(out), "error_code") {
		t.Errorf("a command gets an error for an answer:\n%s", out)
	}
	return string(out)
}

// checkFirstSteps looks for what README says that its commands print.
func checkFirstSteps(t *testing.T, out string) {
	t.Helper()
	for _, want := range []string{
		`{"data":[{"kind":"container ship","calls":22,"fee":4857},{"kind":"bulk carrier","calls":21,"fee":3451},`,
		"grain  grams  milled\nrye    1250   \noats   80.5   2030-01-31\n", `{"indexed":2}`, `"columnNames":["dish","minutes","grains","baked"]`, "dish,minutes,grains,baked\n", `"username":"bob"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the first steps print no %s:\n%s", want, out)
		}
	}
}

// TestEveryFluentExampleOfTheDocsRuns asks the blocks marked fluent of the sample.
func TestEveryFluentExampleOfTheDocsRuns(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	token := h.must("", "token", "create", "--user", "ada")
	if r := s.call("POST", "/api/v1/links/self/harbour/arrivals", token, ""); r.status >= 300 {
		t.Fatalf("looking for links = %d %s", r.status, r.body)
	}
	found := 0
	for _, file := range pages(t) {
		for _, b := range blocksOf(t, file) {
			if b.language != "fluent" {
				continue
			}
			found++
			r := s.call("POST", "/api/v1/query", token, `{"username":"self","namespace":"harbour","query":`+strconv.Quote(b.text)+`}`)
			if r.status != 200 || strings.Contains(r.body, `"data":[]`) {
				t.Errorf("%s:%d = %d %.500s, want rows", b.file, b.line, r.status, r.body)
			}
		}
	}
	if found == 0 {
		t.Error("no page has a fluent example")
	}
}
