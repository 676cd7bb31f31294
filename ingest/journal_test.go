package ingest_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/catalog"
	"quern/engine/duckdb"
	"quern/housetest"
	"quern/ingest"
	"quern/query"
	"quern/store"
	"quern/store/storetest"
)

// eachJournal runs fn in a house with a journal, on SQLite and on PostgreSQL.
func eachJournal(t *testing.T, fn func(*testing.T, *house)) {
	t.Helper()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &house{t: t, House: housetest.New(t, housetest.Options{
				Engine: duckdb.Options{Threads: 1}, Store: storetest.Open(t, options(t)), Journal: true,
			})}
			h.ada = h.User("ada")
			h.service = h.Ingest
			fn(t, h)
		})
	}
}

// inJournal returns how many rows of a dataset are in the journal, and how many segments
// there are.
func (h *house) inJournal(d quern.DatasetPath) (rows int64, objects int) {
	h.t.Helper()
	for _, s := range h.segments(d) {
		if s.InJournal() {
			rows += s.Rows
		} else {
			objects++
		}
	}
	return rows, objects
}

func (h *house) described(d quern.DatasetPath) quern.Dataset {
	h.t.Helper()
	is, err := h.Catalog.Dataset(h.t.Context(), h.ada, d, catalog.Read)
	housetest.Must(h.t, err)
	return is
}

func (h *house) fold(d quern.DatasetPath) {
	h.t.Helper()
	is := h.described(d)
	housetest.Must(h.t, h.service.Fold(h.t.Context(), is.ID, is.NextRow))
	if rows, _ := h.inJournal(d); rows != 0 {
		h.t.Fatalf("after Fold, %d rows are in the journal, want none", rows)
	}
}

// sound fails unless the counts of all datasets agree with what they have.
func (h *house) sound() {
	h.t.Helper()
	var wrong []quern.DatasetID
	housetest.Must(h.t, h.Store.View(h.t.Context(), func(tx *store.Tx) (err error) {
		wrong, err = tx.MiscountedDatasets(h.t.Context())
		return err
	}))
	if len(wrong) > 0 {
		h.t.Errorf("datasets whose counts are wrong = %v, want none", wrong)
	}
}

func TestSmallIngestsAreThereAtOnce(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		d := h.create("d")
		h.ingest(d, `{"data":[{"n":1,"s":"a"}]}`, "")
		version := h.described(d).Version
		h.ingest(d, `{"data":[{"n":2,"s":"b"},{"s":"c"}]}`, "")
		h.ingest(d, `{"data":[{"S":"d","n":4}]}`, "")
		if rows, objects := h.inJournal(d); rows != 3 || objects != 1 {
			t.Errorf("three small rows = %d in the journal and %d segments, want 3 and 1", rows, objects)
		}
		want := []string{`{"n":1,"s":"a"}`, `{"n":2,"s":"b"}`, `{"n":null,"s":"c"}`, `{"n":4,"s":"d"}`}
		for _, when := range []string{"in the journal", "folded"} {
			if got := h.Rows(h.ada, "ns", "SELECT * FROM d ORDER BY s"); !slices.Equal(got, want) {
				t.Errorf("rows %s = %v, want %v", when, got, want)
			}
			page, err := h.Query.Rows(t.Context(), h.ada, d, 1, 2)
			housetest.Must(t, err)
			if page.FirstRow != 1 || page.Total != 4 || !page.Rows.Next() || page.Rows.Row()[0] != int64(2) {
				t.Errorf("the page from row 1, %s = %+v, want it to begin with 2 of 4", when, page)
			}
			housetest.Must(t, page.Rows.Close())
			is := h.described(d)
			if n := is.Columns[0].Stats; is.Rows != 4 || is.Version != version+2 || n.Nulls != 1 || n.Min != "1" || n.Max != "4" || n.Distinct.Estimate() != 3 {
				t.Errorf("the dataset %s = %d rows, version %d, %+v, want 4, %d and the stats of all", when, is.Rows, is.Version, n, version+2)
			}
			h.sound()
			h.fold(d)
		}
		if rows, objects := h.inJournal(d); rows != 0 || objects != 2 {
			t.Errorf("folded, %d rows are in the journal and %d segments, want 0 and 2", rows, objects)
		}
	})
}

