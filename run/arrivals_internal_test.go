package run

import (
	"testing"
	"testing/synctest"
	"time"
)

// Work waits until all questions that were being stored are, however many came meanwhile.
func TestWorkLetsQuestionsArrive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var a arrivals
		a.wait(t.Context()) // nobody comes
		first, second := a.begin(), a.begin()
		worked := make(chan time.Duration, 2)
		start := time.Now()
		for range 2 {
			go func() {
				a.wait(t.Context())
				worked <- time.Since(start)
			}()
		}
		synctest.Wait()
		first()
		first()
		synctest.Wait()
		if len(worked) != 0 {
			t.Error("work begins while a question is being stored, want it to wait")
		}
		second()
		synctest.Wait()
		if len(worked) != 2 {
			t.Errorf("%d of 2 began when the last question was stored, want both", len(worked))
		}
	})
}

// Questions that never stop coming do not hold work up.
func TestWorkDoesNotWaitForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var a arrivals
		defer a.begin()()
		start := time.Now()
		a.wait(t.Context())
		if took := time.Since(start); took != letArrive {
			t.Errorf("work waited for %v, want %v", took, letArrive)
		}
		a.wait(t.Context())
		if took := time.Since(start); took != letArrive {
			t.Errorf("the next work waited for %v more, want none", took-letArrive)
		}
	})
}
