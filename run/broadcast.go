package run

import (
	"sync"

	"quern"
)

// broadcast tells readers in this process that runs have changed.
type broadcast struct {
	mu     sync.Mutex
	topics map[quern.RunID]*topic
}

type topic struct {
	changed chan struct{} // closed at the next change
	readers int
}

func newBroadcast() *broadcast { return &broadcast{topics: map[quern.RunID]*topic{}} }

// watch returns a function whose channel is closed at the next change, and one to
// call when there is no more interest.
func (b *broadcast) watch(id quern.RunID) (changed func() <-chan struct{}, done func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.topics[id]
	if t == nil {
		t = &topic{changed: make(chan struct{})}
		b.topics[id] = t
	}
	t.readers++
	changed = func() <-chan struct{} {
		b.mu.Lock()
		defer b.mu.Unlock()
		return t.changed
	}
	return changed, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if t.readers--; t.readers == 0 {
			delete(b.topics, id)
		}
	}
}

// tell tells the readers of a run that it has changed.
func (b *broadcast) tell(id quern.RunID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.topics[id]; t != nil {
		close(t.changed)
		t.changed = make(chan struct{})
	}
}
