package rest

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"quern"
	"quern/api"
	"quern/ask"
	"quern/catalog"
	"quern/feedback"
	"quern/ingest"
	"quern/link"
	"quern/query"
	"quern/run"
	"quern/server"
	"quern/trace"
	"quern/upload"
)

// DefaultMaxBody is the size limit of a JSON body where none is set.
const DefaultMaxBody = 32 << 20

// DefaultKeepAlive is how often an idle stream is heard of where nothing is set.
const DefaultKeepAlive = 15 * time.Second

// Authenticator finds out who a bearer token acts for. It fails with
// Unauthentic when the token is no good.
type Authenticator interface {
	Authenticate(ctx context.Context, bearer string) (quern.Principal, error)
}

// Tokens are the API tokens of a principal.
type Tokens interface {
	CreateToken(ctx context.Context, p quern.Principal, spec quern.TokenSpec) (quern.Token, string, error)
	Tokens(ctx context.Context, p quern.Principal) ([]quern.Token, error)
	Token(ctx context.Context, p quern.Principal, id quern.TokenID) (quern.Token, error)
	RevokeToken(ctx context.Context, p quern.Principal, id quern.TokenID) error
}

// Usage counts requests and tells a principal about its own.
type Usage interface {
	// RecordUsage counts one request. It never waits for a store.
	RecordUsage(ctx context.Context, user quern.UserID, operation string, at time.Time)
	// Usage lists requests, newest first, behind the event named before ("" for the newest).
	Usage(ctx context.Context, p quern.Principal, before quern.UsageID, limit int) ([]quern.UsageEvent, error)
	// UsageByDay counts requests on the days from and to, both included, oldest first.
	UsageByDay(ctx context.Context, p quern.Principal, from, to string) ([]quern.UsageDay, error)
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
	Auth   Authenticator
	Tokens Tokens
	Usage  Usage
	// Catalog, Ingest and Query are the verbs over datasets.
	Catalog *catalog.Service
	Ingest  *ingest.Service
	Query   *query.Service
	// Querier reads questions.
	Querier *ask.Querier
	// Links is the links between datasets.
	Links *link.Service
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
	// MaxBody limits a body in bytes; zero means DefaultMaxBody.
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
		deps.MaxBody = DefaultMaxBody
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
		RequestErrorHandlerFunc:  func(w http.ResponseWriter, r *http.Request, err error) { WriteError(w, r, undecodable(err)) },
		ResponseErrorHandlerFunc: WriteError,
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
		h.serveUnmatched(w, r)
		return
	}
	op, ok := api.ByPattern(pattern)
	if !ok {
		h.mux.ServeHTTP(w, r)
		return
	}
	server.SetOperation(r.Context(), op.ID)
	r = r.WithContext(context.WithValue(context.WithValue(r.Context(), operationKey{}, op), acceptKey{}, r.Header.Get("Accept")))
	r, err := h.admit(r, op)
	if err == nil {
		r, err = h.checkBody(w, r, op)
	}
	if err != nil {
		WriteError(w, r, err)
		return
	}
	h.mux.ServeHTTP(w, r)
}

type (
	operationKey struct{}
	principalKey struct{}
	bearerKey    struct{}
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

// principal gives who the request acts for; every operation that needs a token
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
	token, err := bearer(r.Header)
	if err != nil {
		return r, err
	}
	p, err := h.Auth.Authenticate(r.Context(), token)
	if err != nil {
		return r, err
	}
	server.SetUser(r.Context(), p.User.Username)
	h.Usage.RecordUsage(r.Context(), p.User.ID, op.ID, h.Now())
	ctx := context.WithValue(r.Context(), bearerKey{}, token)
	return r.WithContext(context.WithValue(ctx, principalKey{}, p)), nil
}

func bearer(h http.Header) (string, error) {
	values := h.Values("Authorization")
	if len(values) == 0 {
		return "", quern.E(quern.Unauthentic, quern.CodeUnauthorized, "a token is needed: send it as Authorization: Bearer")
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	if len(values) > 1 || !ok || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " ,") {
		return "", quern.E(quern.Unauthentic, quern.CodeUnauthorized, "the Authorization header does not hold one bearer token")
	}
	return token, nil
}

// serveUnmatched answers what no operation matches. The mux knows best which
// methods an address takes, so its own answer is asked for them.
func (h *handler) serveUnmatched(w http.ResponseWriter, r *http.Request) {
	probe := &headersOnly{header: http.Header{}}
	own, _ := h.mux.Handler(r)
	own.ServeHTTP(probe, r)
	allow := probe.header.Get("Allow")
	if allow == "" {
		WriteError(w, r, errNoRoute)
		return
	}
	w.Header().Set("Allow", allow+", OPTIONS")
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	WriteError(w, r, quern.E(quern.Unsupported, quern.CodeMethodNotAllowed, "this address takes %s", allow))
}

type headersOnly struct{ header http.Header }

func (p *headersOnly) Header() http.Header         { return p.header }
func (p *headersOnly) WriteHeader(int)             {}
func (p *headersOnly) Write(b []byte) (int, error) { return len(b), nil }
