package bench_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// asked is how one question went.
type asked struct {
	first, whole time.Duration // to its first event, and to its last
	answered     bool
}

// ask asks a question and reads its stream, whose events must come in order and
// end with one that ends the run.
func (s *server) ask(question string) (a asked) {
	body := `{"username":"self","namespace":"bench","query":"` + question + `"}`
	req, err := http.NewRequest("POST", s.url+"/api/v1/query/ask", strings.NewReader(body))
	if err != nil {
		s.b.Error(err)
		return a
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	start := time.Now()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.b.Error(err)
		return a
	}
	defer res.Body.Close()
	seq, last := 0, ""
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			if seq++; id != fmt.Sprint(seq) {
				s.b.Errorf("event %s came as number %d", id, seq)
			}
			if seq == 1 {
				a.first = time.Since(start)
			}
		}
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			last = name
		}
	}
	a.whole, a.answered = time.Since(start), last == "answer"
	if err := lines.Err(); err != nil || last != "answer" && last != "error" {
		s.b.Errorf("POST /query/ask = %d, ended after %q (%v), want an end", res.StatusCode, last, err)
	}
	return a
}

// translated asks a question, waits for its answer and returns the query that it was
// answered by.
func (s *server) translated(question string) string {
	s.b.Helper()
	body, err := json.Marshal(map[string]string{"username": "self", "namespace": "bench", "query": question})
	if err != nil {
		s.b.Fatal(err)
	}
	var out bytes.Buffer
	s.call("POST", "/query/autorag", body, &out)
	var answer struct{ Steps []struct{ Query string } }
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil || len(answer.Steps) != 1 || answer.Steps[0].Query == "" {
		s.b.Fatalf("%q = %s, %v, want an answer by one query", question, out.Bytes(), err)
	}
	return answer.Steps[0].Query
}

// burst is how questions went that came at once.
type burst struct {
	first    time.Duration // to the first event, for 99 of 100
	whole    time.Duration // to the last of all
	answered int
}

// askTogether asks a question many times at once.
func (s *server) askTogether(question string, many int) (b burst) {
	var mu sync.Mutex
	var first []time.Duration
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			a := s.ask(question)
			mu.Lock()
			defer mu.Unlock()
			first, b.whole = append(first, a.first), max(b.whole, a.whole)
			if a.answered {
				b.answered++
			}
		})
	}
	all.Wait()
	slices.Sort(first)
	b.first = first[len(first)*99/100]
	return b
}

// BenchmarkAsk asks one question after the other, then five times two hundred at once, each time
// when the server is at rest: of one such round the 99th of 100 is the time of two questions.
func BenchmarkAsk(b *testing.B) {
	const question = "How many ships are there?"
	many := max(200 / *shrink, 2)
	h := newHome(b, "QUERN_RUN_PER_USER=1000")
	s := h.serve()
	s.create("ships")
	s.ingest("ships", []byte(`{"data":[{"name":"Ariadne","draught":7.25},{"name":"Boreas","draught":5.5},{"name":"Calypso","draught":6}]}`))
	s.ask(question)
	s.rest()
	var alone []time.Duration
	for range 30 {
		alone = append(alone, s.ask(question).whole)
	}
	s.rest()
	before, _ := s.memory()
	rounds := []burst{s.askTogether(question, many)}
	_, peak := s.memory()
	for range 4 {
		s.rest()
		rounds = append(rounds, s.askTogether(question, many))
	}
	slices.SortFunc(rounds, func(a, b burst) int { return cmp.Compare(a.first, b.first) })
	middle := rounds[len(rounds)/2]
	record(b, result{
		What:  fmt.Sprintf("first event of %d questions at once, p99", many),
		Quern: fmt.Sprintf("%s; all ended after %s, %d were answered", millis(middle.first), millis(middle.whole), middle.answered),
		Other: millis(median(alone)) + ", one question alone, p50, to its end",
		Value: float64(middle.first) / float64(median(alone)), Unit: "×", Aim: 8,
	})
	record(b, result{
		What:  fmt.Sprintf("memory of %d questions at once", many),
		Quern: fmt.Sprintf("%.0f MiB", peak), Other: fmt.Sprintf("%.0f MiB, idle", before), Value: (peak - before) * 1024 / float64(many), Unit: "KiB each", Aim: 1024,
	})
}
