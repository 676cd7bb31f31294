//go:build trino

package trino_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/housetest"
	"quern/query"
)

const (
	bigRows  = 10_000_000
	bigBatch = 100_000
)

// big loads many rows.
func (h *house) big(p quern.Principal, rows int) quern.DatasetPath {
	at := h.Dataset(p, "shop/events", "")
	var text strings.Builder
	for first := 0; first < rows; first += bigBatch {
		text.Reset()
		text.WriteByte('[')
		for i := first; i < first+bigBatch; i++ {
			if i > first {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, `{"i":%d,"k":%d}`, i, i*7919%1_000_003)
		}
		text.WriteByte(']')
		h.Append(p, at, text.String())
	}
	return at
}

// One coordinator and two workers: ten million rows that this machine refuses, two users
// and a join of two owners' datasets, a right that ends in between, and a worker that dies.
func TestTrinoRightsAndFailures(t *testing.T) {
	h := newHouse(t)
	ada, bob := h.User("ada"), h.User("bob")
	begun := time.Now()
	events := h.big(ada, bigRows)
	t.Logf("%d rows were loaded in %v", bigRows, time.Since(begun).Round(time.Second))
	h.Dataset(bob, "mine/keys", `[{"k":0,"name":"none"},{"k":7919,"name":"first"},{"k":15838,"name":"second"}]`)
	_, err := h.Catalog.Share(t.Context(), ada, events, quern.Share{Username: "bob", Role: quern.Viewer})
	housetest.Must(t, err)
	c := startCluster(t, h, nodes{workers: 2})
	on := h.on(c, 4*time.Minute)
	inShop, inMine := quern.NamespacePath{Owner: "ada", Namespace: "shop"}, quern.NamespacePath{Owner: "bob", Namespace: "mine"}
	const all = "SELECT count(*) AS n, sum(i) AS s FROM events"
	begun = time.Now()
	if got := run(t.Context(), on, ada, query.Request{In: inShop, SQL: all}); got.err != nil || fmt.Sprint(got.rows) != "[[10000000 49999995000000]]" {
		t.Errorf("%s = %v, %v, want all rows", all, got.rows, got.err)
	}
	t.Logf("counting and adding them took %v", time.Since(begun).Round(time.Millisecond))
	const joined = `SELECT m.name AS name, count(*) AS n FROM keys AS m JOIN "ada/shop/events" AS e ON m.k = e.k GROUP BY m.name ORDER BY name`
	want := run(t.Context(), h.Query, bob, query.Request{In: inMine, SQL: joined})
	begun = time.Now()
	if got := run(t.Context(), on, bob, query.Request{In: inMine, SQL: joined}); compare(want, got) != "" || len(got.rows) == 0 {
		t.Errorf("bob's join of two owners' datasets: %s", compare(want, got))
	}
	t.Logf("a join of two owners' datasets took %v", time.Since(begun).Round(time.Millisecond))
	if got := run(t.Context(), on, ada, query.Request{In: inShop, SQL: `SELECT count(*) AS n FROM "bob/mine/keys"`}); !quern.Is(got.err, quern.Invalid) {
		t.Errorf("ada's query of what is bob's alone = %v, %v, want none", got.rows, got.err)
	}
	if got := h.died(t, c, on, ada); got.err == nil && fmt.Sprint(got.rows) != pairs(bigRows) || got.err != nil && !quern.Is(got.err, quern.Unavailable) {
		t.Errorf("the query gave %v, %v, want the right answer or a failure that says to try again", got.rows, got.err)
	}
	h.revoked(t, c, ada, bob, events)
}

// revoked ends bob's right while his query is on its way.
func (h *house) revoked(t *testing.T, c *cluster, ada, bob quern.Principal, events quern.DatasetPath) {
	t.Helper()
	on := h.on(c, 4*time.Minute)
	const long = `SELECT sum(a.i) AS s FROM "ada/shop/events" AS a JOIN "ada/shop/events" AS b ON a.k = b.k`
	ended := make(chan outcome, 1)
	go func() {
		ended <- run(t.Context(), on, bob, query.Request{In: quern.NamespacePath{Owner: "bob", Namespace: "mine"}, SQL: long})
	}()
	time.Sleep(2 * time.Second)
	_, err := h.Catalog.Revoke(t.Context(), ada, events, "bob")
	housetest.Must(t, err)
	if got := <-ended; got.err == nil {
		t.Logf("the query had read all that it needed before the right ended: %v", got.rows)
	} else {
		t.Logf("a query whose right ended in its middle: %v", got.err)
	}
	if got := run(t.Context(), on, bob, query.Request{In: quern.NamespacePath{Owner: "bob", Namespace: "mine"}, SQL: long}); !quern.Is(got.err, quern.Invalid) {
		t.Errorf("a query after the right ended = %v, %v, want no such dataset", got.rows, got.err)
	}
}

// died kills a worker that has begun to work on a query.
func (h *house) died(t *testing.T, c *cluster, on *query.Service, ada quern.Principal) outcome {
	t.Helper()
	const long = `SELECT count(*) AS n FROM events AS a JOIN events AS b ON a.k = b.k`
	ended := make(chan outcome, 1)
	begun := time.Now()
	go func() {
		ended <- run(t.Context(), on, ada, query.Request{In: quern.NamespacePath{Owner: "ada", Namespace: "shop"}, SQL: long})
	}()
	const tasks = `SELECT count(*) FROM system.runtime.tasks WHERE node_id = 'worker1' AND state = 'RUNNING'
		AND query_id IN (SELECT query_id FROM system.runtime.queries WHERE "user" = 'ada' AND state = 'RUNNING')`
	for c.front.Count(t, tasks) < 1 {
		select {
		case got := <-ended:
			t.Errorf("the query ended before a worker could be killed: %v, %v", got.rows, got.err)
			return got
		case <-time.After(100 * time.Millisecond):
		}
	}
	killed := time.Since(begun)
	c.workers[1].Kill()
	got := <-ended
	t.Logf("a worker was killed after %v with tasks of the query; it ended after %v: %v, %v",
		killed.Round(time.Second), time.Since(begun).Round(time.Second), got.rows, got.err)
	return got
}

// pairs is how many pairs of rows share a key, as rows show it.
func pairs(rows int) string {
	n, of := int64(0), map[int]int64{}
	for i := range rows {
		of[i*7919%1_000_003]++
	}
	for _, c := range of {
		n += c * c
	}
	return fmt.Sprintf("[[%d]]", n)
}
