package duckdb_test

import (
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

// A query that the disk has no room for gets an error that says so. The disk is a
// very small one of a process of its own.
func TestAFullDiskIsSaid(t *testing.T) {
	if dir := os.Getenv("QUERN_SMALL_DISK"); dir != "" {
		smallDisk(t, dir)
		return
	}
	t.Parallel()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAFullDiskIsSaid$", "-test.v")
	child.Env = append(os.Environ(), "QUERN_SMALL_DISK="+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	if output, err := child.CombinedOutput(); err != nil {
		t.Errorf("a query on a full disk = %v\n%s", err, output)
	}
}

func smallDisk(t *testing.T, dir string) {
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=16m"); err != nil {
		t.Fatal(err)
	}
	e, err := duckdb.New(duckdb.Options{TempDir: dir, MemoryLimit: 64 << 20, Threads: 2, MaxTime: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	err = drain(e.Query(t.Context(), engine.Query{SQL: "SELECT md5(i::TEXT) m FROM range(10000000) r(i) ORDER BY m", MaxRows: 10}))
	if kind := quern.KindOf(err); kind != quern.Invalid && kind != quern.Unavailable || !strings.Contains(err.Error(), "disk") {
		t.Errorf("Query(sort beyond the disk) = %v, want an error that names the disk", err)
	}
	if err := e.Close(); err != nil {
		t.Errorf("Close() = %v, want no error", err)
	}
}
