package duckdb

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime/metrics"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	// watchEvery is how often memory is looked at while something runs.
	watchEvery = 20 * time.Millisecond
	// watchPatience is how many looks a stopped query is given to end before
	// the next is stopped as well.
	watchPatience = 10
	// watchSlack is memory beyond the limits that is nobody's fault: the
	// engine's own, and what the allocator holds back.
	watchSlack = 256 << 20
)

// errMemory is the cause of a query's end when the watch ended it.
var errMemory = errors.New("duckdb: memory beyond the limit")

// memoryWatch ends queries while the engine's memory is beyond what the limits of all
// running jobs add up to, the youngest query first. It is there for memory that
// the engine itself does not count.
type memoryWatch struct {
	limit    int64 // of one job
	resident func() (int64, bool)

	mu      sync.Mutex
	running int
	queries []*watchedQuery // by age
	idle    int64           // memory when nothing ran
	on      bool            // whether a look is under way
	looking sync.WaitGroup
}

type watchedQuery struct{ end context.CancelCauseFunc }

func newMemoryWatch(limit int64) *memoryWatch {
	return &memoryWatch{limit: limit, resident: engineMemory}
}

// enter counts a job in. End is nil for jobs that are not to be ended.
func (w *memoryWatch) enter(end context.CancelCauseFunc) (leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	job := &watchedQuery{end}
	if end != nil {
		w.queries = append(w.queries, job)
	}
	if w.running++; w.running == 1 {
		memory, ok := w.resident()
		w.idle = memory
		if ok && !w.on {
			w.on = true
			w.looking.Go(w.look)
		}
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.running--
		w.queries = slices.DeleteFunc(w.queries, func(other *watchedQuery) bool { return other == job })
	}
}

// look goes on as long as a job runs.
func (w *memoryWatch) look() {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for pause := 0; ; pause-- {
		<-ticker.C
		memory, ok := w.resident()
		w.mu.Lock()
		if w.running == 0 || !ok {
			w.on = false
			w.mu.Unlock()
			return
		}
		allowed := w.idle + int64(w.running)*w.limit + watchSlack
		if last := len(w.queries) - 1; memory > allowed && last >= 0 && pause <= 0 {
			w.queries[last].end(errMemory)
			w.queries = w.queries[:last]
			pause = watchPatience
		}
		w.mu.Unlock()
	}
}

// close waits until the last look. All jobs must have left.
func (w *memoryWatch) close() { w.looking.Wait() }

// engineMemory is the memory of this process that is not Go's, where the system
// tells it.
func engineMemory() (int64, bool) {
	text, err := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0, false
	}
	own := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(own)
	if own[0].Value.Kind() != metrics.KindUint64 || own[1].Value.Kind() != metrics.KindUint64 {
		return 0, false
	}
	return pages*int64(os.Getpagesize()) - int64(own[0].Value.Uint64()-own[1].Value.Uint64()), true
}
