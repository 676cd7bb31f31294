package server

import (
	"context"
	"net/http"
	"sync"

	"github.com/google/uuid"
)

// RequestIDHeader carries a request's id, both ways.
const RequestIDHeader = "X-Request-Id"

type requestKey struct{}

// request is what the server knows of one request. Handlers add to it through
// the functions below, from any goroutine.
type request struct {
	id       string
	stopping <-chan struct{}

	mu        sync.Mutex
	operation string
	user      string
	err       error
}

func requestOf(ctx context.Context) *request {
	r, _ := ctx.Value(requestKey{}).(*request)
	return r
}

// RequestID gives the id of the request that ctx belongs to, "" outside of one.
func RequestID(ctx context.Context) string {
	if r := requestOf(ctx); r != nil {
		return r.id
	}
	return ""
}

// Stopping is closed when the server closes its listeners: streams should end
// soon. It is nil, which never fires, outside of a request.
func Stopping(ctx context.Context) <-chan struct{} {
	if r := requestOf(ctx); r != nil {
		return r.stopping
	}
	return nil
}

// SetOperation names what the request does, for the log, metrics and span.
// Names must come from a short fixed list.
func SetOperation(ctx context.Context, name string) {
	if r := requestOf(ctx); r != nil {
		r.mu.Lock()
		r.operation = name
		r.mu.Unlock()
	}
}

// SetUser names who the request acts for, for the log.
func SetUser(ctx context.Context, name string) {
	if r := requestOf(ctx); r != nil {
		r.mu.Lock()
		r.user = name
		r.mu.Unlock()
	}
}

// SetError notes why the request failed, for its one line in the log.
func SetError(ctx context.Context, err error) {
	if r := requestOf(ctx); r != nil {
		r.mu.Lock()
		r.err = err
		r.mu.Unlock()
	}
}

func (r *request) noted() (operation, user string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.operation, r.user, r.err
}

// requestIDFor takes over the client's id when it is safe to log, or makes one.
func requestIDFor(h http.Header) string {
	if id := h.Get(RequestIDHeader); saneID(id) {
		return id
	}
	return uuid.Must(uuid.NewV7()).String()
}

func saneID(id string) bool {
	if len(id) == 0 || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		c := id[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}
