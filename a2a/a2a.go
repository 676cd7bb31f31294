package a2a

import (
	"context"
	"net/http"
	"strings"
	"time"

	"quern"
	"quern/api"
	"quern/catalog"
	"quern/door"
	"quern/push"
	"quern/run"
)

// Path is where everything of this package lives.
const Path = api.Base + "/a2a"

// Options is what the edge calls, and how it behaves.
type Options struct {
	// Browsers are let in by a cookie; nil: none are.
	Browsers *door.Browsers
	Auth     door.Authenticator
	Usage    door.Usage
	Runs     *run.Service
	Push     *push.Service
	// Still returns the principal that a user is now, with a token if it used one;
	// Forbidden when it is none any more. Notifications are sent under it.
	Still func(ctx context.Context, user quern.UserID, token quern.TokenID) (quern.Principal, error)
	// Catalog is what a caller is told about the namespaces that it may ask.
	Catalog *catalog.Service
	Now     func() time.Time // nil: time.Now
	// MaxBody limits a body in bytes; zero means door.DefaultMaxBody.
	MaxBody int64
	// PublicURL is where clients reach the server.
	PublicURL string
	// Version is the release that is running.
	Version string
	// Strict refuses requests that do not say which version of the protocol they
	// speak.
	Strict bool
}

// Service is the edge: a handler of what lives under Path, and the source of
// what is told to addresses that clients named.
type Service struct {
	Options
	mux   *http.ServeMux
	base  string // the absolute form of Path
	cards map[string]card
}

// New makes a Service. It fails when a card cannot be written.
func New(o Options) (*Service, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxBody == 0 {
		o.MaxBody = door.DefaultMaxBody
	}
	s := &Service{Options: o, mux: http.NewServeMux(), base: strings.TrimSuffix(o.PublicURL, "/") + Path, cards: map[string]card{}}
	if err := s.makeCards(); err != nil {
		return nil, err
	}
	s.mux.HandleFunc("GET "+Path, s.serveCatalog)
	s.mux.HandleFunc("GET "+Path+"/{agent}/.well-known/agent-card.json", s.serveCard)
	s.mux.HandleFunc("POST "+Path+"/{agent}", s.serveRPC)
	s.routeHTTP()
	return s, nil
}

// ServeHTTP answers what lives under Path.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if _, pattern := s.mux.Handler(r); pattern == "" {
		door.ServeUnmatched(s.mux, w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

var errNoAgent = quern.E(quern.NotFound, quern.CodeNotFound, "there is no such agent")

// call is one call of a method, whichever binding it came in.
type call struct {
	agent     *agent
	principal quern.Principal
}

// admit finds out which agent is called, and by whom.
func (s *Service) admit(r *http.Request) (call, error) {
	c := call{agent: agentNamed(r.PathValue("agent"))}
	if c.agent == nil {
		return c, errNoAgent
	}
	var err error
	c.principal, _, err = door.Admit(r, s.Auth, s.Browsers)
	return c, err
}

// count notes a call for the log, the metrics and its caller's usage.
func (s *Service) count(ctx context.Context, c call, method string) {
	door.SetOperation(ctx, "a2a."+method)
	s.Usage.RecordUsage(ctx, c.principal.User.ID, "a2a."+method, s.Now())
}

// protocolVersion is what is spoken here.
const protocolVersion = "1.0"

// checkVersion refuses a request in another version of the protocol.
func (s *Service) checkVersion(r *http.Request) error {
	const name = "A2A-Version"
	version := strings.TrimSpace(r.Header.Get(name))
	if version == "" {
		version = strings.TrimSpace(r.URL.Query().Get(name))
	}
	if version == "" && !s.Strict {
		return nil
	}
	major, minor, _ := strings.Cut(version, ".")
	minor, _, _ = strings.Cut(minor, ".") // a patch makes no difference
	if major+"."+minor == protocolVersion {
		return nil
	}
	f := fail(versionNotSupported, "the agent speaks version %s of the protocol", protocolVersion)
	if version == "" {
		f = fail(versionNotSupported, "the request must say which version of the protocol it speaks, in the header %s: the agent speaks %s",
			name, protocolVersion)
	}
	return f.about("supportedVersions", protocolVersion)
}
