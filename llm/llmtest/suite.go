package llmtest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/llm"
)

var errUnscripted = errors.New("the script has no reply for it")

// Endpoint is where and how a plug reaches a double.
type Endpoint struct {
	BaseURL, APIKey, Model string
	MaxTokens              int
	HTTP                   *http.Client
	Now                    func() time.Time
}

// Endpoint returns what a plug is told about the double.
func (s *Service) Endpoint() Endpoint {
	client := llm.Client()
	s.t.Cleanup(client.CloseIdleConnections)
	return Endpoint{BaseURL: s.BaseURL(), APIKey: s.Key, Model: "model-1", MaxTokens: 500, HTTP: client, Now: time.Now}
}

// Run holds a plug to the promise of llm.Model.
func Run(t *testing.T, speaks Interface, open func(Endpoint) llm.Model) {
	t.Helper()
	for _, tt := range []struct {
		name string
		run  func(*testing.T, *Service, llm.Model)
	}{
		{"a conversation", testConversation},
		{"a form", testForm},
		{"no answer", testNoAnswer},
		{"statuses", testStatuses},
		{"left alone", testRetryAfter},
		{"redirects", testRedirect},
		{"the caller leaves", testCallerLeaves},
		{"a deadline", testDeadline},
		{"nobody there", testNobodyThere},
		{"many at once", testManyAtOnce},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := New(t, speaks)
			tt.run(t, s, open(s.Endpoint()))
		})
	}
	t.Run("a wrong key", func(t *testing.T) {
		t.Parallel()
		s := New(t, speaks)
		e := s.Endpoint()
		e.APIKey = "sk-wrong"
		_, err := open(e).Complete(t.Context(), hello)
		wantFault(t, err, llm.Denied, quern.Unreachable)
		if len(s.Problems()) != 1 {
			t.Errorf("a wrong key was not refused by the double")
		}
	})
}

var hello = llm.Request{Messages: []llm.Message{{Role: llm.Asker, Text: "Say hello."}}}

func testConversation(t *testing.T, s *Service, m llm.Model) {
	s.Will(Gives(Completion{Text: "Hello, twice. \u2615", Input: 31, Output: 7, Model: "model-1-2026"}))
	got, err := m.Complete(t.Context(), llm.Request{
		System: "Be brief.",
		Messages: []llm.Message{
			{Role: llm.Asker, Text: "Say hello."}, {Role: llm.Reply, Text: "Hello."}, {Role: llm.Asker, Text: "Again, <b>please</b> \u2028 & \"quoted\"."},
		},
	})
	want := llm.Response{Text: "Hello, twice. \u2615", Model: "model-1-2026", Usage: llm.Usage{Input: 31, Output: 7}}
	if err != nil || got != want {
		t.Fatalf("Complete = %+v, %v, want %+v", got, err, want)
	}
	asked := s.Asked()[0]
	if asked.Model != "model-1" || asked.System != "Be brief." || asked.MaxTokens != 500 || asked.Schema != nil {
		t.Errorf("the service was asked %+v, want model-1, the system's words and 500 tokens", asked)
	}
	if len(asked.Messages) != 3 || asked.Messages[1] != (Said{"assistant", "Hello."}) || asked.Messages[2].Text != "Again, <b>please</b> \u2028 & \"quoted\"." {
		t.Errorf("the service was told %q, want the three messages to the letter", asked.Messages)
	}
}

func testForm(t *testing.T, s *Service, m llm.Model) {
	s.Will(Says(`{"greeting":"hello"}`))
	r := hello
	r.Format = &llm.Format{Name: "greeting", Schema: map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{"greeting"},
		"properties": map[string]any{"greeting": map[string]any{"type": "string"}},
	}}
	got, err := m.Complete(t.Context(), r)
	if err != nil || got.Text != `{"greeting":"hello"}` {
		t.Fatalf("Complete = %+v, %v, want the JSON text", got, err)
	}
	if asked := s.Asked()[0].Schema; asked["type"] != "object" || asked["properties"] == nil {
		t.Errorf("the service was given the schema %v, want the request's", asked)
	}
}

func testNoAnswer(t *testing.T, s *Service, m llm.Model) {
	for _, tt := range []struct {
		name   string
		reply  Reply
		reason llm.Reason
		used   int64
	}{
		{"empty text", Gives(Completion{Input: 9}), llm.Garbled, 9},
		{"cut", Gives(Completion{Text: `{"sql": "sel`, Input: 9, Output: 500, End: "cut"}), llm.Cut, 509},
		{"declined", Gives(Completion{Input: 9, Output: 3, End: "declined"}), llm.Declined, 12},
		{"empty body", Sends(200, "application/json", ""), llm.Garbled, 0},
		{"empty object", Sends(200, "application/json", "{}"), llm.Garbled, 0},
		{"null", Sends(200, "application/json", "null"), llm.Garbled, 0},
		{"a list", Sends(200, "application/json", "[1]"), llm.Garbled, 0},
		{"half a body", Sends(200, "application/json", `{"id":"x","choices":[{"index":0`), llm.Garbled, 0},
		{"a page", Sends(200, "text/html", "<h1>It works!</h1>"), llm.Garbled, 0},
		{"truncated", Truncates(), llm.Garbled, 0},
		{"flooded", Floods(), llm.Garbled, 0},
	} {
		s.Will(tt.reply)
		got, err := m.Complete(t.Context(), hello)
		if got.Text != "" || got.Usage.Total() != tt.used {
			t.Errorf("%s: Complete = %+v, want no text and %d tokens", tt.name, got, tt.used)
		}
		wantFault(t, err, tt.reason, quern.Unreachable)
	}
	s.Will(Drops())
	_, err := m.Complete(t.Context(), hello)
	wantFault(t, err, llm.Away, quern.Unreachable)
}

