package link_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/blob/fs"
	"quern/catalog"
	"quern/engine/duckdb"
	"quern/ingest"
	"quern/link"
	"quern/store"
	"quern/store/storetest"
)

// world is links with every real part behind them.
type world struct {
	t       *testing.T
	store   *store.Store
	catalog *catalog.Service
	ingest  *ingest.Service
	ada     quern.Principal
	now     time.Time
	log     bytes.Buffer
	options link.Options
	*link.Service
}

func newWorld(t *testing.T, s *store.Store) *world {
	t.Helper()
	w := &world{t: t, store: s, now: time.Now()}
	objects, err := fs.New(fs.Options{Dir: t.TempDir(), PublicURL: "http://quern.example"})
	must(t, err)
	eng, err := duckdb.New(duckdb.Options{TempDir: t.TempDir(), MemoryLimit: 256 << 20})
	must(t, err)
	t.Cleanup(func() { must(t, eng.Close()) })
	people, err := auth.New(auth.Options{Store: s, PublicURL: "http://quern.example", Cost: auth.Cost{Memory: 64, Time: 1, Threads: 1}})
	must(t, err)
	t.Cleanup(func() { must(t, people.Close()) })
	_, err = people.AddUser(t.Context(), "ada.l", "a long enough password")
	must(t, err)
	w.ada, err = people.As(t.Context(), "ada.l")
	must(t, err)
	clock := func() time.Time { return w.now }
	w.catalog = catalog.New(catalog.Options{Store: s, Now: clock, Grace: time.Hour})
	w.ingest = ingest.New(ingest.Options{Catalog: w.catalog, Objects: objects, Files: objects, Engine: eng, Temp: t.TempDir(), Limits: ingest.Limits{Rows: 100_000, Columns: 1_000}})
	w.options = link.Options{Store: s, Catalog: w.catalog, Files: objects, Engine: eng, Now: clock, Log: slog.New(slog.NewTextHandler(&w.log, nil)), Settle: time.Minute}
	w.Service = link.New(w.options)
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func at(dataset string) quern.DatasetPath {
	return quern.DatasetPath{Owner: "ada.l", Namespace: "shop", Dataset: dataset}
}

// rows adds rows to a dataset, which it makes when it is not there.
func (w *world) rows(dataset string, n int, row func(i int) string) {
	w.t.Helper()
	_, err := w.catalog.CreateDataset(w.t.Context(), w.ada, at(dataset), quern.InferDefinition{})
	if err != nil && !quern.Is(err, quern.Conflict) {
		w.t.Fatal(err)
	}
	all := make([]string, n)
	for i := range all {
		all[i] = row(i)
	}
	_, err = w.ingest.JSON(w.t.Context(), w.ada, at(dataset), strings.NewReader(`{"data":[`+strings.Join(all, ",")+`]}`), "")
	must(w.t, err)
}

func (w *world) clear(dataset string) {
	w.t.Helper()
	_, err := w.catalog.Clear(w.t.Context(), w.ada, at(dataset))
	must(w.t, err)
}

// settle lets a minute pass and looks for links.
func (w *world) settle() {
	w.t.Helper()
	w.now = w.now.Add(time.Minute)
	must(w.t, w.Upkeep(w.t.Context()))
}

func (w *world) links(dataset string) string {
	w.t.Helper()
	all, err := w.Links(w.t.Context(), w.ada, at(dataset))
	must(w.t, err)
	return shown(all)
}

func shown(all []quern.Link) string {
	text := make([]string, len(all))
	for i, l := range all {
		text[i] = fmt.Sprintf("%s.%s>%s.%s %d %s", l.Origin.Dataset, l.Origin.Column, l.Destination.Dataset, l.Destination.Column, l.Hits, l.Cardinality)
	}
	slices.Sort(text)
	return strings.Join(text, ", ")
}

// each runs a test on both databases.
func each(t *testing.T, fn func(*testing.T, *world)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) { fn(t, newWorld(t, s)) })
}
