// Package relay speaks the Model Context Protocol over standard input and output, for
// assistants that start a program, and passes everything on to a server that speaks it
// over HTTP.
//
// It owns the way there and back: the token, progress, cancellation, the connection that
// is made anew after a failure. It never knows a tool: what there is, and what may be done, the
// server says. The failure it is built around is the server that was restarted while
// an assistant was running: the next call finds it again.
package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options says where messages come from and go to.
type Options struct {
	// Server is the server's address, such as https://quern.example, and Token the
	// one that calls carry.
	Server, Token string
	// In and Out are the assistant's end.
	In  io.Reader
	Out io.Writer
	// Version is the release of this program.
	Version string
	// HTTP sends the requests; nil means http.DefaultTransport.
	HTTP http.RoundTripper
}

// Run passes messages on until In ends or ctx does. It fails at once when the server
// cannot be reached, or refuses the token.
func Run(ctx context.Context, o Options) error {
	r := &relay{Options: o}
	defer r.drop(nil)
	remote, err := r.session(ctx)
	if err != nil {
		return err
	}
	there := remote.InitializeResult()
	server := sdk.NewServer(&sdk.Implementation{Name: "quern", Title: "Quern", Version: o.Version}, &sdk.ServerOptions{
		Instructions: there.Instructions, Capabilities: there.Capabilities,
	})
	server.AddReceivingMiddleware(r.receive)
	err = server.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(o.In), Writer: unclosed{o.Out}})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

type unclosed struct{ io.Writer }

// Close leaves the writer open: it is the caller's.
func (unclosed) Close() error { return nil }

// relay is one assistant's way to a server.
type relay struct {
	Options

	mu     sync.Mutex
	remote *sdk.ClientSession // nil until it is needed
	local  *sdk.ServerSession // the assistant, once it has sent something
}

// session returns the connection to the server, which is made when there is none.
func (r *relay) session(ctx context.Context) (*sdk.ClientSession, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.remote != nil {
		return r.remote, nil
	}
	next := r.HTTP
	if next == nil {
		next = http.DefaultTransport
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "quern mcp", Version: r.Version}, &sdk.ClientOptions{ProgressNotificationHandler: r.tellProgress})
	remote, err := client.Connect(context.WithoutCancel(ctx), &sdk.StreamableClientTransport{
		Endpoint: strings.TrimSuffix(r.Server, "/") + "/mcp", HTTPClient: &http.Client{Transport: bearer{r.Token, next}}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Server, err)
	}
	r.remote = remote
	return remote, nil
}

// drop forgets a connection that failed; nil: the one that there is.
func (r *relay) drop(failed *sdk.ClientSession) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.remote == nil || failed != nil && failed != r.remote {
		return
	}
	_ = r.remote.Close() // there is nobody to tell
	r.remote = nil
}

// tellProgress passes on how far a call has got.
func (r *relay) tellProgress(ctx context.Context, n *sdk.ProgressNotificationClientRequest) {
	r.mu.Lock()
	local := r.local
	r.mu.Unlock()
	if local != nil {
		_ = local.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ // the assistant may be gone
			ProgressToken: n.Params.ProgressToken, Progress: n.Params.Progress, Total: n.Params.Total, Message: n.Params.Message,
		})
	}
}

// receive passes the methods on that the server answers.
func (r *relay) receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		send := forward(req.GetParams())
		if send == nil {
			return next(ctx, method, req)
		}
		if local, ok := req.GetSession().(*sdk.ServerSession); ok {
			r.mu.Lock()
			r.local = local
			r.mu.Unlock()
		}
		remote, err := r.session(ctx)
		if err != nil {
			return nil, away(err)
		}
		result, err := send(ctx, remote)
		if err == nil {
			return result, nil
		}
		answered, ok := errors.AsType[*jsonrpc.Error](err)
		_, unsent := errors.AsType[*url.Error](err) // the library calls that an answer too
		if ok && !unsent {
			return nil, answered
		}
		if ctx.Err() == nil {
			r.drop(remote)
		}
		return nil, away(err)
	}
}

// away is the answer to a call that the server did not answer.
func away(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server did not answer: " + err.Error()}
}

// sender sends a message to the server.
type sender func(context.Context, *sdk.ClientSession) (sdk.Result, error)

// forward returns what sends a message on; nil for one that is answered here.
func forward(params sdk.Params) sender {
	switch p := params.(type) {
	case *sdk.ListToolsParams:
		return passing((*sdk.ClientSession).ListTools, &sdk.ListToolsParams{Cursor: orEmpty(p).Cursor})
	case *sdk.ListResourcesParams:
		return passing((*sdk.ClientSession).ListResources, &sdk.ListResourcesParams{Cursor: orEmpty(p).Cursor})
	case *sdk.ListResourceTemplatesParams:
		return passing((*sdk.ClientSession).ListResourceTemplates, &sdk.ListResourceTemplatesParams{Cursor: orEmpty(p).Cursor})
	case *sdk.ListPromptsParams:
		return passing((*sdk.ClientSession).ListPrompts, &sdk.ListPromptsParams{Cursor: orEmpty(p).Cursor})
	case *sdk.ReadResourceParams:
		return passing((*sdk.ClientSession).ReadResource, &sdk.ReadResourceParams{URI: p.URI})
	case *sdk.GetPromptParams:
		return passing((*sdk.ClientSession).GetPrompt, &sdk.GetPromptParams{Name: p.Name, Arguments: p.Arguments})
	case *sdk.CallToolParamsRaw:
		call := &sdk.CallToolParams{Name: p.Name}
		if len(p.Arguments) > 0 {
			call.Arguments = p.Arguments
		}
		if token := p.GetProgressToken(); token != nil {
			call.SetProgressToken(token)
		}
		return passing((*sdk.ClientSession).CallTool, call)
	}
	return nil
}

// orEmpty returns the parameters of a message that may have none.
func orEmpty[P any](params *P) *P {
	if params == nil {
		return new(P)
	}
	return params
}

// passing sends one message on, with parameters that hold nothing of this connection's own.
func passing[P any, R sdk.Result](call func(*sdk.ClientSession, context.Context, P) (R, error), params P) sender {
	return func(ctx context.Context, to *sdk.ClientSession) (sdk.Result, error) {
		result, err := call(to, ctx, params)
		if err != nil {
			return nil, err
		}
		return result, nil
	}
}

// bearer sends every request with a token.
type bearer struct {
	token string
	next  http.RoundTripper
}

var errRefused = errors.New("the server refuses the token")

// RoundTrip sends a request; one that is refused for its token fails.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	answer, err := b.next.RoundTrip(r)
	if err == nil && answer.StatusCode == http.StatusUnauthorized {
		answer.Body.Close()
		return nil, errRefused
	}
	return answer, err
}