func testStatuses(t *testing.T, s *Service, m llm.Model) {
	for _, tt := range []struct {
		status int
		reason llm.Reason
		kind   quern.Kind
	}{
		{400, llm.Rejected, quern.Unreachable}, {401, llm.Denied, quern.Unreachable}, {403, llm.Denied, quern.Unreachable},
		{404, llm.Denied, quern.Unreachable}, {413, llm.Rejected, quern.Unreachable}, {422, llm.Rejected, quern.Unreachable},
		{429, llm.Busy, quern.Throttled}, {500, llm.Away, quern.Unreachable}, {502, llm.Away, quern.Unreachable},
		{503, llm.Away, quern.Unreachable}, {529, llm.Busy, quern.Throttled},
	} {
		for _, reply := range []Reply{Fails(tt.status, 0), Sends(tt.status, "text/html", "<h1>Oops</h1>"), Sends(tt.status, "application/json", "")} {
			s.Will(reply)
			_, err := m.Complete(t.Context(), hello)
			wantFault(t, err, tt.reason, tt.kind)
			if strings.Contains(err.Error(), s.Key) || strings.Contains(err.Error(), "Oops") {
				t.Errorf("status %d: the error %v repeats what the service said", tt.status, err)
			}
		}
	}
	if n := len(s.Asked()); n != 33 {
		t.Errorf("the service was asked %d times, want once for each of 33 calls", n)
	}
	s.Will(Fails(503, 0))
	_, err := m.Complete(t.Context(), hello)
	if f, _ := llm.FaultOf(err); f.Error() != `the service answered 503 "api_error"` {
		t.Errorf("a failure is kept as %q, want its status and what the service calls it", f.Error())
	}
}

func testRetryAfter(t *testing.T, s *Service, m llm.Model) {
	s.Will(Fails(429, 7*time.Second), Fails(503, 3*time.Second))
	for _, want := range []time.Duration{7 * time.Second, 3 * time.Second} {
		_, err := m.Complete(t.Context(), hello)
		if f, _ := llm.FaultOf(err); f.After != want {
			t.Errorf("Complete fails with %v and After %v, want %v", err, f.After, want)
		}
	}
}

func testRedirect(t *testing.T, s *Service, m llm.Model) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the redirect was followed, and the key with it")
	}))
	t.Cleanup(elsewhere.Close)
	s.Will(Redirects(elsewhere.URL + "/v1/chat/completions"))
	_, err := m.Complete(t.Context(), hello)
	wantFault(t, err, llm.Garbled, quern.Unreachable)
}

func testCallerLeaves(t *testing.T, s *Service, m llm.Model) {
	s.Will(Stalls())
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-s.Stalled
		cancel()
	}()
	if _, err := m.Complete(ctx, hello); !errors.Is(err, context.Canceled) {
		t.Errorf("Complete = %v, want the context's end", err)
	} else if _, is := llm.FaultOf(err); is {
		t.Errorf("Complete = %v, a fault of the model's, which it is not", err)
	}
}

func testDeadline(t *testing.T, s *Service, m llm.Model) {
	s.Will(Stalls())
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := m.Complete(ctx, hello)
	wantFault(t, err, llm.Slow, quern.Timeout)
}

func testNobodyThere(t *testing.T, s *Service, m llm.Model) {
	s.away()
	_, err := m.Complete(t.Context(), hello)
	wantFault(t, err, llm.Away, quern.Unreachable)
}

func testManyAtOnce(t *testing.T, s *Service, m llm.Model) {
	s.Always(func(s *Service, w http.ResponseWriter, _ *http.Request, asked Asked) {
		s.write(w, 200, s.speaks.answer(Completion{Text: "echo " + asked.Messages[0].Text, Model: asked.Model}))
	})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			text := strings.Repeat("x", i+1)
			got, err := m.Complete(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.Asker, Text: text}}})
			if err != nil || got.Text != "echo "+text {
				t.Errorf("Complete(%s) = %q, %v, want its own echo", text, got.Text, err)
			}
		})
	}
	all.Wait()
}

func wantFault(t *testing.T, err error, reason llm.Reason, kind quern.Kind) {
	t.Helper()
	f, ok := llm.FaultOf(err)
	if !ok || f.Reason != reason || quern.KindOf(err) != kind {
		t.Errorf("Complete fails with %v (reason %d, %v), want reason %d, %v", err, f.Reason, quern.KindOf(err), reason, kind)
	}
}
