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
	"quern/housetest"
	"quern/link"
	"quern/store"
	"quern/store/storetest"
)

// world is links with every real part behind them.
type world struct {
	*housetest.House
	t       *testing.T
	ada     quern.Principal
	now     time.Time
	log     bytes.Buffer
	options link.Options
	*link.Service
}

func newWorld(t *testing.T, s *store.Store) *world {
	t.Helper()
	w := &world{t: t, now: time.Now()}
	clock := func() time.Time { return w.now }
	w.House = housetest.New(t, housetest.Options{Store: s, Now: clock})
	w.ada = w.User("ada.l")
	w.options = link.Options{Store: s, Catalog: w.Catalog, Files: w.Objects, Engine: w.Engine, Now: clock,
		Log: slog.New(slog.NewTextHandler(&w.log, nil)), Settle: time.Minute}
	w.Service = link.New(w.options)
	return w
}

var must = housetest.Must

func at(dataset string) quern.DatasetPath {
	return quern.DatasetPath{Owner: "ada.l", Namespace: "shop", Dataset: dataset}
}

// rows adds rows to a dataset, which it makes when it is not there.
func (w *world) rows(dataset string, n int, row func(i int) string) {
	w.t.Helper()
	w.Fill(w.ada, at(dataset), n, row)
}

func (w *world) clear(dataset string) {
	w.t.Helper()
	_, err := w.Catalog.Clear(w.t.Context(), w.ada, at(dataset))
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
	all, err := w.Service.Links(w.t.Context(), w.ada, at(dataset))
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
