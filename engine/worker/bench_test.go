package worker_test

import (
	"slices"
	"testing"
	"time"

	"quern/engine"
	"quern/engine/worker"
)

// BenchmarkWorker compares queries in a worker with the same in this process:
// ratio is worker to process, added-ms the difference, of the fastest tenth, which
// a busy machine disturbs least.
func BenchmarkWorker(b *testing.B) {
	e := newEngine(b, worker.Options{})
	for _, bench := range []struct{ name, sql string }{
		{"Small", "SELECT i % 7 AS g, sum(i) FROM range(1000) r(i) GROUP BY g"},
		{"Rows100k", "SELECT i, i * 0.5::DOUBLE AS f, 'text ' || i AS s FROM range(100000) r(i)"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var there, here []time.Duration
			for b.Loop() {
				// In turns, since what a query leaves to be tidied disturbs the next.
				for range turn {
					here = append(here, took(b, e.Local(), bench.sql))
				}
				for range turn {
					there = append(there, took(b, e, bench.sql))
				}
			}
			one, other := fast(there), fast(here)
			b.ReportMetric(float64(one)/float64(other), "ratio")
			b.ReportMetric(float64(one-other)/1e6, "added-ms")
			b.Logf("worker %v, process %v", one, other)
		})
	}
}

// turn is how many queries run in the same place one after the other.
const turn = 20

func took(b *testing.B, e engine.Engine, sql string) time.Duration {
	b.Helper()
	start := time.Now()
	if err := drain(e.Query(b.Context(), engine.Query{SQL: sql})); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

func fast(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/10]
}
