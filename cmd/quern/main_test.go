package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/client"
)

// result is what a command line gave.
type result struct {
	code     int
	out, err string
}

// in returns a function that runs command lines in one data directory.
func in(t *testing.T, environ ...string) func(stdin string, args ...string) result {
	t.Helper()
	environ = append(environ, "QUERN_DATA="+filepath.Join(t.TempDir(), "data"))
	return func(stdin string, args ...string) result {
		var out, errs bytes.Buffer
		code := run(t.Context(), shell{Args: args, In: strings.NewReader(stdin), Out: &out, Err: &errs, Environ: environ})
		return result{code, out.String(), errs.String()}
	}
}

func TestUsageIsExplained(t *testing.T) {
	t.Parallel()
	quern := in(t)
	for _, tt := range []struct{ line, want string }{
		{"nonsense", `there is no command "nonsense"`},
		{"user nonsense", `there is no command "nonsense"`},
		{"qury", `there is no command "qury"; did you mean 'quern query'?`},
		{"user lst", `there is no command "lst"; did you mean 'quern user list'?`},
		{"user add", "the user's name is missing"},
		{"user add ada eve", `"eve" is one word too many`},
		{"user list ada", `"ada" is one word too many`},
		{"serve --nonsense", "unknown flag: --nonsense"},
		{"token create", "--user is missing"},
		{"token create --user ada --expires soon", `--expires "soon" is none of`},
		{"token create --user ada --restrict a/b/c/d", `--restrict "a/b/c/d" is none of`},
		{"token create --user ada --restrict a/", "names no dataset behind the slash"},
		{"token revoke", "the token's id is missing"},
		{"upload --to bad.name/x f.csv", `"bad.name" cannot name a namespace`},
		{"upload --to shop/-x f.csv", `"-x" cannot name a dataset`},
		{"upload --to shop/x --on-error skip f.csv", `--on-error "skip" is none of`},
		{"upload --to shop/x --list lines f.json", `--list "lines" is not of the form list=dataset`},
		{"upload --to shop/x --list lines=a,lines=b f.json", `--list names "lines" twice`},
		{"upload --to shop/x --list lines=a.b f.json", `--list "a.b" cannot name a dataset`},
		{"upload --list lines=a f.json", "--list needs --to"},
		{"ask", "--namespace is missing"},
		{"ask how many", "--namespace is missing"},
		{"ask -n harbour how many", "there is no token"},
		{"backup nonsense", `there is no command "nonsense"`},
		{"ready http://one http://two", `"http://two" is one word too many`},
		{"backup create", "--to is missing"},
		{"backup list", "--from is missing"},
		{"backup restore one two --from x", `"two" is one word too many`},
		{"config --query-rows none", `--query-rows: "none" is not a whole number`},
	} {
		r := quern("", strings.Fields(tt.line)...)
		if r.code != exitUsage || !strings.Contains(r.err, tt.want) || r.out != "" {
			t.Errorf("quern %s = %+v, want code 2 and %q", tt.line, r, tt.want)
		}
	}
}

