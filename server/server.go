package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"golang.org/x/net/netutil"

	"quern"
	"quern/door"
)

// Limits bounds every stage of a connection and a request. Zero fields take the
// default that DefaultLimits states.
type Limits struct {
	Header      time.Duration // until a request's headers are read
	Read        time.Duration // until its body is read; a handler may Extend it
	Write       time.Duration // until its answer is written; a handler may Extend it
	Idle        time.Duration // between two requests of a connection
	HeaderBytes int           // of one request
	Connections int           // open at once on each listener; more wait
	Requests    int           // in progress at once; more get 503
	Drain       time.Duration // serving on, not ready, before the listeners close
	Grace       time.Duration // for requests in progress, after the listeners closed
}

// DefaultLimits are the limits where nothing else is set. Drain has none: its
// zero means to close the listeners at once.
func DefaultLimits() Limits {
	return Limits{
		Header: 10 * time.Second, Read: time.Minute, Write: 2 * time.Minute, Idle: 2 * time.Minute,
		HeaderBytes: 64 << 10, Connections: 10_000, Requests: 1_000, Grace: 30 * time.Second,
	}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	fill(&l.Header, d.Header)
	fill(&l.Read, d.Read)
	fill(&l.Write, d.Write)
	fill(&l.Idle, d.Idle)
	fill(&l.HeaderBytes, d.HeaderBytes)
	fill(&l.Connections, d.Connections)
	fill(&l.Requests, d.Requests)
	fill(&l.Grace, d.Grace)
	return l
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Options says what to serve and how.
type Options struct {
	Handler http.Handler
	Log     *slog.Logger
	Tracing trace.TracerProvider
	// Metrics is where the server's own metrics go and what /metrics shows; nil
	// makes a new one.
	Metrics *prometheus.Registry
	// Counts are what other parts count, for /metrics to show.
	Counts []Count
	// MetricsToken is the bearer token that /metrics asks for; empty: none.
	MetricsToken string
	// MetricsApart leaves /metrics to ServeMetrics.
	MetricsApart bool
	Checks       []Check
	Now          func() time.Time
	// CertFile and KeyFile turn TLS on. They are read again when they change.
	CertFile, KeyFile string
	// Origins lists the origins that browsers may call from; "*" means all.
	Origins []string
	Version string
	Limits  Limits
}

// Server serves one handler on any number of listeners.
type Server struct {
	opts     Options
	handler  http.Handler
	health   *health
	cert     *certificate
	stopping chan struct{}
	stopOnce sync.Once
}

// New makes a server. It fails when the TLS files cannot be read.
func New(opts Options) (*Server, error) {
	opts.Limits = opts.Limits.withDefaults()
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Metrics == nil {
		opts.Metrics = prometheus.NewRegistry()
	}
	if opts.Tracing == nil {
		opts.Tracing = noop.NewTracerProvider()
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	for _, c := range opts.Counts {
		opts.Metrics.MustRegister(c)
	}
	s := &Server{opts: opts, stopping: make(chan struct{})}
	s.health = newHealth(opts.Checks, opts.Log)
	if opts.CertFile != "" || opts.KeyFile != "" {
		cert, err := loadCertificate(opts.CertFile, opts.KeyFile, opts.Log, opts.Now)
		if err != nil {
			return nil, err
		}
		s.cert = cert
	}
	s.handler = s.chain()
	return s, nil
}

// ServeHTTP serves one request, with all that the server does around it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// chain puts the stages around the handler, outermost last.
func (s *Server) chain() http.Handler {
	h := s.limitRequests(s.opts.Handler)
	h = s.refuseUnclean(h)
	h = s.routes(h)
	h = s.allowOrigins(h)
	h = s.setSecurityHeaders(h)
	return s.observe(h)
}

// routes answers what every server answers, before the limit on requests: a
// server that is too busy to say that it is alive gets killed for being busy.
func (s *Server) routes(next http.Handler) http.Handler {
	own := map[string]http.Handler{
		"/healthz": http.HandlerFunc(serveAlive),
		"/readyz":  s.health,
	}
	if !s.opts.MetricsApart {
		own["/metrics"] = s.metrics()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, ok := own[r.URL.Path]
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		door.SetOperation(r.Context(), r.URL.Path[1:])
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			door.RefuseMethod(w, r, "GET, HEAD")
			return
		}
		h.ServeHTTP(w, r)
	})
}

