package run

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"quern"
)

// Why the work on a run stops before its end.
var (
	errLost     = errors.New("run: the run has ended, is gone, or is somebody else's")
	errExpired  = errors.New("run: the run is past its life")
	errStopping = errors.New("run: the server stops")
	errAgain    = errors.New("run: the store failed")
)

// crew is the work that this server does at present.
type crew struct {
	slots chan struct{} // one for each run that is worked on
	woken chan struct{}
	life  context.Context // the life of the crew, which no call outlives
	close context.CancelFunc

	mu      sync.Mutex
	work    context.Context // what the work is done under; nil while nothing is worked on
	held    map[quern.RunID]*held
	working sync.WaitGroup
}

// held is a run that this server works on.
type held struct {
	run    quern.Run // as it was when it was taken
	holder string
	kept   time.Time // when the lease was last known to hold
	stop   context.CancelCauseFunc
}

func newCrew(size int) *crew {
	c := &crew{slots: make(chan struct{}, size), woken: make(chan struct{}, 1), held: map[quern.RunID]*held{}}
	c.life, c.close = context.WithCancel(context.Background())
	return c
}

// wake tells the dispatcher that there is something to do.
func (c *crew) wake() {
	select {
	case c.woken <- struct{}{}:
	default:
	}
}

// open lets work begin under a context.
func (c *crew) open(work context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.work = work
}

// shut lets no work begin any more.
func (c *crew) shut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.work = nil
}

// hire gives a free place for work on a run, if there is one now.
func (c *crew) hire() (work context.Context, ok bool) {
	select {
	case c.slots <- struct{}{}:
		return c.begin()
	default:
		return nil, false
	}
}

// begin turns a place into work; the place is given back when there is none to
// be done any more.
func (c *crew) begin() (work context.Context, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.work == nil {
		<-c.slots
		return nil, false
	}
	c.working.Add(1)
	return c.work, true
}

// leave gives a place back.
func (c *crew) leave() {
	<-c.slots
	c.working.Done()
}

func (c *crew) add(h *held) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held[h.run.ID] = h
}

// remove forgets a run, unless it was taken again meanwhile.
func (c *crew) remove(h *held) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held[h.run.ID] == h {
		delete(c.held, h.run.ID)
	}
}

func (c *crew) has(id quern.RunID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held[id] != nil
}

// all lists what is worked on.
func (c *crew) all() []*held {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := make([]*held, 0, len(c.held))
	for _, h := range c.held {
		list = append(list, h)
	}
	return list
}

// ids lists the runs that are worked on.
func (c *crew) ids() []quern.RunID {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.held))
}
