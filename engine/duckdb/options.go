package duckdb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

const (
	defaultMemory      = 1 << 30
	defaultTime        = 30 * time.Second
	defaultSpill       = 8 << 30
	defaultConcurrency = 4
	defaultQueue       = 64
	minMemory          = 64 << 20
	maxSpares          = 64
)

// SystemFiles are what DuckDB reads of the system when it opens a database. Where
// it may not, it ends the process.
func SystemFiles() []string { return []string{"/proc/self/cgroup", "/sys/fs/cgroup"} }

// Options are the limits of an engine. Zero values mean the defaults.
type Options struct {
	// TempDir is the folder that queries spill into; it must exist. Each query
	// has a folder of its own in it, removed with the query.
	TempDir string
	// SpillDir is where queries spill when not in TempDir.
	SpillDir string
	// MemoryLimit caps the bytes of memory of one query (1 GiB).
	MemoryLimit int64
	// SpillLimit caps the bytes one query may spill to TempDir (8 GiB).
	SpillLimit int64
	// Threads is the number of threads of one query (all processors).
	Threads int
	// MaxTime is how long one query may run (30 s). Scans, writes and copies
	// are bounded by their context alone.
	MaxTime time.Duration
	// Concurrency is how many queries run at once, and again how many writes and
	// copies (4 each). Scans, which wait for their readers, have eight times as
	// many places of their own.
	Concurrency int
	// Queue is how many may wait for a place before more are turned away (64
	// each).
	Queue int
	// Spares is how many idle databases are kept for reuse (twice Concurrency;
	// negative for none).
	Spares int
	// AtNeed has no database opened before the first is needed.
	AtNeed bool

	link        func(path, name string) error // os.Link but in tests
	keepFooters bool                          // of files, so that they are read once
	keptRows    int64                         // how many rows of tables are kept in memory; maxKeptRows but in tests
}

func (o Options) withDefaults() (Options, error) {
	if o.MemoryLimit == 0 {
		o.MemoryLimit = defaultMemory
	}
	if o.SpillLimit == 0 {
		o.SpillLimit = defaultSpill
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.MaxTime == 0 {
		o.MaxTime = defaultTime
	}
	if o.Concurrency == 0 {
		o.Concurrency = defaultConcurrency
	}
	if o.Queue == 0 {
		o.Queue = defaultQueue
	}
	if o.Spares == 0 {
		o.Spares = min(2*o.Concurrency, maxSpares)
	}
	if o.link == nil {
		o.link = os.Link
	}
	if o.keptRows == 0 {
		o.keptRows = maxKeptRows
	}
	if err := o.validate(); err != nil {
		return o, err
	}
	// The engine compares folders without their symbolic links.
	var err error
	if o.TempDir, err = filepath.EvalSymlinks(o.TempDir); err != nil || o.SpillDir == "" {
		o.SpillDir = o.TempDir
	}
	return o, err
}

func (o Options) validate() error {
	var errs []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	info, err := os.Stat(o.TempDir)
	check(o.TempDir != "" && err == nil && info.IsDir(), "TempDir %q is not a folder", o.TempDir)
	check(o.MemoryLimit >= minMemory, "MemoryLimit %d is below %d bytes", o.MemoryLimit, minMemory)
	check(o.SpillLimit > 0, "SpillLimit %d is not positive", o.SpillLimit)
	check(o.Threads > 0 && o.Threads <= 1024, "Threads %d is not in 1 to 1024", o.Threads)
	check(o.MaxTime > 0, "MaxTime %v is not positive", o.MaxTime)
	check(o.Concurrency > 0, "Concurrency %d is not positive", o.Concurrency)
	check(o.Queue > 0, "Queue %d is not positive", o.Queue)
	check(o.Spares <= maxSpares, "Spares %d is above %d", o.Spares, maxSpares)
	return errors.Join(errs...)
}
