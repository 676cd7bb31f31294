package net

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// mostWorkers is how many cores one question uses at most.
const mostWorkers = 4

// idleCores holds a place for every core but one: what a question takes from it is
// free at that time, and what is not free it does without.
var idleCores = make(chan struct{}, max(0, runtime.GOMAXPROCS(0)-1))

// workers is how many goroutines compute one question, the caller's among them.
type workers int

// takeWorkers takes as many workers as are idle. The caller releases them.
func takeWorkers() workers {
	for w := workers(1); w < mostWorkers; w++ {
		select {
		case idleCores <- struct{}{}:
		default:
			return w
		}
	}
	return mostWorkers
}

func (w workers) release() {
	for range w - 1 {
		<-idleCores
	}
}

// panicError is a panic of a worker, which fails its question and not the server.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string {
	return fmt.Sprintf("net: a worker panicked: %v\n%s", e.value, e.stack)
}

// each calls f for every number below n, several at a time; a worker that is late
// finds less to do. Half of the workers begin at the end, so that what one of them
// does next is mostly of the same network. It fails when a call panics; not all
// calls are made then.
func (w workers) each(n int, f func(worker, i int)) error {
	var taken, front, back atomic.Int64
	var failed atomic.Pointer[panicError]
	work := func(worker int) {
		defer func() {
			if p := recover(); p != nil {
				failed.Store(&panicError{p, debug.Stack()})
				taken.Add(int64(n)) // nobody needs the rest
			}
		}()
		for taken.Add(1) <= int64(n) {
			if worker%2 == 0 {
				f(worker, int(front.Add(1))-1)
			} else {
				f(worker, n-int(back.Add(1)))
			}
		}
	}
	var done sync.WaitGroup
	for i := 1; i < min(int(w), n); i++ {
		done.Go(func() { work(i) })
	}
	work(0)
	done.Wait()
	if err := failed.Load(); err != nil {
		return err
	}
	return nil
}

// block is a run of rows, from one up to but not another.
type block struct{ from, to int }

func (b block) rows() int { return b.to - b.from }

// blockRows is how many rows are computed at a time, so that they stay in cache.
const blockRows = 6 * tileRows