// randomSmall returns rows of all types, some of which do not fit what came before.
func randomSmall(r *rand.Rand, odd bool) string {
	var rows []string
	for range 1 + r.IntN(4) {
		var members []string
		add := func(name, value string) {
			if r.IntN(5) > 0 {
				members = append(members, fmt.Sprintf("%q:%s", name, value))
			}
		}
		add("i", fmt.Sprint(r.Int64()>>r.IntN(64)-r.Int64N(1000)))
		add("f", []string{"0.5", "-1.25", "100000.125", "7", "12.50", fmt.Sprint(r.IntN(1000))}[r.IntN(6)])
		add("b", []string{"true", "false"}[r.IntN(2)])
		add("day", fmt.Sprintf("%q", time.Unix(r.Int64N(4e9)-2e9, 0).UTC().Format(time.DateOnly)))
		add("at", fmt.Sprintf("%q", time.UnixMicro(r.Int64N(4e15)-2e15).In(time.FixedZone("", 3600*(r.IntN(20)-10))).Format(time.RFC3339Nano)))
		add("s", []string{`""`, `"a"`, `"é\n\"quoted\" \\"`, `"2024-01-02"`, `"` + strings.Repeat("längst ", r.IntN(60)) + `"`, fmt.Sprintf("%q", fmt.Sprint(r.Uint32()))}[r.IntN(6)])
		add("j", []string{`{"k":[1, 2.5,null],"x":"y, }"}`, `[]`, `[{"a":true}]`}[r.IntN(3)])
		if odd {
			add("s", []string{`5`, `true`, `"x"`}[r.IntN(3)])
			add("f", []string{"1e3", "123456789012345678", "-0"}[r.IntN(3)])
			add("j", []string{`"text"`, `12`, `{"e":1e5}`}[r.IntN(3)])
			add(fmt.Sprintf("new%d", r.IntN(6)), `"n\u00e9w"`)
		}
		// A name that comes twice is refused: the later one counts here.
		byName := map[string]string{}
		for _, m := range members {
			name, _, _ := strings.Cut(m, ":")
			byName[name] = m
		}
		members = members[:0]
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			members = append(members, byName[name])
		}
		rows = append(rows, "{"+strings.Join(members, ",")+"}")
	}
	return `{"data":[{"always":1},` + strings.Join(rows, ",") + `]}`
}

// Whatever way rows come by, the dataset has the same rows, columns and statistics.
func TestJournalMakesNoDifference(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		r := rand.New(rand.NewPCG(seed, 1))
		plain := h.NewIngest(func(o *ingest.Options) { o.Journal = false })
		small, other := h.create("small"), h.create("other")
		journaled := 0
		for n := range 60 {
			body := randomSmall(r, n > 35 && n%6 == 5) // what widens columns keeps much of what follows out of the journal
			h.ingest(small, body, "")
			before := h.described(small).Journal.Rows
			if _, err := plain.JSON(t.Context(), h.ada, other, strings.NewReader(body), ""); err != nil {
				t.Fatalf("JSON(%s) = %s, want it stored", body, spelled(err))
			}
			if before > 0 {
				journaled++
			}
			if n%16 == 15 {
				h.fold(small)
			}
			if n%10 == 9 {
				h.sameDatasets(small, other)
			}
		}
		h.sound()
		h.fold(small)
		h.sameDatasets(small, other)
		if journaled < 15 {
			t.Errorf("after %d of 60 requests there were rows in the journal, want many", journaled)
		}
	})
}

