package kernel

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
)

func TestWorkersCallForEveryNumberOnce(t *testing.T) {
	t.Parallel()
	for _, w := range []Workers{1, 2, MostWorkers} {
		var calls [101]atomic.Int32
		if err := w.Each(len(calls), func(_, i int) { calls[i].Add(1) }); err != nil {
			t.Fatal(err)
		}
		for i := range calls {
			if n := calls[i].Load(); n != 1 {
				t.Errorf("%d workers call %d times for %d, want once", w, n, i)
			}
		}
	}
}

// A panic of any worker, the caller's goroutine included, is an error of the
// question; the server goes on.
func TestPanicsOfWorkersAreErrors(t *testing.T) {
	t.Parallel()
	for _, w := range []Workers{1, 2, MostWorkers} {
		for _, at := range []int{0, 50, 99} {
			err := w.Each(100, func(_, i int) {
				if i == at {
					panic("broken weights")
				}
			})
			panicked, ok := errors.AsType[*PanicError](err)
			if !ok || !strings.Contains(panicked.Error(), "broken weights") || !strings.Contains(panicked.Error(), "workers_internal_test.go") {
				t.Errorf("%d workers with a panic at %d = %v, want the panic and where it was", w, at, err)
			}
		}
	}
}
