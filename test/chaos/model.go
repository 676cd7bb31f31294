package chaos

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Model is what the clients know: what was acknowledged, and what may have happened.
type Model struct {
	mu       sync.Mutex
	batches  map[string][]batch // by dataset
	files    []file
	runs     []*run
	grants   []*grant
	tokens   []string // the ids of revoked ones
	faults   []string
	unknown  int           // requests that got no answer
	slowest  time.Duration // the longest silence of a run that was followed
	longest  time.Duration // the longest ingestion, from its acknowledgement to its end
	readBack int           // reads that were held against the model while the servers died
}

// batch is rows that were sent in one request, or in one file.
type batch struct {
	first, count int
	acked        bool // else they may be there, all or none
}

// file is an upload that was acknowledged and that nobody has ingested.
type file struct {
	session, name string
	size          int64
}

// run is a question whose run was acknowledged.
type run struct {
	id     string
	events []string // as they were read, in pieces
	// ratings are what may be stored: one, unless a rating got no answer.
	ratings []bool
	rated   bool // a rating was acknowledged
	refused bool // it failed in words, for a trouble that excuses that
}

// grant is a dataset that was shared, revoked, or deleted.
type grant struct {
	dataset string
	shared  bool
	deleted bool
	unsure  bool // the last change got no answer: it may be either way
}

func newModel() *Model { return &Model{batches: map[string][]batch{}} }

// fault notes a broken promise.
func (m *Model) fault(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.faults) < 1000 {
		m.faults = append(m.faults, fmt.Sprintf(format, args...))
	}
}

// Faults are the promises that were found broken so far.
func (m *Model) Faults() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.faults)
}

func (m *Model) update(fn func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fn()
}

func (m *Model) addBatch(set string, b batch) {
	m.update(func() { m.batches[set] = append(m.batches[set], b) })
}

// acked counts the rows of a dataset that were acknowledged so far.
func (m *Model) acked(set string) (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.batches[set] {
		if b.acked {
			n += b.count
		}
	}
	return n
}

// Report is what a run under chaos came to.
type Report struct {
	Seed                                                   uint64
	Deaths                                                 int // servers killed or stopped
	Rows, Files, Ingestions, Runs, Ratings, Grants, Tokens int // that were acknowledged and found again
	Reads                                                  int // held against the model meanwhile
	Unknown                                                int // requests of clients that got no answer
	Failed                                                 int // answers that broke off, or were refused, at servers in trouble
	Silence                                                time.Duration
	Ingestion                                              time.Duration
	Took                                                   time.Duration
	Faults                                                 []string
}

func (r Report) String() string {
	return fmt.Sprintf("seed %d: %d servers ended in %v; acknowledged and found again: %d rows, %d files, %d ingestions, %d runs, %d ratings, "+
		"%d grants, %d revoked tokens; %d reads meanwhile; %d requests without an answer, %d failed at servers in trouble; "+
		"longest silence of a stream %v, longest ingestion %v; %d faults",
		r.Seed, r.Deaths, r.Took.Round(time.Second), r.Rows, r.Files, r.Ingestions, r.Runs, r.Ratings, r.Grants, r.Tokens, r.Reads, r.Unknown, r.Failed,
		r.Silence.Round(time.Millisecond), r.Ingestion.Round(time.Millisecond), len(r.Faults))
}
