package tracetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Request is one line of a double's log.
type Request struct {
	Method, Path string
	Status       int    // 0 when none was sent
	Body         string // JSON; for traces the spans, one line each
}

func (r Request) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %d %s", r.Method, r.Path, r.Status, r.Body))
}

// Reply is what a request is answered with.
type Reply struct {
	Status int
	Body   any    // as JSON; nil for none
	About  string // what the log tells of the request
}

// Double is a tracing store of others for tests, in memory and stricter than the
// real one: a test in which it had to refuse something fails. It can be slow, away,
// cut off in the middle, or of another opinion, and it keeps a log of what it was asked.
type Double struct {
	URL string

	name   string
	handle func(*http.Request) Reply
	t      testing.TB
	http   *httptest.Server
	addr   string
	quit   chan struct{}

	mu       sync.Mutex
	spans    map[string]WireSpan
	log      []Request
	refusals []string
	tolerant bool
	answer   http.HandlerFunc
	delay    func()
}

// NewDouble starts a double that ends with the test; handle answers its requests.
func NewDouble(t testing.TB, name string, handle func(*http.Request) Reply) *Double {
	t.Helper()
	d := &Double{t: t, name: name, handle: handle, spans: map[string]WireSpan{}, quit: make(chan struct{})}
	d.listen("127.0.0.1:0")
	t.Cleanup(d.close)
	return d
}

func (d *Double) listen(address string) {
	d.t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		d.t.Fatalf("listen on %s = %v", address, err)
	}
	d.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(d.serve)}}
	d.http.Start()
	d.URL, d.addr = d.http.URL, l.Addr().String()
}

func (d *Double) close() {
	close(d.quit)
	d.http.CloseClientConnections()
	d.http.Close()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.tolerant {
		for _, r := range d.refusals {
			d.t.Errorf("%s refuses a request: %s", d.name, r)
		}
	}
}

// Tolerate lets the test go on after refusals: it makes them on purpose.
func (d *Double) Tolerate() { d.Locked(func() { d.tolerant = true }) }

// Log is what was asked so far.
func (d *Double) Log() []Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Request(nil), d.log...)
}

// Locked calls fn while no request changes what is kept.
func (d *Double) Locked(fn func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fn()
}

func (d *Double) serve(w http.ResponseWriter, r *http.Request) {
	var answer http.HandlerFunc
	delay := func() {}
	d.Locked(func() {
		if answer = d.answer; d.delay != nil {
			delay = d.delay
		}
	})
	delay()
	if answer != nil {
		body, _ := io.ReadAll(r.Body) // what it was matters only to the log
		d.note(r, 0, string(body[:min(len(body), 200)]))
		answer(w, r)
		return
	}
	reply := d.handle(r)
	d.note(r, reply.Status, reply.About)
	if reply.Body != nil {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(reply.Status)
	if reply.Body != nil {
		_ = json.NewEncoder(w).Encode(reply.Body) // the client may be gone
	}
}

func (d *Double) note(r *http.Request, status int, about string) {
	d.Locked(func() { d.log = append(d.log, Request{r.Method, r.URL.Path, status, about}) })
}

// Refuse remembers why a request is refused, and returns the answer to it.
func (d *Double) Refuse(r *http.Request, status int, body func(why string) any, format string, args ...any) Reply {
	why := fmt.Sprintf(format, args...)
	d.Locked(func() { d.refusals = append(d.refusals, r.Method+" "+r.URL.Path+": "+why) })
	return Reply{status, body(why), why}
}
