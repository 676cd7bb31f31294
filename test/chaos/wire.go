package chaos

import (
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"quern/test/duplex"
)

// Wire stands between servers and their database, and can be cut.
type Wire struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]bool
}

// NewWire listens before a TCP address.
func NewWire(target string) (*Wire, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w := &Wire{listener: l, target: target, conns: map[net.Conn]bool{}}
	go w.accept()
	return w, nil
}

// Address is where the wire is reached.
func (w *Wire) Address() string { return w.listener.Addr().String() }

// Close cuts the wire for good.
func (w *Wire) Close() {
	w.Cut(true)
	_ = w.listener.Close() // nobody is left to hear of it
}

// Cut breaks every connection, and refuses new ones, until it is mended.
func (w *Wire) Cut(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut = cut; cut {
		for c := range w.conns {
			c.Close()
		}
	}
}

// keep notes a connection. It reports whether the wire is whole.
func (w *Wire) keep(c net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns[c] = true
	return !w.cut
}

func (w *Wire) end(c net.Conn) {
	c.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, c)
}

func (w *Wire) accept() {
	for {
		in, err := w.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			go w.carry(in)
		}
	}
}

func (w *Wire) carry(in net.Conn) {
	defer w.end(in)
	if !w.keep(in) {
		return
	}
	out, err := net.Dial("tcp", w.target)
	if err != nil {
		return
	}
	defer w.end(out)
	if !w.keep(out) {
		return
	}
	go func() {
		_, _ = io.Copy(out, in) // a cut is what this is for
		out.Close()
	}()
	_, _ = io.Copy(in, out)
}

// Bucket stands between servers and S3, and can fail and be slow.
type Bucket struct {
	front *httptest.Server
	// failing is how many of a hundred requests fail, slow how long each waits.
	failing, slow atomic.Int64
	failed        atomic.Int64
}

// NewBucket listens before an S3 endpoint. It changes neither host nor path, for these
// are signed.
func NewBucket(endpoint string) (*Bucket, error) {
	target, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	b := &Bucket{}
	pass := duplex.Handler(&httputil.ReverseProxy{
		Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, r.In.Host
		},
		ErrorLog:     log.New(io.Discard, "", 0),
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	})
	b.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if long := time.Duration(b.slow.Load()); long > 0 {
			select {
			case <-r.Context().Done():
			case <-time.After(long):
			}
		}
		if rand.Int64N(100) >= b.failing.Load() {
			pass.ServeHTTP(w, r)
			return
		}
		b.failed.Add(1)
		switch rand.IntN(3) {
		case 0:
			panic(http.ErrAbortHandler) // the connection breaks
		case 1:
			http.Error(w, `<Error><Code>SlowDown</Code><Message>slow down</Message></Error>`, http.StatusServiceUnavailable)
		default:
			http.Error(w, `<Error><Code>InternalError</Code><Message>broken</Message></Error>`, http.StatusInternalServerError)
		}
	}))
	return b, nil
}

// URL is where the bucket is reached.
func (b *Bucket) URL() string { return b.front.URL }

// Close ends it.
func (b *Bucket) Close() {
	b.front.CloseClientConnections()
	b.front.Close()
}

// Be lets so many of a hundred requests fail, and each wait so long.
func (b *Bucket) Be(failing int64, slow time.Duration) {
	b.failing.Store(failing)
	b.slow.Store(int64(slow))
}

// Failed counts the requests that were made to fail.
func (b *Bucket) Failed() int64 { return b.failed.Load() }
