package server_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"quern/door"
	"quern/server"
)

func TestPanicBecomesAnAnswerAndOneLine(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.URL.Path == "/late" {
				_, _ = io.WriteString(w, "half")
				_ = http.NewResponseController(w).Flush()
			}
			panic("boom at " + req.URL.Path)
		}),
	})
	resp, body := r.do(t, "GET", "/early", nil)
	if resp.StatusCode != http.StatusInternalServerError || !strings.Contains(body, "INTERNAL") || strings.Contains(body, "boom") {
		t.Errorf("GET after a panic = %d %q, want 500 without the cause", resp.StatusCode, body)
	}
	late, err := r.http.Get(r.url + "/late")
	if err == nil {
		_, err = io.ReadAll(late.Body)
		_ = late.Body.Close()
	}
	if err == nil {
		t.Error("GET whose handler panics half way ended well, want a broken connection")
	}
	for _, path := range []string{"/early", "/late"} {
		eventually(t, "the panic is logged", func() bool { return strings.Contains(r.log.String(), "boom at "+path) })
		if n := strings.Count(r.log.String(), "boom at "+path); n != 1 {
			t.Errorf("the panic of %s is in the log %d times, want once", path, n)
		}
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 1)
	r := start(t, server.Options{Handler: http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		seen <- door.RequestID(req.Context())
	})})
	for sent, kept := range map[string]bool{
		"abc-DEF_1.2": true, "": false, "a b": false, `"quoted"`: false, "ü": false,
		strings.Repeat("x", 128): true, strings.Repeat("x", 129): false,
	} {
		header := http.Header{}
		if sent != "" {
			header.Set("X-Request-Id", sent)
		}
		resp, _ := r.do(t, "GET", "/", header)
		got := resp.Header.Get("X-Request-Id")
		if kept != (got == sent) || got == "" || got != <-seen {
			t.Errorf("X-Request-Id of a request with %.40q = %q, want it kept: %v", sent, got, kept)
		}
	}
}

func TestLogHoldsNoSecrets(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{Handler: http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		door.SetOperation(req.Context(), "probe")
		door.SetUser(req.Context(), "ada")
	})})
	r.do(t, "GET", "/blob/part?signature=hush1&access_token=hush2", http.Header{
		"Authorization": {"Bearer hush3"}, "Cookie": {"session=hush4"}, "Referer": {"https://x/?t=hush5"}, "User-Agent": {"probe"},
	})
	eventually(t, "the request is logged", func() bool { return strings.Contains(r.log.String(), "/blob/part") })
	line := r.log.String()
	for _, want := range []string{`"operation":"probe"`, `"user":"ada"`, `"status":200`, `"method":"GET"`, `"remote":"127.0.0.1"`, `"agent":"probe"`, `"request_id":"`} {
		if !strings.Contains(line, want) {
			t.Errorf("log = %s, want %s in it", line, want)
		}
	}
	if strings.Contains(line, "hush") {
		t.Errorf("log = %s, want no secret in it", line)
	}
}

func TestErrorIsLoggedOnceWithItsCause(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		door.SetError(req.Context(), errors.New("the disk is full"))
		w.WriteHeader(http.StatusInternalServerError)
	})})
	r.do(t, "GET", "/", nil)
	eventually(t, "the request is logged", func() bool { return strings.Contains(r.log.String(), "the disk is full") })
	if got := r.log.String(); strings.Count(got, "the disk is full") != 1 || !strings.Contains(got, `"level":"ERROR"`) {
		t.Errorf("log = %s, want the cause once, as an error", got)
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	counts := []server.Count{{Name: "quern_things_total", Help: "Things.", Label: "kind", Values: func() map[string]int64 { return map[string]int64{"old": 2, "new": 3} }}}
	r := start(t, server.Options{Version: "1.2.3", Counts: counts, Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if name := req.Header.Get("X-Operation"); name != "" {
			door.SetOperation(req.Context(), name)
		}
		w.WriteHeader(http.StatusTeapot)
	})})
	r.do(t, "GET", "/some/path", nil)
	for i := range 400 {
		r.do(t, "GET", "/x", http.Header{"X-Operation": {"op" + strings.Repeat("x", i)}})
	}
	_, text := r.do(t, "GET", "/metrics", nil)
	for _, want := range []string{
		`quern_http_requests_total{operation="op",status="418"} 1`,
		`quern_http_request_duration_seconds_count{operation="op"} 1`,
		"quern_http_requests_in_flight 1",
		`version="1.2.3"`,
		"go_goroutines",
		`quern_things_total{kind="new"} 3`,
		`quern_things_total{kind="old"} 2`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	if n := strings.Count(text, "quern_http_requests_total{"); n > 260 {
		t.Errorf("/metrics counts %d operations, want their number bounded", n)
	}
	if strings.Contains(text, "/some/path") {
		t.Error("/metrics holds a path, want operations only")
	}
}

func TestSpans(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	t.Cleanup(func() { _ = provider.Shutdown(context.Background()) })
	r := start(t, server.Options{Tracing: provider, Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		door.SetOperation(req.Context(), "probe")
		w.WriteHeader(http.StatusBadGateway)
	})})
	r.do(t, "GET", "/x?token=hush", http.Header{"Traceparent": {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}})
	eventually(t, "a span has ended", func() bool { return len(spans.Ended()) == 1 })
	span := spans.Ended()[0]
	if span.Name() != "probe" || span.SpanContext().TraceID().String() != "0af7651916cd43dd8448eb211c80319c" || span.Status().Code != codes.Error {
		t.Errorf("span = %s in %s, %v, want probe in the caller's trace, failed", span.Name(), span.SpanContext().TraceID(), span.Status())
	}
	for _, a := range span.Attributes() {
		if strings.Contains(a.Value.String(), "hush") {
			t.Errorf("span attribute %s = %s, want no query string", a.Key, a.Value.String())
		}
	}
}

func TestClientGoneIsCountedApart(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	r := start(t, server.Options{Handler: http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		close(begun)
		<-req.Context().Done()
	})})
	c, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	<-begun
	_ = c.Close()
	eventually(t, "the request is logged", func() bool { return strings.Contains(r.log.String(), `"status":499`) })
}

func TestStreamsAreFlushed(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		flusher, ok := w.(http.Flusher)
		if !ok {
			t.Error("the writer is no http.Flusher")
			return
		}
		_, _ = io.WriteString(w, "first\n")
		flusher.Flush()
		<-req.Context().Done()
	})})
	resp, err := r.http.Get(r.url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if line, err := bufio.NewReader(resp.Body).ReadString('\n'); line != "first\n" {
		t.Errorf("the stream's first line = %q, %v, want it before the stream ends", line, err)
	}
}
