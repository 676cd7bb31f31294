package a2a_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/a2a"
	"quern/ask"
	"quern/auth"
	"quern/auth/authtest"
	"quern/catalog"
	"quern/push"
	"quern/run"
	"quern/server"
	"quern/store/storetest"
)

// house is the edge with every real part behind it but the agents, which play
// scripts. Its users are ada, who owns harbour and shares it with bob, and eve.
type house struct {
	t       testing.TB
	auth    *authtest.Service
	catalog *catalog.Service
	runs    *run.Service
	push    *push.Service
	scripts *scripts
	url     string
	http    *http.Client
	tokens  map[string]string
}

// options are what tests change.
type options struct {
	a2a  func(*a2a.Options)
	runs func(*run.Options)
}

func newHouse(t testing.TB, changes ...options) *house {
	t.Helper()
	s := storetest.Open(t, storetest.SQLite(t))
	log := slog.New(slog.DiscardHandler)
	listening := httptest.NewUnstartedServer(nil)
	h := &house{t: t, tokens: map[string]string{}, scripts: newScripts(), url: "http://" + listening.Listener.Addr().String()}
	h.auth = authtest.New(t, auth.Options{Store: s, PublicURL: h.url, Log: log})
	h.catalog = catalog.New(catalog.Options{Store: s, Now: time.Now, Grace: time.Hour})
	ro := run.Options{
		Store: s, Catalog: h.catalog, Log: log, Models: smallOnly{}, Still: h.auth.Still, Limits: run.Limits{Workers: 64},
		Agents: map[quern.AgentKind]ask.Agent{quern.AgentNL2QL: h.scripts, quern.AgentAssistant: h.scripts},
	}
	ao := a2a.Options{Auth: h.auth, Usage: h.auth, Still: h.auth.Still, Catalog: h.catalog, PublicURL: h.url, Version: "1.2.3"}
	for _, change := range changes {
		if change.runs != nil {
			change.runs(&ro)
		}
		if change.a2a != nil {
			change.a2a(&ao)
		}
	}
	h.runs = run.New(ro)
	h.push = push.New(push.Options{Store: s, Private: true, Log: log, Agent: "quern/test"})
	ao.Runs, ao.Push = h.runs, h.push
	edge, err := a2a.New(ao)
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var working sync.WaitGroup
	working.Go(func() { h.runs.Work(ctx) })
	working.Go(func() { h.push.Work(ctx, edge) })
	srv, err := server.New(server.Options{Handler: edge, Log: log})
	must(t, err)
	listening.Config.Handler = srv
	listening.Start()
	h.http = listening.Client()
	t.Cleanup(func() {
		listening.Close()
		stop()
		working.Wait()
	})
	h.people()
	return h
}

// smallOnly is a server whose one model is "small".
type smallOnly struct{}

func (smallOnly) Model(name, _ string) (ask.Model, error) {
	if name == "" || name == "small" {
		return ask.Model{Name: "small"}, nil
	}
	return ask.Model{}, quern.E(quern.Invalid, quern.CodeInvalid, "the model is not there").
		With(quern.Fault("model", "model", "is not one of this server's"))
}

func (h *house) people() {
	h.t.Helper()
	for _, name := range []string{"ada", "bob", "eve"} {
		h.tokens[name] = h.token(name, quern.TokenSpec{})
	}
	h.tokens["stranger"] = h.tokens["ada"] + "x"
	ada := h.auth.Principal("ada")
	_, err := h.catalog.CreateNamespace(h.t.Context(), ada, "harbour")
	must(h.t, err)
	_, err = h.catalog.CreateNamespace(h.t.Context(), ada, "secret")
	must(h.t, err)
	_, err = h.catalog.Share(h.t.Context(), ada, catalog.Target{Owner: "ada", Namespace: "harbour"}, quern.Share{Username: "bob", Role: quern.Viewer})
	must(h.t, err)
	h.tokens["narrow"] = h.token("ada", quern.TokenSpec{Name: "narrow", Scopes: []quern.Scope{{Username: "ada", Namespace: "harbour"}}})
}

func (h *house) token(name string, spec quern.TokenSpec) string {
	h.t.Helper()
	_, secret := h.auth.NewToken(h.auth.Principal(name), spec)
	return secret
}

var must = authtest.Must

// script is what the agents do with one question.
type script struct {
	Plan   quern.Plan      `json:"plan"`
	Steps  []quern.Step    `json:"steps"`
	Result quern.Result    `json:"result"`
	Fails  string          `json:"fails"` // the call that fails: plan, step-N, answer
	gates  map[string]gate // calls that wait
}

// gate is where a call waits: it says that it came, and goes on when it is let.
type gate struct{ came, open chan struct{} }

// scripts answers questions as it was told. Its calls keep the promise of
// ask.Agent: what they give depends on the work that they are given alone.
type scripts struct {
	mu  sync.Mutex
	all map[string]*script
}

func newScripts() *scripts { return &scripts{all: map[string]*script{}} }

// simple is a question that takes one step.
var simple = &script{
	Plan: quern.Plan{Steps: []string{"count the ships"}, Reasoning: "one number is asked for"},
	Steps: []quern.Step{{Query: "SELECT count(*) AS n FROM ships", Reasoning: "ships are in ships",
		Data: []json.RawMessage{json.RawMessage(`{"n":42,"__metadata":{"score":1.0}}`)}}},
	Result: quern.Result{Response: "There are 42 ships."},
}

