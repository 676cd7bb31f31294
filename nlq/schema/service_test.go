package schema_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/engine"
	"quern/housetest"
	"quern/nlq/schema"
	"quern/store"
	"quern/store/storetest"
)

// world is schemas with every real part behind them.
type world struct {
	*housetest.House
	t        *testing.T
	ada, bob quern.Principal
	now      time.Time
	log      bytes.Buffer
	options  schema.Options
	*schema.Service
}

func newWorld(t *testing.T, s *store.Store) *world {
	t.Helper()
	w := &world{t: t, now: time.Now()}
	o := housetest.Options{Store: s, Now: func() time.Time { return w.now }, Log: slog.New(slog.NewTextHandler(&w.log, nil)), Settle: time.Minute}
	w.House = housetest.New(t, o)
	w.ada, w.bob = w.User("ada.l"), w.User("bob.s")
	w.options = schema.Options{Catalog: w.Catalog, Links: w.Links, Files: w.Objects, Engine: w.Engine, Now: o.Now, Log: o.Log, Wait: time.Minute}
	w.restart()
	t.Cleanup(func() { must(t, w.Close()) })
	return w
}

// restart makes a service that remembers nothing.
func (w *world) restart() {
	if w.Service != nil {
		must(w.t, w.Close())
	}
	w.Service = schema.New(w.options)
}

var must = housetest.Must

func at(dataset string) quern.DatasetPath {
	return quern.DatasetPath{Owner: "ada.l", Namespace: "shop", Dataset: dataset}
}

// rows adds rows to a dataset, which it makes when it is not there.
func (w *world) rows(dataset string, n int, row func(i int) string) {
	w.t.Helper()
	description := "what was bought"
	w.Fill(w.ada, at(dataset), n, row, quern.InferDefinition{
		DataDescription: &description, SchemaDefinition: map[string]string{"STATUS": "how far it has come"},
	})
}

func customers(i int) string {
	return fmt.Sprintf(`{"id":%d,"fullName":"Customer No %d","born":"19%02d-01-02"}`, i+1, i+1, 10+i%80)
}

func orders(i int) string {
	return fmt.Sprintf(`{"id":%d,"customer_id":%d,"status":"%s","price":%d.5}`, i+1, i%50+1, []string{"open", "paid", "sent"}[i%3], i)
}

func (w *world) shop() {
	w.rows("customers", 60, customers)
	w.rows("orders", 300, orders)
	w.now = w.now.Add(time.Minute)
	must(w.t, w.Links.Upkeep(w.t.Context()))
}

func (w *world) schema(p quern.Principal, dataset string) *schema.Schema {
	w.t.Helper()
	s, err := w.Schema(w.t.Context(), p, at("").In(), dataset, nil)
	must(w.t, err)
	return s
}

func shown(s *schema.Schema) string {
	var b strings.Builder
	for _, t := range s.Tables {
		fmt.Fprintf(&b, "%s %v %q %d:", t.Path.Dataset, t.Words, t.Description, t.Rows)
		for _, c := range s.Columns[t.First : t.First+t.Len] {
			fmt.Fprintf(&b, " %s%v %s %d/%d %s..%s", c.Name, c.Words, c.Type, c.Distinct, c.Rows, c.Min, c.Max)
			if c.Description != "" {
				fmt.Fprintf(&b, " %q", c.Description)
			}
			if c.Values != nil {
				fmt.Fprintf(&b, " %d values", c.Values.Len())
			}
			b.WriteString(";")
		}
		b.WriteString("\n")
	}
	for _, l := range s.Links {
		fmt.Fprintf(&b, "%s > %s\n", s.Columns[l.From].Name, s.Columns[l.To].Name)
	}
	return b.String()
}

const wholeShop = `customers [customers] "what was bought" 60: id[id] integer 60/60 1..60 60 values; fullName[full name] text 60/60 Customer No 1..Customer No 9 60 values; born[born] date 60/60 1910-01-02..1969-01-02;
orders [orders] "what was bought" 300: id[id] integer 300/300 1..300 300 values; customer_id[customer id] integer 50/300 1..50 50 values; status[status] text 3/300 open..sent "how far it has come" 3 values; price[price] double 300/300 0.5..299.5 300 values;
customer_id > id
`

func TestSchemaOfANamespace(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld(t, s)
		w.shop()
		if got := shown(w.schema(w.ada, "")); got != wholeShop {
			t.Errorf("Schema(shop) =\n%s, want\n%s", got, wholeShop)
		}
		one := w.schema(w.ada, "ORDERS")
		if len(one.Tables) != 1 || len(one.Links) != 0 || one.Tables[0].Path != at("orders") {
			t.Errorf("Schema(shop, ORDERS) =\n%s, want orders alone", shown(one))
		}
		if found := one.Columns[2].Values.Find("opened"); len(found) == 0 || found[0].Value != "open" {
			t.Errorf("Find(opened) in status = %v, want open", found)
		}
		w.restart()
		if got := shown(w.schema(w.ada, "")); got != wholeShop {
			t.Errorf("Schema(shop) after a restart =\n%s, want the same", got)
		}
	})
}

