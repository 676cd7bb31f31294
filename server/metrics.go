package server

import (
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"quern/door"
)

// maxOperations bounds the label that handlers choose.
const maxOperations = 256

type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge

	mu    sync.Mutex
	known map[string]bool
}

func newMetrics(reg *prometheus.Registry, version string) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "quern_http_requests_total", Help: "Requests answered, by operation and status.",
		}, []string{"operation", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "quern_http_request_duration_seconds", Help: "Time from a request's headers to the end of its answer.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"operation"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "quern_http_requests_in_flight", Help: "Requests in progress.",
		}),
		known: map[string]bool{},
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "quern_build_info", Help: "Always 1; the labels say what is running.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
	})
	build.Set(1)
	reg.MustRegister(m.requests, m.duration, m.inFlight, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) observe(req *door.Request, status int, took time.Duration) {
	label := m.label(req.Notes().Operation)
	m.requests.WithLabelValues(label, strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(label).Observe(took.Seconds())
}

// label keeps the operation's name while there are few, whoever sets it.
func (m *metrics) label(operation string) string {
	if operation == "" {
		return "other"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.known[operation] {
		if len(m.known) >= maxOperations {
			return "other"
		}
		m.known[operation] = true
	}
	return operation
}

func metricsHandler(reg *prometheus.Registry) http.Handler {
	return promhttp.HandlerFor(reg, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}