func (h *house) sameDatasets(a, b quern.DatasetPath) {
	h.t.Helper()
	x, y := h.described(a), h.described(b)
	if x.Rows != y.Rows || x.NextRow != y.NextRow || x.Version != y.Version {
		h.t.Fatalf("rows, next row and version = %d, %d, %d, want %d, %d, %d", x.Rows, x.NextRow, x.Version, y.Rows, y.NextRow, y.Version)
	}
	for i := range x.Columns {
		if !reflect.DeepEqual(x.Columns[i], y.Columns[i]) {
			h.t.Fatalf("column of the journal = %+v, want %+v", x.Columns[i], y.Columns[i])
		}
	}
	if got, want := h.rows(a), h.rows(b); !reflect.DeepEqual(got, want) {
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				h.t.Fatalf("row %d = %v, want %v", i, got[i], want[i])
			}
		}
		h.t.Fatalf("%d rows, want %d", len(got), len(want))
	}
}

func TestSmallIngestsHappenOnce(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		d, e := h.create("d"), h.create("e")
		h.ingest(d, `{"data":[{"n":0}]}`, "")
		h.ingest(e, `{"data":[{"n":0}]}`, "")
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				if n, err := h.service.JSON(t.Context(), h.ada, d, strings.NewReader(`{"data":[{"n":1}]}`), "k"); n != 1 || err != nil {
					t.Errorf("the same request again = %d, %v, want 1", n, err)
				}
			})
		}
		all.Wait()
		h.fold(d)
		h.ingest(d, `{"data":[{"n":1}]}`, "k")
		plain := h.NewIngest(func(o *ingest.Options) { o.Journal = false })
		if n, err := plain.JSON(t.Context(), h.ada, d, strings.NewReader(`{"data":[{"n":1}]}`), "k"); n != 1 || err != nil {
			t.Errorf("the same request by the other way = %d, %v, want 1", n, err)
		}
		if got := h.Rows(h.ada, "ns", "SELECT count(*) AS c FROM d"); got[0] != `{"c":2}` {
			t.Errorf("rows = %v, want 2", got)
		}
		for _, other := range []struct {
			to   quern.DatasetPath
			body string
		}{{d, `{"data":[{"n":2}]}`}, {e, `{"data":[{"n":1}]}`}} {
			if _, err := h.service.JSON(t.Context(), h.ada, other.to, strings.NewReader(other.body), "k"); !quern.Is(err, quern.Conflict) {
				t.Errorf("another request under the key = %v, want Conflict", err)
			}
		}
		h.sound()
	})
}

// The same request that makes its dataset comes many times at once: all get one answer.
func TestRequestsThatMakeTheirDatasetHappenOnce(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		d := quern.DatasetPath{Owner: h.ada.User.Username, Namespace: "ns", Dataset: "made"}
		send := func(body string) (int64, error) {
			return h.service.Rows(t.Context(), h.ada, d, ingest.RowsRequest{Body: strings.NewReader(body), Key: "k", Make: true})
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if n, err := send(`{"data":[{"n":1},{"n":2}]}`); n != 2 || err != nil {
					t.Errorf("the same request = %d, %v, want 2", n, err)
				}
			})
		}
		all.Wait()
		if got := h.Rows(h.ada, "ns", "SELECT count(*) AS c FROM made"); got[0] != `{"c":2}` {
			t.Errorf("rows = %v, want 2", got)
		}
		if _, err := send(`{"data":[{"n":3}]}`); !quern.Is(err, quern.Conflict) || strings.Contains(err.Error(), "named") {
			t.Errorf("another request under the key = %v, want a Conflict about the key", err)
		}
	})
}

