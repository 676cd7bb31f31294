package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"

	"quern/test/duplex"
)

// checker stands between a server and programs that are not this one, and holds what
// the server answers to the contract. It passes everything on as it is; a server
// that is away is a connection that breaks.
type checker struct {
	url string

	server  atomic.Pointer[url.URL]
	answers atomic.Int64 // that have passed
}

func newChecker(t *testing.T) *checker {
	t.Helper()
	c := &checker{}
	proxy := &httputil.ReverseProxy{
		Transport: checked.Over(&http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true}),
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(c.server.Load())
			r.Out.Host = r.In.Host
		},
		ModifyResponse: func(*http.Response) error { c.answers.Add(1); return nil },
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	front := httptest.NewServer(duplex.Handler(proxy))
	t.Cleanup(front.Close)
	c.url = front.URL
	return c
}

// forServer passes on to a server from now on.
func (c *checker) forServer(t *testing.T, address string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	c.server.Store(u)
}

// checkedURL is another address of the server, for the commands of the binary and
// for clients of others: what they ask there is held to the contract.
func (s *server) checkedURL() string {
	s.home.t.Helper()
	c := newChecker(s.home.t)
	c.forServer(s.home.t, s.url)
	s.home.t.Cleanup(func() { c.wantAnswers(s.home.t) })
	return c.url
}

// wantAnswers fails the test when nothing has passed.
func (c *checker) wantAnswers(t *testing.T) {
	t.Helper()
	if c.answers.Load() == 0 && !t.Failed() {
		t.Error("no answer of the server was held to the contract")
	}
}

// serveChecked starts a server that calls itself by an address behind which all
// answers are held to the contract, so that clients that follow its links stay there.
func (h *home) serveChecked(args ...string) *server {
	h.t.Helper()
	c := newChecker(h.t)
	h.environ = append(h.environ, "QUERN_PUBLIC_URL="+c.url)
	s := h.serve(args...)
	listen, _ := s.await("serving")["listen"].(string)
	c.forServer(h.t, "http://"+listen)
	s.checker = c
	return s
}
