//go:build neighbours

package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quern/blob/blobtest"
)

// handedOn keeps what a collector hands on, as OTLP in JSON: the names of spans by trace.
type handedOn struct {
	mu    sync.Mutex
	names map[string]map[string]bool
	from  map[string]bool // the services that they come from
}

func (h *handedOn) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var sent struct {
		ResourceSpans []struct {
			Resource struct {
				Attributes []struct {
					Key   string
					Value struct{ StringValue string }
				}
			}
			ScopeSpans []struct {
				Spans []struct{ TraceID, Name string }
			}
		}
	}
	if json.NewDecoder(r.Body).Decode(&sent) != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, resource := range sent.ResourceSpans {
		for _, a := range resource.Resource.Attributes {
			if a.Key == "service.name" {
				h.from[a.Value.StringValue] = true
			}
		}
		for _, scope := range resource.ScopeSpans {
			for _, span := range scope.Spans {
				if h.names[span.TraceID] == nil {
					h.names[span.TraceID] = map[string]bool{}
				}
				h.names[span.TraceID][span.Name] = true
			}
		}
	}
}

// An OpenTelemetry collector takes the spans of requests and runs, and hands them on.
func TestNeighbourCollector(t *testing.T) {
	t.Parallel()
	got := &handedOn{names: map[string]map[string]bool{}, from: map[string]bool{}}
	sink := httptest.NewServer(got)
	t.Cleanup(sink.Close)
	address, telemetry := blobtest.FreeAddress(t), blobtest.FreeAddress(t)
	host, port, _ := strings.Cut(telemetry, ":")
	startNeighbour(t, "http://"+telemetry+"/metrics", nil, absolute(t, "../neighbours/collector/build/otelcol"), "--config", `yaml:
receivers: {otlp: {protocols: {http: {endpoint: "`+address+`"}}}}
exporters: {otlphttp: {endpoint: "`+sink.URL+`", encoding: json, compression: none}}
service:
  telemetry: {metrics: {readers: [{pull: {exporter: {prometheus: {host: "`+host+`", port: `+port+`}}}}]}}
  pipelines: {traces: {receivers: [otlp], exporters: [otlphttp]}}`)
	h := newHome(t, "QUERN_OTLP_ENDPOINT=http://"+address)
	s := h.serve("--first-user", "ada")
	s.printed("Data ")
	token := h.must("", "token", "create", "--user", "ada")
	r := s.call("POST", "/api/v1/query/autorag", token, `{"username":"self","namespace":"harbour","query":"How many ships are there?"}`)
	run, _ := r.json(t)["runId"].(string)
	if r.status != 200 || run == "" {
		t.Fatalf("a question = %d %s, want an answer", r.status, r.body)
	}
	s.stop() // it sends what it still has
	trace := strings.ReplaceAll(run, "-", "")
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		got.mu.Lock()
		names, services, traces := len(got.names[trace]), len(got.from), len(got.names)
		from := got.from["quern"]
		got.mu.Unlock()
		if names >= 3 && traces >= 2 && services == 1 && from {
			return
		}
		if time.Now().After(deadline) {
			got.mu.Lock()
			defer got.mu.Unlock()
			t.Fatalf("the collector handed on %v from %v, want the run %s with its steps, and requests", got.names, got.from, trace)
		}
	}
}
