package a2a_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what is answered into the transcripts")

// A transcript is a file of exchanges. "agents" says what the agents do with
// questions. Each "… > METHOD PATH as USER" is a request, headers first, and the
// file behind it what is answered. Ids and times are written <id1>, <time>; an id
// that was answered may be used in later requests.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	must(t, err)
	if len(files) == 0 {
		t.Fatal("there are no transcripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			script, err := txtar.ParseFile(file)
			must(t, err)
			play(t, script)
			if *update {
				must(t, os.WriteFile(file, txtar.Format(script), 0o600))
			}
		})
	}
}

// play sends the requests of a transcript and compares the answers, or puts them
// in.
func play(t *testing.T, transcript *txtar.Archive) {
	t.Helper()
	h := newHouse(t)
	ids := &names{known: map[string]string{}}
	var played []txtar.File
	for i, f := range transcript.Files {
		method, path, user, isRequest := parseRequest(f.Name)
		switch {
		case f.Name == "agents":
			all := map[string]*script{}
			must(t, json.Unmarshal(f.Data, &all))
			for question, do := range all {
				h.scripts.set(question, do)
			}
			played = append(played, f)
		case isRequest:
			got := strings.ReplaceAll(ids.mask(exchange(t, h, method, ids.fill(path), user, ids.fill(string(f.Data)))), h.url, "http://quern.example")
			want := ""
			if i+1 < len(transcript.Files) {
				want = string(transcript.Files[i+1].Data)
			}
			if !*update && got != want {
				t.Errorf("%s:\n%s\nwant\n%s", f.Name, got, want)
			}
			played = append(played, f, txtar.File{Name: strings.Fields(f.Name)[0] + " <", Data: []byte(got)})
		}
	}
	transcript.Files = played
}

var requestName = regexp.MustCompile(`^\S+ > (\S+) (\S*) as (\S+)$`)

func parseRequest(name string) (method, path, user string, ok bool) {
	m := requestName.FindStringSubmatch(name)
	if m == nil {
		return "", "", "", false
	}
	if m[3] == "nobody" {
		m[3] = ""
	}
	return m[1], strings.TrimPrefix(m[2], "/a2a"), m[3], true
}

// shownHeaders are those that clients act on.
var shownHeaders = []string{"Content-Type", "Cache-Control", "WWW-Authenticate", "Retry-After", "Allow"}

func exchange(t *testing.T, h *house, method, path, user, body string) string {
	t.Helper()
	a := h.send(method, path, user, strings.TrimSpace(body))
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n", a.status)
	for _, name := range shownHeaders {
		if value := a.header.Get(name); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	b.WriteString("\n")
	for line := range strings.Lines(a.body) {
		data, isEvent := strings.CutPrefix(line, "data: ")
		if isEvent {
			b.WriteString("data: ")
		}
		var v any
		if json.Unmarshal([]byte(data), &v) != nil {
			b.WriteString(line)
			continue
		}
		var text bytes.Buffer
		must(t, json.Indent(&text, []byte(strings.TrimSpace(data)), "", "  "))
		b.WriteString(text.String() + "\n")
	}
	return b.String()
}

// names gives ids names in the order in which they are first seen.
type names struct{ known map[string]string }

var (
	idPattern     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	timePattern   = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	namePattern   = regexp.MustCompile(`<id\d+>`)
	cursorPattern = regexp.MustCompile(`"\d{16}\.<id\d+>"`)
)

func (n *names) mask(text string) string {
	text = idPattern.ReplaceAllStringFunc(text, func(id string) string {
		if n.known[id] == "" {
			n.known[id] = fmt.Sprintf("<id%d>", len(n.known)+1)
		}
		return n.known[id]
	})
	return cursorPattern.ReplaceAllString(timePattern.ReplaceAllString(text, "<time>"), `"<cursor>"`)
}

func (n *names) fill(text string) string {
	return namePattern.ReplaceAllStringFunc(text, func(name string) string {
		for id, known := range n.known {
			if known == name {
				return id
			}
		}
		return name
	})
}
