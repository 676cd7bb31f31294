package trace

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"quern"
)

const (
	// DefaultQueue is how many spans wait for a sink, at most, where nothing else is said.
	DefaultQueue = 4096
	// batch is how many spans a sink is given at once, and every how long they
	// wait for more.
	batch = 512
	every = time.Second
	// try is how long a sink has for a batch, last how long for all that is left
	// when the program ends.
	try  = 10 * time.Second
	last = 3 * time.Second
	// A sink that is away is tried again after a pause that doubles.
	firstPause = time.Second
	mostPause  = 30 * time.Second
)

// Destination is a sink and its name, as metrics and the log know it.
type Destination struct {
	Name string
	Sink Sink
}

// Options says what a Recorder works with.
type Options struct {
	Destinations []Destination
	// Content allows questions, queries and answers in spans.
	Content bool
	Queue   int // how many spans wait for each sink, at most; 0 means DefaultQueue
	Now     func() time.Time
	Log     *slog.Logger
}

// Recorder brings spans to their sinks, off the path of the work they tell of. A
// nil Recorder records nothing.
type Recorder struct {
	content bool
	now     func() time.Time
	queues  []*queue
}

// New makes a Recorder and starts its work; Close ends it.
func New(o Options) *Recorder {
	if o.Queue == 0 {
		o.Queue = DefaultQueue
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Recorder{content: o.Content, now: o.Now}
	for _, d := range o.Destinations {
		r.queues = append(r.queues, startQueue(d, o))
	}
	return r
}

// record hands a span to every queue, waiting for none.
func (r *Recorder) record(s quern.Span) {
	for _, q := range r.queues {
		q.put(s)
	}
}

// Flush waits until the sinks of these names, or all of them when none is named,
// have been given what was recorded before, or ctx ends. It returns what they
// failed with.
func (r *Recorder) Flush(ctx context.Context, names ...string) error {
	if r == nil {
		return nil
	}
	var errs []error
	for _, q := range r.queues {
		if len(names) == 0 || slices.Contains(names, q.name) {
			errs = append(errs, q.flush(ctx))
		}
	}
	return errors.Join(errs...)
}

// Counts is what became of the spans for one sink.
type Counts struct {
	Recorded int64 // the sink has them
	Dropped  int64 // the sink never will
}

// Counts tells for each sink, by name, what became of its spans.
func (r *Recorder) Counts() map[string]Counts {
	all := map[string]Counts{}
	if r != nil {
		for _, q := range r.queues {
			all[q.name] = Counts{Recorded: q.recorded.Load(), Dropped: q.dropped.Load()}
		}
	}
	return all
}

// Queue is how many spans wait for a sink, and how many may.
type Queue struct{ Spans, Room int }

// Queues tells for each sink, by name, how its queue stands.
func (r *Recorder) Queues() map[string]Queue {
	all := map[string]Queue{}
	if r != nil {
		for _, q := range r.queues {
			all[q.name] = Queue{len(q.spans), cap(q.spans)}
		}
	}
	return all
}

// Close sends the sinks what is left, for a few seconds at most.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	for _, q := range r.queues {
		q.end()
	}
	for _, q := range r.queues {
		<-q.done
	}
	return nil
}
