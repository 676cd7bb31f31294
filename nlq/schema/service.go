package schema

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"quern"
	"quern/blob"
	"quern/catalog"
	"quern/engine"
	"quern/knowledge"
	"quern/link"
	"quern/store"
	"quern/tree"
)

const (
	// mostTables bounds the datasets of a namespace that questions are about.
	mostTables = 1_000
	// atOnce is how many datasets are indexed at the same time.
	atOnce = 2
	// indexTime bounds the work for one dataset.
	indexTime = time.Minute
	// retryAfter is how long a dataset that could not be indexed is left alone.
	retryAfter = time.Minute
)

// Service makes schemas, and keeps the indexes of what it made them of:
//
//	asked about, ──► columns read ──► values indexed, ──► used until the version changes
//	or new                 │          names encoded               or memory is short
//	                       └── waited for ─┴── too slow: this question goes without values
type Service struct {
	catalog   *catalog.Service
	links     *link.Service
	files     blob.Files
	engine    engine.Engine
	known     func(string) bool
	knowledge *knowledge.Service // nil: nothing is taught
	store     *store.Store
	encoder   NameEncoder // nil: names are not encoded
	now       func() time.Time
	log       *slog.Logger
	wait      time.Duration
	memory    int

	ctx   context.Context // indexing outlives the question that asked for it; Close ends it
	end   context.CancelFunc
	work  sync.WaitGroup
	slots chan struct{}

	mu     sync.Mutex
	tables map[quern.DatasetID]*table
	bytes  int
	turn   int64 // grows with every use
	closed bool

	studied map[quern.NamespaceID]*studied

	changing map[quern.DatasetID]changing // Upkeep's
	busy     func() bool
	passed   int // looks in a row at which it was busy; Upkeep's
}

// Options says what a Service works with.
type Options struct {
	Catalog *catalog.Service
	Links   *link.Service
	Files   blob.Files
	Engine  engine.Engine
	// Knowledge is what people teach about namespaces. It may be nil.
	Knowledge *knowledge.Service
	// Known reports whether a word is one, to take names apart that have no
	// seams. It may be nil.
	Known func(string) bool
	// Encoder encodes names; nil: nobody reads them encoded. Store keeps what it made.
	Encoder NameEncoder
	Store   *store.Store
	Now     func() time.Time
	Log     *slog.Logger
	// Busy reports whether there is work that somebody waits for and that indexing ahead should let pass. It may be nil.
	Busy func() bool
	// Wait is how long a question waits for the values of changed data (700 ms).
	Wait time.Duration
	// Memory bounds the bytes of all indexes together (256 MiB).
	Memory int
}

// New makes a Service. The caller closes it.
func New(o Options) *Service {
	if o.Wait == 0 {
		o.Wait = 700 * time.Millisecond
	}
	if o.Memory == 0 {
		o.Memory = 256 << 20
	}
	s := &Service{
		catalog: o.Catalog, links: o.Links, files: o.Files, engine: o.Engine, known: o.Known, knowledge: o.Knowledge, store: o.Store, encoder: o.Encoder,
		now: o.Now, log: o.Log, busy: o.Busy,
		wait: o.Wait, memory: o.Memory, slots: make(chan struct{}, atOnce), tables: map[quern.DatasetID]*table{},
	}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// Close stops indexing and waits until it has stopped.
func (s *Service) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	s.work.Wait()
	return nil
}

// Indexing is how many datasets are indexed, and how many may be at once.
func (s *Service) Indexing() quern.Room { return quern.Places(s.slots) }

// Indexes is how many bytes the indexes take.
func (s *Service) Indexes() quern.Room {
	s.mu.Lock()
	defer s.mu.Unlock()
	return quern.Room{Taken: int64(s.bytes), Limit: int64(s.memory)}
}

// Studied is of how many namespaces it is kept what verified questions teach.
func (s *Service) Studied() quern.Room {
	s.mu.Lock()
	defer s.mu.Unlock()
	return quern.Room{Taken: int64(len(s.studied)), Limit: mostStudied}
}

