package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/blob"
	blobfs "quern/blob/fs"
	"quern/catalog"
	"quern/store"
	"quern/store/storetest"
)

const (
	crashWriters  = 16
	crashRequests = 9 // of one writer
	crashKills    = 4
)

// crashSeed repeats what a run wrote and when it killed, as far as the machine
// lets it.
var crashSeed = flag.Uint64("crash.seed", rand.Uint64(), "the seed of the writers and the kills")

// crashSets are the datasets written to. A request goes to one of them.
var crashSets = []string{"odd", "even"}

// Sixteen writers send rows while the server is killed and started again under
// them. A request with a key is sent until it is answered; one without is sent
// once, and may be there or not when no answer came.
func TestKillsLoseNothingAndDoubleNothing(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		h := newHome(t)
		surviveKills(t, h, store.Options{File: filepath.Join(h.data, "quern.db")}, crashBody)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		o := storetest.Postgres(t)
		surviveKills(t, newHome(t, "QUERN_DATABASE_URL="+o.URL), o, crashBody)
	})
}

// The same with rows that all fit the columns that there are, which the journal takes.
func TestKillsLoseNothingOfTheJournal(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		h := newHome(t)
		surviveKills(t, h, store.Options{File: filepath.Join(h.data, "quern.db")}, alikeBody)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		o := storetest.Postgres(t)
		surviveKills(t, newHome(t, "QUERN_DATABASE_URL="+o.URL), o, alikeBody)
	})
}

func surviveKills(t *testing.T, h *home, metadata store.Options, body func(sent) string) {
	h.environ = append(h.environ, "QUERN_UPKEEP_INTERVAL=20ms", "QUERN_MERGE_IDLE=300ms")
	seed := *crashSeed
	t.Logf("to repeat it, add -crash.seed=%d", seed)
	h.must("", "user", "add", "ada", "--generate")
	c := newCrash(h, h.must("", "token", "create", "--user", "ada"))
	c.body = body
	for _, set := range crashSets {
		if r := c.server().call("POST", "/api/v1/ingest/new/ns/"+set, c.token, ""); r.status != 201 {
			t.Fatalf("creating %s = %d %s, want 201", set, r.status, r.body)
		}
	}
	var writing sync.WaitGroup
	for w := range crashWriters {
		writing.Go(func() { c.write(w, rand.New(rand.NewPCG(seed, uint64(w)))) })
	}
	c.killAtRandom(rand.New(rand.NewPCG(seed, crashWriters)))
	writing.Wait()
	c.check("after the last writer")

	handle := storetest.Open(t, metadata)
	awaitMerged(t, handle)
	c.check("after the last merge")
	c.server().stop()
	checkNoOrphans(t, h, handle)
}

// crash is one run: the server of the moment, and what the writers know.
type crash struct {
	t     *testing.T
	home  *home
	token string
	http  *http.Client
	body  func(sent) string // of a request

	mu       sync.Mutex
	now      generation
	answered int           // requests so far
	progress chan struct{} // closed and replaced at each answer
	sent     []sent
}

// generation is a server between two kills.
type generation struct {
	server *server
	over   chan struct{} // closed once the next one serves
}

// sent is a request that its writer is done with.
type sent struct {
	set          string
	first, count int // ids of its rows
	answered     bool
}

func newCrash(h *home, token string) *crash {
	c := &crash{t: h.t, home: h, token: token, progress: make(chan struct{}), http: &http.Client{
		Transport: checked.Over(&http.Transport{MaxIdleConnsPerHost: crashWriters}), Timeout: patience,
	}}
	c.now = generation{c.home.serve(), make(chan struct{})}
	return c
}

func (c *crash) generation() generation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *crash) server() *server { return c.generation().server }

// killAtRandom kills the server again and again, each time after some more
// answers and a moment, and starts it anew.
func (c *crash) killAtRandom(random *rand.Rand) {
	all := crashWriters * crashRequests
	for kill := range crashKills {
		c.awaitAnswers(kill*all/(crashKills+1) + random.IntN(all/(crashKills+1)))
		<-time.After(time.Duration(random.Int64N(int64(30 * time.Millisecond))))
		old := c.generation()
		old.server.kill()
		next := generation{c.home.serve(), make(chan struct{})}
		c.mu.Lock()
		c.now = next
		c.mu.Unlock()
		close(old.over)
	}
}

