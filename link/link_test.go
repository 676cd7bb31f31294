package link_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/catalog"
	"quern/link"
	"quern/store"
	"quern/store/storetest"
)

func customers(i int) string { return fmt.Sprintf(`{"id":%d,"name":"customer %d"}`, i+1, i+1) }

func orders(i int) string {
	return fmt.Sprintf(`{"id":%d,"customer_id":%d,"pieces":%d}`, i+1, i%50+1, i%7+1)
}

func TestLinksFollowTheData(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.rows("customers", 60, customers)
		w.rows("orders", 300, orders)
		w.settle()
		const found = "orders.customer_id>customers.id 50 many-to-one"
		if got := w.links("orders"); got != found {
			t.Errorf("links = %s, want %s", got, found)
		}
		w.rows("customers", 60, customers) // every id is there twice: no key any more
		must(t, w.Upkeep(t.Context()))
		if got := w.links("orders"); got != found {
			t.Errorf("links before the change settled = %s, want those of before", got)
		}
		w.settle()
		if got := w.links("orders"); got != "" {
			t.Errorf("links to what is no key = %s, want none", got)
		}
		w.clear("customers")
		w.rows("customers", 10, customers) // a fifth of the values
		w.settle()
		if got := w.links("orders"); got != "" {
			t.Errorf("links to a fifth of the values = %s, want none", got)
		}
		w.clear("customers")
		w.rows("customers", 45, customers)
		w.settle()
		if got := w.links("customers"); got != "orders.customer_id>customers.id 45 many-to-one" {
			t.Errorf("links to nine tenths of the values = %s, want 45 hits", got)
		}
	})
}

func TestWithinIsOneNamespace(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.rows("customers", 60, customers)
		w.rows("orders", 300, orders)
		w.settle()
		elsewhere := quern.DatasetPath{Owner: "ada.l", Namespace: "attic", Dataset: "notes"}
		_, err := w.Catalog.CreateDataset(t.Context(), w.ada, elsewhere, quern.InferDefinition{})
		must(t, err)
		_, err = w.Ingest.JSON(t.Context(), w.ada, elsewhere, strings.NewReader(`{"data":[{"about":1}]}`), "")
		must(t, err)
		_, _, err = w.Add(t.Context(), w.ada, link.Pair{Origin: "ri.ada.l.attic.notes.about", Destination: "ri.ada.l.shop.customers.id"})
		must(t, err)
		all, err := w.Graph(t.Context(), w.ada, "ada.l", nil)
		must(t, err)
		n, err := w.Catalog.Namespace(t.Context(), w.ada, at("").In())
		must(t, err)
		within, err := w.Within(t.Context(), w.ada, n.ID, nil)
		must(t, err)
		if len(all) != 2 || len(within) != 1 || within[0].Origin.Column != "customer_id" || within[0].Destination.Column != "id" {
			t.Errorf("Graph = %v, Within = %v, want two links and the one between orders and customers", all, within)
		}
		stranger, err := w.Within(t.Context(), quern.Principal{User: quern.User{ID: quern.NewID[quern.UserID](), Username: "bob"}}, n.ID, nil)
		if err != nil || len(stranger) != 0 {
			t.Errorf("Within as a stranger = %v, %v, want nothing", stranger, err)
		}
	})
}

func TestOneDoubledKeyKeepsTheLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("customers", 21, func(i int) string { return customers(min(i, 19)) })
	w.rows("orders", 60, func(i int) string { return fmt.Sprintf(`{"id":%d,"customer_id":%d}`, i+1, i%20+1) })
	w.settle()
	// A row of orders may meet two customers now, and the link says so.
	if got, want := w.links("orders"), "orders.customer_id>customers.id 20 many-to-many"; got != want {
		t.Errorf("links = %s, want %s", got, want)
	}
	w.rows("customers", 1, func(int) string { return customers(3) })
	w.settle()
	if got := w.links("orders"); got != "" {
		t.Errorf("links to a column with two doubled values = %s, want none", got)
	}
}

