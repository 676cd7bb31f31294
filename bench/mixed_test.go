package bench_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"
)

// BenchmarkMixed has 500 clients of ten users send small queries for a while, each to its
// user's own dataset of a thousand rows, and raw DuckDB run the same queries on as many
// connections as the server runs queries at once.
func BenchmarkMixed(b *testing.B) {
	const users, atOnce, rounds = 10, 4, 3
	clients := max(500 / *shrink, users)
	limit := 5 * time.Second / time.Duration(min(*shrink, 5))
	h := newHome(b)
	files := parquetFiles(seed(b, h, "seen", 1000))
	s := h.serve()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	rows, _ := body(rand.New(rand.NewPCG(7, 8)), 0, 1000)
	all := make([]*server, users)
	for i := range all {
		all[i] = s.as(fmt.Sprintf("user%d", i), client)
		all[i].ingest("mixed", rows)
	}
	r := openRaw(b)
	connections := make([]*raw, atOnce)
	for i := range connections {
		connections[i] = r.connect()
	}
	sql := func(turn int, table string) string { return fmt.Sprintf(questions[turn%len(questions)].sql, table) }
	byUser := make([]int, users)
	var times []time.Duration
	theirs := 0
	ours, raw := alternate(rounds, func() {
		for w, some := range during(clients, limit, func(w, turn int) { all[w%users].query(sql(turn, "mixed")) }) {
			byUser[w%users] += len(some)
			times = append(times, some...)
		}
	}, func() {
		for _, some := range during(atOnce, limit, func(w, turn int) { connections[w].run(sql(turn, files)) }) {
			theirs += len(some)
		}
	})
	slices.Sort(times)
	// One round more than is timed warms both up.
	rate := float64(len(times)) / (rounds + 1) / ours.Seconds()
	beside := float64(theirs) / (rounds + 1) / raw.Seconds()
	record(b, result{What: fmt.Sprintf("%d clients of %d users, small queries", clients, users), Quern: fmt.Sprintf("%.0f a second", rate),
		Other: fmt.Sprintf("%.0f a second, DuckDB on %d connections", beside, atOnce), Value: rate / beside, Unit: "×", Aim: 0.6, AtLeast: true})
	p50, p99 := times[len(times)/2], times[len(times)*99/100]
	record(b, result{What: "99 of 100 of these", Quern: millis(p99), Other: millis(p50) + ", median",
		Value: p99.Seconds() / p50.Seconds(), Unit: "×", Aim: 10})
	record(b, result{What: "of these, the user with the most", Quern: fmt.Sprint(slices.Max(byUser)), Other: fmt.Sprintf("%d, the one with the fewest", slices.Min(byUser)),
		Value: float64(slices.Max(byUser)) / float64(slices.Min(byUser)), Unit: "×", Aim: 1.2})
}
