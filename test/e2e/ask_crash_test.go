package e2e_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quern/store/storetest"
)

const (
	askers    = 20
	askedEach = 6 // questions of one asker, one after the other
)

// Twenty askers follow their questions while the server is killed under them.
// Every run ends once, and what its asker has read in pieces is what is stored.
func TestKillsEndEveryRunOnce(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, h *home) {
		a := newAsking(h)
		a.askAll(3, (*server).kill, func() *server { return h.serve() })
		a.check()
	})
}

// A server that stops ends its streams, hands its runs back and is soon gone.
func TestStopsHandRunsBack(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, h *home) {
		a := newAsking(h)
		a.askAll(2, func(s *server) {
			began := time.Now()
			s.stop()
			if took := time.Since(began); took > 45*time.Second {
				t.Errorf("stopping took %v", took)
			}
		}, func() *server { return h.serve() })
		a.check()
	})
}

// TestAnotherServerTakesRunsUp kills one of two servers, for good.
func TestAnotherServerTakesRunsUp(t *testing.T) {
	t.Parallel()
	database := "QUERN_DATABASE_URL=" + storetest.Postgres(t).URL
	h, other := newHome(t, database), newHome(t, database)
	a := newAsking(h)
	// Few at a time, so that runs wait when the server is killed.
	other.environ = append(other.environ, "QUERN_RUN_PER_USER=1000", "QUERN_RUN_WORKERS=2")
	second := other.serve()
	var killed time.Time
	a.askAll(1, func(s *server) { killed = time.Now(); s.kill() }, func() *server { return second })
	a.check()
	if a.outlived.IsZero() {
		t.Fatal("no run was under way at the kill")
	}
	t.Logf("the last of the runs that were under way ended %v after the kill", a.outlived.Sub(killed).Round(time.Millisecond))
}

// asking is a crowd of askers and the server that they ask at the moment.
type asking struct {
	t     *testing.T
	token string
	http  *http.Client

	mu       sync.Mutex
	now      generation
	plans    int           // that have been read so far
	planned  chan struct{} // closed and replaced at each
	read     map[string][]string
	outlived time.Time // when the last run that lost its server had been read to its end
}

func newAsking(h *home) *asking {
	h.t.Helper()
	h.environ = append(h.environ, "QUERN_RUN_PER_USER=1000", "QUERN_RUN_WORKERS=2")
	h.must("", "user", "add", "ada", "--generate")
	a := &asking{
		t: h.t, token: h.must("", "token", "create", "--user", "ada"), planned: make(chan struct{}), read: map[string][]string{},
		http: &http.Client{Transport: checked.Over(&http.Transport{MaxIdleConnsPerHost: askers}), Timeout: patience},
	}
	a.now = generation{h.serve(), make(chan struct{})}
	if r := a.now.server.call("POST", "/api/v1/ingest/new/ns/ships", a.token, ""); r.status != 201 {
		h.t.Fatalf("creating a dataset = %d %s, want 201", r.status, r.body)
	}
	return a
}

func (a *asking) generation() generation {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now
}

// askAll lets all ask, and ends the server some times: when some more plans have
// been read, so each time with runs under way. restart returns the server after it.
func (a *asking) askAll(ends int, end func(*server), restart func() *server) {
	var all sync.WaitGroup
	for range askers {
		all.Go(func() {
			for n := range askedEach {
				a.ask([]string{"What data are there?", "How many ships are there?"}[n%2])
			}
		})
	}
	for n := range ends {
		a.awaitPlans((n + 1) * askers * askedEach / (ends + 2))
		old := a.generation()
		end(old.server)
		next := generation{restart(), make(chan struct{})}
		a.mu.Lock()
		a.now = next
		a.mu.Unlock()
		close(old.over)
	}
	all.Wait()
}

// awaitPlans waits until the askers have read so many plans.
func (a *asking) awaitPlans(n int) {
	deadline := time.After(patience)
	for {
		a.mu.Lock()
		plans, planned := a.plans, a.planned
		a.mu.Unlock()
		if plans >= n {
			return
		}
		select {
		case <-planned:
		case <-deadline:
			a.t.Errorf("%d plans were read, want %d", plans, n)
			return
		}
	}
}

