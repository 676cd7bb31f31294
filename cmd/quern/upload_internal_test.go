package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quern/client"
)

// TestAnIngestionThatIsLostSightOfIsNoFailure has a server that takes the ingestion
// and then cannot be reached: the command is cut off, and says how to go on.
func TestAnIngestionThatIsLostSightOfIsNoFailure(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprint(w, `{"id":"i1"}`)
	}))
	defer server.Close()
	c, err := client.New(client.Options{Server: server.URL, Token: "t", Patience: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	u := uploading{sh: shell{Err: io.Discard}, client: c, to: &client.Dataset{Namespace: "n", Name: "d"}}
	_, err = u.ingest(t.Context(), client.Session{ID: "s"})
	coded, ok := errors.AsType[codedError](err)
	if !ok || coded.code != exitResumable || !strings.Contains(err.Error(), "goes on with the ingestion i1") {
		t.Errorf("ingest() = %v, want code %d and that the server goes on", err, exitResumable)
	}
}

func TestProgressLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		done, total, sent int64
		took              time.Duration
		want              string
	}{
		{0, 0, 0, 0, "100 % ████████████████████████ 0 B of 0 B"},
		{0, 1500, 0, time.Minute, "  0 % ░░░░░░░░░░░░░░░░░░░░░░░░ 0 B of 1.5 kB"},
		{250e6, 500e6, 50e6, 2 * time.Second, " 50 % ████████████░░░░░░░░░░░░ 250.0 MB of 500.0 MB, 25.0 MB/s, 10s left"},
		{5 << 40, 5 << 40, 1, time.Second, "100 % ████████████████████████ 5.5 TB of 5.5 TB"},
	} {
		if got := progressLine(tt.done, tt.total, tt.sent, tt.took); got != tt.want {
			t.Errorf("progressLine(%d, %d) = %q, want %q", tt.done, tt.total, got, tt.want)
		}
	}
}

// TestRowsThatCannotBeReadCanBeSetAside has an ingestion that failed for its rows, and one that
// failed for another reason: only the first is told how the other rows are stored.
func TestRowsThatCannotBeReadCanBeSetAside(t *testing.T) {
	t.Parallel()
	c := standIn(t, map[string]string{
		"GET /api/v1/ingestionTracking/rows/rejected": `{"line":3}` + "\n",
		"GET /api/v1/ingestionTracking/file/rejected": "",
	})
	for _, tt := range []struct{ id, onError, want string }{
		{"rows", "", "bad (ingestion rows; the files are still uploaded)\nno row was stored: --on-error quarantine sets such rows aside and stores the others"},
		{"rows", "fail", "bad (ingestion rows; the files are still uploaded)\nno row was stored: --on-error quarantine sets such rows aside and stores the others"},
		{"rows", "quarantine", "bad (ingestion rows; the files are still uploaded)"},
		{"file", "", "bad (ingestion file; the files are still uploaded)"},
	} {
		u := uploading{client: c, ask: client.IngestRequest{OnError: tt.onError}}
		made := &client.Ingestion{ID: tt.id, Status: "failed", Message: "bad"}
		if err := u.setAside(t.Context(), made, failure(made)); err == nil || err.Error() != tt.want {
			t.Errorf("setAside(%s, %q) = %v, want %q", tt.id, tt.onError, err, tt.want)
		}
	}
	if err := (uploading{client: c}).setAside(t.Context(), &client.Ingestion{ID: "rows", Status: "completed"}, nil); err != nil {
		t.Errorf("setAside() of what was stored = %v, want nil", err)
	}
}

// TestMissingNamesAreTold has another user's namespace that is not to be seen, and one in which a
// dataset is missing.
func TestMissingNamesAreTold(t *testing.T) {
	t.Parallel()
	c := standIn(t, map[string]string{"GET /api/v1/schema/bob/harbour/datasets": `[]`})
	for to, want := range map[string]string{
		"nobody/bad/x":  "there is no namespace nobody/bad that you see; is there such a user, and is it shared with you?",
		"bob/harbour/x": "there is no such dataset: bob/harbour/x",
	} {
		d, err := client.ParseDataset(to)
		if err != nil {
			t.Fatal(err)
		}
		u := uploading{sh: shell{Err: io.Discard}, client: c, to: &d}
		if _, err := u.ingest(t.Context(), client.Session{ID: "s"}); err == nil || err.Error() != want {
			t.Errorf("ingest(%s) = %v, want %q", to, err, want)
		}
	}
}

// standIn is a client of a server that has these answers, and finds nothing else.
func standIn(t *testing.T, answers map[string]string) *client.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.Method+" "+r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(server.Close)
	c, err := client.New(client.Options{Server: server.URL, Token: "t"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
