package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The commands that look at datasets and change who may see them.
func TestDatasetsFromTheCommandLine(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	h.must("", "user", "add", "bob", "--generate")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	bobs := strings.TrimSpace(h.must("", "token", "create", "--user", "bob"))
	h.environ = append(h.environ, "QUERN_SERVER="+s.checkedURL(), "QUERN_TOKEN="+token)
	says := func(want string, args ...string) {
		t.Helper()
		if r := h.run("", args...); r.code != 0 || !strings.Contains(r.out+r.err, want) {
			t.Errorf("quern %v = %+v, want %q", args, r, want)
		}
	}
	says("ships     harbour    ada    owner", "datasets")
	says("ships     harbour    ada    owner", "datasets", "-n", "ada/harbour")
	says("ada/harbour/ships: 12 rows", "describe", "harbour/ships")
	says("length_m  double", "describe", "ada/harbour/ships")
	says(`"rowCount": 12`, "describe", "harbour/ships", "--json")
	says("Ariadne,Greece,bulk carrier", "export", "harbour/ships")
	file := filepath.Join(t.TempDir(), "ships.ndjson")
	says("written to", "export", "harbour/ships", "--format", "ndjson", "-o", file)
	if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), "\n") != 12 {
		t.Errorf("the exported file = %q, %v, want 12 lines", text, err)
	}
	says("bob is now editor", "share", "harbour/ships", "bob", "--role", "editor")
	says("bob   editor", "share", "harbour/ships")
	says("bob is now viewer of harbour", "share", "-n", "harbour", "bob")
	says(`"username": "bob"`, "share", "-n", "harbour", "--json")
	if r := h.run("", "share", "ada/harbour/ships", "--token", bobs); r.code != 1 || !strings.Contains(r.err, "does not allow it") {
		t.Errorf("quern share by who is not the owner = %+v, want a refusal", r)
	}
	says("ships     harbour    ada    editor", "datasets", "--token", bobs)
	says("no longer shared with bob", "share", "harbour/ships", "bob", "--revoke")
	says("no longer shared with bob", "share", "-n", "harbour", "bob", "--revoke")
	if got := h.must("", "datasets", "--json", "--token", bobs); strings.TrimSpace(got) != "[]" {
		t.Errorf("quern datasets of who sees none = %q, want an empty list", got)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"describe", "harbour"}, 2, "is not of the form"},
		{[]string{"describe", "harbour/none"}, 1, "no such dataset"},
		{[]string{"export", "harbour/ships", "--format", "xml"}, 2, `--format "xml" is none of`},
		{[]string{"export", "harbour/none", "-o", filepath.Join(t.TempDir(), "x")}, 1, "no such dataset"},
		{[]string{"export", "harbour/ships", "-o", "/nowhere/x"}, 1, "no such file"},
		{[]string{"share", "harbour/ships", "bob", "--role", "owner"}, 2, `--role "owner" is none of`},
		{[]string{"share", "harbour/ships", "nobody"}, 1, "no such user"},
		{[]string{"share", "harbour/ships", "--revoke"}, 2, "the user is missing"},
		{[]string{"delete", "harbour/ships"}, 2, "say --yes"},
		{[]string{"delete", "harbour/ships", "-n", "harbour"}, 2, "exclude each other"},
		{[]string{"delete", "harbour/ships", "--with-datasets"}, 2, "needs --namespace"},
		{[]string{"delete", "-n", "harbour", "--yes"}, 1, "datasets"},
		{[]string{"ingestions", "harbour/ships", "--limit", "0"}, 2, "--limit"},
		{[]string{"conversations", "show", "none"}, 1, "no such"},
	} {
		if r := h.run("", c.args...); r.code != c.code || !strings.Contains(r.err, c.says) {
			t.Errorf("quern %v = %+v, want code %d and %q", c.args, r, c.code, c.says)
		}
	}
	says("dataset harbour/ships deleted", "delete", "harbour/ships", "--yes")
	says("namespace harbour deleted", "delete", "-n", "harbour", "--with-datasets", "--yes")
}

// The commands about work that goes on at the server.
func TestIngestionsAndConversationsFromTheCommandLine(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	h.environ = append(h.environ, "QUERN_SERVER="+s.checkedURL(), "QUERN_TOKEN="+token)
	file := filepath.Join(t.TempDir(), "tides.csv")
	if err := os.WriteFile(file, []byte("day,height\n1,2.5\n2,3.5,too much\n3,1.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.must("", "upload", file, "--to", "harbour/tides", "--on-error", "quarantine")
	var made []struct {
		ID, Status string
		Attributes struct{ RejectedRows int }
	}
	if err := json.Unmarshal([]byte(h.must("", "ingestions", "harbour/tides", "--json")), &made); err != nil || len(made) != 1 {
		t.Fatalf("quern ingestions = %+v, %v, want one", made, err)
	}
	if made[0].Status != "completed" || made[0].Attributes.RejectedRows != 1 {
		t.Errorf("quern ingestions = %+v, want it completed but for a row", made)
	}
	if got := h.must("", "ingestions", "harbour/tides"); !strings.Contains(got, made[0].ID) || !strings.Contains(got, "tides.csv") {
		t.Errorf("quern ingestions = %q, want the one of tides.csv", got)
	}
	if got := h.must("", "ingestions"); strings.Contains(got, made[0].ID) {
		t.Errorf("quern ingestions = %q, want none under way", got)
	}
	if got := h.must("", "ingestions", "show", made[0].ID, "--follow"); !strings.Contains(got, "tides    2     csv") {
		t.Errorf("quern ingestions show = %q, want the table that was found", got)
	}
	if got := h.must("", "ingestions", "rejected", made[0].ID); !strings.Contains(got, "too much") {
		t.Errorf("quern ingestions rejected = %q, want the row", got)
	}
	for _, verb := range []string{"cancel", "retry"} {
		if r := h.run("", "ingestions", verb, made[0].ID); r.code != 1 || !strings.HasPrefix(r.err, "quern: ") {
			t.Errorf("quern ingestions %s of what is completed = %+v, want a refusal", verb, r)
		}
	}

	var asked struct{ ConversationID string }
	if err := json.Unmarshal([]byte(h.must("", "ask", "--json", "-n", "harbour", "how many ships are there?")), &asked); err != nil {
		t.Fatal(err)
	}
	id := asked.ConversationID
	h.must("", "conversations", "rename", id, "Ships\tand more")
	if got := h.must("", "conversations", "-n", "harbour"); !strings.Contains(got, id) || !strings.Contains(got, "Ships and more") {
		t.Errorf("quern conversations = %q, want it under its new title, without a tab", got)
	}
	if got := h.must("", "conversations", "show", id); !strings.Contains(got, "how many ships are there?\n  SELECT count(*)") || !strings.Contains(got, "There are 12 ships.") {
		t.Errorf("quern conversations show = %q, want question, query and answer", got)
	}
	if r := h.run("", "conversations", "delete", id); r.code != 2 || !strings.Contains(r.err, "--yes") {
		t.Errorf("quern conversations delete without a terminal = %+v, want --yes", r)
	}
	h.must("", "conversations", "delete", id, "--yes")
	if r := h.run("", "conversations", "show", id); r.code != 1 {
		t.Errorf("quern conversations show of a deleted one = %+v, want a failure", r)
	}
}