func TestHelpIsNoFailure(t *testing.T) {
	t.Parallel()
	quern := in(t)
	for _, line := range []string{"", "--help", "help serve", "user", "user add --help", "token", "serve --help", "config --help"} {
		if r := quern("", strings.Fields(line)...); r.code != exitDone || !strings.Contains(r.out, "Usage:") || r.err != "" {
			t.Errorf("quern %s = %+v, want code 0 and help", line, r)
		}
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	quern := in(t)
	if r := quern("a good password", "user", "add", "self"); r.code != exitFailed || strings.Count(r.err, "must be") != 1 {
		t.Errorf("user add self = %+v, want the reason once", r)
	}
	if r := quern("", "user", "list"); r.code != exitDone || strings.Count(r.out, "\n") != 1 {
		t.Errorf("user list of nobody = %+v, want a heading", r)
	}
	if r := quern("a good password\n", "user", "add", "Ada"); r.code != exitDone || r.out != "" || r.err != "user ada added\n" {
		t.Errorf("user add = %+v, want success and nothing on standard output", r)
	}
	if r := quern("another password", "user", "add", "ada"); r.code != exitFailed || r.err != "quern: user ada exists already\n" {
		t.Errorf("user add twice = %+v, want one readable line", r)
	}
	if r := quern("", "user", "add", "eve"); r.code != exitFailed || !strings.Contains(r.err, "there is no password") {
		t.Errorf("user add without a password = %+v, want a failure", r)
	}
	if r := quern("short", "user", "add", "eve"); r.code != exitFailed || !strings.Contains(r.err, "password") || strings.Contains(r.err, "VALIDATION") {
		t.Errorf("user add with a short password = %+v, want a readable failure", r)
	}
	if r := quern("", "user", "add", "bad name", "--generate"); r.code != exitFailed || r.out != "" || !strings.Contains(r.err, "username") {
		t.Errorf("user add of a bad name = %+v, want a failure", r)
	}
	if r := quern("", "user", "add", "eve", "--generate"); r.code != exitDone || len(strings.TrimSpace(r.out)) != 19 {
		t.Errorf("user add --generate = %+v, want a password and nothing else", r)
	}
	if r := quern("", "user", "passwd", "eve", "--generate"); r.code != exitDone || len(strings.TrimSpace(r.out)) != 19 {
		t.Errorf("user passwd --generate = %+v, want a password and nothing else", r)
	}
	if r := quern("", "user", "disable", "nobody"); r.code != exitFailed || !strings.Contains(r.err, `no user "nobody"`) {
		t.Errorf("user disable of nobody = %+v, want a failure", r)
	}
	if r := quern("", "user", "disable", "eve"); r.code != exitDone || r.err != "user eve disabled\n" {
		t.Errorf("user disable = %+v, want success", r)
	}
	var users []struct {
		Username string
		Disabled bool
	}
	r := quern("", "user", "list", "--json")
	if err := json.Unmarshal([]byte(r.out), &users); err != nil || len(users) != 2 || users[0].Username != "ada" || !users[1].Disabled {
		t.Errorf("user list --json = %v, %v, want ada, and eve disabled", users, err)
	}
	if r := quern("", "token", "create", "--user", "eve"); r.code != exitFailed || !strings.Contains(r.err, "user enable eve") {
		t.Errorf("token create of a disabled user = %+v, want a failure that helps", r)
	}
}

// TestCommandsThatReadMakeNothing holds what runs beside a server to its folder: in
// another one there is nothing to list, and nothing is made there.
func TestCommandsThatReadMakeNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "elsewhere")
	quern := in(t)
	for _, line := range []string{
		"user list", "user list --json", "user disable ada", "user enable ada", "user passwd ada --generate",
		"token list", "token create --user ada", "token revoke 0",
	} {
		r := quern("", append(strings.Fields(line), "--data", dir)...)
		if r.code != exitFailed || r.out != "" || !strings.Contains(r.err, "there is no server's data in "+dir) {
			t.Errorf("quern %s = %+v, want code 1 and that there are no data", line, r)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("quern %s makes %s", line, dir)
		}
	}
}

