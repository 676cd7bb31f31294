package chaos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
	"sync"
	"time"

	"quern/test/duplex"
)

const (
	// probeEvery and probeTime are how the proxy looks after its servers.
	probeEvery, probeTime = 200 * time.Millisecond, 2 * time.Second
	// maxBody bounds what the proxy keeps of a request, so that it can be sent to
	// another server when one cannot be reached.
	maxBody = 8 << 20
)

// proxy gives each request to the next server that is ready. It tries another one where
// a server takes no connection, and never repeats what a server may have begun.
type proxy struct {
	fleet *Fleet
	url   string
	front *httptest.Server
	send  http.RoundTripper
	probe *http.Client
	life  context.Context
	end   context.CancelFunc
	tasks sync.WaitGroup

	mu      sync.Mutex
	servers []*process
	next    int
	broken  []string // failures that nothing excuses
	refused int      // requests that no server took
	failed  int      // requests that failed while something was wrong
}

func newProxy(f *Fleet, send http.RoundTripper) (*proxy, error) {
	if send == nil {
		send = &http.Transport{DisableKeepAlives: true, DisableCompression: true}
	}
	life, end := context.WithCancel(context.Background())
	p := &proxy{
		fleet: f, send: send, life: life, end: end,
		probe: &http.Client{Timeout: probeTime, Transport: &http.Transport{DisableKeepAlives: true}},
	}
	p.front = httptest.NewServer(duplex.Handler(&httputil.ReverseProxy{
		Transport:    p,
		Rewrite:      func(r *httputil.ProxyRequest) { r.Out.Host = r.In.Host },
		ErrorLog:     log.New(io.Discard, "", 0), // what breaks off is judged by RoundTrip
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}))
	p.url = p.front.URL
	return p, nil
}

func (p *proxy) close() {
	p.end()
	p.front.CloseClientConnections()
	p.front.Close()
	p.tasks.Wait()
}

// add takes a server on, once it is ready, and looks after it until it ends.
func (p *proxy) add(one *process) {
	p.mu.Lock()
	p.servers = append(p.servers, one)
	p.mu.Unlock()
	p.tasks.Go(func() {
		tick := time.NewTicker(probeEvery)
		defer tick.Stop()
		for {
			one.setReady(p.isReady(one))
			select {
			case <-p.life.Done():
				return
			case <-one.done:
				return
			case <-tick.C:
			}
		}
	})
}

func (p *proxy) isReady(one *process) bool {
	req, err := http.NewRequestWithContext(p.life, http.MethodGet, one.url.String()+"/readyz", nil)
	if err != nil {
		return false
	}
	res, err := p.probe.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.StatusCode == http.StatusOK
}

func (p *process) setReady(ready bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ready = ready
}

func (p *process) isReady() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ready
}

func (p *proxy) remove(one *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.servers = slices.DeleteFunc(p.servers, func(other *process) bool { return other == one })
}

// awaitReady waits until a server is ready.
func (p *proxy) awaitReady(ctx context.Context, one *process) error {
	tick := time.NewTicker(probeEvery / 4)
	defer tick.Stop()
	for !one.isReady() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("chaos: %s is not ready: %w", one.name, ctx.Err())
		case <-one.done:
			return fmt.Errorf("chaos: %s ended before it was ready", one.name)
		case <-tick.C:
		}
	}
	return nil
}

// readyServers lists the servers to try, the next one first; those that are not ready come last,
// for the proxy may be wrong about them.
func (p *proxy) readyServers() []*process {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	all := slices.Clone(p.servers)
	if len(all) == 0 {
		return nil
	}
	at := p.next % len(all)
	all = slices.Concat(all[at:], all[:at])
	slices.SortStableFunc(all, func(a, b *process) int {
		ready := map[bool]int{true: 0, false: 1}
		return ready[a.isReady()] - ready[b.isReady()]
	})
	return all
}

// ready counts the servers that are ready.
func (p *proxy) ready() (n int) {
	for _, one := range p.readyServers() {
		if one.isReady() {
			n++
		}
	}
	return n
}

var errNoServer = errors.New("chaos: no server takes the request")

// RoundTrip sends a request to a server.
func (p *proxy) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(io.LimitReader(req.Body, maxBody)); err != nil {
			return nil, err
		}
	}
	from := time.Now()
	for _, one := range p.readyServers() {
		out := req.Clone(req.Context())
		out.URL.Scheme, out.URL.Host = one.url.Scheme, one.url.Host
		out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		res, err := p.send.RoundTrip(out)
		if failed, ok := errors.AsType[*net.OpError](err); ok && failed.Op == "dial" {
			continue
		}
		if err != nil {
			p.judge(req, one, from, err.Error())
			return nil, err
		}
		if res.StatusCode >= http.StatusInternalServerError {
			p.judge(req, one, from, res.Status)
		}
		res.Body = &watched{ReadCloser: res.Body, broke: func(err error) { p.judge(req, one, from, "the answer broke off: "+err.Error()) }}
		return res, nil
	}
	p.mu.Lock()
	p.refused++
	p.mu.Unlock()
	return nil, errNoServer
}

// judge notes a failure, as one that nothing excuses unless something does.
func (p *proxy) judge(req *http.Request, one *process, from time.Time, how string) {
	if req.Context().Err() != nil {
		return // the client went away
	}
	excused := p.fleet.excused(one, from)
	p.mu.Lock()
	defer p.mu.Unlock()
	if excused {
		p.failed++
		return
	}
	p.broken = append(p.broken, fmt.Sprintf("%s %s at %s after %v: %s",
		req.Method, req.URL.Path, one.name, time.Since(from).Round(time.Millisecond), how))
}

// watched tells of a body that breaks off.
type watched struct {
	io.ReadCloser
	broke func(error)
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	if err != nil && err != io.EOF {
		w.broke(err)
	}
	return n, err
}
