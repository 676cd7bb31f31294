package door

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// StallTime is how long a client may take to read or to send the next piece of
// a body that is passed on as it comes.
const StallTime = time.Minute

type requestKey struct{}

// Request is what is known of one request while it is served. Handlers add to
// it through the functions below, from any goroutine.
type Request struct {
	id       string
	stopping <-chan struct{}

	mu    sync.Mutex
	notes Notes
}

// Notes is what handlers said about a request.
type Notes struct {
	Operation, User string
	Run             string // the id of the run that it is about
	Err             error
}

// WithRequest returns a context that belongs to a new request; stopping is
// closed when the server begins to stop.
func WithRequest(ctx context.Context, id string, stopping <-chan struct{}) (context.Context, *Request) {
	r := &Request{id: id, stopping: stopping}
	return context.WithValue(ctx, requestKey{}, r), r
}

// ID returns the request's id.
func (r *Request) ID() string { return r.id }

// Notes returns what was said about the request so far.
func (r *Request) Notes() Notes {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.notes
}

func requestOf(ctx context.Context) *Request {
	r, _ := ctx.Value(requestKey{}).(*Request)
	return r
}

// RequestID returns the id of the request that ctx belongs to, "" outside of one.
func RequestID(ctx context.Context) string {
	if r := requestOf(ctx); r != nil {
		return r.id
	}
	return ""
}

// UntilStopping returns a context that also ends when the server begins to
// stop: streams should end then, and their clients come back elsewhere.
func UntilStopping(ctx context.Context) (context.Context, context.CancelFunc) {
	r := requestOf(ctx)
	ctx, cancel := context.WithCancel(ctx)
	if r != nil && r.stopping != nil {
		go func() {
			select {
			case <-r.stopping:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	return ctx, cancel
}

// SetOperation names what the request does, for the log, metrics and span.
// Names must come from a short fixed list.
func SetOperation(ctx context.Context, name string) {
	note(ctx, func(n *Notes) { n.Operation = name })
}

// SetUser names who the request acts for, for the log.
func SetUser(ctx context.Context, name string) {
	note(ctx, func(n *Notes) { n.User = name })
}

// SetRun names the run that the request began or is about, for the log.
func SetRun(ctx context.Context, id string) {
	note(ctx, func(n *Notes) { n.Run = id })
}

// SetError notes why the request failed, for its one line in the log.
func SetError(ctx context.Context, err error) {
	note(ctx, func(n *Notes) { n.Err = err })
}

func note(ctx context.Context, change func(*Notes)) {
	if r := requestOf(ctx); r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		change(&r.notes)
	}
}

// Extend grants a handler d from now on for reading its body and writing its
// answer, in place of the server's limits: uploads and streams call it as they
// make progress.
func Extend(w http.ResponseWriter, d time.Duration) error {
	c := http.NewResponseController(w)
	deadline := time.Now().Add(d) // the network's clock, which no test replaces
	return errors.Join(c.SetReadDeadline(deadline), c.SetWriteDeadline(deadline))
}

// Begun reports whether an answer has begun, so that no other can be sent. It
// is false for writers that do not know.
func Begun(w http.ResponseWriter) bool {
	for {
		switch v := w.(type) {
		case interface{ Begun() bool }:
			return v.Begun()
		case interface{ Unwrap() http.ResponseWriter }:
			w = v.Unwrap()
		default:
			return false
		}
	}
}

// Patient is the body of an answer that may take however long it takes, as long as the
// client goes on reading.
type Patient struct{ W http.ResponseWriter }

// Write writes one piece, with a deadline of its own.
func (p Patient) Write(b []byte) (int, error) {
	_ = Extend(p.W, StallTime) // a writer without deadlines needs none
	return p.W.Write(b)
}
