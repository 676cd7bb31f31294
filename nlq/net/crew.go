package net

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// mostWorkers is how many cores one question uses at most.
const mostWorkers = 4

// spare holds a place for every core but one: what a question takes from it is
// free at that time, and what is not free it does without.
var spare = make(chan struct{}, max(0, runtime.GOMAXPROCS(0)-1))

// crew is the workers of one question, the caller among them.
type crew int

func hire() crew {
	for c := crew(1); c < mostWorkers; c++ {
		select {
		case spare <- struct{}{}:
		default:
			return c
		}
	}
	return mostWorkers
}

func (c crew) dismiss() {
	for range c - 1 {
		<-spare
	}
}

// each calls f for every number below n, several at a time. Who is late finds
// less to do. Half of the workers begin at the end, so that what one of them does
// next is mostly of the same network.
func (c crew) each(n int, f func(worker, i int)) {
	var taken, front, back atomic.Int64
	work := func(worker int) {
		for taken.Add(1) <= int64(n) {
			if worker%2 == 0 {
				f(worker, int(front.Add(1))-1)
			} else {
				f(worker, n-int(back.Add(1)))
			}
		}
	}
	var done sync.WaitGroup
	for w := 1; w < min(int(c), n); w++ {
		done.Go(func() { work(w) })
	}
	work(0)
	done.Wait()
}

// blockRows is how many rows are computed at a time, so that they stay in cache.
const blockRows = 6 * tileRows
