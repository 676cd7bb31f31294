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

// race has the server and raw DuckDB do the same in turn.
func (s *server) race(r *raw, rounds int, ours, theirs func(), prepare ...func()) against {
	var a against
	var oursUsed, theirsUsed time.Duration
	a.ours, a.theirs = alternate(rounds, func() {
		before := s.processor()
		ours()
		oursUsed += s.processor() - before
	}, func() {
		before := r.processor()
		theirs()
		theirsUsed += r.processor() - before
	}, prepare...)
	a.processor = oursUsed.Seconds() / theirsUsed.Seconds()
	return a
}

func (a against) ratio() float64 { return a.ours.Seconds() / a.theirs.Seconds() }

// parquetFiles writes the table function that reads files.
func parquetFiles(paths []string) string {
	return "read_parquet(['" + strings.Join(paths, "', '") + "'])"
}

// copyOptions are those of the server's segments of many rows; those of few have smaller row groups.
const copyOptions = "(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 122880)"
