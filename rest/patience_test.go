package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"quern/engine/duckdb"
	"quern/rest"
	"quern/store/storetest"
)

// TestSlowReadersKeepNobodyWaiting leaves more exports unread than the engine
// has places for other work.
func TestSlowReadersKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	h := newHouseWith(t, storetest.SQLite(t), duckdb.Options{Concurrency: 2})
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	row := `{"text":"` + strings.Repeat("x", 500) + `"}`
	h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[`+strings.Repeat(row+",", 49_999)+row+`]}`)
	for range 5 {
		resp := h.open("ada", "/data/self/ns/ds/export?format=ndjson")
		defer resp.Body.Close()
	}
	done, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"text":"y"}]}`)
		h.want(200, "ada", "GET", "/data/self/ns/ds/rows?limit=1", "")
		h.rows("ada", "ns", "select count(*) as n from ds")
	}()
	select {
	case <-finished:
	case <-done.Done():
		t.Fatal("five unread exports keep an ingest, a page or a query waiting for 10 s")
	}
}

// TestAQueryPastItsTimeIsAnsweredAsOne asks for a result whose first rows come at
// once and whose end never does.
func TestAQueryPastItsTimeIsAnsweredAsOne(t *testing.T) {
	t.Parallel()
	h := newHouseWith(t, storetest.SQLite(t), duckdb.Options{MaxTime: 2 * time.Second})
	h.want(201, "ada", "POST", "/data/ns", "")
	body, err := json.Marshal(map[string]string{"username": "self", "namespace": "ns", "query": "select r, repeat('x', 100) as p from range(100000000000) t(r)"})
	must(t, err)
	if code := h.want(504, "ada", "POST", "/query", string(body)).failure(t).ErrorCode; code != "TIMEOUT" {
		t.Errorf("a query past its time is %s, want TIMEOUT", code)
	}
}

func TestAFullDiskIsUnavailable(t *testing.T) {
	t.Parallel()
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/", nil)
		rest.WriteError(w, r, fmt.Errorf("ingest: %w", full))
		if w.Code != 503 || w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), full.Error()) {
			t.Errorf("WriteError(%v) = %d %s, want 503 with Retry-After and without the cause", full, w.Code, w.Body)
		}
	}
}