// Writers, readers and those who fold come at the same time: every row is there once, in
// the order of its writer.
func TestSmallIngestsAtTheSameTime(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		const writers, each = 16, 12
		var sets []quern.DatasetPath
		for i := range 3 {
			d := h.create(fmt.Sprintf("d%d", i))
			h.ingest(d, `{"data":[{"w":0,"i":0}]}`, "")
			sets = append(sets, d)
		}
		var writing, beside sync.WaitGroup
		stop := make(chan struct{})
		other := h.NewIngest() // another server
		for _, fold := range []*ingest.Service{h.service, other} {
			beside.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					housetest.Must(t, fold.FoldAll(t.Context(), time.Now()))
					housetest.Must(t, fold.MergeSmall(t.Context(), time.Now()))
				}
			})
		}
		beside.Go(func() {
			for seen := ""; ; {
				select {
				case <-stop:
					return
				default:
				}
				got := h.Rows(h.ada, "ns", "SELECT count(*) AS c, count(DISTINCT w * 1000 + i) AS d FROM d0")[0]
				var c, d int
				if _, err := fmt.Sscanf(got, `{"c":%d,"d":%d}`, &c, &d); err != nil || c != d || fmt.Sprintf("%06d", c) < seen {
					t.Errorf("rows seen = %s, want each once and never fewer than %s", got, seen)
				}
				seen = fmt.Sprintf("%06d", c)
			}
		})
		for w := range writers {
			writing.Go(func() {
				service := h.service
				if w%2 == 1 {
					service = other
				}
				for i := range each {
					d := sets[(w+i)%len(sets)]
					body := fmt.Sprintf(`{"data":[{"w":%d,"i":%d}]}`, w+1, i)
					if i == each/2 && w%4 == 0 {
						body = fmt.Sprintf(`{"data":[{"w":%d,"i":%d,"c%d":1}]}`, w+1, i, w) // a new column: the other way
					}
					if n, err := service.JSON(t.Context(), h.ada, d, strings.NewReader(body), fmt.Sprintf("%d-%d", w, i)); n != 1 || err != nil {
						t.Errorf("JSON = %d, %v, want 1", n, err)
					}
				}
			})
		}
		writing.Wait()
		close(stop)
		beside.Wait()
		h.sound()
		total := 0
		for _, d := range sets {
			last, n := map[string]string{}, 0
			for _, row := range h.rows(d) {
				w, i := fmt.Sprint(row["w"]), fmt.Sprintf("%03s", row["i"])
				if i <= last[w] && last[w] != "" {
					t.Errorf("%v: row %s of writer %s comes after %s, want its order", d, i, w, last[w])
				}
				last[w] = i
				n++
			}
			total += n
			var noted []quern.Ingestion
			id := h.described(d).ID
			housetest.Must(t, h.Store.View(t.Context(), func(tx *store.Tx) (err error) {
				noted, err = tx.Ingestions(t.Context(), id, time.Now().Add(time.Hour), 1000)
				return err
			}))
			if len(noted) != n || noted[0].Status != quern.IngestionCompleted || noted[0].ProcessedRows != 1 || noted[0].Attempt != 1 {
				t.Errorf("ingestions noted = %d, the last %+v, want %d that completed", len(noted), noted[0], n)
			}
		}
		if want := writers*each + len(sets); total != want {
			t.Errorf("rows = %d, want %d", total, want)
		}
	})
}

func TestSmallIngestsKeepToTheQuota(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		bob := h.User("bob")
		d := h.create("d")
		h.ingest(d, `{"data":[{"n":0}]}`, "")
		his := h.Dataset(bob, "ns/his", `[{"n":0}]`)
		rows := int64(3)
		housetest.Must(t, h.Store.Update(t.Context(), func(tx *store.Tx) error {
			return tx.SetQuota(t.Context(), h.ada.User.ID, quern.Quota{Rows: &rows})
		}))
		var all sync.WaitGroup
		var mu sync.Mutex
		stored, refused := 0, 0
		for range 8 {
			all.Go(func() {
				_, err := h.service.JSON(t.Context(), h.ada, d, strings.NewReader(`{"data":[{"n":1}]}`), "")
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					stored++
				case quern.Is(err, quern.TooLarge):
					refused++
				default:
					t.Errorf("JSON beyond the quota = %v, want TooLarge", err)
				}
			})
			all.Go(func() {
				if _, err := h.service.JSON(t.Context(), bob, his, strings.NewReader(`{"data":[{"n":1}]}`), ""); err != nil {
					t.Errorf("JSON of another user = %v, want it stored", err)
				}
			})
		}
		all.Wait()
		if stored != 2 || refused != 6 {
			t.Errorf("with a quota of 3 rows, one of them there, %d were stored and %d refused, want 2 and 6", stored, refused)
		}
		bytes := int64(1)
		housetest.Must(t, h.Store.Update(t.Context(), func(tx *store.Tx) error {
			return tx.SetQuota(t.Context(), h.ada.User.ID, quern.Quota{Bytes: &bytes})
		}))
		if _, err := h.service.JSON(t.Context(), h.ada, d, strings.NewReader(`{"data":[{"n":1}]}`), ""); !quern.Is(err, quern.TooLarge) {
			t.Errorf("JSON beyond the quota of bytes = %v, want TooLarge", err)
		}
		h.sound()
	})
}

