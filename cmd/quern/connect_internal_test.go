package main

import (
	"bytes"
	"net"
	"strings"
	"testing"
)

// TestNobodyThereIsSaidAtOnce has no server at all: what is waited for is said
// before it is waited for, once.
func TestNobodyThereIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	listener.Close()
	for _, line := range [][]string{{"query", "-n", "harbour", "select 1"}, {"ask", "-n", "harbour", "how many?"}, {"a2a", "agents"}} {
		var out, errs bytes.Buffer
		args := append(line, "--patience", "500ms")
		code := run(t.Context(), shell{Args: args, Out: &out, Err: &errs, Environ: []string{"QUERN_SERVER=" + address, "QUERN_TOKEN=t"}})
		said, last, _ := strings.Cut(errs.String(), "\n")
		if want := address + " does not answer ("; code != exitFailed || !strings.HasPrefix(said, want) || !strings.Contains(said, "connection refused); trying again for up to 500ms") {
			t.Errorf("quern %v = code %d, %q, want code 1 and first %q", line, code, errs.String(), want)
		}
		if strings.Count(errs.String(), "does not answer") != 1 || !strings.HasPrefix(last, "quern: ") {
			t.Errorf("quern %v says %q, want the reason once and then the failure", line, errs.String())
		}
	}
}

func TestRowsAreCounted(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 rows", 1: "1 row", 2: "2 rows"} {
		if got := rowCount(n); got != want {
			t.Errorf("rowCount(%d) = %q, want %q", n, got, want)
		}
	}
}