func TestAddedLinksAreMeasured(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.rows("berths", 10, func(i int) string { return fmt.Sprintf(`{"depth":%d,"opened":"2030-01-%02d"}`, i/2, i+1) })
		w.rows("ships", 6, func(i int) string {
			return fmt.Sprintf(`{"draught":%d,"built":"2030-01-%02d","name":"s%d"}`, i, i+8, i)
		})
		added := func(origin, destination, want string) {
			t.Helper()
			l, _, err := w.Add(t.Context(), w.ada, link.Pair{Origin: "ri.ada.l.shop.ships." + origin, Destination: "ri.ada.l.shop.berths." + destination})
			if got := shown([]quern.Link{l}); err != nil || got != want {
				t.Errorf("Add(%s, %s) = %s, %v, want %s", origin, destination, got, err, want)
			}
		}
		added("draught", "depth", "ships.draught>berths.depth 5 one-to-many")
		added("built", "opened", "ships.built>berths.opened 3 one-to-one")
		added("name", "depth", "ships.name>berths.depth 0 unknown")
		w.rows("berths", 1, func(int) string { return `{"depth":5}` })
		w.settle()
		if got := w.links("ships"); !strings.Contains(got, "ships.draught>berths.depth 6 one-to-many") {
			t.Errorf("links after a change of data = %s, want 6 hits", got)
		}
	})
}

func TestSearchesLookAtRowsAndOptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("customers", 60, customers)
	w.rows("orders", 300, orders)
	var few []map[string]any
	for i := range 30 {
		few = append(few, map[string]any{"CUSTOMER_ID": float64(i + 1), "id": "x", "unknown": 1.0})
	}
	preview := func(s link.Search) string {
		t.Helper()
		all, err := w.Preview(t.Context(), w.ada, at("orders"), s)
		must(t, err)
		return shown(all)
	}
	const all, some = "orders.customer_id>customers.id 50 many-to-one", "orders.customer_id>customers.id 30 one-to-one"
	for _, tt := range []struct {
		name   string
		search link.Search
		want   string
	}{
		{"nothing", link.Search{}, all},
		{"rows", link.Search{Rows: few}, some},
		{"another column", link.Search{Options: &quern.LinkOptions{Exact: quern.MatchOptions{TargetColumns: []string{"pieces"}}}}, ""},
		{"the column", link.Search{Options: &quern.LinkOptions{Exact: quern.MatchOptions{TargetColumns: []string{"Customer_ID"}}}}, all},
		{"few distinct", link.Search{Options: &quern.LinkOptions{Exact: quern.MatchOptions{MinDistinct: 0.5}}}, ""},
		{"little variation", link.Search{Options: &quern.LinkOptions{Exact: quern.MatchOptions{MinVariation: 0.1}}}, all},
	} {
		if got := preview(tt.search); got != tt.want {
			t.Errorf("Preview(%s) = %s, want %s", tt.name, got, tt.want)
		}
	}
	strict := &quern.LinkOptions{Exact: quern.MatchOptions{MinDistinct: 0.5}}
	found, err := w.Rebuild(t.Context(), w.ada, at("orders"), link.Search{Options: strict})
	if err != nil || len(found) != 0 {
		t.Errorf("Rebuild = %s, %v, want none", shown(found), err)
	}
	w.rows("orders", 1, func(int) string { return orders(0) })
	w.settle()
	if got := w.links("orders"); got != "" {
		t.Errorf("links after a change of data = %s, want the options kept and none", got)
	}
}

