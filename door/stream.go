package door

import (
	"bytes"
	"context"
	"net/http"
	"time"
)

// EventStream is the media type of server-sent events.
const EventStream = "text/event-stream"

// Stream is an answer of server-sent events. Each piece has a deadline of its
// own, so that a reader that is gone frees what serves it.
type Stream struct{ w http.ResponseWriter }

// OpenStream begins an answer of events.
func OpenStream(w http.ResponseWriter) Stream {
	w.Header().Set("Content-Type", EventStream)
	w.Header().Set("X-Accel-Buffering", "no") // asks proxies to pass pieces on as they come
	return Stream{w}
}

// Event sends an event; an empty id or name is left out. data is one line.
func (s Stream) Event(id, name string, data []byte) error {
	var b bytes.Buffer
	if id != "" {
		b.WriteString("id: " + id + "\n")
	}
	if name != "" {
		b.WriteString("event: " + name + "\n")
	}
	b.WriteString("data: ")
	b.Write(data)
	b.WriteString("\n\n")
	return s.send(b.Bytes())
}

// KeepAlive sends a comment that no reader sees, to keep the connection open.
func (s Stream) KeepAlive() error { return s.send([]byte(": still here\n\n")) }

// send writes a piece and makes sure that it goes out.
func (s Stream) send(piece []byte) error {
	if _, err := (Patient{s.w}).Write(piece); err != nil {
		return err
	}
	return http.NewResponseController(s.w).Flush()
}

// renewal is how often a connection that is kept open gets more time.
const renewal = 15 * time.Second

// KeepOpen keeps the connection of a request open while its answer takes its time, until
// stop is called.
func KeepOpen(w http.ResponseWriter, r *http.Request) (stop func()) {
	ctx, cancel := context.WithCancel(r.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(renewal)
		defer tick.Stop()
		for ctx.Err() == nil {
			_ = Extend(w, StallTime) // a writer without deadlines needs none
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
