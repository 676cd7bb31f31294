package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"quern"
	"quern/door"
)

// statusClientGone is logged and counted for requests whose client hung up
// before the answer; it is never sent.
const statusClientGone = 499

// maxLogged bounds the characters that one request can put into a field of the log.
const maxLogged = 512

// observe returns every request an id, a span, its place in the metrics and one
// line in the log, and turns panics into answers.
func (s *Server) observe(next http.Handler) http.Handler {
	m := newMetrics(s.opts.Metrics, s.opts.Version)
	tracer := s.opts.Tracing.Tracer("quern/server")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.opts.Now()
		m.inFlight.Inc()
		defer m.inFlight.Dec()
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, req := door.WithRequest(ctx, requestIDFor(r.Header), s.stopping)
		ctx, span := tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer))
		w.Header().Set(requestIDHeader, req.ID())
		rec := &recorder{ResponseWriter: w}
		r = r.WithContext(ctx)
		aborted := s.recoverPanics(next, rec, r) // the context is in r
		took := s.opts.Now().Sub(start)
		status := outcome(rec, r, req)
		m.observe(req, status, took)
		endSpan(span, r, req, status)
		s.logRequest(r, req, rec, status, took)
		if aborted {
			panic(http.ErrAbortHandler) // tells net/http to cut the connection, quietly
		}
	})
}

// recoverPanics runs the handler. A panic becomes an answer when none has begun;
// otherwise aborted says that the connection must be cut, so that the client
// never takes half an answer for a whole one.
func (s *Server) recoverPanics(next http.Handler, rec *recorder, r *http.Request) (aborted bool) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			aborted = true
			return
		}
		cause := fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		err := door.ErrInternal.Because(cause)
		if rec.status == 0 {
			door.WriteError(rec, r, err)
		} else {
			aborted = true
		}
		door.SetError(r.Context(), err)
	}()
	next.ServeHTTP(rec, r)
	return false
}

func outcome(rec *recorder, r *http.Request, req *door.Request) int {
	cancelled := errors.Is(req.Notes().Err, context.Canceled)
	unanswered := rec.status == 0 || cancelled
	if r.Context().Err() != nil && unanswered {
		return statusClientGone
	}
	if rec.status == 0 {
		return http.StatusOK
	}
	return rec.status
}

func endSpan(span trace.Span, r *http.Request, req *door.Request, status int) {
	if operation := req.Notes().Operation; operation != "" {
		span.SetName(operation)
	}
	span.SetAttributes(
		attribute.String("http.request.method", r.Method),
		attribute.String("url.path", quern.Clip(r.URL.Path, maxLogged)),
		attribute.Int("http.response.status_code", status),
		attribute.String("quern.request_id", req.ID()),
	)
	if status >= 500 {
		span.SetStatus(codes.Error, strconv.Itoa(status))
	}
	span.End()
}

// logRequest writes the request's one line. It holds no header but the agent's
// name and no query string, for those carry tokens and signatures.
func (s *Server) logRequest(r *http.Request, req *door.Request, rec *recorder, status int, took time.Duration) {
	notes := req.Notes()
	level := slog.LevelInfo
	if status >= 500 {
		level = slog.LevelError
	} else if quietOperations[notes.Operation] {
		level = slog.LevelDebug
	}
	host, _, splitErr := net.SplitHostPort(r.RemoteAddr)
	if splitErr != nil {
		host = r.RemoteAddr
	}
	attrs := []slog.Attr{
		slog.String("request_id", req.ID()), slog.String("method", quern.Clip(r.Method, maxLogged)),
		slog.String("path", quern.Clip(r.URL.Path, maxLogged)), slog.Int("status", status),
		slog.Int64("bytes", rec.bytes), slog.Duration("took", took), slog.String("remote", host),
		slog.String("agent", quern.Clip(r.UserAgent(), maxLogged)),
	}
	if notes.Operation != "" {
		attrs = append(attrs, slog.String("operation", notes.Operation))
	}
	if notes.User != "" {
		attrs = append(attrs, slog.String("user", notes.User))
	}
	if notes.Run != "" {
		attrs = append(attrs, slog.String("run", quern.Clip(notes.Run, maxLogged)))
	}
	if span := trace.SpanContextFromContext(r.Context()); span.IsValid() {
		attrs = append(attrs, slog.String("trace_id", span.TraceID().String()))
	}
	if notes.Err != nil {
		attrs = append(attrs, slog.String("error", quern.LogText(notes.Err)))
	}
	s.opts.Log.LogAttrs(r.Context(), level, "request", attrs...)
}

// quietOperations are asked for every few seconds by machines.
var quietOperations = map[string]bool{"healthz": true, "readyz": true, "metrics": true}

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader notes the first final status.
func (w *recorder) WriteHeader(status int) {
	final := status >= 200 || status == http.StatusSwitchingProtocols
	if w.status == 0 && final {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (w *recorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Flush sends what was written so far.
func (w *recorder) Flush() {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush() // a writer that cannot flush sends at its end
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Begun reports whether the answer has begun.
func (w *recorder) Begun() bool { return w.status != 0 }
