package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/engine/duckdb"
	"quern/rest"
	"quern/run"
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

// TestAnOpenStreamIsSmall follows one run two hundred times over bare connections.
//
//nolint:paralleltest // it measures the memory of this process, which others would use too
func TestAnOpenStreamIsSmall(t *testing.T) {
	const streams, most = 200, 64 << 10
	h := newHouseAlive(t, storetest.SQLite(t), duckdb.Options{}, rest.DefaultKeepAlive)
	h.haven("ada")
	defer h.reader.hold()()
	p, err := h.auth.As(t.Context(), "ada")
	must(t, err)
	waiting, err := h.runs.Start(t.Context(), p, run.Ask{
		In: quern.NamespacePath{Owner: "ada", Namespace: "harbour"}, Agent: quern.AgentAssistant, Task: quern.Task{Question: "wait: select a from ds"},
	})
	must(t, err)
	<-h.reader.came
	follow := func() {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(h.url, "http://"))
		must(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_, err = fmt.Fprintf(conn, "GET /api/v1/query/runs/%s/events HTTP/1.1\r\nHost: quern\r\nAuthorization: Bearer %s\r\n\r\n", waiting.ID, h.user("ada"))
		must(t, err)
		piece, got := make([]byte, 512), ""
		for !strings.Contains(got, "queryExecuting") {
			n, err := conn.Read(piece)
			must(t, err)
			got += string(piece[:n])
		}
	}
	used := func() uint64 {
		for range 4 {
			runtime.GC() // each halves stacks that are no longer used
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	follow() // so that what all streams share is there
	before := used()
	for range streams {
		follow()
	}
	if each := (used() - before) / streams; each > most {
		t.Errorf("an open stream takes %d bytes, want at most %d", each, most)
	} else {
		t.Logf("an open stream takes %d bytes, both ends together", each)
	}
}