func TestJournalGoesWithItsDataset(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		d := h.create("d")
		fill := func() {
			h.ingest(d, `{"data":[{"n":1}]}`, "")
			h.ingest(d, `{"data":[{"n":2}]}`, "")
			if rows, _ := h.inJournal(d); rows == 0 {
				t.Error("nothing is in the journal, want a row at least")
			}
		}
		fill()
		stale := h.described(d)
		runs, err := h.Catalog.InJournal(t.Context(), stale.ID, stale.NextRow)
		housetest.Must(t, err)
		if _, err := h.Catalog.Clear(t.Context(), h.ada, d); err != nil {
			t.Fatal(err)
		}
		if got := h.rows(d); len(got) != 0 {
			t.Errorf("rows of a cleared dataset = %v, want none", got)
		}
		h.sound()
		// Who folds what has gone meanwhile changes nothing.
		if err := h.Catalog.Fold(t.Context(), runs[0], catalog.Piece{Rows: runs[0].Rows}); !quern.Is(err, quern.Conflict) {
			t.Errorf("Fold of rows that are gone = %v, want Conflict", err)
		}
		h.ingest(d, `{"data":[{"n":"text"}]}`, "")
		h.ingest(d, `{"data":[{"n":"more"}]}`, "")
		if got := h.Rows(h.ada, "ns", "SELECT n FROM d ORDER BY n"); !slices.Equal(got, []string{`{"n":"more"}`, `{"n":"text"}`}) {
			t.Errorf("rows after the dataset was cleared and filled = %v, want those", got)
		}
		housetest.Must(t, h.Catalog.Commit(t.Context(), h.ada, []catalog.Change{{Dataset: stale.ID, Replace: true}}))
		if got := h.rows(d); len(got) != 0 {
			t.Errorf("rows of a replaced dataset = %v, want none", got)
		}
		h.sound()
		fill()
		if _, err := h.Catalog.DeleteDataset(t.Context(), h.ada, d); err != nil {
			t.Fatal(err)
		}
		d = h.create("d")
		fill()
		if _, err := h.Catalog.DeleteNamespace(t.Context(), h.ada, quern.NamespacePath{Owner: "ada", Namespace: "ns"}, true); err != nil {
			t.Fatal(err)
		}
		d = h.create("d")
		fill()
		housetest.Must(t, h.Catalog.DeleteOwned(t.Context(), h.ada.User.ID))
		var left []quern.DatasetID
		housetest.Must(t, h.Store.View(t.Context(), func(tx *store.Tx) (err error) {
			left, err = tx.Journaled(t.Context(), time.Now().Add(time.Hour), 10)
			return err
		}))
		if len(left) > 0 {
			t.Errorf("datasets in the journal after all were deleted = %v, want none", left)
		}
	})
}