// Both shares are of the column itself: the one counts rows without a value, the
// other does not.
func TestDistinctAndVariationAreOfTheColumn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("customers", 60, customers)
	w.rows("visits", 200, func(i int) string {
		if i%4 > 0 {
			return fmt.Sprintf(`{"customer_id":null,"pieces":%d}`, i%7)
		}
		return fmt.Sprintf(`{"customer_id":%d,"pieces":%d}`, i/4+1, i%7)
	})
	for _, tt := range []struct {
		options quern.MatchOptions
		found   bool
	}{
		{quern.MatchOptions{MinDistinct: 0.2}, true},
		{quern.MatchOptions{MinDistinct: 0.3}, false},
		{quern.MatchOptions{MinVariation: 0.95}, true},
		{quern.MatchOptions{MinDistinct: 0.2, MinVariation: 0.95}, true},
	} {
		all, err := w.Preview(t.Context(), w.ada, at("visits"), link.Search{Options: &quern.LinkOptions{Exact: tt.options}})
		if err != nil || (len(all) == 1) != tt.found {
			t.Errorf("Preview(50 values in 200 rows, %+v) = %s, %v, want found %t", tt.options, shown(all), err, tt.found)
		}
	}
	w.rows("orders", 300, orders) // 50 values in 300 rows, none without
	for least, found := range map[float64]bool{0.1: true, 0.2: false} {
		options := &quern.LinkOptions{Exact: quern.MatchOptions{MinVariation: least}}
		all, err := w.Preview(t.Context(), w.ada, at("orders"), link.Search{Options: options})
		if err != nil || (len(all) == 1) != found {
			t.Errorf("Preview(50 values in 300 rows, variation %v) = %s, %v, want found %t", least, shown(all), err, found)
		}
	}
}

func TestCurateKeepsWhatIsSure(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.rows("customers", 60, customers)
		w.rows("orders", 300, orders)
		w.settle()
		in := at("").In()
		got, err := w.Curate(t.Context(), w.ada, in, "", false)
		if err != nil || got.Datasets != 2 || shown(got.Links) != "orders.customer_id>customers.id 50 many-to-one" {
			t.Fatalf("Curate = %d %s, %v, want the link between two datasets", got.Datasets, shown(got.Links), err)
		}
		if all, _ := w.Decided(t.Context(), w.ada, at("orders"), quern.LinkAdded); len(all) != 0 {
			t.Errorf("Curate without activating added %s", shown(all))
		}
		if got, err = w.Curate(t.Context(), w.ada, in, "orders", true); err != nil || got.Datasets != 1 || len(got.Links) != 1 {
			t.Errorf("Curate(orders, activate) = %+v, %v, want one link", got, err)
		}
		w.clear("customers")
		w.settle()
		if all := w.links("orders"); all != "orders.customer_id>customers.id 0 unknown" {
			t.Errorf("links when the data are gone = %s, want the kept one", all)
		}
		_, err = w.Curate(t.Context(), w.ada, in, "none", false)
		if !quern.Is(err, quern.NotFound) {
			t.Errorf("Curate(none) = %v, want NotFound", err)
		}
	})
}

func TestLargeColumnsAreSketched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	const n = 60_000
	w.rows("customers", n, func(i int) string { return fmt.Sprintf(`{"id":%d,"email":"c%d@example.org"}`, i, i) })
	w.rows("orders", n, func(i int) string {
		return fmt.Sprintf(`{"no":%d,"customer_id":%d,"contact":"c%d@example.org"}`, i, i*7919%30_000, i%20_000)
	})
	w.rows("visits", 40, func(i int) string { return fmt.Sprintf(`{"customer_id":%d,"page":%d}`, i*1499, i%3) })
	w.rows("strays", 40, func(i int) string { return fmt.Sprintf(`{"customer_id":%d,"page":%d}`, n+i*1499, i%3) })
	w.settle()
	w.now = w.now.Add(time.Hour)
	all, err := w.Service.Links(t.Context(), w.ada, at("customers"))
	must(t, err)
	hits := map[string]int64{}
	for _, l := range all {
		hits[l.Origin.Dataset+"."+l.Origin.Column] = l.Hits
	}
	for origin, want := range map[string]int64{"orders.customer_id": 30_000, "orders.contact": 20_000, "visits.customer_id": 40} {
		if got := hits[origin]; got < want*9/10 || got > want*11/10 {
			t.Errorf("hits of %s = %d, want about %d; links: %s", origin, got, want, shown(all))
		}
	}
	if _, ok := hits["strays.customer_id"]; ok || len(all) != 3 {
		t.Errorf("links = %s, want none of strays", shown(all))
	}
}

func TestAccidentsAreNoLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("people", 40, func(i int) string {
		return fmt.Sprintf(`{"id":%d,"age":%d,"active":true,"boss_id":%d,"city":"%c"}`, i+1, i%30+1, i/3+1, 'a'+i%2)
	})
	w.rows("rooms", 40, func(i int) string { return fmt.Sprintf(`{"id":%d,"seats":%d,"code":"R%d"}`, i+1, i%20+1, i) })
	w.rows("bookings", 80, func(i int) string { return fmt.Sprintf(`{"id":%d,"room":"R%d","hours":%d}`, i+1, i%40, i%5+1) })
	w.settle()
	if got, want := w.links("people"), "people.boss_id>people.id 14 many-to-one"; got != "" && got != want {
		t.Errorf("links of people = %s, want at most %s", got, want)
	}
	if got, want := w.links("rooms"), "bookings.room>rooms.code 40 many-to-one"; got != want {
		t.Errorf("links of rooms = %s, want %s", got, want)
	}
}

func TestDecisionsSurviveEveryRebuild(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.rows("customers", 60, customers)
		w.rows("orders", 300, orders)
		w.settle()
		remove := []link.Pair{{Origin: "ri.ada.l.shop.orders.customer_id", Destination: "ri.self.shop.customers.id"}}
		add := []link.Pair{{Origin: "ri.self.shop.orders.pieces", Destination: "ri.self.shop.customers.id"}}
		_, err := w.Change(t.Context(), w.ada, at("orders"), add, remove)
		must(t, err)
		const want = "orders.pieces>customers.id 7 many-to-one"
		for range 3 {
			if got := w.links("orders"); got != want {
				t.Errorf("links = %s, want %s", got, want)
			}
			w.rows("orders", 10, orders)
			w.rows("customers", 1, func(int) string { return fmt.Sprintf(`{"id":%d}`, w.now.Unix()) })
			w.settle()
		}
		_, err = w.Change(t.Context(), w.ada, at("orders"), nil, []link.Pair{{Origin: "ri.self.shop.orders.id", Destination: "ri.self.shop.none.id"}})
		if !quern.Is(err, quern.NotFound) {
			t.Errorf("Change(unknown destination) = %v, want NotFound", err)
		}
	})
}

func TestOneServerAtATimeDoesADataset(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.rows("customers", 60, customers)
		d, err := w.Catalog.Dataset(t.Context(), w.ada, at("customers"), 0)
		must(t, err)
		lease := func(now time.Time) (mine bool) {
			must(t, w.Store.Update(t.Context(), func(tx *store.Tx) (err error) {
				mine, err = tx.LeaseSketch(t.Context(), d.ID, now, now.Add(time.Minute))
				return err
			}))
			return mine
		}
		now := w.now
		if first, second, later := lease(now), lease(now), lease(now.Add(2*time.Minute)); !first || second || !later {
			t.Errorf("leases = %v, %v, %v, want the first, and another once it ran out", first, second, later)
		}
		w.settle() // leased for two more minutes
		if got := w.stale(); got != 0 {
			t.Errorf("datasets to do while one is leased = %d, want 0", got)
		}
		w.now = w.now.Add(time.Hour)
		if got := w.stale(); got != 1 {
			t.Errorf("datasets to do when the lease ran out = %d, want 1", got)
		}
		var replicas sync.WaitGroup
		for range 4 {
			replicas.Go(func() {
				if err := link.New(w.options).Upkeep(t.Context()); err != nil {
					t.Errorf("Upkeep() = %v, want nil", err)
				}
			})
		}
		replicas.Wait()
		if got := w.stale(); got != 0 || w.log.Len() > 0 {
			t.Errorf("datasets to do afterwards = %d, log %s; want none", got, w.log.String())
		}
	})
}

func (w *world) stale() int {
	w.t.Helper()
	var n int
	must(w.t, w.Store.View(w.t.Context(), func(tx *store.Tx) error {
		ids, err := tx.StaleSketches(w.t.Context(), w.now, w.now.Add(-time.Minute), w.now.Add(-time.Hour), 10)
		n = len(ids)
		return err
	}))
	return n
}

func TestRunLooksUntilItIsStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("customers", 60, customers)
	w.rows("orders", 300, orders)
	w.now = w.now.Add(time.Hour)
	w.options.Settle = time.Millisecond
	s := link.New(w.options)
	var running sync.WaitGroup
	running.Go(func() { s.Run(t.Context()) })
	t.Cleanup(running.Wait)
	deadline := time.Now().Add(20 * time.Second)
	for w.links("orders") == "" && time.Now().Before(deadline) {
		<-time.After(5 * time.Millisecond)
	}
	if got := w.links("orders"); got == "" {
		t.Errorf("links after Run = none, want one")
	}
}

