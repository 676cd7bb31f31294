package kernel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// MostWorkers is how many cores one question uses at most.
const MostWorkers = 4

// idleCores holds a place for every core but one: what a question takes from it is
// free at that time, and what is not free it does without.
var idleCores = make(chan struct{}, max(0, runtime.GOMAXPROCS(0)-1))

// Workers is how many goroutines compute one question, the caller's among them.
type Workers int

// TakeWorkers takes as many workers as are idle. The caller releases them.
func TakeWorkers() Workers {
	for w := Workers(1); w < MostWorkers; w++ {
		select {
		case idleCores <- struct{}{}:
		default:
			return w
		}
	}
	return MostWorkers
}

// Release returns the workers to those who wait for some.
func (w Workers) Release() {
	for range w - 1 {
		<-idleCores
	}
}

// PanicError is a panic of a worker, which fails its question and not the server.
type PanicError struct {
	value any
	stack []byte
}

// Error says what the panic was, and where.
func (e *PanicError) Error() string {
	return fmt.Sprintf("kernel: a worker panicked: %v\n%s", e.value, e.stack)
}

// Each calls f for every number below n, several at a time; a worker that is late
// finds less to do. Half of the workers begin at the end, so that what one of them
// does next is mostly of the same network. It fails when a call panics; not all
// calls are made then.
func (w Workers) Each(n int, f func(worker, i int)) error {
	var taken, front, back atomic.Int64
	var failed atomic.Pointer[PanicError]
	work := func(worker int) {
		defer func() {
			if p := recover(); p != nil {
				failed.Store(&PanicError{p, debug.Stack()})
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

// Block is a run of rows, from one up to but not another.
type Block struct{ From, To int }

// Rows is how many rows there are.
func (b Block) Rows() int { return b.To - b.From }

// BlockRows is how many rows are computed at a time, so that they stay in cache.
const BlockRows = 6 * TileRows
