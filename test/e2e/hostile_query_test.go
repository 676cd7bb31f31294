package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// endless is a pattern that no matcher that goes back and forth gets through.
const endless = "%x%x%x%x%x%x%x%x%x%x%x%x%x%x%y"

// queryBody is the body of a query.
func queryBody(t *testing.T, namespace, query string) string {
	t.Helper()
	text, err := json.Marshal(map[string]string{"username": strings.Split(namespace, "/")[0], "namespace": strings.Split(namespace, "/")[1], "query": query})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// attacked is a server with a dataset to attack and two users.
func attacked(t *testing.T, environ ...string) (s *server, eve, bob string) {
	t.Helper()
	h := newHome(t, environ...)
	for _, user := range []string{"eve", "bob"} {
		h.must("", "user", "add", user, "--generate")
	}
	eve, bob = h.must("", "token", "create", "--user", "eve"), h.must("", "token", "create", "--user", "bob")
	s = h.serve()
	for _, token := range []string{eve, bob} {
		if r := s.call("POST", "/api/v1/ingest/new/lab/texts", token, ""); r.status != 201 {
			t.Fatalf("creating a dataset = %d %s, want 201", r.status, r.body)
		}
		row := fmt.Sprintf(`{"data":[{"s":"%s","p":"%s"}]}`, strings.Repeat("x", 60), endless)
		if r := s.call("POST", "/api/v1/ingest/lab/texts", token, row); r.status != 200 {
			t.Fatalf("ingest = %d %s, want 200", r.status, r.body)
		}
	}
	return s, eve, bob
}

// TestPatternsThatNeverEnd attacks a server with queries that nothing inside it
// can interrupt: each ends at its time, and others do not notice.
func TestPatternsThatNeverEnd(t *testing.T) {
	t.Parallel()
	s, eve, bob := attacked(t, "QUERN_QUERY_TIME=4s")
	attacks := []string{
		"select s ilike '" + endless + "' from texts",
		"select s ~~* p from texts",
		"select s like '" + strings.ReplaceAll(endless, "x", "_") + "' from texts",
		"select s ilike p from texts",
		"select ilike_escape(s, p, '$') from texts",
		"select like_escape(s, '" + strings.ReplaceAll(endless, "x", "_") + "', '$') from texts",
		`Ontology("texts").filter(likeIgnoreCase(s, "` + endless + `"))`,
	}
	var all sync.WaitGroup
	for _, query := range attacks {
		all.Go(func() {
			if r := s.call("POST", "/api/v1/query", eve, queryBody(t, "eve/lab", query)); r.status != http.StatusGatewayTimeout || !strings.Contains(r.body, "TIMEOUT") {
				t.Errorf("POST /query %s = %d %s, want 504 TIMEOUT", query, r.status, r.body)
			}
		})
	}
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	asked := 0
	for ended := false; !ended; asked++ {
		select {
		case <-done:
			ended = true
		default:
		}
		if r := s.call("POST", "/api/v1/query", bob, queryBody(t, "bob/lab", "select count(*) as n from texts")); r.status != 200 {
			t.Errorf("another user's query = %d %s, want 200", r.status, r.body)
		}
		if r := s.call("GET", "/readyz", "", ""); r.status != 200 {
			t.Errorf("GET /readyz = %d %s, want 200", r.status, r.body)
		}
	}
	t.Logf("%d attacks beside %d queries of another user", len(attacks), asked)
	s.stop()
}

// TestAStopDoesNotWaitForPatterns stops a server whose queries never end: they get
// the time that a stop gives to what is in flight, and no more.
func TestAStopDoesNotWaitForPatterns(t *testing.T) {
	t.Parallel()
	s, eve, _ := attacked(t, "QUERN_QUERY_TIME=1h", "QUERN_DRAIN_TIMEOUT=1s")
	for range 4 {
		go func() {
			// The answer is lost with the server.
			req, err := http.NewRequest(http.MethodPost, s.url+"/api/v1/query", strings.NewReader(queryBody(t, "eve/lab", "select s ilike p from texts")))
			if err != nil {
				return
			}
			req.Header.Set("Authorization", "Bearer "+eve)
			req.Header.Set("Content-Type", "application/json")
			if res, err := http.DefaultClient.Do(req); err == nil {
				res.Body.Close()
			}
		}()
	}
	s.stop()
}
