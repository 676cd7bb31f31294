package bench_test

import (
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// raw is DuckDB without anything around it: one open database, given as many
// threads and as much memory as the server's queries get.
type raw struct {
	b    *testing.B
	db   bindings.Database
	conn bindings.Connection
}

func openRaw(b *testing.B) *raw {
	b.Helper()
	r := &raw{b: b}
	if bindings.Open(":memory:", &r.db) == bindings.StateError || bindings.Connect(r.db, &r.conn) == bindings.StateError {
		b.Fatal("DuckDB does not open")
	}
	b.Cleanup(func() {
		bindings.Disconnect(&r.conn)
		bindings.Close(&r.db)
	})
	r.run("SET threads = " + strconv.Itoa(runtime.NumCPU()))
	r.run("SET memory_limit = '1GiB'")
	r.run("SET TimeZone = 'UTC'")
	return r
}

// connect returns another connection to the same database.
func (r *raw) connect() *raw {
	r.b.Helper()
	other := &raw{b: r.b, db: r.db}
	if bindings.Connect(r.db, &other.conn) == bindings.StateError {
		r.b.Fatal("DuckDB does not connect")
	}
	r.b.Cleanup(func() { bindings.Disconnect(&other.conn) })
	return other
}

// run runs a statement and fetches all of its result.
func (r *raw) run(sql string) (rows int) {
	r.b.Helper()
	var result bindings.Result
	defer bindings.DestroyResult(&result)
	if bindings.Query(r.conn, sql, &result) == bindings.StateError {
		r.b.Fatalf("%s = %s", sql, bindings.ResultError(&result))
	}
	for {
		chunk := bindings.FetchChunk(result)
		if chunk.Ptr == nil {
			return rows
		}
		rows += int(bindings.DataChunkGetSize(chunk))
		bindings.DestroyDataChunk(&chunk)
	}
}

// processor returns the processor time that this process has used.
func (r *raw) processor() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		r.b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// against is what the server and raw DuckDB took for the same.
type against struct {
	ours, theirs time.Duration // medians
	processor    float64       // the ratio of processor times
}

// race has the server and raw DuckDB do the same in turn, after once that does not count. What is to
// be done before each turn is not timed, and neither is reading how much processor time was used,
// which takes a good part of a millisecond where there are many workers.
func (s *server) race(r *raw, rounds int, ours, theirs func(), prepare ...func()) against {
	one, other := side{do: ours, processor: s.processor}, side{do: theirs, processor: r.processor}
	one.do()
	other.do()
	for range rounds {
		for _, x := range []*side{&one, &other} {
			for _, first := range prepare {
				first()
			}
			x.turn()
		}
	}
	return against{ours: median(one.took), theirs: median(other.took), processor: one.used.Seconds() / other.used.Seconds()}
}

// side is one of two that race.
type side struct {
	do        func()
	processor func() time.Duration // that it has used so far
	took      []time.Duration      // each turn
	used      time.Duration        // in all turns
}

func (x *side) turn() {
	before, start := x.processor(), time.Now()
	x.do()
	x.took = append(x.took, time.Since(start))
	x.used += x.processor() - before
}

func (a against) ratio() float64 { return a.ours.Seconds() / a.theirs.Seconds() }

// parquetFiles writes the table function that reads files.
func parquetFiles(paths []string) string {
	return "read_parquet(['" + strings.Join(paths, "', '") + "'])"
}

// copyOptions are those of the server's segments of many rows; those of few have smaller row groups.
const copyOptions = "(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 122880)"
