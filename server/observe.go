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
)

// statusClientGone is logged and counted for requests whose client hung up
// before the answer; it is never sent.
const statusClientGone = 499

// maxLogged bounds what one request can put into a field of the log.
const maxLogged = 512

// observed gives every request an id, a span, its place in the metrics and one
// line in the log, and turns panics into answers.
func (s *Server) observed(next http.Handler) http.Handler {
	m := newMetrics(s.opts.Metrics, s.opts.Version)
	tracer := s.opts.Tracing.Tracer("quern/server")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.opts.Now()
		m.inFlight.Inc()
		defer m.inFlight.Dec()
		req := &request{id: requestIDFor(r.Header), stopping: s.stopping}
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := tracer.Start(context.WithValue(ctx, requestKey{}, req), r.Method,
			trace.WithSpanKind(trace.SpanKindServer))
		w.Header().Set(RequestIDHeader, req.id)
		rec := &recorder{ResponseWriter: w}
		r = r.WithContext(ctx)
		aborted := s.guarded(next, rec, r) //nolint:contextcheck // the context is in r
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

// guarded runs the handler. A panic becomes an answer when none has begun;
// otherwise aborted says that the connection must be cut, so that the client
// never takes half an answer for a whole one.
func (s *Server) guarded(next http.Handler, rec *recorder, r *http.Request) (aborted bool) {
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
		err := quern.E(quern.Internal, quern.CodeInternal, "something went wrong on our side").Because(cause)
		if rec.status == 0 {
			s.opts.Fail(rec, r, err)
		} else {
			aborted = true
		}
		SetError(r.Context(), err)
	}()
	next.ServeHTTP(rec, r)
	return false
}

func outcome(rec *recorder, r *http.Request, req *request) int {
	_, _, err := req.noted()
	if r.Context().Err() != nil && (rec.status == 0 || errors.Is(err, context.Canceled)) {
		return statusClientGone
	}
	if rec.status == 0 {
		return http.StatusOK
	}
	return rec.status
}

func endSpan(span trace.Span, r *http.Request, req *request, status int) {
	if operation, _, _ := req.noted(); operation != "" {
		span.SetName(operation)
	}
	span.SetAttributes(
		attribute.String("http.request.method", r.Method),
		attribute.String("url.path", clip(r.URL.Path)),
		attribute.Int("http.response.status_code", status),
		attribute.String("quern.request_id", req.id),
	)
	if status >= 500 {
		span.SetStatus(codes.Error, strconv.Itoa(status))
	}
	span.End()
}

// logRequest writes the request's one line. It holds no header but the agent's
// name and no query string, for those carry tokens and signatures.
func (s *Server) logRequest(r *http.Request, req *request, rec *recorder, status int, took time.Duration) {
	operation, user, err := req.noted()
	level := slog.LevelInfo
	if status >= 500 {
		level = slog.LevelError
	} else if quietOperations[operation] {
		level = slog.LevelDebug
	}
	host, _, splitErr := net.SplitHostPort(r.RemoteAddr)
	if splitErr != nil {
		host = r.RemoteAddr
	}
	attrs := []slog.Attr{
		slog.String("request_id", req.id), slog.String("method", clip(r.Method)),
		slog.String("path", clip(r.URL.Path)), slog.Int("status", status),
		slog.Int64("bytes", rec.bytes), slog.Duration("took", took), slog.String("remote", host),
		slog.String("agent", clip(r.UserAgent())),
	}
	if operation != "" {
		attrs = append(attrs, slog.String("operation", operation))
	}
	if user != "" {
		attrs = append(attrs, slog.String("user", user))
	}
	if span := trace.SpanContextFromContext(r.Context()); span.IsValid() {
		attrs = append(attrs, slog.String("trace_id", span.TraceID().String()))
	}
	if err != nil {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	s.opts.Log.LogAttrs(r.Context(), level, "request", attrs...)
}

// quietOperations are asked for every few seconds by machines.
var quietOperations = map[string]bool{"healthz": true, "readyz": true, "metrics": true}

func clip(s string) string {
	if len(s) > maxLogged {
		return s[:maxLogged] + "…"
	}
	return s
}

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader notes the first final status.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
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

// Begun reports whether an answer has begun, so that no other can be sent. It
// is false for writers that are not the server's.
func Begun(w http.ResponseWriter) bool {
	for {
		switch v := w.(type) {
		case *recorder:
			return v.status != 0
		case interface{ Unwrap() http.ResponseWriter }:
			w = v.Unwrap()
		default:
			return false
		}
	}
}
