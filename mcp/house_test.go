package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"quern"
	"quern/ask"
	"quern/blob/fs"
	"quern/catalog"
	"quern/housetest"
	"quern/ingest"
	"quern/knowledge"
	"quern/mcp"
	"quern/run"
	"quern/server"
	"quern/upload"
)

// house is the edge with every real part behind it but the agents, which play scripts.
// Its users are ada, who owns harbour and shares it with bob, and eve.
type house struct {
	*housetest.House
	t         testing.TB
	runs      *run.Service
	knowledge *knowledge.Service
	scripts   *scripts
	url       string
	http      *http.Client
	tokens    map[string]string
	ids       map[string]quern.TokenID
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var must = housetest.Must

func newHouse(t testing.TB) *house {
	t.Helper()
	h := &house{
		House: housetest.New(t, housetest.Options{Settle: time.Nanosecond, Journal: true}), t: t, scripts: &scripts{all: map[string]script{}},
		tokens: map[string]string{}, ids: map[string]quern.TokenID{},
	}
	log := slog.New(slog.DiscardHandler)
	uploads := upload.New(upload.Options{Store: h.Store, Objects: h.Objects, Now: time.Now, Log: log, Limits: upload.Limits{
		PartSize: 64, FileSize: 1 << 40, OpenBytes: 1 << 40, Files: 100, OpenSessions: 100, URLLife: time.Hour, SessionLife: time.Hour,
	}})
	ingests := h.NewIngest(func(o *ingest.Options) { o.Uploads = uploads })
	h.knowledge = knowledge.New(knowledge.Options{Store: h.Store, Catalog: h.Catalog, Now: time.Now})
	h.runs = run.New(run.Options{
		Store: h.Store, Catalog: h.Catalog, Log: log, Models: oneModel{}, Still: h.Auth.Still, Limits: run.Limits{Workers: 64},
		Agents: map[quern.AgentKind]ask.Agent{quern.AgentNL2QL: h.scripts, quern.AgentAssistant: h.scripts},
	})
	edge, err := mcp.New(mcp.Options{
		Auth: h.Auth, Usage: h.Auth, Catalog: h.Catalog, Query: h.Query, Links: h.Links, Knowledge: h.knowledge, Runs: h.runs,
		Upload: uploads, Ingest: ingests, PublicURL: housetest.PublicURL, Origins: []string{"https://page.example"}, Version: "1.2.3",
	})
	must(t, err)
	h.listen(edge, log)
	ctx, stop := context.WithCancel(t.Context())
	var working sync.WaitGroup
	working.Go(func() { h.runs.Work(ctx) })
	working.Go(func() { ingests.Work(ctx) })
	t.Cleanup(func() {
		stop()
		working.Wait()
	})
	h.people()
	return h
}

func (h *house) listen(edge http.Handler, log *slog.Logger) {
	h.t.Helper()
	mux := http.NewServeMux()
	mux.Handle(mcp.Path, edge)
	mux.Handle(fs.PathPrefix, h.Objects.Handler())
	srv, err := server.New(server.Options{Handler: mux, Log: log})
	must(h.t, err)
	listening := httptest.NewServer(srv)
	h.t.Cleanup(listening.Close)
	h.url, h.http = listening.URL, listening.Client()
}

const ships = `[{"name":"Ariadne","flag":"Norway","tons":12},{"name":"Boreas","flag":"Greece","tons":7},{"name":"Calypso","flag":"Norway","tons":30}]`

func (h *house) people() {
	h.t.Helper()
	for _, name := range []string{"ada", "bob", "eve"} {
		h.token(name, h.User(name), quern.TokenSpec{Name: "test"})
	}
	about := "every ship that called"
	h.Dataset(h.User("ada"), "harbour/ships", ships, quern.InferDefinition{
		DataDescription: &about, SchemaDefinition: map[string]string{"tons": "dead weight"},
	})
	h.Dataset(h.User("ada"), "secret/plans", `[{"plan":"x"}]`)
	_, err := h.Catalog.Share(h.t.Context(), h.User("ada"), catalog.Target{Owner: "ada", Namespace: "harbour"},
		quern.Share{Username: "bob", Role: quern.Viewer})
	must(h.t, err)
	_, err = h.knowledge.Write(h.t.Context(), h.User("ada"), quern.NamespacePath{Owner: "ada", Namespace: "harbour"}, knowledge.Change{
		Merge: &knowledge.Document{Verified: []knowledge.Verified{{
			Name: "fleet size", Questions: []string{"How many ships are there?"}, Query: "SELECT count(*) AS n FROM ships",
		}}},
	})
	must(h.t, err)
}

// token gives a principal a token, which is found under a name.
func (h *house) token(name string, p quern.Principal, spec quern.TokenSpec) {
	h.t.Helper()
	made, secret, err := h.Auth.CreateToken(h.t.Context(), p, spec)
	must(h.t, err)
	h.tokens[name], h.ids[name] = secret, made.ID
}

type oneModel struct{}

func (oneModel) Model(name, _ string) (ask.Model, error) {
	if name == "" {
		return ask.Model{Name: "small"}, nil
	}
	return ask.Model{}, quern.E(quern.Invalid, quern.CodeInvalid, "the model is not there").
		With(quern.Fault("model", "model", "is not one of this server's"))
}

// script is what the agents do with one question.
type script struct {
	steps  []quern.Step
	result quern.Result
	fails  error
	came   chan struct{} // a step that waits says here that it came; nil: none waits
}

type scripts struct {
	mu  sync.Mutex
	all map[string]script
}

func (s *scripts) set(question string, do script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[question] = do
}

func (s *scripts) of(w ask.Work) script {
	s.mu.Lock()
	defer s.mu.Unlock()
	do, ok := s.all[w.Task.Question]
	if !ok {
		do = script{
			steps: []quern.Step{{Query: "SELECT count(*) AS n FROM ships", Reasoning: "the number of ships", Doubt: true,
				Columns: []quern.Column{{Name: "n", Type: quern.Integer}}, Data: []json.RawMessage{json.RawMessage(`{"n":3,"__metadata":{"score":1.0}}`)}}},
			result: quern.Result{Response: "There are 3 ships.", Doubt: true, Notes: []string{"ships was guessed"}},
		}
	}
	return do
}

func (s *scripts) Plan(_ context.Context, w ask.Work) (quern.Plan, error) {
	do := s.of(w)
	plan := quern.Plan{Reasoning: "as it was told"}
	for i := range do.steps {
		plan.Steps = append(plan.Steps, fmt.Sprintf("do %d", i))
	}
	return plan, do.fails
}

func (s *scripts) Step(ctx context.Context, w ask.Work, i int) (quern.Step, error) {
	do := s.of(w)
	if do.came != nil {
		do.came <- struct{}{}
		<-ctx.Done()
		return quern.Step{}, ctx.Err()
	}
	return do.steps[i], nil
}

func (s *scripts) Answer(_ context.Context, w ask.Work) (quern.Result, error) {
	return s.of(w).result, nil
}

// bearer sends every request with a token.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}

// assistant is a client of the protocol, by its own library.
type assistant struct {
	*sdk.ClientSession
	t        testing.TB
	progress chan *sdk.ProgressNotificationParams // of all calls, in order
}

func (h *house) connect(user, version string) *assistant {
	h.t.Helper()
	a := &assistant{t: h.t, progress: make(chan *sdk.ProgressNotificationParams, 100)}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			a.progress <- r.Params
		},
	})
	session, err := client.Connect(h.t.Context(), &sdk.StreamableClientTransport{
		Endpoint: h.url + mcp.Path, HTTPClient: &http.Client{Transport: bearer{h.tokens[user], h.http.Transport}}, DisableStandaloneSSE: true,
	}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	must(h.t, err)
	h.t.Cleanup(func() { _ = session.Close() })
	a.ClientSession = session
	return a
}