func TestPlacesAreMatchedByDistance(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	cities := []string{"Paris", "London", "Berlin", "Madrid", "Lisbon"}
	points := []string{"48.857, 2.353", "51.51, -0.13", "52.52, 13.40", "40.42, -3.70", "38.72, -9.14"}
	codes := []string{"FR", "GB", "DE", "ES", "PT"}
	countries := []string{"France", "United Kingdom", "Germany", "Spain", "Portugal"}
	w.rows("offices", 5, func(i int) string {
		return fmt.Sprintf(`{"office":"o%d","city":"%s","country":"%s"}`, i, cities[i], countries[i])
	})
	w.rows("visits", 15, func(i int) string {
		return fmt.Sprintf(`{"no":"v%d","seen_at":"%s","code":"%s","word":"w%d"}`, i, points[i%5], codes[i%5], i%3)
	})
	near := func(km float64) link.Search {
		return link.Search{Options: &quern.LinkOptions{Geo: &quern.MatchOptions{Distance: km}}}
	}
	preview := func(s link.Search) string {
		t.Helper()
		all, err := w.Preview(t.Context(), w.ada, at("visits"), s)
		must(t, err)
		for _, l := range all {
			if l.Match != quern.GeoMatch || l.Distance != s.Options.Geo.Distance {
				t.Errorf("link %+v, want one by place within %v km", l, s.Options.Geo.Distance)
			}
		}
		return shown(all)
	}
	const byCountry, byCity = "visits.code>offices.country 5 many-to-one", "visits.seen_at>offices.city 5 many-to-one"
	if got := preview(near(10)); got != byCountry+", "+byCity {
		t.Errorf("links within 10 km = %s, want both", got)
	}
	if got := preview(near(0.01)); got != byCountry {
		t.Errorf("links within 10 m = %s, want countries alone", got)
	}
	target := near(10)
	target.Options.Geo.TargetColumns = []string{"seen_at"}
	if got := preview(target); got != byCity {
		t.Errorf("links at one column = %s, want %s", got, byCity)
	}
	found, err := w.Rebuild(t.Context(), w.ada, at("visits"), near(10))
	if err != nil || shown(found) != byCountry+", "+byCity {
		t.Errorf("Rebuild = %s, %v, want both", shown(found), err)
	}
	w.rows("offices", 1, func(int) string { return `{"office":"o9","city":"Porto","country":"Portugal"}` })
	w.settle() // the other dataset's turn keeps what this one asked for
	if got := w.links("offices"); !strings.Contains(got, "visits.seen_at>offices.city 5") {
		t.Errorf("links after the other end changed = %s, want them kept", got)
	}
	l, created, err := w.Add(t.Context(), w.ada, link.Pair{
		Origin: "ri.ada.l.shop.visits.seen_at", Destination: "ri.ada.l.shop.offices.country", Match: quern.GeoMatch, Distance: 5,
	})
	if err != nil || !created || l.Match != quern.GeoMatch || l.Distance != 5 || l.Hits != 0 {
		t.Errorf("Add = %+v, %v, %v, want a link by place without hits", l, created, err)
	}
	joins, err := w.Graph(t.Context(), w.ada, "ada.l", nil)
	if err != nil || len(joins) != 0 {
		t.Errorf("Graph = %v, %v, want no join along places", joins, err)
	}
}

