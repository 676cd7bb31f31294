package duckdb_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

// hostile statements try to take more memory than a query may.
var hostile = []string{
	"SELECT length(" + strings.Repeat("concat(s, s, ", 30) + "'x'" + strings.Repeat(")", 30) + ") FROM (SELECT 'x' s FROM range(5000))",
	"WITH a AS (SELECT repeat('x', 65536) s FROM range(5000)), b AS (SELECT s||s||s||s s FROM a), c AS (SELECT s||s||s||s s FROM b), d AS (SELECT s||s||s||s s FROM c) SELECT max(length(s)) FROM d",
	"SELECT a||a b, b||b c, c||c d, d||d e, e||e f, f||f g, g||g h, length(h||h||h||h) FROM (SELECT repeat('x', 60000) a FROM range(3000))",
	"SELECT length(replace(replace(replace(repeat('a', 60000), 'a', repeat('b', 4)), 'b', 'cccc'), 'c', 'dddd')) FROM range(5000)",
	"SELECT length(hex(hex(hex(hex(hex(hex(repeat('a', 60000)))))))) FROM range(5000)",
	"SELECT length(bin(bin(bin(bin(s))))) FROM (SELECT repeat('a', 1000) s FROM range(5000))",
	"SELECT len(list_transform(range(10000), x -> list_transform(range(10000), y -> x + y))) FROM range(100)",
	"SELECT len(list_transform(range(10000), x -> repeat('x', 65536))) FROM range(100)",
	"SELECT length(list_reduce(list_transform(range(60), x -> 'x'), (a, b) -> a || a || b))",
	"SELECT length(array_to_string(range(10000), repeat('x', 65536))) FROM range(100)",
	"SELECT len(list_resize([1], 10000, repeat('x', 65536))) FROM range(100)",
	"SELECT length(json_pretty(repeat('[', 30000) || repeat(']', 30000))) FROM range(100)",
	"SELECT damerau_levenshtein(repeat('x', 65536), repeat('y', 65536)) FROM range(100)",
	"SELECT len(list(i) OVER ()) FROM range(100000) r(i)",
	"SELECT length(string_agg(i::TEXT, ',') OVER ()) FROM range(100000) r(i)",
	"WITH RECURSIVE r AS (SELECT 'x' s, 0 i UNION ALL SELECT s||s, i + 1 FROM r WHERE i < 60) SELECT max(length(s)) FROM r",
	"WITH RECURSIVE r AS (SELECT 'x' s, 0 i UNION ALL SELECT s||s||s||s||s||s||s||s, i + 1 FROM r WHERE i < 60) SELECT max(length(s)) FROM r",
	"SELECT z FROM (SELECT s||s||s||s||s||s||s||s||s||s||s||s||s||s||s||s a FROM (SELECT repeat('x', 1000) s FROM range(5000))) q, LATERAL (SELECT length(a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a) z) l",
	"SELECT count(*) FROM (SELECT string_agg(repeat('x', 65536), '') s FROM range(100000))",
	"SELECT count(*) FROM (SELECT list(repeat('x', 1000) || i) FROM range(10000000) r(i))",
	"SELECT max(s) FROM (SELECT repeat('x', 60000) || i s FROM range(1000000) r(i)) GROUP BY s",
	"SELECT 1 FROM range(100000000) a(i) ORDER BY random()",
}

const (
	hostileMemory = 128 << 20
	hostilePeak   = 1200 << 20 // what the whole process may reach
)

// hostileChild is where the statements run: a process of its own that the
// system stops at 2 GiB.
func hostileChild(t *testing.T) {
	limit := syscall.Rlimit{Cur: 2 << 30, Max: 2 << 30}
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, duckdb.Options{MemoryLimit: hostileMemory, SpillLimit: 256 << 20, Threads: 2, MaxTime: 5 * time.Second})
	for _, sql := range hostile {
		before := time.Now()
		err := drain(e.Query(t.Context(), engine.Query{SQL: sql, MaxRows: 10, Resolve: nothing}))
		refusal, ok := errors.AsType[*quern.Error](err)
		if err != nil && (!ok || refusal.Kind != quern.Invalid && refusal.Kind != quern.Timeout) {
			t.Errorf("Query(%s) = %v, want rows, a refusal or a timeout", sql, err)
		}
		peak := peakMemory(t)
		t.Logf("%v, %d MiB at most: %.100s: %v", time.Since(before).Round(time.Millisecond), peak>>20, sql, err)
		if peak > hostilePeak {
			t.Fatalf("Query(%s) took the process to %d MiB, want at most %d", sql, peak>>20, hostilePeak>>20)
		}
	}
}

func TestHostileQueriesStayWithinMemory(t *testing.T) {
	if os.Getenv("QUERN_HOSTILE") != "" {
		hostileChild(t)
		return
	}
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestHostileQueriesStayWithinMemory$", "-test.v")
	child.Env = append(os.Environ(), "QUERN_HOSTILE=1")
	output, err := child.CombinedOutput()
	if err != nil {
		t.Errorf("hostile queries = %v, want no error\n%s", err, output)
	}
	t.Logf("%s", output)
}

// peakMemory is the most resident memory that this process has had.
func peakMemory(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := bytes.Cut(text, []byte("VmHWM:"))
	var kib int64
	if _, err := fmt.Sscan(string(after), &kib); err != nil {
		t.Fatal(err)
	}
	return kib << 10
}

func drain(rows engine.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}
