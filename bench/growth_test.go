//go:build growth

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
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/store"
)

// scale is one thing that grows, and what was measured at its sizes.
type scale struct {
	What     string
	Measured string // when and where
	Sizes    []int
	Lines    []*line
}

// line is one figure over the sizes of a scale.
type line struct {
	Name, Unit string
	Values     []float64
}

// add notes a figure for the size that is being measured.
func (s *scale) add(name, unit string, value float64) {
	for _, l := range s.Lines {
		if l.Name == name {
			l.Values = append(l.Values, value)
			return
		}
	}
	s.Lines = append(s.Lines, &line{name, unit, []float64{value}})
}

// addTime notes how long something takes, the median of some rounds after a first one.
func (s *scale) addTime(name string, fn func()) time.Duration {
	const rounds = 5
	fn()
	var all []time.Duration
	for range rounds {
		start := time.Now()
		fn()
		all = append(all, time.Since(start))
	}
	took := median(all)
	s.add(name, "ms", inMillis(took))
	return took
}

// addBoth notes how long the server takes and DuckDB alone, in turn.
func (s *scale) addBoth(name string, ours, theirs func()) {
	one, other := alternate(9, ours, theirs)
	s.add(name, "ms", inMillis(one))
	s.add(name+", DuckDB alone", "ms", inMillis(other))
}

func inMillis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// tenfold returns the sizes from a first one to a last one, each ten times the one before.
func tenfold(first, last int) (sizes []int) {
	last = max(last / *shrink, first)
	for n := first; n < last; n *= 10 {
		sizes = append(sizes, n)
	}
	return append(sizes, last)
}

// BenchmarkGrowth measures a server while what it holds grows, tenfold at a time, and
// writes what it found into docs/growth.md. Whatever fails, fails the run. What -bench
// leaves out keeps its figures.
func BenchmarkGrowth(b *testing.B) {
	scales := []*scale{
		{What: "rows of a dataset", Sizes: tenfold(1000, 100_000_000)},
		{What: "datasets of a namespace", Sizes: tenfold(10, 10_000)},
		{What: "ingests of a row", Sizes: tenfold(100, 100_000)},
		{What: "users", Sizes: tenfold(1, 1000)},
	}
	for i, grow := range []func(*testing.B, *scale){growRows, growDatasets, growIngests, growUsers} {
		b.Run(strings.ReplaceAll(scales[i].What, " ", "_"), func(b *testing.B) {
			grow(b, scales[i])
			scales[i].Measured = measured()
		})
	}
	if !b.Failed() {
		if err := writeGrowth("../docs", scales); err != nil {
			b.Fatal(err)
		}
	}
}

// growRows asks tables of ever more rows, each in a server of its own.
func growRows(b *testing.B, s *scale) {
	for _, rows := range s.Sizes {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			h := newHome(b, "QUERN_RUN_PER_USER=1000")
			files := parquetFiles(seed(b, h, "orders", rows))
			s.add("on disk", "MiB", sizeOf(b, filepath.Join(h.data, "objects")))
			server, engine := h.serve(), openRaw(b)
			defer server.stop()
			atRest(b)
			s.addBoth("aggregate", func() { server.query(fmt.Sprintf(questions[0].sql, "orders")) },
				func() { engine.run(fmt.Sprintf(questions[0].sql, files)) })
			s.addTime("one row", func() { server.query(fmt.Sprintf(questions[1].sql, "orders")) })
			final := s.addTime("the question's query", func() { server.query("SELECT avg(amount) AS amount FROM orders WHERE active") })
			const question = "What is the average amount of active orders?"
			server.mustAnswer(question) // the first learns the values
			asked := s.addTime("a question", func() { server.mustAnswer(question) })
			s.add("a question less 3 queries", "ms", max(inMillis(asked-3*final), 0.1))
			s.addMemory(server)
		})
	}
}

// atRest waits until what was written is on the disk and the processors have nothing to
// do: a server reads the values of new rows when it starts, and the kernel writes them out.
func atRest(b *testing.B) {
	start := time.Now()
	syscall.Sync()
	for idle, all := processors(b); time.Since(start) < 5*time.Minute; {
		time.Sleep(2 * time.Second)
		lastIdle, lastAll := idle, all
		if idle, all = processors(b); float64(idle-lastIdle) > 0.95*float64(all-lastAll) {
			b.Logf("at rest after %v", time.Since(start).Round(time.Second))
			return
		}
	}
	b.Fatal("the machine did not come to rest within five minutes")
}

// processors returns the time that the machine's processors have spent idle and in all, in ticks.
func processors(b *testing.B) (idle, all uint64) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		b.Fatal(err)
	}
	first, _, _ := strings.Cut(string(stat), "\n")
	for i, word := range strings.Fields(first)[1:] {
		n, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		all += n
		if i == 3 { // waiting for the disk, the one behind it, is work
			idle = n
		}
	}
	return idle, all
}

// mustAnswer asks a question that has to be answered.
func (s *server) mustAnswer(question string) {
	if a := s.ask(question); !a.answered {
		s.b.Errorf("%s was not answered", question)
	}
}

func (s *scale) addMemory(server *server) {
	now, _ := server.memory()
	s.add("memory of the server", "MiB", now)
}

