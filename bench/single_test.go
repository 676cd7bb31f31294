package bench_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"quern/store/storetest"
)

// BenchmarkSingleRows has 16 writers send rows one by one, each a request that is answered
// when it is durable, into one dataset and into 16, on both databases.
func BenchmarkSingleRows(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { singleRows(b, "SQLite") })
	b.Run("postgres", func(b *testing.B) {
		if os.Getenv("QUERN_TEST_POSTGRES_URL") == "" {
			b.Fatal("QUERN_TEST_POSTGRES_URL is not set: run `make bench`, or `test/with-postgres go test -bench SingleRows ./bench`")
		}
		singleRows(b, "PostgreSQL", "QUERN_DATABASE_URL="+storetest.Postgres(b).URL)
	})
}

// singleTime is for how long rows are sent.
const singleTime = 20 * time.Second

func singleRows(b *testing.B, database string, environ ...string) {
	const writers = 16
	s := newHome(b, environ...).serve()
	for _, datasets := range []int{1, writers} {
		_, lines := body(rand.New(rand.NewPCG(5, 6)), 0, 1000)
		names := make([]string, datasets)
		for i := range names {
			names[i] = fmt.Sprintf("single%d_%d", datasets, i)
			s.ingest(names[i], []byte(`{"data":[`+firstLine(lines)+`]}`))
		}
		processor, start := s.processor(), time.Now()
		times := s.sendEach(names, slices.Collect(strings.Lines(string(lines))), writers, singleTime/time.Duration(*shrink))
		took, rows := time.Since(start), len(times)
		processor = s.processor() - processor
		into := "one dataset"
		if datasets > 1 {
			into = fmt.Sprintf("%d datasets", datasets)
		}
		slices.Sort(times)
		p99 := times[rows*99/100]
		record(b, result{What: fmt.Sprintf("ingests of a row, %d writers into %s, %s", writers, into, database),
			Quern: fmt.Sprintf("%d in %s", rows, seconds(took)),
			Other: fmt.Sprintf("%.2f ms of processor each", processor.Seconds()*1000/float64(rows)),
			Value: float64(rows) / took.Seconds(), Unit: "a second", Aim: 1000, AtLeast: true})
		record(b, result{What: fmt.Sprintf("99 of 100 of these, %s, %s", into, database),
			Quern: millis(p99), Other: millis(times[rows/2]) + ", median", Value: p99.Seconds() * 1000, Unit: "ms", Aim: 50})
		s.checkCount(names, rows+datasets)
	}
}

func firstLine(lines []byte) string {
	line, _, _ := bytes.Cut(lines, []byte{'\n'})
	return string(line)
}

// newClient makes a client that keeps a connection for each writer.
func newClient(writers int) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: writers}}
}

// sendEach has writers send rows, each as a request of its own, for a while, and returns how
// long each took.
func (s *server) sendEach(datasets, rows []string, writers int, limit time.Duration) []time.Duration {
	client := newClient(writers)
	defer client.CloseIdleConnections()
	return slices.Concat(during(writers, limit, func(w, turn int) {
		s.sendRow(client, datasets[w%len(datasets)], rows[(w+turn)%len(rows)])
	})...)
}

func (s *server) sendRow(client *http.Client, dataset, row string) {
	req, err := http.NewRequest("POST", s.url+"/api/v1/ingest/bench/"+dataset, strings.NewReader(`{"data":[`+row+`]}`))
	if err != nil {
		s.b.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		s.b.Error(err)
		return
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || string(bytes.TrimSpace(text)) != `{"indexed":1}` {
		s.b.Errorf("ingest of a row = %d %s, %v", res.StatusCode, text, err)
	}
}

// checkCount fails unless the datasets have so many rows together.
func (s *server) checkCount(datasets []string, rows int) {
	var parts []string
	for _, d := range datasets {
		parts = append(parts, "SELECT count(*) AS n FROM "+d)
	}
	got := s.query("SELECT sum(n) AS n FROM (" + strings.Join(parts, " UNION ALL ") + ")")
	if !strings.Contains(got, fmt.Sprintf(`"n":%d`, rows)) {
		s.b.Errorf("rows after single ingests = %s, want %d", got, rows)
	}
}
