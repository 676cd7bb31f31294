// Package clienttest is a bad network for tests: a proxy that slows connections
// down and cuts them in the middle. It owns no behaviour of its own.
package clienttest

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"
)

// Proxy passes TCP connections on to a target, as badly as it is told to.
type Proxy struct {
	t        testing.TB
	listener net.Listener
	target   string
	done     chan struct{}
	running  sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever bytes pass
	passed  int64
	cuts    int
	life    int64
	chunk   int
	conns   map[net.Conn]bool
}

// StartProxy starts a proxy to a host and port; it ends with the test.
func StartProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{t: t, listener: listener, target: target, done: make(chan struct{}), changed: make(chan struct{}), conns: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	t.Cleanup(func() {
		close(p.done)
		listener.Close()
		p.CutAll()
		p.running.Wait()
	})
	return p
}

// URL is the proxy's own address.
func (p *Proxy) URL() string { return "http://" + p.listener.Addr().String() }

// Retarget passes new connections on to another host and port.
func (p *Proxy) Retarget(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
}

// CutAfter cuts every new connection once about n bytes have gone to the target,
// half as many or twice as many; 0 cuts none.
func (p *Proxy) CutAfter(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.life = n
}

// Throttle lets a connection send chunk bytes to the target every millisecond; 0
// lets it send all it can.
func (p *Proxy) Throttle(chunk int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chunk = chunk
}

// CutAll cuts the connections that are open.
func (p *Proxy) CutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		conn.Close()
	}
}

// Passed tells how many bytes have gone to the target, and how many connections
// were cut for having sent enough.
func (p *Proxy) Passed() (bytes int64, cuts int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.passed, p.cuts
}

// Await waits until n more bytes have gone to the target.
func (p *Proxy) Await(n int64) {
	p.t.Helper()
	deadline := time.After(30 * time.Second)
	start, _ := p.Passed()
	for {
		p.mu.Lock()
		passed, changed := p.passed, p.changed
		p.mu.Unlock()
		if passed >= start+n {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			p.t.Fatalf("%d bytes went through the proxy, want %d", passed-start, n)
		}
	}
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.running.Go(func() { p.serve(conn) })
	}
}

func (p *Proxy) serve(from net.Conn) {
	defer from.Close()
	p.mu.Lock()
	target, life, chunk := p.target, p.life, p.chunk
	p.mu.Unlock()
	to, err := (&net.Dialer{Timeout: 5 * time.Second}).Dial("tcp", target)
	if err != nil {
		return
	}
	defer to.Close()
	if !p.note(from, to) {
		return
	}
	defer p.forget(from, to)
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(from, to) // either side may end it
		from.Close()
	})
	if life > 0 {
		life = life/2 + rand.Int64N(life*3/2)
	}
	if p.forward(to, from, life, chunk) {
		p.mu.Lock()
		p.cuts++
		p.mu.Unlock()
		from.Close()
	}
	to.Close()
	back.Wait()
}

// forward copies until an end or life bytes, and reports whether it was the
// latter.
func (p *Proxy) forward(to io.Writer, from io.Reader, life int64, chunk int) bool {
	size := 32 << 10
	if chunk > 0 {
		size = chunk
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	buffer := make([]byte, size)
	for sent := int64(0); ; {
		n, err := from.Read(buffer)
		if life > 0 && sent+int64(n) > life {
			return true
		}
		if _, lost := to.Write(buffer[:n]); errors.Join(err, lost) != nil {
			return false
		}
		sent += int64(n)
		p.mu.Lock()
		p.passed += int64(n)
		close(p.changed)
		p.changed = make(chan struct{})
		p.mu.Unlock()
		if chunk == 0 {
			continue
		}
		select {
		case <-tick.C:
		case <-p.done:
			return false
		}
	}
}

// note keeps connections to cut, unless the proxy has ended.
func (p *Proxy) note(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
		return false
	default:
	}
	for _, c := range conns {
		p.conns[c] = true
	}
	return true
}

func (p *Proxy) forget(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		delete(p.conns, c)
	}
}