// growDatasets fills a namespace with datasets of a few rows.
func growDatasets(b *testing.B, s *scale) {
	server := newHome(b, "QUERN_RUN_PER_USER=1000").serve()
	defer server.stop()
	made := 0
	for _, datasets := range s.Sizes {
		start, first := time.Now(), made
		for ; made < datasets; made++ {
			_, lines := body(rand.New(rand.NewPCG(7, uint64(made))), 0, 3)
			server.ingest(fmt.Sprintf("orders%d", made), []byte(`{"data":[`+strings.ReplaceAll(strings.TrimSpace(string(lines)), "\n", ",")+`]}`))
		}
		s.add("making one", "ms", time.Since(start).Seconds()*1000/float64(made-first))
		s.addTime("listing all", func() { server.call("GET", "/data/bench?limit=10000", nil, io.Discard) })
		s.addTime("SQL over one", func() { server.query("SELECT sum(amount) AS amount FROM orders3") })
		const question = "What is the average amount of orders3?"
		server.mustAnswer(question)
		s.addTime("a question", func() { server.mustAnswer(question) })
		s.addMemory(server)
	}
}

// growIngests sends rows one by one, by sixteen writers into one dataset.
func growIngests(b *testing.B, s *scale) {
	const writers = 16
	server := newHome(b).serve()
	defer server.stop()
	_, lines := body(rand.New(rand.NewPCG(5, 6)), 0, 1000)
	rows := strings.Split(strings.TrimSpace(string(lines)), "\n")
	server.ingest("single", []byte(`{"data":[`+rows[0]+`]}`))
	sent := 1
	for _, ingests := range s.Sizes {
		start, first := time.Now(), sent
		server.sendUpTo("single", rows, writers, &sent, ingests)
		s.add("one of them", "ms", time.Since(start).Seconds()*1000/float64(sent-first))
		s.addTime("aggregate", func() { server.query(fmt.Sprintf(questions[0].sql, "single")) })
		s.add("the metadata on disk", "MiB", sizeOf(b, filepath.Join(server.data, "quern.db")))
		s.addMemory(server)
	}
	server.checkCount([]string{"single"}, sent)
}

// sendUpTo has writers send rows, one to a request, until so many were sent.
func (s *server) sendUpTo(dataset string, rows []string, writers int, sent *int, most int) {
	client := newClient(writers)
	defer client.CloseIdleConnections()
	var next atomic.Int64
	next.Store(int64(*sent))
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for n := next.Add(1); n <= int64(most); n = next.Add(1) {
				s.sendRow(client, dataset, rows[int(n)%len(rows)])
			}
		})
	}
	all.Wait()
	*sent = most
}

// sizeOf returns the bytes of a file, or of all files in a folder, in MiB.
func sizeOf(b *testing.B, path string) (mib float64) {
	b.Helper()
	err := filepath.WalkDir(path, func(_ string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			mib += float64(info.Size()) / (1 << 20)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return mib
}

// growUsers has ever more users, each with a dataset of its own, which eight of them at a
// time ask.
func growUsers(b *testing.B, s *scale) {
	h := newHome(b)
	var tokens []string
	for _, users := range s.Sizes {
		tokens = append(tokens, addUsers(b, h, len(tokens), users)...)
		running := h.serve()
		start := time.Now()
		running.asEach(tokens, func(as *server) { as.ingest("own", []byte(`{"data":[{"id":1,"name":"one"},{"id":2,"name":"two"}]}`)) })
		s.add("an ingest, of each", "ms", time.Since(start).Seconds()*1000/float64(users))
		start = time.Now()
		running.asEach(tokens, func(as *server) {
			if got := as.query("SELECT count(*) AS n FROM own"); !strings.Contains(got, `"n":`) {
				b.Errorf("a user's query = %s", got)
			}
		})
		s.add("a query, of each", "ms", time.Since(start).Seconds()*1000/float64(users))
		one := running.with(tokens[0])
		s.addTime("listing one's own", func() { one.call("GET", "/data", nil, io.Discard) })
		s.addMemory(running)
		running.stop()
	}
}

// addUsers adds users to an installation whose server does not run, and returns their tokens.
func addUsers(b *testing.B, h *home, from, to int) (tokens []string) {
	b.Helper()
	ctx := context.Background()
	metadata, err := store.Open(ctx, store.Options{File: filepath.Join(h.data, "quern.db")})
	if err != nil {
		b.Fatal(err)
	}
	defer metadata.Close()
	users, err := auth.New(auth.Options{Store: metadata})
	if err != nil {
		b.Fatal(err)
	}
	for n := from; n < to; n++ {
		u, err := users.AddUser(ctx, fmt.Sprintf("user%d", n), quern.NewID[string]())
		if err != nil {
			b.Fatal(err)
		}
		_, token, err := users.CreateToken(ctx, quern.Principal{User: u}, quern.TokenSpec{Name: "growth"})
		if err != nil {
			b.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	return tokens
}

// with is the server as the user of a token sees it.
func (s *server) with(token string) *server {
	h := *s.home
	h.token = token
	other := *s
	other.home = &h
	return &other
}

// asEach does something as each user, eight of them at a time.
func (s *server) asEach(tokens []string, fn func(*server)) {
	turns := make(chan struct{}, 8)
	var all sync.WaitGroup
	for _, token := range tokens {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			fn(s.with(token))
		})
	}
	all.Wait()
}