// A journal that is full is folded by whoever comes next.
func TestJournalIsBounded(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		d := h.create("d")
		h.ingest(d, `{"data":[{"s":"x"}]}`, "")
		body := `{"data":[{"s":"` + strings.Repeat("x", 60<<10) + `"}]}`
		const requests = 160
		for range requests {
			h.ingest(d, body, "")
			if is := h.described(d); is.Journal.Bytes > 4<<20 {
				t.Fatalf("the journal has %d bytes, want it bounded", is.Journal.Bytes)
			}
		}
		if got := h.Rows(h.ada, "ns", "SELECT count(*) AS c, count(DISTINCT s) AS d FROM d"); got[0] != fmt.Sprintf(`{"c":%d,"d":2}`, requests+1) {
			t.Errorf("rows = %v, want %d", got, requests+1)
		}
		if _, objects := h.inJournal(d); objects < 2 {
			t.Errorf("%d segments, want some that were folded", objects)
		}
		h.sound()
	})
}

// While a server runs that does not know the journal, nothing is written to it.
func TestServersWithoutTheJournalSeeAllRows(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		d := h.create("d")
		h.ingest(d, `{"data":[{"n":1}]}`, "")
		old := store.Server{ID: "old", Host: "h", Release: "0", Knows: 27, StartedAt: time.Now(), SeenAt: time.Now()}
		housetest.Must(t, h.Store.Update(t.Context(), func(tx *store.Tx) error { return tx.SeeServer(t.Context(), old) }))
		h.ingest(d, `{"data":[{"n":2}]}`, "")
		if rows, objects := h.inJournal(d); rows != 0 || objects != 2 {
			t.Errorf("beside an old server, %d rows are in the journal and %d segments, want 0 and 2", rows, objects)
		}
		housetest.Must(t, h.Store.Update(t.Context(), func(tx *store.Tx) error { return tx.DeleteServer(t.Context(), "old", time.Time{}) }))
		h.ingest(d, `{"data":[{"n":3}]}`, "")
		if rows, _ := h.inJournal(d); rows != 1 {
			t.Errorf("once it is gone, %d rows are in the journal, want 1", rows)
		}
	})
}

// Rights are those of the moment of the commit, also on the journal's way.
func TestSmallIngestsNeedTheRight(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		bob, d := h.User("bob"), h.create("d")
		h.ingest(d, `{"data":[{"n":1}]}`, "")
		send := func(p quern.Principal, at quern.DatasetPath) error {
			_, err := h.service.JSON(t.Context(), p, at, strings.NewReader(`{"data":[{"n":2}]}`), "")
			return err
		}
		if err := send(bob, d); !quern.Is(err, quern.NotFound) {
			t.Errorf("JSON of a stranger = %v, want NotFound", err)
		}
		id := h.described(d).ID
		grant := func(r quern.Role) {
			housetest.Must(t, h.Store.Update(t.Context(), func(tx *store.Tx) error {
				return tx.PutGrant(t.Context(), string(id), bob.User.ID, r, time.Now())
			}))
		}
		grant(quern.Viewer)
		if err := send(bob, d); !quern.Is(err, quern.Forbidden) {
			t.Errorf("JSON of a viewer = %v, want Forbidden", err)
		}
		grant(quern.Editor)
		if err := send(bob, d); err != nil {
			t.Errorf("JSON of an editor = %v, want it stored", err)
		}
		readOnly := h.ada
		readOnly.ReadOnly = true
		if err := send(readOnly, d); !quern.Is(err, quern.Forbidden) {
			t.Errorf("JSON with a read-only token = %v, want Forbidden", err)
		}
		if rows, _ := h.inJournal(d); rows != 1 {
			t.Errorf("%d rows are in the journal, want the editor's", rows)
		}
	})
}

// What reads a dataset sees the journal.
func TestExportsSeeTheJournal(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, h *house) {
		d := h.create("d")
		h.ingest(d, `{"data":[{"n":1}]}`, "")
		h.ingest(d, `{"data":[{"n":2}]}`, "")
		for _, format := range []query.Format{query.CSV, query.JSON, query.NDJSON} {
			export, err := h.Query.Export(t.Context(), h.ada, d, format)
			housetest.Must(t, err)
			var out strings.Builder
			housetest.Must(t, export.Write(t.Context(), &out))
			if !strings.Contains(out.String(), "2") {
				t.Errorf("the export as %s = %q, want the row in the journal", format, out.String())
			}
		}
	})
}
