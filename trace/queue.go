package trace

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"quern"
)

// queue is the way to one sink: bounded, in order, in batches.
type queue struct {
	Destination

	name     string
	log      *slog.Logger
	spans    chan quern.Span
	flushes  chan chan error
	stop     chan struct{}
	done     chan struct{}
	once     sync.Once
	recorded atomic.Int64
	dropped  atomic.Int64
	warned   atomic.Bool // that spans are dropped, since the last that were not
}

func startQueue(d Destination, o Options) *queue {
	q := &queue{
		Destination: d, name: d.Name, log: o.Log, spans: make(chan quern.Span, o.Queue),
		flushes: make(chan chan error), stop: make(chan struct{}), done: make(chan struct{}),
	}
	go q.loop()
	return q
}

// put takes a span if there is room.
func (q *queue) put(s quern.Span) {
	select {
	case q.spans <- s:
	default:
		q.drop(1, nil)
	}
}

// drop counts spans that are lost, and says so once until some arrive again.
func (q *queue) drop(n int, cause error) {
	q.dropped.Add(int64(n))
	if !q.warned.Swap(true) {
		q.log.Warn("spans are dropped", "destination", q.name, "spans", n, "error", cause)
	}
}

func (q *queue) end() { q.once.Do(func() { close(q.stop) }) }

// flush asks the loop to deliver what is there.
func (q *queue) flush(ctx context.Context) error {
	reply := make(chan error, 1)
	select {
	case q.flushes <- reply:
	case <-q.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (q *queue) loop() {
	defer close(q.done)
	for {
		spans, reply, ending := q.gather()
		if ending {
			q.finish(spans)
			return
		}
		q.deliver(spans, reply)
	}
}

// gather waits for a batch: a full one, what has come in a while, or what is
// there when someone asks for it or the queue ends.
func (q *queue) gather() (spans []quern.Span, reply chan error, ending bool) {
	var late <-chan time.Time
	for len(spans) < batch {
		select {
		case s := <-q.spans:
			if spans = append(spans, s); late == nil {
				late = time.After(every)
			}
		case <-late:
			return spans, nil, false
		case reply := <-q.flushes:
			return q.rest(spans), reply, false
		case <-q.stop:
			return q.rest(spans), nil, true
		}
	}
	return spans, nil, false
}

func (q *queue) rest(spans []quern.Span) []quern.Span {
	for {
		select {
		case s := <-q.spans:
			spans = append(spans, s)
		default:
			return spans
		}
	}
}

// deliver sends the sink a batch, again and again while it is away. What waits
// behind is bounded by the queue. Whoever asked for it hears of the first try.
func (q *queue) deliver(spans []quern.Span, reply chan error) {
	var err error
	for pause := firstPause; len(spans) > 0; pause = min(2*pause, mostPause) {
		err = q.try(spans, try)
		if err == nil || !retryable(err) {
			break
		}
		if reply != nil {
			reply <- err
			reply = nil
		}
		select {
		case <-time.After(pause):
		case waiting := <-q.flushes:
			waiting <- err // whoever waits should know that it does not go on
		case <-q.stop:
			q.finish(q.rest(spans))
			return
		}
	}
	if reply != nil {
		reply <- err
	}
}

// finish sends the sink what is left, once.
func (q *queue) finish(spans []quern.Span) {
	if len(spans) == 0 {
		return
	}
	if err := q.try(spans, last); err != nil && retryable(err) {
		q.drop(len(spans), err)
	}
}

// try sends the sink a batch and counts it, unless it may be tried again.
func (q *queue) try(spans []quern.Span, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	err := q.Sink.Record(ctx, spans)
	switch {
	case err == nil:
		q.recorded.Add(int64(len(spans)))
		q.warned.Store(false)
	case !retryable(err):
		q.drop(len(spans), err)
	}
	return err
}

func retryable(err error) bool {
	switch quern.KindOf(err) {
	case quern.Unreachable, quern.Unavailable, quern.Throttled, quern.Timeout:
		return true
	}
	return failure(err) == quern.CodeTimeout
}