func TestRowsAreWrittenInTheOrderOfTheQuery(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	answer := client.Result{Columns: []string{"z", "a"}, Rows: [][]json.RawMessage{{json.RawMessage("1"), json.RawMessage(`"x"`)}}, Total: 1}
	if err := printResult(shell{Out: &out}, answer, true); err != nil {
		t.Fatal(err)
	}
	if z, a := strings.Index(out.String(), `"z"`), strings.Index(out.String(), `"a"`); z < 0 || a < z {
		t.Errorf("printResult() = %s, want z before a", out.String())
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	quern := in(t)
	quern("", "user", "add", "ada", "--generate")
	r := quern("", "token", "create", "--user", "ada", "--name", "few", "--expires", "30d", "--restrict", "sales", "--restrict", "eve/crm/people", "--json")
	var made struct {
		ID, Token          string
		ExpiresAt          time.Time
		AccessRestrictedTo []struct{ Username, Namespace, Dataset string }
	}
	if err := json.Unmarshal([]byte(r.out), &made); err != nil || made.Token == "" || len(made.AccessRestrictedTo) != 2 {
		t.Fatalf("token create --json = %+v, %v, want a restricted token", r, err)
	}
	if days := time.Until(made.ExpiresAt).Hours() / 24; days < 29 || days > 31 {
		t.Errorf("expires in %v days, want 30", days)
	}
	r = quern("", "token", "list", "--user", "ada")
	if !strings.Contains(r.out, "ada/sales eve/crm/people") || strings.Contains(r.out, made.Token) {
		t.Errorf("token list = %s, want what the token reaches and no secret", r.out)
	}
	if r := quern("", "token", "create", "--user", "ada", "--expires", "2001-01-01"); r.code != exitFailed || !strings.Contains(r.err, "future") {
		t.Errorf("token create in the past = %+v, want a failure", r)
	}
	if r := quern("", "token", "revoke", strings.ToUpper(made.ID)); r.code != exitDone || r.err != "token "+made.ID+" revoked\n" {
		t.Errorf("token revoke in capitals = %+v, want success", r)
	}
	if r := quern("", "token", "list", "--json"); strings.TrimSpace(r.out) != "[]" {
		t.Errorf("token list after revoking = %s, want []", r.out)
	}
}

func TestConfigShowsValuesAndSources(t *testing.T) {
	t.Parallel()
	quern := in(t, "QUERN_DATABASE_URL=postgres://quern:hunter2@db/quern")
	var settings []settingJSON
	r := quern("", "config", "--query-time", "5s", "--json")
	if err := json.Unmarshal([]byte(r.out), &settings); err != nil || strings.Contains(r.out, "hunter2") {
		t.Fatalf("config --json = %s, %v, want settings without secrets", r.out, err)
	}
	want := map[string]settingJSON{
		"query_time":   {"query_time", "5s", "flag", "--query-time"},
		"database_url": {"database_url", "postgres://quern:********@db/quern", "variable", "QUERN_DATABASE_URL"},
		"listen":       {"listen", "127.0.0.1:8080", "default", ""},
	}
	for _, s := range settings {
		if w, named := want[s.Name]; named && s != w {
			t.Errorf("config: %+v, want %+v", s, w)
		}
	}
	if r := quern("", "config"); r.code != exitDone || !strings.Contains(r.out, "QUERN_DATABASE_URL") || strings.Contains(r.out, "hunter2") {
		t.Errorf("config = %s, want sources and no secrets", r.out)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	quern := in(t)
	if r := quern("", "version"); r.code != exitDone || !strings.HasPrefix(r.out, "quern ") {
		t.Errorf("version = %+v, want one line", r)
	}
	if r := quern("", "version", "--json"); !json.Valid([]byte(r.out)) {
		t.Errorf("version --json = %s, want JSON", r.out)
	}
}

func TestParseExpiry(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"":                     {},
		"12h":                  now.Add(12 * time.Hour),
		"2d":                   now.AddDate(0, 0, 2),
		"2027-01-31":           time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC),
		"2027-01-31T10:00:00Z": time.Date(2027, 1, 31, 10, 0, 0, 0, time.UTC),
	} {
		if got, err := parseExpiry(text, now); err != nil || !got.Equal(want) {
			t.Errorf("parseExpiry(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	err := quern.E(quern.Invalid, quern.CodeInvalid, "two things are wrong").
		With(quern.SubError{Code: "a", Message: "name: is required"}, quern.SubError{Code: "b", Message: "size: is negative"})
	if got, want := explain(err), "two things are wrong\n  name: is required\n  size: is negative"; got != want {
		t.Errorf("explain() = %q, want %q", got, want)
	}
}

func TestTheVersionIsPrintedBothWays(t *testing.T) {
	t.Parallel()
	quern := in(t)
	command, flag := quern("", "version"), quern("", "--version")
	if command.code != exitDone || !strings.HasPrefix(command.out, "quern ") || command != flag {
		t.Errorf("quern version = %+v and quern --version = %+v, want the same line", command, flag)
	}
}

// TestHelpTellsDefaults has what people could not find out before an upload failed.
func TestHelpTellsDefaults(t *testing.T) {
	t.Parallel()
	quern := in(t)
	for line, want := range map[string]string{
		"upload --help":     "sets them aside and stores the others (default fail)",
		"ingestions --help": "what has failed is listed with its dataset",
	} {
		got := quern("", strings.Fields(line)...)
		if text := strings.Join(strings.Fields(got.out), " "); got.code != exitDone || !strings.Contains(text, want) {
			t.Errorf("quern %s = %d %q, want %q", line, got.code, got.out, want)
		}
	}
}