// awaitAnswers waits until the writers have had so many answers.
func (c *crash) awaitAnswers(n int) {
	deadline := time.After(patience)
	for {
		c.mu.Lock()
		answered, progress := c.answered, c.progress
		c.mu.Unlock()
		if answered >= n {
			return
		}
		select {
		case <-progress:
		case <-deadline:
			c.t.Errorf("%d requests were answered, want %d", answered, n)
			return
		}
	}
}

// write is the life of one writer.
func (c *crash) write(writer int, random *rand.Rand) {
	next := writer * 1_000_000
	for n := range crashRequests {
		s := sent{set: crashSets[random.IntN(len(crashSets))], first: next, count: 1 + random.IntN(20)}
		next += s.count
		key := ""
		if random.IntN(4) > 0 {
			key = fmt.Sprintf("writer-%d-request-%d", writer, n)
		}
		s.answered = c.send(s, key)
		c.mu.Lock()
		c.sent = append(c.sent, s)
		c.answered++
		close(c.progress)
		c.progress = make(chan struct{})
		c.mu.Unlock()
	}
}

// send sends a request, again after each kill when it has a key, and reports
// whether it was answered.
func (c *crash) send(s sent, key string) bool {
	for {
		at := c.generation()
		status, err := c.post(at.server.url+"/api/v1/ingest/ns/"+s.set, c.body(s), key)
		if err == nil {
			if status != 200 {
				c.t.Errorf("ingest = %d, want 200 or no answer at all", status)
			}
			return status == 200
		}
		select {
		case <-at.over:
		case <-time.After(patience):
			c.t.Errorf("ingest = %v from a server that was not killed", err)
			return false
		}
		if key == "" {
			return false
		}
	}
}

func (c *crash) post(url, body, key string) (status int, err error) {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	var answer struct{ Indexed int }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return 0, err
	}
	return res.StatusCode, nil
}

// crashBody writes rows whose values follow from their ids. Some bring a column
// of their own, and those of later ids have values of a wider type, so that
// writers get into each other's way.
func crashBody(s sent) string {
	rows := make([]string, s.count)
	for i := range rows {
		id := s.first + i
		rows[i] = fmt.Sprintf(`{"id":%d,"wide":%s,"writer%d":true}`, id, crashValue(id), id/1_000_000)
	}
	return `{"data":[` + strings.Join(rows, ",") + `]}`
}

// alikeBody writes rows that bring no column of their own, and texts.
func alikeBody(s sent) string {
	rows := make([]string, s.count)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":%d,"wide":%q}`, s.first+i, strings.Trim(crashValue(s.first+i), `"`))
	}
	return `{"data":[` + strings.Join(rows, ",") + `]}`
}

func crashValue(id int) string {
	switch n := id % 1_000_000; {
	case n < 40:
		return fmt.Sprint(id)
	case n < 80:
		return fmt.Sprintf("%d.5", id)
	}
	return fmt.Sprintf(`"text %d"`, id)
}

// check reads every dataset and compares it with what the writers know.
func (c *crash) check(when string) {
	for _, set := range crashSets {
		seen := c.export(set)
		rows := 0
		for _, s := range c.sent {
			if s.set != set {
				continue
			}
			there := 0
			for id := s.first; id < s.first+s.count; id++ {
				if seen[id] > 1 {
					c.t.Errorf("%s: row %d is there %d times, want once", when, id, seen[id])
				}
				there += seen[id]
				delete(seen, id)
			}
			rows += there
			if there != s.count && (s.answered || there != 0) {
				c.t.Errorf("%s: %d rows of a request of %d are there, answered = %v, want each once or, unanswered, none", when, there, s.count, s.answered)
			}
		}
		if len(seen) > 0 {
			c.t.Errorf("%s: %d rows that nobody sent", when, len(seen))
		}
		r := c.server().call("POST", "/api/v1/query", c.token, `{"username":"ada","namespace":"ns","includeMetadata":false,"query":"SELECT count(*) AS n, count(DISTINCT id) AS ids FROM `+set+`"}`)
		if want := fmt.Sprintf(`{"n":%d,"ids":%d}`, rows, rows); !strings.Contains(r.body, want) {
			c.t.Errorf("%s: query = %d %s, want %s", when, r.status, r.body, want)
		}
	}
}

// export returns how often each id is in a dataset, and wants every value to be
// the one that was sent, as text once the column has widened to that.
func (c *crash) export(set string) map[int]int {
	r := c.server().call("GET", "/api/v1/data/ada/ns/"+set+"/export?format=ndjson", c.token, "")
	if r.status != 200 {
		c.t.Fatalf("export = %d %s, want 200", r.status, r.body)
	}
	seen := map[int]int{}
	for lines := bufio.NewScanner(strings.NewReader(r.body)); lines.Scan(); {
		var row struct {
			ID   int
			Wide any
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			c.t.Fatalf("export has the line %q: %v", lines.Text(), err)
		}
		seen[row.ID]++
		if want := strings.Trim(crashValue(row.ID), `"`); fmt.Sprint(row.Wide) != want && row.Wide != any(asNumber(want)) {
			c.t.Errorf("row %d has the value %v, want %s", row.ID, row.Wide, want)
		}
	}
	return seen
}

