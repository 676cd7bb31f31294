package ask

import (
	"sync"

	"quern/query"
)

// deliveredBytes bounds the rows of a Delivery, which are in memory.
const deliveredBytes = 16 << 20

// Delivery is where the rows of a run's step arrive for whoever waits for them in
// the same process: as many as a query returns, of which a step keeps the first.
// Nothing arrives when another server did the step, or the rows are too large to
// hold.
type Delivery struct {
	mu     sync.Mutex
	result *query.Result
}

// Result returns what arrived; nil: nothing did.
func (d *Delivery) Result() *query.Result {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.result
}

func (d *Delivery) put(r *query.Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.result = r
}
