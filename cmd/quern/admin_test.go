package main

import (
	"strings"
	"testing"
	"time"
)

func TestAdministrators(t *testing.T) {
	t.Parallel()
	quern := in(t)
	quern("", "user", "add", "ada", "--generate")
	for _, c := range []struct {
		args string
		code int
		err  string
	}{
		{"token create --user ada --admin", exitFailed, "quern user grant ada admin"},
		{"user grant ada owner", exitUsage, "there is no role"},
		{"user grant nobody admin", exitFailed, "there is no user"},
		{"user grant ada admin", exitDone, "is an administrator"},
		{"user grant ada admin", exitDone, "is an administrator"},
		{"token create --user ada --admin --restrict sales", exitFailed, "no restriction"},
		{"token create --user ada --admin", exitDone, ""},
		{"user revoke ada admin", exitDone, "is no administrator"},
		{"admin quota ada --bytes many --token t --server http://127.0.0.1:1", exitUsage, "--bytes"},
		{"admin retention --runs soon --token t --server http://127.0.0.1:1", exitUsage, "--runs"},
		{"audit verify /nowhere", exitFailed, "no such file"},
		{"admin delete ada --token t --server http://127.0.0.1:1", exitUsage, "--yes"},
	} {
		if r := quern("", strings.Fields(c.args)...); r.code != c.code || !strings.Contains(r.err, c.err) {
			t.Errorf("%s = %+v, want code %d and %q", c.args, r, c.code, c.err)
		}
	}
}

func TestLives(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"0": 0, "90d": 90 * 24 * time.Hour, "12h": 12 * time.Hour, "-1h": -1} {
		got, err := parseLife(text)
		if wrong := want < 0; wrong != (err != nil) || !wrong && (got < want || got > want+14*24*time.Hour) {
			t.Errorf("parseLife(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}