func TestSchemaFollowsTheData(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.shop()
	before := w.schema(w.ada, "")
	w.rows("orders", 1, func(int) string { return `{"id":1000,"status":"lost","colour":"red"}` })
	must(t, w.Upkeep(t.Context())) // starts to read what the next question needs
	after := w.schema(w.ada, "")
	if !after.Columns[5].Values.Word("lost") || before.Columns[5].Values.Word("lost") {
		t.Errorf("status has lost: %v, before %v, want it after the change alone", after.Columns[5].Values.Word("lost"), before.Columns[5].Values.Word("lost"))
	}
	if len(after.Columns) != len(before.Columns)+1 {
		t.Errorf("columns = %d, want one more than %d", len(after.Columns), len(before.Columns))
	}
	if after.Columns[1].Values != before.Columns[1].Values {
		t.Error("customers were read again, want them kept")
	}
	_, err := w.Catalog.RenameDataset(t.Context(), w.ada, at("customers"), "people")
	must(t, err)
	if got := w.schema(w.ada, ""); got.Tables[1].Path != at("people") || got.Columns[got.Tables[1].First+1].Values != before.Columns[1].Values {
		t.Errorf("after renaming =\n%s, want people with the values of before", shown(got))
	}
	_, err = w.Catalog.DeleteDataset(t.Context(), w.ada, at("orders"))
	must(t, err)
	must(t, w.Upkeep(t.Context()))
	if got := w.schema(w.ada, ""); len(got.Tables) != 1 {
		t.Errorf("after deleting =\n%s, want people alone", shown(got))
	}
}

func TestSchemaShowsWhatTheAskerSees(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.shop()
	w.schema(w.ada, "") // everything is in memory now
	wantNotFound := func(dataset string) {
		t.Helper()
		if _, err := w.Schema(t.Context(), w.bob, at("").In(), dataset, nil); !quern.Is(err, quern.NotFound) {
			t.Errorf("Schema(shop, %q) as a stranger = %v, want not found", dataset, err)
		}
	}
	wantNotFound("")
	_, err := w.Catalog.Share(t.Context(), w.ada, at("orders"), quern.Share{Username: "bob.s", Role: quern.Viewer})
	must(t, err)
	if got := w.schema(w.bob, ""); len(got.Tables) != 1 || got.Tables[0].Path != at("orders") || len(got.Links) != 0 {
		t.Errorf("Schema(shop) as who sees orders =\n%s, want orders alone and no link", shown(got))
	}
	wantNotFound("customers")
	_, err = w.Catalog.Revoke(t.Context(), w.ada, at("orders"), "bob.s")
	must(t, err)
	wantNotFound("orders")
}

func TestQuestionsDoNotWaitLong(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.shop()
	w.options.Wait = time.Nanosecond
	w.options.Memory = 1
	w.restart()
	first := w.schema(w.ada, "")
	if len(first.Columns) != 7 {
		t.Errorf("columns without waiting = %d, want 7", len(first.Columns))
	}
	var askers sync.WaitGroup
	for range 8 {
		askers.Go(func() {
			if _, err := w.Schema(t.Context(), w.ada, at("").In(), "", nil); err != nil {
				t.Errorf("Schema(shop) side by side = %v", err)
			}
		})
	}
	askers.Wait()
	must(t, w.Close())
	if got := w.schema(w.ada, ""); len(got.Columns) != 7 {
		t.Errorf("columns after Close = %d, want 7 without values", len(got.Columns))
	}
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.shop()
	w.options.Memory = 1 // room for one dataset at a time
	w.restart()
	first := w.schema(w.ada, "customers").Columns[1].Values
	if again := w.schema(w.ada, "customers").Columns[1].Values; again != first {
		t.Error("customers were read again, want them kept")
	}
	w.schema(w.ada, "orders")
	if again := w.schema(w.ada, "customers").Columns[1].Values; again == first {
		t.Error("customers were kept, want them dropped for orders")
	}
}

// panicking is an engine that panics when it is scanned.
type panicking struct{ engine.Engine }

func (panicking) Scan(context.Context, engine.Table, int64, int64) (engine.Rows, error) {
	panic("a damaged segment")
}

// Values that make the index panic are left out; the question gets the rest, and the
// server goes on.
func TestPanicsWhileIndexingLeaveValuesOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.shop()
	whole := w.options.Engine
	w.options.Engine = panicking{whole}
	w.restart()
	s := w.schema(w.ada, "orders")
	if len(s.Columns) != 4 || slices.ContainsFunc(s.Columns, func(c schema.Column) bool { return c.Values != nil }) {
		t.Errorf("the schema has %d columns, want 4 and no values", len(s.Columns))
	}
	must(t, w.Close())
	if !strings.Contains(w.log.String(), "a damaged segment") {
		t.Errorf("the log %q does not say what happened", w.log.String())
	}
	w.options.Engine = whole
	w.restart()
	if s := w.schema(w.ada, "orders"); !slices.ContainsFunc(s.Columns, func(c schema.Column) bool { return c.Values != nil }) {
		t.Error("no values with the engine in order, so that this test tests nothing")
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLargeTablesAreAskedOfTheEngine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	const n = 65_000
	w.rows("visits", n, func(i int) string {
		return fmt.Sprintf(`{"no":%d,"a":%d,"b":%d,"c":%d,"d":%d,"e":%d,"page":"page %d","address":"street %d"}`, i, i%7, i%3, i%2, i%5, i%11, min(i, 9), i%20_000)
	})
	s := w.schema(w.ada, "visits")
	if found := s.Columns[6].Values.Find("page"); len(found) == 0 || found[0].Value != "page 9" {
		t.Errorf("Find(page) = %v, want the most frequent first", found)
	}
	for _, c := range []struct {
		column, values  int
		least, greatest int64
	}{{0, 2_000, n, n}, {1, 7, 7, 7}, {6, 10, 10, 10}, {7, schema.DefaultValues, 19_000, 21_000}} {
		got := s.Columns[c.column]
		if got.Values.Len() != c.values || got.Distinct < c.least || got.Distinct > c.greatest || got.Key() != (c.least == n) {
			t.Errorf("%s has %d values of %d, want %d of %d to %d", got.Name, got.Values.Len(), got.Distinct, c.values, c.least, c.greatest)
		}
	}
}
