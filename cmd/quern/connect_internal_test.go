package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"quern/client"
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

// TestAServerThatNeverAnsweredIsGivenUpSoon has no server at all, and nobody who said how long to
// wait: the command ends with a sentence that names the server and what to do.
func TestAServerThatNeverAnsweredIsGivenUpSoon(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	started := time.Now()
	code := run(t.Context(), shell{Args: []string{"datasets"}, Out: &out, Err: &errs, Environ: []string{"QUERN_SERVER=http://127.0.0.1:1", "QUERN_TOKEN=t"}})
	if took := time.Since(started); code != exitFailed || took > 2*firstPatience {
		t.Errorf("quern datasets = code %d after %s, want code 1 within %s", code, took, firstPatience)
	}
	const want = "http://127.0.0.1:1 does not answer (connection refused); trying again for up to 3s, Ctrl-C ends that.\n" +
		"quern: there is no answer from http://127.0.0.1:1 (connection refused): " +
		"start a server with 'quern serve', or say where one is with --server or QUERN_SERVER\n"
	if errs.String() != want {
		t.Errorf("quern datasets says %q, want %q", errs.String(), want)
	}
}

// TestAnInterruptIsSaidInAWord interrupts a command that waits for a server.
func TestAnInterruptIsSaidInAWord(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	out, errs := &bytes.Buffer{}, &interrupting{interrupt: cancel}
	code := run(ctx, shell{Args: []string{"datasets"}, Out: out, Err: errs, Environ: []string{"QUERN_SERVER=http://127.0.0.1:1", "QUERN_TOKEN=t"}})
	if _, last, _ := strings.Cut(errs.String(), "\n"); code != exitFailed || last != "quern: interrupted\n" {
		t.Errorf("quern datasets = code %d, %q; want code 1 and that it was interrupted", code, errs.String())
	}
}

// interrupting is an output that somebody interrupts the program at.
type interrupting struct {
	bytes.Buffer
	interrupt func()
}

func (i *interrupting) Write(p []byte) (int, error) {
	defer i.interrupt()
	return i.Buffer.Write(p)
}

func TestNetworkFailuresAreSaidInWords(t *testing.T) {
	t.Parallel()
	failed := func(err error) error {
		return &url.Error{Op: "Get", URL: "https://quern.example/api/v1/data?secret=1", Err: err}
	}
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	for want, err := range map[string]error{
		"there is no answer from https://quern.example (connection refused)":                                                                                       failed(refused),
		"sent 3 bytes: there is no answer from https://quern.example (connection refused)":                                                                         fmt.Errorf("sent 3 bytes: %w", failed(refused)),
		"there is no answer from https://quern.example (the connection was cut)":                                                                                   failed(io.EOF),
		"there is no answer from https://quern.example (it took too long)":                                                                                         failed(context.DeadlineExceeded),
		"there is no answer from https://quern.example (there is no host quern.example)":                                                                           failed(&net.DNSError{Name: "quern.example", IsNotFound: true}),
		"there is no answer from https://quern.example (connection refused): start a server with 'quern serve', or say where one is with --server or QUERN_SERVER": &client.UnreachedError{Err: failed(refused)},
		"interrupted": errors.Join(context.Canceled, failed(refused)),
	} {
		if got := explain(err); got != want {
			t.Errorf("explain(%v) = %q, want %q", err, got, want)
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