// call calls a tool and returns what it found, or the error that it failed with.
func (a *assistant) call(name string, arguments any) (found map[string]any, failure errorBody) {
	a.t.Helper()
	result, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		a.t.Fatalf("%s(%v) = %v, want a result", name, arguments, err)
	}
	said := textOf(result)
	if result.IsError {
		must(a.t, json.Unmarshal([]byte(said), &failure))
		return nil, failure
	}
	structured, err := json.Marshal(result.StructuredContent)
	must(a.t, err)
	must(a.t, json.Unmarshal(structured, &found))
	return found, failure
}

func textOf(r *sdk.CallToolResult) string {
	text, _ := r.Content[0].(*sdk.TextContent)
	return text.Text
}

type errorBody struct {
	ErrorCode string `json:"error_code"`
	Message   string
	SubErrors []struct{ Code, Message string } `json:"sub_errors"`
}

func (e errorBody) String() string {
	said := e.ErrorCode + " " + e.Message
	for _, sub := range e.SubErrors {
		said += "; " + sub.Code + " " + sub.Message
	}
	return said
}

// reply is an answer that was read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

// post sends one message as it is.
func (h *house) post(user, body string, headers ...string) reply {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), "POST", h.url+mcp.Path, strings.NewReader(body))
	must(h.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if user != "" {
		r.Header.Set("Authorization", "Bearer "+h.tokens[user])
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	resp, err := h.http.Do(r)
	must(h.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(h.t, err)
	return reply{resp.StatusCode, resp.Header, string(text)}
}

// put sends a part where its URL leads in this house.
func (h *house) put(address, body string) {
	h.t.Helper()
	u, err := url.Parse(address)
	must(h.t, err)
	r, err := http.NewRequestWithContext(h.t.Context(), "PUT", h.url+u.RequestURI(), strings.NewReader(body))
	must(h.t, err)
	resp, err := h.http.Do(r)
	must(h.t, err)
	resp.Body.Close()
	if resp.StatusCode != 200 {
		h.t.Fatalf("PUT %s = %d, want 200", address, resp.StatusCode)
	}
}

// at walks into JSON: names of members and numbers of items.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			list, _ := v.([]any)
			if p >= len(list) {
				return nil
			}
			v = list[p]
		}
	}
	return v
}
