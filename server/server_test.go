package server_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern/door"
	"quern/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a server on a real listener.
type running struct {
	addr string
	url  string
	http *http.Client
	log  *syncBuffer
	stop context.CancelFunc
	done chan error
}

// start serves opts until the test ends or stop is called.
func start(t *testing.T, opts server.Options) *running {
	t.Helper()
	log := &syncBuffer{}
	opts.Log = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s, err := server.New(opts)
	if err != nil {
		t.Fatalf("New() = %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{
		addr: l.Addr().String(), url: "http://" + l.Addr().String(), log: log, stop: cancel,
		http: &http.Client{Transport: &http.Transport{}}, done: make(chan error, 1),
	}
	go func() { r.done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		r.http.CloseIdleConnections()
		cancel()
		r.stopped(t)
	})
	return r
}

func (r *running) stopped(t *testing.T) {
	t.Helper()
	select {
	case err := <-r.done:
		r.done <- err
		if err != nil {
			t.Errorf("Serve() = %v, want nil after a stop", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("Serve() did not return after a stop")
	}
}

func (r *running) do(t *testing.T, method, path string, header http.Header) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		req.Header[name] = values
	}
	resp, err := r.http.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return resp, string(body)
}

// eventually waits until ok, which must come true soon.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

var hello = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })

func TestRequestFinishesWhileStopping(t *testing.T) {
	t.Parallel()
	begun, finish := make(chan struct{}), make(chan struct{})
	r := start(t, server.Options{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		close(begun)
		stopping, cancel := door.UntilStopping(req.Context())
		defer cancel()
		<-stopping.Done()
		<-finish
		_, _ = io.WriteString(w, "whole")
	})})
	answered := make(chan string, 1)
	go func() {
		resp, err := r.http.Get(r.url + "/slow")
		if err != nil {
			answered <- err.Error()
			return
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		answered <- string(body)
	}()
	<-begun
	r.stop()
	eventually(t, "the listener is closed", func() bool {
		c, err := net.Dial("tcp", r.addr)
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	})
	close(finish)
	if got := <-answered; got != "whole" {
		t.Errorf("answer of the request in flight = %q, want %q", got, "whole")
	}
	r.stopped(t)
}

func TestStopCutsOffAfterGrace(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	r := start(t, server.Options{
		Limits: server.Limits{Grace: 20 * time.Millisecond},
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			close(begun)
			<-req.Context().Done()
		}),
	})
	failed := make(chan error, 1)
	go func() {
		resp, err := r.http.Get(r.url)
		if err == nil {
			_ = resp.Body.Close()
		}
		failed <- err
	}()
	<-begun
	r.stop()
	if err := <-failed; err == nil {
		t.Error("a request that never ends was answered, want it cut off")
	}
	r.stopped(t)
	if !strings.Contains(r.log.String(), "stopped before every request was done") {
		t.Errorf("log = %s, want it to say that requests were cut off", r.log)
	}
}

func TestServeFailsWithoutListener(t *testing.T) {
	t.Parallel()
	s, err := server.New(server.Options{Handler: hello})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(t.Context()); err == nil {
		t.Error("Serve() without a listener = nil, want an error")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := s.Serve(t.Context(), l); err == nil {
		t.Error("Serve() on a closed listener = nil, want an error")
	}
}

// closedBy reports whether the server ends the connection by itself.
func closedBy(t *testing.T, addr, sent string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, sent); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	got, err := io.ReadAll(c)
	if err != nil {
		t.Fatalf("the server kept a connection open that sent only %q: %v", sent, err)
	}
	return string(got)
}

func TestTrickledRequestsEnd(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{
		Limits: server.Limits{Header: 30 * time.Millisecond, Read: 60 * time.Millisecond, Idle: 30 * time.Millisecond},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if _, err := io.ReadAll(req.Body); err != nil {
				w.WriteHeader(http.StatusBadRequest)
			}
		}),
	})
	for name, sent := range map[string]string{
		"nothing":       "",
		"half a header": "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
		"half a body":   "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
		"then idle":     "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			closedBy(t, r.addr, sent)
		})
	}
}

func TestExtendLetsAHandlerGoOn(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{
		Limits: server.Limits{Read: 50 * time.Millisecond, Write: 50 * time.Millisecond},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.URL.Path == "/extended" {
				if err := door.Extend(w, 10*time.Second); err != nil {
					t.Errorf("Extend() = %v", err)
				}
			}
			body, err := io.ReadAll(req.Body)
			_, _ = fmt.Fprintf(w, "%s %v", body, err)
		}),
	})
	c, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_, _ = io.WriteString(c, "POST /extended HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na")
	// A later request that is not extended and runs into the limits shows that
	// this one is past them.
	closedBy(t, r.addr, "POST /plain HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na")
	_, _ = io.WriteString(c, "b")
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("no answer after both limits passed: %v", err)
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if string(body) != "ab <nil>" {
		t.Errorf("answer = %q, want %q", body, "ab <nil>")
	}
}

func TestOversizedHeaders(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{Handler: hello, Limits: server.Limits{HeaderBytes: 4 << 10}})
	c, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\nX-Big: "+strings.Repeat("x", 9<<10)+"\r\n\r\n")
	if line, err := bufio.NewReader(c).ReadString('\n'); !strings.HasPrefix(line, "HTTP/1.1 431 ") {
		t.Errorf("GET with oversized headers = %q, %v, want 431", line, err)
	}
}

func TestTooManyRequestsAtOnce(t *testing.T) {
	t.Parallel()
	begun, finish := make(chan struct{}), make(chan struct{})
	r := start(t, server.Options{
		Limits: server.Limits{Requests: 1},
		Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			begun <- struct{}{}
			<-finish
		}),
	})
	first := make(chan struct{})
	go func() {
		defer close(first)
		resp, err := r.http.Get(r.url)
		if err == nil {
			_ = resp.Body.Close()
		}
	}()
	<-begun
	if resp, _ := r.do(t, "GET", "/", nil); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("GET beyond the limit = %d, want 503", resp.StatusCode)
	}
	if resp, _ := r.do(t, "GET", "/healthz", nil); resp.StatusCode != http.StatusOK {
		t.Errorf("GET /healthz while busy = %d, want 200", resp.StatusCode)
	}
	close(finish)
	<-first
}

func TestTooManyConnectionsWait(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{Handler: hello, Limits: server.Limits{Connections: 1}})
	first, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Close() }()
	_, _ = io.WriteString(first, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	reader := bufio.NewReader(first)
	if _, err := reader.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	second, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = second.Close() }()
	_, _ = io.WriteString(second, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	_ = second.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	if n, err := second.Read(make([]byte, 1)); err == nil {
		t.Errorf("the connection beyond the limit was served %d bytes, want it to wait", n)
	}
	_ = first.Close()
	_ = second.SetReadDeadline(time.Now().Add(10 * time.Second))
	if answer, err := io.ReadAll(second); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 200 ") {
		t.Errorf("the waiting connection got %.20q, %v, want an answer once there is room", answer, err)
	}
}

func TestUncleanPathsAreRefused(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{Handler: hello})
	for path, want := range map[string]int{
		"/": 200, "/a": 200, "/a/": 200, "/a%2Fb/..%2F": 200,
		"//": 404, "/a//b": 404, "/a/./b": 404, "/a/../b": 404, "/..": 404,
	} {
		c := closedBy(t, r.addr, "GET "+path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		if !strings.HasPrefix(c, fmt.Sprintf("HTTP/1.1 %d ", want)) {
			t.Errorf("GET %s = %.20q, want %d", path, c, want)
		}
	}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