// Schema returns what the principal sees of a namespace, or of one dataset in it.
// NotFound when there is no such thing for the principal. Values that cannot be
// read in time are left out, and so are links of new data that About does not name where
// these are many.
func (s *Service) Schema(ctx context.Context, p quern.Principal, in quern.NamespacePath, dataset string, about About) (*Schema, error) {
	n, heads, err := s.catalog.Heads(ctx, p, in, mostTables)
	if err != nil {
		return nil, err
	}
	if dataset != "" {
		heads = headOf(heads, dataset)
		if len(heads) == 0 {
			return nil, quern.E(quern.NotFound, quern.CodeNotFound, "not found")
		}
	}
	tables := make([]*table, 0, len(heads))
	shown := heads[:0]
	for _, head := range heads {
		t, err := s.table(ctx, head)
		if quern.Is(err, quern.NotFound) {
			continue // deleted in the meantime
		}
		if err != nil {
			return nil, err
		}
		tables, shown = append(tables, t), append(shown, head)
	}
	taught, err := s.teach(ctx, n.ID, tables)
	if err != nil {
		return nil, err
	}
	if err := s.await(ctx, tables); err != nil {
		return nil, err
	}
	for i, t := range tables {
		s.encodeDescribed(ctx, t, shown[i])
	}
	links, err := s.links.Within(ctx, p, n.ID, func() []quern.DatasetID {
		if about == nil {
			return nil
		}
		return idsOf(shown, about(s.assemble(shown, tables, nil, taught)))
	})
	if err != nil {
		return nil, err
	}
	made := s.assemble(shown, tables, links, taught)
	s.study(n.ID, made, tables)
	return made, nil
}

// studied is what the verified questions of a namespace teach those who see the same.
type studied struct {
	taught    *knowledge.Taught
	described []*described
	lessons   []lesson
	learned   []taughtBy
	words     []Guess
}

// mostStudied is how many namespaces what was learned is kept of.
const mostStudied = 256

// study adds what verified questions teach. It is made again when they, the names or
// the definitions change.
func (s *Service) study(id quern.NamespaceID, made *Schema, tables []*table) {
	if made.Taught == nil || len(made.Taught.Verified) == 0 {
		return
	}
	now := make([]*described, len(tables))
	for i, t := range tables {
		now[i] = t.last.Load()
	}
	s.mu.Lock()
	known := s.studied[id]
	s.mu.Unlock()
	if known == nil || known.taught != made.Taught || !slices.Equal(known.described, now) {
		lessons := made.lessonsOf(made.Taught.Verified)
		learned := align(lessons, "")
		known = &studied{made.Taught, now, lessons, learned, made.wordsOf(learned)}
		s.mu.Lock()
		if s.studied == nil || len(s.studied) >= mostStudied {
			s.studied = map[quern.NamespaceID]*studied{}
		}
		s.studied[id] = known
		s.mu.Unlock()
	}
	made.lessons, made.learned, made.taughtWords, made.known = known.lessons, known.learned, known.words, s.known
}

// teach tells tables of a namespace what is taught about it now; nil: nothing.
func (s *Service) teach(ctx context.Context, id quern.NamespaceID, tables []*table) (*knowledge.Used, error) {
	if s.knowledge == nil {
		return nil, nil
	}
	taught, err := s.knowledge.Of(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		t.taught.Store(taught)
	}
	return taught, nil
}

// learn adds what is taught about the datasets that the asker all sees.
func (s *Schema) learn(taught *knowledge.Used) {
	if taught == nil || taught.Version == 0 {
		return
	}
	seen := make([]string, len(s.Tables))
	for i, t := range s.Tables {
		seen[i] = quern.NameKey(t.Path.Dataset)
	}
	s.Taught = taught.Visible(seen)
	s.teachLinks(&s.Taught.Document)
}

// assemble puts a schema together, with what is taught about it.
func (s *Service) assemble(heads []quern.Dataset, tables []*table, links []tree.Link, taught *knowledge.Used) *Schema {
	columns := 0
	for _, t := range tables {
		columns += len(t.columns)
	}
	made := &Schema{Tables: make([]Table, 0, len(tables)), Columns: make([]Column, 0, columns)}
	for i, t := range tables {
		made.add(heads[i], t, s.known)
	}
	made.link(links)
	made.learn(taught)
	return made
}

// idsOf returns the ids of some datasets.
func idsOf(heads []quern.Dataset, some []int) []quern.DatasetID {
	ids := make([]quern.DatasetID, len(some))
	for i, at := range some {
		ids[i] = heads[at].ID
	}
	return ids
}

func headOf(heads []quern.Dataset, name string) []quern.Dataset {
	for _, h := range heads {
		if quern.NameKey(h.Name) == quern.NameKey(name) {
			return []quern.Dataset{h}
		}
	}
	return nil
}

// await waits for values that are being read, but not long since they were first
// asked for.
func (s *Service) await(ctx context.Context, tables []*table) error {
	for _, t := range tables {
		if t.isDone() {
			continue
		}
		late, cancel := context.WithDeadline(ctx, t.began.Add(s.wait))
		select {
		case <-t.done:
		case <-late.Done():
		}
		cancel()
	}
	return context.Cause(ctx)
}

func (t *table) isDone() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}