// set says what is done with a question.
func (s *scripts) set(question string, do *script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[question] = do
}

// hold makes a call for a question wait, and returns the gate.
func (s *scripts) hold(question, call string, do *script) gate {
	held := *do
	g := gate{make(chan struct{}, 1000), make(chan struct{})}
	held.gates = map[string]gate{call: g}
	s.set(question, &held)
	return g
}

func (s *scripts) enter(ctx context.Context, w ask.Work, call string) (*script, error) {
	s.mu.Lock()
	do := s.all[w.Task.Question]
	s.mu.Unlock()
	if do == nil {
		do = simple
	}
	if do.Fails == call {
		return do, quern.E(quern.Timeout, quern.CodeTimeout, "the query took longer than it may")
	}
	g, held := do.gates[call]
	if !held {
		return do, nil
	}
	g.came <- struct{}{}
	select {
	case <-g.open:
		return do, nil
	case <-ctx.Done():
		return do, ctx.Err()
	}
}

func (s *scripts) Plan(ctx context.Context, w ask.Work) (quern.Plan, error) {
	do, err := s.enter(ctx, w, "plan")
	return do.Plan, err
}

func (s *scripts) Step(ctx context.Context, w ask.Work, i int) (quern.Step, error) {
	do, err := s.enter(ctx, w, fmt.Sprintf("step-%d", i))
	if err != nil {
		return quern.Step{}, err
	}
	return do.Steps[i], nil
}

func (s *scripts) Answer(ctx context.Context, w ask.Work) (quern.Result, error) {
	do, err := s.enter(ctx, w, "answer")
	return do.Result, err
}

// reply is an answer that was read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

func (h *house) send(method, path, user, body string) reply {
	h.t.Helper()
	resp := h.open(h.t.Context(), method, path, user, body)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(h.t, err)
	return reply{resp.StatusCode, resp.Header, string(text)}
}

// open sends a request and returns the answer unread.
func (h *house) open(ctx context.Context, method, path, user, body string) *http.Response {
	h.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, h.url+a2a.Path+path, strings.NewReader(body))
	must(h.t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if user != "" {
		r.Header.Set("Authorization", "Bearer "+h.tokens[user])
	}
	resp, err := h.http.Do(r)
	must(h.t, err)
	return resp
}

// rpc calls a method and returns the result, or the error.
func (h *house) rpc(agent, user, method string, params any) (result map[string]any, failure *rpcError) {
	h.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	must(h.t, err)
	a := h.send("POST", "/"+agent, user, string(body))
	var answer struct {
		Result map[string]any
		Error  *rpcError
	}
	if err := json.Unmarshal([]byte(a.body), &answer); err != nil {
		h.t.Fatalf("%s = %d %s, want JSON", method, a.status, a.body)
	}
	return answer.Result, answer.Error
}

type rpcError struct {
	Code    int
	Message string
	Data    []struct {
		Reason, Domain  string
		Metadata        map[string]string
		FieldViolations []struct{ Field, Description string }
	}
}

func (e *rpcError) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

// message makes the parameters of a question about harbour.
func message(question string, more map[string]any) map[string]any {
	m := map[string]any{
		"messageId": "m-1", "role": "ROLE_USER", "parts": []any{map[string]any{"text": question}},
		"metadata": map[string]any{"namespace": "ada/harbour"},
	}
	for name, value := range more {
		m[name] = value
	}
	return map[string]any{"message": m}
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

// events reads a stream event by event.
type events struct {
	t     testing.TB
	lines *bufio.Reader
	body  io.Closer
}

func (h *house) stream(agent, user, method string, params any) *events {
	h.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	must(h.t, err)
	resp := h.open(h.t.Context(), "POST", "/"+agent, user, string(body))
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		text, _ := io.ReadAll(resp.Body)
		h.t.Fatalf("%s = %s %s, want a stream", method, got, text)
	}
	h.t.Cleanup(func() { resp.Body.Close() })
	return &events{h.t, bufio.NewReader(resp.Body), resp.Body}
}

// next returns the result of the next event, nil at the end.
func (e *events) next() map[string]any {
	e.t.Helper()
	for {
		line, err := e.lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		must(e.t, err)
		data, found := bytes.CutPrefix(line, []byte("data: "))
		if !found {
			continue
		}
		var answer struct {
			Result map[string]any
			Error  *rpcError
		}
		must(e.t, json.Unmarshal(data, &answer))
		if answer.Error != nil {
			e.t.Fatalf("the stream failed: %v", answer.Error)
		}
		return answer.Result
	}
}

// rest reads a stream to its end and says what it told, a word for each event.
func (e *events) rest() (words []string) {
	e.t.Helper()
	for event := e.next(); event != nil; event = e.next() {
		words = append(words, word(event))
	}
	return words
}

// word is the gist of an event.
func word(event map[string]any) string {
	if len(event) != 1 {
		return fmt.Sprintf("%d members", len(event))
	}
	state := func(v any) string {
		text, _ := v.(string)
		return strings.ToLower(strings.TrimPrefix(text, "TASK_STATE_"))
	}
	switch {
	case event["task"] != nil:
		return "task " + state(at(event, "task", "status", "state"))
	case event["statusUpdate"] != nil:
		return state(at(event, "statusUpdate", "status", "state"))
	case event["artifactUpdate"] != nil:
		return fmt.Sprint(at(event, "artifactUpdate", "artifact", "name"))
	}
	return fmt.Sprint(event)
}
