package a2a

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/protobuf/proto"

	"quern/rest"
	"quern/server"
)

const (
	// keepAlive is how often a stream on which nothing happens says so.
	keepAlive = 15 * time.Second
	// writeTime is how long a client may take for one event.
	writeTime = 30 * time.Second
)

// writer is how a binding writes what methods give.
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

// serve calls the method of a request and writes what it gives. Until the first
// thing that a stream tells, a failure is an answer like any other.
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

// answer writes what a method gives once it gives it.
func (x exchange) answer(give func() (json.RawMessage, error)) {
	stop := x.patient()
	result, err := give()
	stop()
	if err != nil {
		x.fail(err)
		return
	}
	x.writeJSON(http.StatusOK, x.out.result(result))
}

// patient keeps the connection open while an answer takes its time.
func (x exchange) patient() (stop func()) {
	ctx, cancel := context.WithCancel(x.r.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(keepAlive)
		defer tick.Stop()
		for ctx.Err() == nil {
			_ = server.Extend(x.w, writeTime+keepAlive) // a writer without deadlines needs none
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// stream writes events as they are told.
func (x exchange) stream(events told) {
	h := x.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	for e, err := range events {
		_ = server.Extend(x.w, writeTime) // a writer without deadlines needs none
		text := ": still here\n\n"
		if err == nil && e != nil {
			text, err = x.event(e)
		}
		if err != nil {
			text = x.lastWords(err)
		}
		if _, lost := io.WriteString(x.w, text); lost != nil || err != nil {
			return
		}
		if http.NewResponseController(x.w).Flush() != nil {
			return
		}
	}
}

func (x exchange) event(e *a2apb.StreamResponse) (string, error) {
	plain, err := encode(e)
	if err != nil {
		return "", err
	}
	data, err := marshal(x.out.result(plain))
	return eventText("", data), err
}

func eventText(name string, data []byte) string {
	text := "data: " + string(data) + "\n\n"
	if name != "" {
		text = "event: " + name + "\n" + text
	}
	return text
}

// lastWords is the event that ends a stream that failed; nothing for a client
// that is gone.
func (x exchange) lastWords(err error) string {
	server.SetError(x.r.Context(), err)
	if x.r.Context().Err() != nil {
		return ""
	}
	_, body, name := x.out.failure(classify(err))
	data, err := marshal(body)
	if err != nil {
		return ""
	}
	return eventText(name, data)
}

// fail answers a request that failed and leaves the cause for its line in the log.
func (x exchange) fail(err error) {
	ctx, h := x.r.Context(), x.w.Header()
	server.SetError(ctx, err)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return // the client is gone, so nobody reads an answer
	}
	f := classify(err)
	if id := server.RequestID(ctx); f.fault == internalError && id != "" {
		f = f.about("requestId", id)
	}
	status, body, _ := x.out.failure(f)
	switch status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", rest.Challenge(x.r))
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set("Retry-After", rest.RetryAfter(err))
	}
	x.writeJSON(status, body)
}

func (x exchange) writeJSON(status int, v any) {
	body, err := marshal(v)
	if err != nil {
		rest.WriteError(x.w, x.r, err)
		return
	}
	x.w.Header().Set("Content-Type", "application/json")
	x.w.WriteHeader(status)
	_, _ = x.w.Write(append(body, '\n')) // the client may be gone
}

// marshal writes JSON as it is, without escapes for pages.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("a2a: encode an answer: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
