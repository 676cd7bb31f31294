package rest

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"quern"
	"quern/admin"
	"quern/api"
	"quern/auth"
	"quern/catalog"
	"quern/door"
	"quern/evaluate"
	"quern/feedback"
	"quern/ingest"
	"quern/knowledge"
	"quern/link"
	"quern/query"
	"quern/run"
	"quern/suggest"
	"quern/trace"
	"quern/upload"
)

// DefaultKeepAlive is how often an idle stream is heard of where nothing is set.
const DefaultKeepAlive = 15 * time.Second

// Tokens are the API tokens of a principal.
type Tokens interface {
	CreateToken(ctx context.Context, p quern.Principal, spec quern.TokenSpec) (quern.Token, string, error)
	Tokens(ctx context.Context, p quern.Principal) ([]quern.Token, error)
	Token(ctx context.Context, p quern.Principal, id quern.TokenID) (quern.Token, error)
	RevokeToken(ctx context.Context, p quern.Principal, id quern.TokenID) error
}

// Provider tells how command lines sign in.
type Provider interface {
	CommandLine(ctx context.Context) (auth.CommandLineProvider, error)
}

// Sessions are the browsers and command lines that a principal is signed in with.
type Sessions interface {
	Sessions(ctx context.Context, p quern.Principal) ([]quern.Session, error)
	EndSession(ctx context.Context, p quern.Principal, id quern.BrowserID) error
	EndSessions(ctx context.Context, p quern.Principal) error
}

// Usage counts requests and tells a principal about its own.
type Usage interface {
	door.Usage
	// Usage lists a page of requests and model calls, newest first.
	Usage(ctx context.Context, p quern.Principal, page quern.UsagePage) ([]quern.UsageEvent, error)
	// UsageByDay counts requests on the days from and to, both included, oldest first.
	UsageByDay(ctx context.Context, p quern.Principal, from, to string) ([]quern.UsageDay, error)
	// ModelUsageSums adds up model calls by the days of a time zone, oldest first.
	ModelUsageSums(ctx context.Context, p quern.Principal, span quern.UsageSpan, zone *time.Location) ([]quern.UsageSum, error)
	// ModelUsageByDay tells what models were asked for on the days from and to, both included, oldest first.
	ModelUsageByDay(ctx context.Context, p quern.Principal, from, to string) ([]quern.ModelUsage, error)
}

// Models are the models that a question may name.
type Models interface {
	// Models lists them, the embedded one first.
	Models(ctx context.Context) []quern.Model
}

// Deps is what the edge calls.
type Deps struct {
	Auth door.Authenticator
	// Browsers are let in by a cookie; nil: none are.
	Browsers *door.Browsers
	Tokens   Tokens
	Sessions Sessions
	Provider Provider
	Usage    Usage
	// Catalog, Ingest and Query are the verbs over datasets.
	Catalog *catalog.Service
	Ingest  *ingest.Service
	Query   *query.Service
	// Links is the links between datasets.
	Links *link.Service
	// Knowledge is what people teach about namespaces.
	Knowledge *knowledge.Service
	// Evaluations measures how well it does, and Suggestions proposes more.
	Evaluations *evaluate.Service
	Suggestions *suggest.Service
	// Admin is the administration of the server.
	Admin *admin.Service
	// Runs is the questions and their conversations, and Models what answers them.
	Runs   *run.Service
	Models Models
	// Feedbacks is what was thought of answers, and Traces what was done to find them.
	Feedbacks *feedback.Service
	Traces    trace.Archive
	// Upload is the upload sessions, and Bucket what their objects lie in.
	Upload *upload.Service
	Bucket string
	// KeepAlive is how often a stream on which nothing happens says so; zero means
	// DefaultKeepAlive.
	KeepAlive time.Duration
	// Temp is a folder for answers in the making; empty means the machine's.
	Temp string
	Now  func() time.Time
	// MaxBody limits a body in bytes; zero means door.DefaultMaxBody.
	MaxBody int64
	// PublicURL is where clients reach the server, for the contract it serves.
	PublicURL string
	// AuthorizationURL says where people sign in, for the contract it serves.
	AuthorizationURL func() string
}

// operations implements the contract; its methods are in one file for each tag.
type operations struct{ Deps }

var _ api.StrictServerInterface = operations{}

type handler struct {
	Deps
	mux *http.ServeMux

	mu       sync.Mutex
	contract servedContract
}

// New makes the handler of everything under api.Base.
func New(deps Deps) http.Handler {
	if deps.MaxBody == 0 {
		deps.MaxBody = door.DefaultMaxBody
	}
	if deps.KeepAlive == 0 {
		deps.KeepAlive = DefaultKeepAlive
	}
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.AuthorizationURL == nil {
		deps.AuthorizationURL = func() string { return strings.TrimSuffix(deps.PublicURL, "/") + "/authorize" }
	}
	h := &handler{Deps: deps, mux: http.NewServeMux()}
	strict := api.NewStrictHandlerWithOptions(operations{deps}, nil, api.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  func(w http.ResponseWriter, r *http.Request, err error) { door.WriteError(w, r, undecodable(err)) },
		ResponseErrorHandlerFunc: writeError,
	})
	api.HandlerWithOptions(strict, api.StdHTTPServerOptions{
		BaseURL:          api.Base,
		BaseRouter:       h.mux,
		Middlewares:      []api.MiddlewareFunc{holdParameters},
		ErrorHandlerFunc: unbindable,
	})
	h.mux.HandleFunc("GET "+api.Base+"/openapi.json", h.serveContract)
	return h
}

// ServeHTTP walks the checks that the package doc lists.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	_, pattern := h.mux.Handler(r)
	if pattern == "" {
		door.ServeUnmatched(h.mux, w, r)
		return
	}
	op, ok := api.ByPattern(pattern)
	if !ok {
		h.mux.ServeHTTP(w, r)
		return
	}
	door.SetOperation(r.Context(), op.ID)
	r = r.WithContext(context.WithValue(context.WithValue(r.Context(), operationKey{}, op), acceptKey{}, r.Header.Get("Accept")))
	r, err := h.admit(canonicalIDs(r, op), op)
	if err == nil {
		r, err = h.checkBody(w, r, op)
	}
	if err != nil {
		door.WriteError(w, r, err)
		return
	}
	h.mux.ServeHTTP(w, r)
}

type (
	operationKey struct{}
	principalKey struct{}
	againKey     struct{}
	acceptKey    struct{}
)

// accepted is the request's Accept header.
func accepted(ctx context.Context) string {
	text, _ := ctx.Value(acceptKey{}).(string)
	return text
}

func operationOf(ctx context.Context) *api.Operation {
	op, _ := ctx.Value(operationKey{}).(*api.Operation)
	return op
}

// principal returns who the request acts for; every operation that needs a token
// has one.
func principal(ctx context.Context) quern.Principal {
	p, _ := ctx.Value(principalKey{}).(quern.Principal)
	return p
}

// admit finds out who asks, and counts the request.
func (h *handler) admit(r *http.Request, op *api.Operation) (*http.Request, error) {
	if op.Public {
		return r, nil
	}
	p, again, err := door.Admit(r, h.Auth, h.Browsers)
	if err != nil {
		return r, err
	}
	h.Usage.RecordUsage(r.Context(), p.User.ID, op.ID, h.Now())
	ctx := context.WithValue(r.Context(), againKey{}, again)
	return r.WithContext(context.WithValue(ctx, principalKey{}, p)), nil
}