func asNumber(text string) (f float64) {
	_ = json.Unmarshal([]byte(text), &f)
	return f
}

// awaitMerged waits until the server has folded the journal and merged all small segments.
func awaitMerged(t *testing.T, s *store.Store) {
	t.Helper()
	c := catalog.New(catalog.Options{Store: s, Now: time.Now})
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); ; <-tick.C {
		ids, err := c.Fragmented(t.Context(), 1<<20, 10)
		if err != nil {
			t.Fatal(err)
		}
		inJournal, err := c.Journaled(t.Context(), time.Now().Add(time.Hour), 10)
		if err != nil {
			t.Fatal(err)
		}
		if ids = append(ids, inJournal...); len(ids) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("datasets %v still have many segments, want one each", ids)
		}
	}
}

// checkNoOrphans sweeps a stopped server's objects as if a day had passed, and
// wants those that are left to be exactly the segments of the datasets.
func checkNoOrphans(t *testing.T, h *home, s *store.Store) {
	t.Helper()
	tomorrow := func() time.Time { return time.Now().Add(24 * time.Hour) }
	objects, err := blobfs.New(blobfs.Options{Dir: filepath.Join(h.data, "objects")})
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.New(catalog.Options{Store: s, Now: tomorrow})
	before := objectKeys(t, objects)
	swept, err := c.Sweep(t.Context(), objects)
	if err != nil {
		t.Fatalf("Sweep() = %v, want nil", err)
	}
	left := objectKeys(t, objects)
	t.Logf("%d of %d objects are left; %d entries were swept", len(left), len(before), swept)
	var named []string
	for _, id := range datasetIDs(before) {
		snap, err := c.Table(t.Context(), id)
		if err != nil {
			t.Fatalf("Table(%s) = %v, want the dataset", id, err)
		}
		for _, segment := range snap.Segments {
			named = append(named, segment.Key)
		}
	}
	slices.Sort(named)
	if !slices.Equal(left, named) || len(named) != len(crashSets) {
		t.Errorf("objects after the sweep = %v, want the segments, one of each dataset: %v", left, named)
	}
	_ = filepath.WalkDir(filepath.Join(h.data, "tmp"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			t.Errorf("a stopped server left %s (%v), want no file in the making", path, err)
		}
		return err
	})
}

func objectKeys(t *testing.T, objects blob.Store) (keys []string) {
	t.Helper()
	for info, err := range objects.List(context.Background(), "") {
		if err != nil {
			t.Fatalf("List() = %v, want all objects", err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// datasetIDs returns the datasets that objects were made for.
func datasetIDs(keys []string) (ids []quern.DatasetID) {
	for _, key := range keys {
		if id := quern.DatasetID(strings.Split(key, "/")[1]); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
