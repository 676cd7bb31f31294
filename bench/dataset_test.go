package bench_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quern/catalog"
	"quern/store"
)

// BenchmarkIngest sends a million rows in ten requests, and has DuckDB write
// the same Parquet files from the same rows.
func BenchmarkIngest(b *testing.B) {
	const requests = 10
	per := 100_000 / *shrink
	random := rand.New(rand.NewPCG(1, 2))
	dir := b.TempDir()
	var bodies [][]byte
	for i := range requests {
		request, lines := body(random, i*per, per)
		bodies = append(bodies, request)
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)+".ndjson"), lines, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	s, r := newHome(b).serve(), openRaw(b)
	round := 0
	a := s.race(r, 5, func() {
		dataset := "ingest" + strconv.Itoa(round)
		round++
		s.create(dataset)
		for _, request := range bodies {
			s.ingest(dataset, request)
		}
	}, func() {
		for i := range requests {
			file := filepath.Join(dir, strconv.Itoa(i))
			r.run(fmt.Sprintf("COPY (SELECT * FROM read_ndjson('%s.ndjson', columns = %s)) TO '%s.parquet' %s", file, rawColumns, file, copyOptions))
		}
	}, s.rest)
	record(b, result{What: fmt.Sprintf("ingest %d rows in %d requests", requests*per, requests), Quern: seconds(a.ours),
		Other: seconds(a.theirs) + ", DuckDB", Value: a.ratio(), Unit: "×", Aim: 1.5, Processor: a.processor})
}

// questions are what the tables are asked, with the table's place left open.
var questions = []struct {
	name, sql string
	large     float64 // the most that it may take over many rows, as a multiple
	distant   float64 // the same of rows far away, beside fetching all of them first
}{
	{"aggregate", `SELECT category, count(*) AS n, sum(amount) AS amount, avg(score) AS score, max(quantity) AS most FROM %s GROUP BY category ORDER BY category`, 1.2, 1},
	{"point filter", `SELECT * FROM %s WHERE id = 765`, 1.1, 0.6},
}

// BenchmarkLarge exports a table of ten million rows, and asks it.
func BenchmarkLarge(b *testing.B) {
	rows := 10_000_000 / *shrink
	h := newHome(b)
	files := parquetFiles(seed(b, h, "large", rows))
	b.Run("export", func(b *testing.B) { exportLarge(b, h, rows) })
	b.Run("ask", func(b *testing.B) { askLarge(b, h, rows) })
	b.Run("query", func(b *testing.B) {
		s, r := h.serve(), openRaw(b)
		defer s.stop()
		for _, q := range questions {
			s.query(fmt.Sprintf(q.sql, "large")) // as whoever asks first has workers started
			s.rest()
			a := s.race(r, 31,
				func() { s.query(fmt.Sprintf(q.sql, "large")) },
				func() { r.run(fmt.Sprintf(q.sql, files)) })
			record(b, result{What: fmt.Sprintf("%s over %d rows", q.name, rows), Quern: millis(a.ours),
				Other: millis(a.theirs) + ", DuckDB", Value: a.ratio(), Unit: "×", Aim: q.large, Processor: a.processor})
		}
	})
}

// askLarge asks the same question of a table of many rows and of one of a thousand. What
// it may take is the translator's own time, which the small table shows, and three times
// that of the query that it finds.
func askLarge(b *testing.B, h *home, rows int) {
	const question = "What is the average score by category?"
	little := newHome(b)
	seed(b, little, "large", 1000)
	many, few := h.serve(), little.serve()
	defer many.stop()
	query := many.translated(question)
	if other := few.translated(question); other != query {
		b.Fatalf("%q = %q over many rows and %q over few, want the same query", question, query, other)
	}
	ours, own := alternate(11, func() { many.translated(question) }, func() { few.translated(question) })
	final, _ := alternate(11, func() { many.query(query) }, func() {})
	record(b, result{What: fmt.Sprintf("a question over %d rows", rows), Quern: millis(ours),
		Other: millis(own) + ", over 1000, plus 3 times " + millis(final) + ", its query",
		Value: ours.Seconds() / (own + 3*final).Seconds(), Unit: "×", Aim: 1})
}

