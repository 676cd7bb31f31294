package worker_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/worker"
)

// workersOf lists the processes that work in a folder.
func workersOf(t *testing.T, dir string) (pids []int) {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if at, err := os.Readlink(link); err == nil && strings.HasPrefix(at, dir) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(link)))
			pids = append(pids, pid)
		}
	}
	return pids
}

func killWorkers(t *testing.T, e *worker.Engine) {
	t.Helper()
	for _, pid := range workersOf(t, e.Dir()) {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Error(err)
		}
	}
}

// The kernel takes workers when the machine has no more memory: their queries are tried again,
// and told to come back when that does not end.
func TestQueriesOfTakenWorkersAreTriedAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		kills int
		want  bool
	}{{"once", 1, true}, {"always", 1000, false}} {
		e := newEngine(t, worker.Options{})
		resolve := textTable(t, e)
		kills := 0
		err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT s FROM t", Resolve: func(ctx context.Context, ref engine.Ref) (engine.Table, error) {
			if kills++; kills <= c.kills {
				killWorkers(t, e)
			}
			return resolve(ctx, ref)
		}}))
		if got := err == nil; got != c.want || err != nil && !quern.Is(err, quern.Unavailable) {
			t.Errorf("a query whose worker is taken %s = %v, want rows: %t", c.name, err, c.want)
		}
	}
}

// A worker that dies takes its query with it and nothing else.
func TestAWorkerThatDiesIsReplaced(t *testing.T) {
	t.Parallel()
	e := newEngine(t, worker.Options{})
	rows, err := e.Query(t.Context(), engine.Query{SQL: "SELECT i FROM range(1000000000000) r(i)"})
	if err != nil || !rows.Next() {
		t.Fatalf("Query(endless rows) = %v, want a row", err)
	}
	killWorkers(t, e)
	if err := drain(rows, nil); !quern.Is(err, quern.Unavailable) {
		t.Errorf("the rows of a killed worker = %v, want Unavailable", err)
	}
	for range 3 {
		if err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT 1"})); err != nil {
			t.Errorf("Query after workers were killed = %v, want rows", err)
		}
	}
}

// Where segments are on another file system than the folders of workers, a query
// has a worker that may read exactly its files.
func TestSegmentsOfAnotherFileSystem(t *testing.T) {
	if dir := os.Getenv("QUERN_OTHER_DISK"); dir != "" {
		otherDisk(t, dir)
		return
	}
	t.Parallel()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSegmentsOfAnotherFileSystem$", "-test.v")
	child.Env = append(os.Environ(), "QUERN_OTHER_DISK="+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	if output, err := child.CombinedOutput(); err != nil {
		t.Errorf("a query over another file system = %v\n%s", err, output)
	}
}

func otherDisk(t *testing.T, dir string) {
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=64m"); err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, worker.Options{})
	resolve := textTable(t, e)
	for range 2 {
		err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT a.s FROM t a, u b", Resolve: func(ctx context.Context, ref engine.Ref) (engine.Table, error) {
			table, err := resolve(ctx, ref)
			moved := filepath.Join(dir, ref.Dataset+".parquet")
			text, readErr := os.ReadFile(table.Segments[0].Path)
			if readErr != nil {
				return table, readErr
			}
			table.Segments = []engine.Segment{{Path: moved, Columns: table.Columns, Rows: 1}}
			return table, errors.Join(err, os.WriteFile(moved, text, 0o600))
		}}))
		if err != nil {
			t.Errorf("Query(segments that cannot be linked) = %v, want rows", err)
		}
	}
}
