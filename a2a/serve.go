package a2a

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/protobuf/proto"

	"quern/door"
)

// keepAlive is how often a stream on which nothing happens says so.
const keepAlive = 15 * time.Second

// writer is how a binding writes what methods return.
type writer interface {
	// result is the body of an answer, and the data of an event of a stream.
	result(json.RawMessage) any
	// failure is the answer to a request that failed, and the name of the event
	// that carries it where a stream has begun.
	failure(*failure) (status int, body any, event string)
}

// request is a call that was read.
type request struct {
	call
	method method
	params proto.Message
}

// exchange is one request over HTTP and the answer to it.
type exchange struct {
	w   http.ResponseWriter
	r   *http.Request
	out writer
}

// serve calls the method of a request and writes what it returns. Until the
// first event of a stream, a failure is an answer like any other.
func (s *Service) serve(x exchange, req request, err error) {
	if err != nil {
		x.fail(err)
		return
	}
	if req.method.stream == nil {
		x.answer(func() (json.RawMessage, error) { return s.answer(x.r.Context(), req) })
		return
	}
	events, err := req.method.stream(s, x.r.Context(), req.call, req.params)
	if err != nil {
		x.fail(err)
		return
	}
	x.stream(events)
}

// answer writes what a method returns once it does.
func (x exchange) answer(call func() (json.RawMessage, error)) {
	stop := door.KeepOpen(x.w, x.r)
	result, err := call()
	stop()
	if err != nil {
		x.fail(err)
		return
	}
	x.writeJSON(http.StatusOK, x.out.result(result))
}

// stream writes events as they come. A stream that fails ends with an event
// that says so, unless the client is gone.
func (x exchange) stream(events responses) {
	out := door.OpenStream(x.w)
	for e, err := range events {
		switch {
		case err != nil:
			x.endStream(out, err)
			return
		case e == nil:
			err = out.KeepAlive()
		default:
			err = x.event(out, e)
		}
		if err != nil {
			return
		}
	}
}

func (x exchange) event(out door.Stream, e *a2apb.StreamResponse) error {
	plain, err := encode(e)
	if err == nil {
		plain, err = door.Marshal(x.out.result(plain))
	}
	if err != nil {
		x.endStream(out, err)
		return err
	}
	return out.Event("", "", plain)
}

func (x exchange) endStream(out door.Stream, err error) {
	door.SetError(x.r.Context(), err)
	if x.r.Context().Err() != nil {
		return
	}
	_, body, name := x.out.failure(classify(err))
	if data, err := door.Marshal(body); err == nil {
		_ = out.Event("", name, data) // the client may be gone
	}
}

// fail answers a request that failed and leaves the cause for its line in the log.
func (x exchange) fail(err error) {
	ctx := x.r.Context()
	door.SetError(ctx, err)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return // the client is gone, so nobody reads an answer
	}
	f := classify(err)
	if id := door.RequestID(ctx); f.fault == internalError && id != "" {
		f = f.about("requestId", id)
	}
	status, body, _ := x.out.failure(f)
	door.SetErrorHeaders(x.w.Header(), x.r, status, err)
	x.writeJSON(status, body)
}

func (x exchange) writeJSON(status int, v any) {
	if err := door.WriteJSON(x.w, status, v); err != nil {
		door.WriteError(x.w, x.r, err)
	}
}