// metrics is /metrics, behind its token where it has one.
func (s *Server) metrics() http.Handler {
	next := metricsHandler(s.opts.Metrics)
	if s.opts.MetricsToken == "" {
		return next
	}
	want := sha256.Sum256([]byte(s.opts.MetricsToken))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, err := door.Bearer(r.Header)
		got := sha256.Sum256([]byte(token))
		if err == nil && subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			err = quern.E(quern.Unauthentic, quern.CodeUnauthorized, "the token is not the one for metrics")
		}
		if err != nil {
			door.WriteError(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ServeMetrics serves /metrics, and nothing else, on a listener of its own until ctx ends.
func (s *Server) ServeMetrics(ctx context.Context, l net.Listener) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.metrics())
	hs := &http.Server{
		Handler: mux, ReadHeaderTimeout: s.opts.Limits.Header, ReadTimeout: s.opts.Limits.Read, WriteTimeout: s.opts.Limits.Write,
		IdleTimeout: s.opts.Limits.Idle, MaxHeaderBytes: s.opts.Limits.HeaderBytes,
		ErrorLog: slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelDebug),
	}
	defer context.AfterFunc(ctx, func() { _ = hs.Close() })() // scrapes come again
	if err := hs.Serve(netutil.LimitListener(l, metricsConnections)); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics on %s: %w", l.Addr(), err)
	}
	return nil
}

// metricsConnections bounds the connections of whoever reads metrics.
const metricsConnections = 32

// Serve serves the listeners until ctx is done, then stops gracefully. It
// returns nil after a stop that was asked for, also when requests had to be
// cut off, which is logged.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	if len(listeners) == 0 {
		return errors.New("server: nothing to listen on")
	}
	hs := s.httpServer()
	failed := make(chan error, len(listeners))
	var serving sync.WaitGroup
	for _, l := range listeners {
		serving.Go(func() { failed <- s.serveOne(hs, l) })
	}
	var err error
	select {
	case <-ctx.Done():
		s.stop(hs) // ctx is done: that is why it stops
	case err = <-failed:
		_ = hs.Close() // one listener is lost; serving half of them helps nobody
	}
	serving.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (s *Server) httpServer() *http.Server {
	l := s.opts.Limits
	hs := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: l.Header,
		ReadTimeout:       l.Read,
		WriteTimeout:      l.Write,
		IdleTimeout:       l.Idle,
		MaxHeaderBytes:    l.HeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelDebug),
	}
	if s.cert != nil {
		hs.TLSConfig = s.cert.config()
	}
	return hs
}

func (s *Server) serveOne(hs *http.Server, l net.Listener) error {
	l = netutil.LimitListener(l, s.opts.Limits.Connections)
	var err error
	if s.cert != nil {
		err = hs.ServeTLS(l, "", "")
	} else {
		err = hs.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return http.ErrServerClosed
	}
	return fmt.Errorf("serve %s: %w", l.Addr(), err)
}

// stop walks the way down that the package doc draws.
func (s *Server) stop(hs *http.Server) {
	s.health.drain()
	s.opts.Log.Info("stopping", "drain", s.opts.Limits.Drain, "grace", s.opts.Limits.Grace)
	if d := s.opts.Limits.Drain; d > 0 {
		time.Sleep(d)
	}
	s.stopOnce.Do(func() { close(s.stopping) })
	ctx, cancel := context.WithTimeout(context.Background(), s.opts.Limits.Grace)
	defer cancel()
	if err := hs.Shutdown(ctx); err != nil {
		s.opts.Log.Warn("stopped before every request was done", "error", err)
		_ = hs.Close() // nothing left to do with a connection that will not end
		return
	}
	s.opts.Log.Info("stopped")
}
