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