// ask asks a question and reads its run to the end, from whichever server there
// is. A question whose first event got lost is asked again: nobody knows whether
// it was stored.
func (a *asking) ask(question string) {
	var events []string
	id := ""
	for tries := 0; tries < 100; tries++ {
		at := a.generation()
		method, path, body := "POST", "/query/ask", `{"username":"self","namespace":"ns","query":"`+question+`"}`
		if id != "" {
			method, path, body = "GET", "/query/runs/"+id+"/events", ""
		}
		more := a.stream(at.server, method, path, body, len(events))
		events = append(events, more...)
		if len(events) > 0 && id == "" {
			id = runOf(a.t, events[0])
		}
		if n := len(events); n > 0 && final(events[n-1]) {
			a.mu.Lock()
			a.read[id] = events
			if method == "GET" {
				a.outlived = time.Now()
			}
			a.mu.Unlock()
			return
		}
		select {
		case <-at.over:
		case <-time.After(patience):
			a.t.Errorf("the stream of run %q ended after %v at a server that was not killed", id, events)
			return
		}
	}
}

// stream reads events until the stream ends, in whichever way.
func (a *asking) stream(s *server, method, path, body string, after int) (events []string) {
	req, err := http.NewRequestWithContext(a.t.Context(), method, s.url+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		a.t.Error(err)
		return nil
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	req.Header.Set("Last-Event-ID", strconv.Itoa(after))
	res, err := a.http.Do(req)
	if err != nil {
		return nil // the server is gone
	}
	defer res.Body.Close()
	if res.StatusCode == 503 {
		return nil // the server stops
	}
	if res.StatusCode != 200 {
		a.t.Errorf("%s %s = %d, want a stream", method, path, res.StatusCode)
		return nil
	}
	lines, event := bufio.NewScanner(res.Body), ""
	for lines.Scan() {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, ":"):
		case line != "":
			event += line + "\n"
		case event != "":
			events = append(events, event)
			if strings.Contains(event, "\nevent: plan\n") {
				a.countPlan()
			}
			event = ""
		}
	}
	return events
}

func (a *asking) countPlan() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.plans++
	close(a.planned)
	a.planned = make(chan struct{})
}

func final(event string) bool {
	return strings.Contains(event, "\nevent: answer\n") || strings.Contains(event, "\nevent: error\n")
}

func runOf(t *testing.T, event string) string {
	_, data, _ := strings.Cut(event, "data: ")
	var begun struct{ RunID string }
	if err := json.Unmarshal([]byte(data), &begun); err != nil || begun.RunID == "" {
		t.Errorf("the first event is %q (%v), want one with a run", event, err)
	}
	return begun.RunID
}

// check holds what was read in pieces against what is stored, and every run that
// there is against how runs end.
func (a *asking) check() {
	s := a.generation().server
	for id, read := range a.read {
		if stored := a.stream(s, "GET", "/query/runs/"+id+"/events", "", 0); strings.Join(read, "") != strings.Join(stored, "") {
			a.t.Errorf("run %s was read as\n%s\nand is stored as\n%s", id, read, stored)
		}
	}
	if len(a.read) != askers*askedEach {
		a.t.Errorf("%d runs were read to the end, want %d", len(a.read), askers*askedEach)
	}
	runs := 0
	for cursor := ""; ; {
		var page struct {
			Conversations []struct{ ID string }
			NextCursor    string
		}
		a.get(s, "/query/conversations?limit=100&cursor="+cursor, &page)
		for _, c := range page.Conversations {
			var talk struct {
				Turns []struct{ RunID, Status string }
			}
			a.get(s, "/query/conversations/"+c.ID, &talk)
			for _, turn := range talk.Turns {
				runs++
				a.checkRun(s, turn.RunID)
			}
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	a.t.Logf("%d runs ended, %d of them nobody heard of", runs, runs-len(a.read))
}

func (a *asking) get(s *server, path string, into any) {
	r := s.call("GET", "/api/v1"+path, a.token, "")
	if err := json.Unmarshal([]byte(r.body), into); err != nil || r.status != 200 {
		a.t.Errorf("GET %s = %d %s, want 200", path, r.status, r.body)
	}
}

// checkRun follows a run to its end and wants its events numbered without gaps,
// none of them twice, and one at the end that says what its status says.
func (a *asking) checkRun(s *server, id string) {
	events := a.stream(s, "GET", "/query/runs/"+id+"/events", "", 0)
	seen := map[string]bool{}
	for i, e := range events {
		number, rest, _ := strings.Cut(e, "\n")
		if number != fmt.Sprintf("id: %d", i+1) || seen[rest] || final(e) != (i == len(events)-1) {
			a.t.Errorf("run %s: event %d is %q among %v, want each once, in order, and one end", id, i+1, e, events)
		}
		seen[rest] = true
	}
	var run struct{ Status, Question string }
	a.get(s, "/query/runs/"+id, &run)
	answered := len(events) > 0 && strings.Contains(events[len(events)-1], "\nevent: answer\n")
	if answered != (run.Status == "completed") || run.Question == "What data are there?" && !answered {
		a.t.Errorf("run %s (%s) is %s after %v, want it answered", id, run.Question, run.Status, events)
	}
}
