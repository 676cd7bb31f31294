package rest

import (
	"bytes"
	"context"
	"net/http"

	"quern/server"
)

const eventStream = "text/event-stream"

// stream is an answer of server-sent events. Each piece has a deadline of its
// own, so that a reader that is gone frees what serves it.
type stream struct {
	w http.ResponseWriter
	// ctx ends when the reader leaves or the server stops.
	ctx   context.Context //nolint:containedctx // the life of the stream
	close context.CancelFunc
}

func openStream(ctx context.Context, w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", eventStream)
	w.Header().Set("X-Accel-Buffering", "no") // asks proxies to pass pieces on as they come
	s := &stream{w: w}
	s.ctx, s.close = context.WithCancel(ctx)
	go func() {
		select {
		case <-server.Stopping(ctx):
			s.close()
		case <-s.ctx.Done():
		}
	}()
	return s
}

// event sends an event; an empty id is left out.
func (s *stream) event(id, name string, data []byte) error {
	var b bytes.Buffer
	if id != "" {
		b.WriteString("id: " + id + "\n")
	}
	b.WriteString("event: " + name + "\ndata: ")
	b.Write(data)
	b.WriteString("\n\n")
	return s.send(b.Bytes())
}

// stillHere sends a line that no reader sees, to keep the connection open.
func (s *stream) stillHere() error { return s.send([]byte(": still here\n\n")) }

// send writes a piece and makes sure that it goes out.
func (s *stream) send(piece []byte) error {
	if err := server.Extend(s.w, stall); err != nil {
		return err
	}
	if _, err := s.w.Write(piece); err != nil {
		return err
	}
	return http.NewResponseController(s.w).Flush()
}