// Who asks right after data have come in sees their links, without waiting for them
// to settle; so does who reads what another server is working on.
func TestLinksOfNewDataAreThereAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		const want = "orders.customer_id>customers.id 50 many-to-one"
		w.rows("customers", 60, customers)
		w.rows("orders", 300, orders)
		n, _, err := w.Catalog.Heads(t.Context(), w.ada, at("").In(), 10)
		must(t, err)
		within, err := w.Within(t.Context(), w.ada, n.ID, nil)
		if err != nil || len(within) != 1 || within[0].Origin.Column != "customer_id" {
			t.Errorf("Within right after the rows came = %v, %v, want the link", within, err)
		}
		if got := w.links("orders"); got != want {
			t.Errorf("links = %s, want %s", got, want)
		}
		w.rows("visits", 30, func(i int) string { return fmt.Sprintf(`{"customer_id":%d}`, i+1) })
		other := link.New(w.options)
		var readers sync.WaitGroup
		for _, s := range []*link.Service{w.Service, other, other} {
			readers.Go(func() {
				all, err := s.Graph(t.Context(), w.ada, "ada.l", nil)
				if err != nil || len(all) != 2 {
					t.Errorf("Graph beside other readers = %v, %v, want both links", all, err)
				}
			})
		}
		readers.Wait()
	})
}

// A dataset whose links cannot be found keeps nobody from those of the others, and is
// not tried again by everybody who asks.
func TestLinksOfBrokenDataAreLeftForLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("broken", 60, customers)
	d, err := w.Catalog.Dataset(t.Context(), w.ada, at("broken"), catalog.Read)
	must(t, err)
	snap, err := w.Catalog.Table(t.Context(), d.ID)
	must(t, err)
	must(t, w.Objects.Delete(t.Context(), snap.Segments[0].Key))
	w.options.Files = catalog.NewSegmentFiles(w.options.Files, w.options.Store, w.options.Log)
	w.Service = link.New(w.options)
	w.rows("customers", 60, customers)
	w.rows("orders", 300, orders)
	for range 3 {
		all, err := w.Within(t.Context(), w.ada, d.Namespace.ID, nil)
		if err != nil || len(all) != 1 {
			t.Errorf("Within beside broken data = %v, %v, want the link of the others", all, err)
		}
		w.now = w.now.Add(10 * time.Second)
	}
	if tries := strings.Count(w.log.String(), "left for later"); tries != 1 {
		t.Errorf("the broken data were tried %d times by who asked, want 1:\n%s", tries, w.log.String())
	}
}

// mostStored is how many links to columns of a name are stored for one of them at most,
// in effect or waiting.
func (w *world) mostStored(column string) (most int) {
	w.t.Helper()
	_, heads, err := w.Catalog.Heads(w.t.Context(), w.ada, at("").In(), 10)
	must(w.t, err)
	must(w.t, w.options.Store.View(w.t.Context(), func(tx *store.Tx) error {
		for _, from := range heads {
			n := 0
			for _, to := range heads {
				l := store.Link{OriginID: from.ID, DestinationID: to.ID}
				l.Origin.Column, l.Destination.Column = column, column
				if _, err := tx.Link(w.t.Context(), l); err == nil {
					n++
				}
			}
			most = max(most, n)
		}
		return nil
	}))
	return most
}

// Of datasets that are all alike, a column keeps its surest destinations alone. When they
// are gone, another takes their place.
func TestAlikeDatasetsAreNotAllLinked(t *testing.T) {
	t.Parallel()
	const alike = 6
	product := func(i int) string { return fmt.Sprintf(`{"sku":"product %d"}`, i+1) }
	each(t, func(t *testing.T, w *world) {
		for n := range alike {
			w.rows(fmt.Sprint("list", n), 30, product)
			w.now = w.now.Add(time.Second)
		}
		w.rows("orders", 60, func(i int) string { return fmt.Sprintf(`{"sku":"product %d"}`, i%20+1) })
		w.settle()
		if got := w.mostStored("sku"); got != 3 {
			t.Errorf("a column has up to %d destinations, want 3", got)
		}
		for n := range alike {
			if got, want := w.links("orders"), fmt.Sprintf("orders.sku>list%d.sku 20 many-to-one", n); got != want {
				t.Errorf("links after %d destinations went = %s, want %s", n, got, want)
			}
			if n%2 == 0 {
				w.clear(fmt.Sprint("list", n))
			} else {
				_, err := w.Catalog.DeleteDataset(t.Context(), w.ada, at(fmt.Sprint("list", n)))
				must(t, err)
			}
			w.settle() // looks at what changed,
			w.settle() // and at what lost its destinations
		}
		if got := w.links("orders"); got != "" {
			t.Errorf("links when all destinations are gone = %s, want none", got)
		}
	})
}
