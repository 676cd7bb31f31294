package relay_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quern/client/relay"
)

// remote is a server that speaks the protocol over HTTP, for the token "good".
type remote struct {
	url   string
	calls atomic.Int64
	away  atomic.Bool   // breaks every connection off
	waits chan struct{} // told when a call waits, and when it was cancelled
	cut   atomic.Bool   // breaks answers off behind their first byte
}

func newRemote(t *testing.T) *remote {
	t.Helper()
	r := &remote{waits: make(chan struct{}, 2)}
	server := sdk.NewServer(&sdk.Implementation{Name: "there", Version: "1"}, &sdk.ServerOptions{Instructions: "be kind"})
	type said struct {
		Text string `json:"text"`
	}
	sdk.AddTool(server, &sdk.Tool{Name: "echo"}, func(ctx context.Context, req *sdk.CallToolRequest, in said) (*sdk.CallToolResult, said, error) {
		r.calls.Add(1)
		if token := req.Params.GetProgressToken(); token != nil {
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: 1, Message: "half way"})
		}
		if in.Text == "wait" {
			r.waits <- struct{}{}
			<-ctx.Done()
			r.waits <- struct{}{}
		}
		return nil, in, nil
	})
	server.AddPrompt(&sdk.Prompt{Name: "greet"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: "hello"}}}}, nil
	})
	server.AddResource(&sdk.Resource{URI: "x://y", Name: "y"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{Text: "why"}}}, nil
	})
	protocol := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true,
	})
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch {
		case r.away.Load():
			panic(http.ErrAbortHandler)
		case r.cut.Load():
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case q.URL.Path != "/mcp" || q.Header.Get("Authorization") != "Bearer good":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			protocol.ServeHTTP(w, q)
		}
	}))
	t.Cleanup(listening.Close)
	r.url = listening.URL
	return r
}

// start runs a relay and returns an assistant at its other end.
func start(t *testing.T, r *remote, version string) (assistant *sdk.ClientSession, progress chan string) {
	t.Helper()
	in, toRelay := io.Pipe()
	fromRelay, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- relay.Run(t.Context(), relay.Options{Server: r.url + "/", Token: "good", In: in, Out: out})
		out.Close()
	}()
	progress = make(chan string, 10)
	client := sdk.NewClient(&sdk.Implementation{Name: "assistant", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, n *sdk.ProgressNotificationClientRequest) { progress <- n.Params.Message },
	})
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromRelay, Writer: toRelay}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-ended; err != nil {
			t.Errorf("Run = %v, want nil when its input ends", err)
		}
	})
	return session, progress
}

func TestEverythingIsPassedOn(t *testing.T) {
	t.Parallel()
	for version, token := range map[string]any{"2025-06-18": 7, "2026-07-28": "p"} {
		r := newRemote(t)
		a, progress := start(t, r, version)
		if got := a.InitializeResult(); got.Instructions != "be kind" || got.Capabilities.Tools == nil || got.ProtocolVersion != version {
			t.Errorf("initialize = %+v, want what the server says, in %s", got, version)
		}
		tools, err := a.ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != 1 || tools.Tools[0].Name != "echo" {
			t.Errorf("ListTools = %+v, %v, want the server's", tools, err)
		}
		call := &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "hi"}}
		call.SetProgressToken(token)
		result, err := a.CallTool(t.Context(), call)
		if err != nil || result.IsError {
			t.Fatalf("CallTool = %+v, %v, want a result", result, err)
		}
		if got, _ := result.StructuredContent.(map[string]any); got["text"] != "hi" {
			t.Errorf("CallTool = %+v, want what was sent", result.StructuredContent)
		}
		if got := <-progress; got != "half way" {
			t.Errorf("progress = %s, want half way", got)
		}
		prompt, err := a.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "greet"})
		if err != nil || len(prompt.Messages) != 1 {
			t.Errorf("GetPrompt = %+v, %v, want the server's", prompt, err)
		}
		read, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "x://y"})
		if err != nil || read.Contents[0].Text != "why" {
			t.Errorf("ReadResource = %+v, %v, want the server's", read, err)
		}
		if _, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "x://none"}); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("ReadResource of nothing = %v, want the server's refusal", err)
		}
		if _, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: "steal"}); err == nil || !strings.Contains(err.Error(), "steal") {
			t.Errorf("CallTool of none = %v, want the server's refusal", err)
		}
	}
}

// A call that is cancelled is left, so that the server hears of it.
func TestCancelled(t *testing.T) {
	t.Parallel()
	r := newRemote(t)
	a, _ := start(t, r, "2026-07-28")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-r.waits
		cancel()
	}()
	if _, err := a.CallTool(ctx, &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "wait"}}); err == nil {
		t.Error("CallTool that was cancelled = a result, want none")
	}
	<-r.waits
}

// What the server says is passed on to the letter: no number is rounded, no member moved.
func TestNothingIsChanged(t *testing.T) {
	t.Parallel()
	const answer = `{"jsonrpc":"2.0","id":"x","result":{"z":9007199254740993,"a":[1.0]}}`
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(listening.Close)
	var out strings.Builder
	err := relay.Run(t.Context(), relay.Options{Server: listening.URL, Token: "t", In: strings.NewReader(`{"jsonrpc":"2.0","id":"x","method":"m"}`), Out: &out})
	if err != nil || out.String() != answer+"\n" {
		t.Errorf("Run = %v, wrote %q, want %q", err, out.String(), answer)
	}
}

// A server that was away is found again by the next call.
func TestServerThatWasAway(t *testing.T) {
	t.Parallel()
	r := newRemote(t)
	a, _ := start(t, r, "")
	call := &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "hi"}}
	r.away.Store(true)
	if _, err := a.CallTool(t.Context(), call); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("CallTool while the server is away = %v, want to hear so", err)
	}
	r.away.Store(false)
	r.cut.Store(true)
	if _, err := a.CallTool(t.Context(), call); err == nil || !strings.Contains(err.Error(), "broke off") {
		t.Errorf("CallTool while answers are cut = %v, want to hear so", err)
	}
	r.cut.Store(false)
	if _, err := a.CallTool(t.Context(), call); err != nil || r.calls.Load() != 1 {
		t.Errorf("CallTool after that = %v, %d calls, want one that came through", err, r.calls.Load())
	}
}

func TestNothingStartsWithoutAServer(t *testing.T) {
	t.Parallel()
	r := newRemote(t)
	for _, tt := range []struct{ server, token, want string }{
		{r.url, "bad", "refuses the token"},
		{"http://127.0.0.1:1", "good", "127.0.0.1:1"},
	} {
		err := relay.Run(t.Context(), relay.Options{Server: tt.server, Token: tt.token, In: strings.NewReader(""), Out: io.Discard})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Run(%s, %s) = %v, want %q", tt.server, tt.token, err, tt.want)
		}
	}
}
