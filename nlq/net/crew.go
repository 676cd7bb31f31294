package net

import (
	"runtime"
	"sync"
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

// each calls f for every number below n, several at a time.
func (c crew) each(n int, f func(worker, i int)) {
	workers := min(int(c), n)
	var done sync.WaitGroup
	for w := 1; w < workers; w++ {
		done.Go(func() {
			for i := w; i < n; i += workers {
				f(w, i)
			}
		})
	}
	for i := 0; i < n; i += max(1, workers) {
		f(0, i)
	}
	done.Wait()
}

// blocks calls f for runs of rows, several at a time. Every row is in one run,
// and what is computed for it does not depend on which.
func (c crew) blocks(rows int, f func(worker, from, to int)) {
	c.each((rows+blockRows-1)/blockRows, func(worker, i int) {
		f(worker, i*blockRows, min(rows, (i+1)*blockRows))
	})
}

// blockRows is how many rows are computed at a time, so that they stay in cache.
const blockRows = 6 * tileRows
