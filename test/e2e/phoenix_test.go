//go:build neighbours

package e2e_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/blob/blobtest"
	"quern/trace/phoenix"
	"quern/trace/tracetest"
)

// phoenixServer is a running Arize Phoenix.
type phoenixServer struct {
	t   *testing.T
	url string
	end func()
}

func startPhoenix(t *testing.T, environ ...string) *phoenixServer {
	t.Helper()
	address := blobtest.FreeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	_, rpc, _ := strings.Cut(blobtest.FreeAddress(t), ":")
	p := &phoenixServer{t: t, url: "http://" + address}
	p.end = startNeighbour(t, p.url+"/healthz", append([]string{
		"PHOENIX_HOST=127.0.0.1", "PHOENIX_PORT=" + port, "PHOENIX_GRPC_PORT=" + rpc, "PHOENIX_WORKING_DIR=" + t.TempDir(),
		"PHOENIX_TELEMETRY_ENABLED=false",
	}, environ...), absolute(t, "../neighbours/phoenix/.venv/bin/phoenix"), "serve")
	return p
}

// get reads a list of Phoenix's project of ours; nil when it has none.
func (p *phoenixServer) get(path string, into any) bool {
	p.t.Helper()
	res, err := http.Get(p.url + "/v1/projects/" + phoenix.Project + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNotFound {
		return false
	}
	if err := json.NewDecoder(res.Body).Decode(into); err != nil || res.StatusCode != http.StatusOK {
		p.t.Fatalf("Phoenix's %s = %d, %v, want 200", path, res.StatusCode, err)
	}
	return true
}

// phoenixSpan is a span as Phoenix tells of it.
type phoenixSpan struct {
	Name       string
	Kind       string    `json:"span_kind"`
	Parent     string    `json:"parent_id"`
	Status     string    `json:"status_code"`
	Start      time.Time `json:"start_time"`
	End        time.Time `json:"end_time"`
	Attributes map[string]any
	Context    struct {
		SpanID string `json:"span_id"`
	}
}

// keepLimit is how long Phoenix may take to store what it has taken, beside others who
// want the machine.
const keepLimit = 5 * time.Minute

// spans lists the spans of a run once they are enough, or as they are at the limit:
// Phoenix answers before it stores.
func (p *phoenixServer) spans(run quern.RunID, enough func([]phoenixSpan) bool) []phoenixSpan {
	p.t.Helper()
	for deadline := time.Now().Add(keepLimit); ; time.Sleep(100 * time.Millisecond) {
		var list struct{ Data []phoenixSpan }
		p.get("/spans?limit=1000&trace_id="+run.TraceID(), &list)
		if enough(list.Data) || time.Now().After(deadline) {
			return list.Data
		}
	}
}

// count returns how many spans of a run there are, once there are as many as are wanted
// and no more have come in two seconds.
func (p *phoenixServer) count(run quern.RunID, want int) int {
	p.t.Helper()
	p.spans(run, func(list []phoenixSpan) bool { return len(list) >= want })
	time.Sleep(2 * time.Second)
	return len(p.spans(run, func([]phoenixSpan) bool { return true }))
}

// span returns a span of a run, waiting for it.
func (p *phoenixServer) span(run quern.RunID, id quern.SpanID) (found phoenixSpan, ok bool) {
	p.t.Helper()
	p.spans(run, func(list []phoenixSpan) bool {
		i := slices.IndexFunc(list, func(s phoenixSpan) bool { return s.Context.SpanID == string(id) })
		if ok = i >= 0; ok {
			found = list[i]
		}
		return ok
	})
	return found, ok
}

// phoenixRating is an annotation as Phoenix tells of it.
type phoenixRating struct {
	Name, Identifier string
	Kind             string `json:"annotator_kind"`
	Result           struct {
		Label, Explanation string
		Score              float64
	}
}

func (p *phoenixServer) rating(run quern.RunID) (r phoenixRating, ok bool) {
	p.t.Helper()
	var list struct{ Data []phoenixRating }
	if !p.get("/span_annotations?span_ids="+url.QueryEscape(string(run.SpanID())), &list) || len(list.Data) == 0 {
		return r, false
	}
	if len(list.Data) > 1 || list.Data[0].Identifier != run.ScoreID() || list.Data[0].Kind != "HUMAN" {
		p.t.Errorf("Phoenix has the annotations %+v, want one rating", list.Data)
	}
	return list.Data[0], true
}

// A real Phoenix keeps the promise that every tracing store is held to, and what the
// binary does is seen in it. Such servers stand beside the binary one at a time.
//
//nolint:paralleltest // for that reason
func TestNeighbourPhoenix(t *testing.T) {
	p := startPhoenix(t)
	t.Run("the promise", func(t *testing.T) { tracetest.Run(t, p.fixture) })
	t.Run("the binary", p.keepsTracesAndRatings)
}

func (p *phoenixServer) fixture(t *testing.T) tracetest.Fixture {
	t.Helper()
	k := phoenix.New(phoenix.Options{
		URL: p.url, Resource: map[string]string{"service.name": "quern"},
		Trace: func(_ context.Context, run quern.RunID) ([]quern.Span, error) {
			return []quern.Span{{Run: run, ID: run.SpanID(), Kind: quern.SpanRun, Name: "run", Start: time.Now(), End: time.Now()}}, nil
		},
	})
	t.Cleanup(func() { _ = k.Close() }) // it lets go of idle connections only
	return tracetest.Fixture{
		Keeper: k, Run: quern.NewID[quern.RunID], KeepsFirst: true,
		Span: func(run quern.RunID, id quern.SpanID) (tracetest.Kept, bool) {
			s, ok := p.span(run, id)
			return tracetest.Kept{Parent: quern.SpanID(s.Parent), Name: s.Name, Start: s.Start, End: s.End, Failed: s.Status == "ERROR", Attributes: s.Attributes}, ok
		},
		Spans: p.count,
		Score: func(run quern.RunID) (quern.Feedback, bool) {
			r, ok := p.rating(run)
			return quern.Feedback{Run: run, ThumbsUp: r.Result.Score == 1, Comment: r.Result.Explanation}, ok
		},
	}
}

// keepsTracesAndRatings looks in Phoenix for what the binary does: the trace of a question, the rating of its
// run, given at once and again and taken back; and while Phoenix is away no rating is.
func (p *phoenixServer) keepsTracesAndRatings(t *testing.T) {
	h := newHome(t, "QUERN_PHOENIX_URL="+p.url, "QUERN_SCORE_TIMEOUT=60s")
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	ask := func() quern.RunID {
		r := s.call("POST", "/api/v1/query/autorag", token, `{"username":"self","namespace":"harbour","query":"How many ships are there per flag?"}`)
		id, _ := r.json(t)["runId"].(string)
		if r.status != 200 || id == "" {
			t.Fatalf("the question = %d %s, want an answer", r.status, r.body)
		}
		return quern.RunID(id)
	}
	run := ask()
	feedback := func(id quern.RunID) string { return "/api/v1/query/runs/" + string(id) + "/feedback" }
	for _, c := range []struct {
		body    string
		score   float64
		comment string
	}{{`{"thumbsUp":true,"comment":"well done"}`, 1, "well done"}, {`{"thumbsUp":false}`, 0, ""}} {
		if r := s.call("POST", feedback(run), token, c.body); r.status != 204 {
			t.Fatalf("rating %s = %d %s, want 204", c.body, r.status, r.body)
		}
		if r, ok := p.rating(run); !ok || r.Result.Score != c.score || r.Result.Explanation != c.comment || r.Name != phoenix.AnnotationName {
			t.Errorf("Phoenix has the rating %+v (%t), want %s", r, ok, c.body)
		}
	}
	if r := s.call("DELETE", feedback(run), token, ""); r.status != 204 {
		t.Errorf("taking the rating back = %d %s, want 204", r.status, r.body)
	}
	if r, ok := p.rating(run); ok {
		t.Errorf("Phoenix still has the rating %+v", r)
	}
	want := map[string]string{"invoke_agent assistant": "AGENT", "plan": "CHAIN", "step 0": "CHAIN", "query": "TOOL", "answer": "CHAIN"}
	kinds := map[string]string{}
	for _, span := range p.spans(run, func(list []phoenixSpan) bool { return len(list) >= len(want) }) {
		kinds[span.Name] = span.Kind
		if span.Name == "invoke_agent assistant" && (span.Parent != "" || span.Attributes["input.value"] != "How many ships are there per flag?") {
			t.Errorf("the run's span is %+v, want the question in it", span)
		}
	}
	for name, kind := range want {
		if kinds[name] != kind {
			t.Errorf("Phoenix shows %s as %q, want %q: %v", name, kinds[name], kind, kinds)
		}
	}
	p.end()
	other := ask()
	if r := s.call("POST", feedback(other), token, `{"thumbsUp":true}`); r.status != 502 {
		t.Errorf("rating while Phoenix is away = %d %s, want 502", r.status, r.body)
	}
	if r := s.call("GET", feedback(other), token, ""); r.status != 404 {
		t.Errorf("the rating that was not taken = %d %s, want 404", r.status, r.body)
	}
}