func exportLarge(b *testing.B, h *home, rows int) {
	s := h.serve()
	defer s.stop()
	s.query("SELECT count(*) AS n FROM large")
	idle, _ := s.memory()
	s.forgetPeak()
	start := time.Now()
	s.call("GET", "/data/ada/bench/large/export?format=csv", nil, io.Discard)
	took := time.Since(start)
	_, peak := s.memory()
	record(b, result{What: fmt.Sprintf("memory of exporting %d rows as CSV", rows),
		Quern: fmt.Sprintf("%.0f MiB", peak), Other: fmt.Sprintf("%.0f MiB, idle; it took %s", idle, seconds(took)), Value: peak - idle, Unit: "MiB more", Aim: 256})
}

// BenchmarkSmallQuery asks a table of a thousand rows.
func BenchmarkSmallQuery(b *testing.B) {
	h := newHome(b)
	files := parquetFiles(seed(b, h, "small", 1000))
	s, r := h.serve(), openRaw(b)
	for _, q := range questions {
		a := s.race(r, 101,
			func() { s.query(fmt.Sprintf(q.sql, "small")) },
			func() { r.run(fmt.Sprintf(q.sql, files)) })
		record(b, result{What: q.name + " over 1000 rows", Quern: millis(a.ours), Other: millis(a.theirs) + ", DuckDB",
			Value: float64((a.ours - a.theirs).Microseconds()) / 1000, Unit: "ms more", Aim: 1.5, Processor: a.processor})
	}
}

// BenchmarkManyIngests sends rows one by one, and the same rows at once, and
// asks both tables.
func BenchmarkManyIngests(b *testing.B) {
	rows, writers := 10_000 / *shrink, 8
	h := newHome(b, "QUERN_UPKEEP_INTERVAL=1s", "QUERN_MERGE_IDLE=2s")
	s := h.serve()
	s.create("single")
	s.create("whole")
	all, lines := body(rand.New(rand.NewPCG(3, 4)), 0, rows)
	s.ingest("whole", all)
	work := make(chan string, writers)
	var writing sync.WaitGroup
	start := time.Now()
	for range writers {
		writing.Go(func() {
			for line := range work {
				s.ingest("single", []byte(`{"data":[`+line+`]}`))
			}
		})
	}
	for line := range strings.Lines(string(lines)) {
		work <- line
	}
	close(work)
	writing.Wait()
	b.Logf("%d single-row ingests by %d writers took %v", rows, writers, time.Since(start))
	ask := func(dataset string) func() {
		return func() { s.query(fmt.Sprintf(questions[0].sql, dataset)) }
	}
	busy, whole := alternate(5, ask("single"), ask("whole"))
	b.Logf("right after them: %v against %v", busy, whole)
	awaitMerged(b, h)
	single, whole := alternate(31, ask("single"), ask("whole"))
	record(b, result{What: fmt.Sprintf("aggregate after %d ingests of a row, merged", rows), Quern: millis(single),
		Other: millis(whole) + ", one ingest", Value: single.Seconds() / whole.Seconds(), Unit: "×", Aim: 1.5})
}

// awaitMerged waits until no dataset has more than one small segment.
func awaitMerged(b *testing.B, h *home) {
	b.Helper()
	s, err := store.Open(context.Background(), store.Options{File: filepath.Join(h.data, "quern.db")})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	c := catalog.New(catalog.Options{Store: s, Now: time.Now})
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		ids, err := c.Fragmented(context.Background(), 1<<20, 1)
		if err != nil {
			b.Fatal(err)
		}
		if len(ids) == 0 {
			return
		}
		<-tick.C
	}
}
