// Package idp is the embedded OpenID provider, for machines that have no other:
// discovery, keys, authorization by code with PKCE and by the implicit flow,
// user information, sign-out, and the pages that people meet on the way.
//
// It owns the protocol and the pages. It never looks at a password or signs a
// token; auth does. Its own clients are the console, which needs no consent, and the
// command line, which does: it may be any program of the user's machine. Applications of
// others are let into one resource, by who says yes on a page. All clients are public:
// there are no client secrets.
//
// The failure it is built around is the answer that goes to the wrong place:
// nothing is sent to an address before that address has been found, letter by
// letter, among those registered. Nothing is read at an address that a stranger
// names: only for who is signed in, and only from the public internet.
//
//	authorize ──not signed in──▶ login ──password──▶ authorize ──▶ code | tokens
//	    │                                                │
//	    │                                                └──prompt=none──▶ login_required
//	    ├──command line, others──▶ consent ──▶ code | access_denied
//	    └──unregistered address──▶ error page
package idp

import (
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/auth"
	"quern/door"
)

// Options says what a Provider works with.
type Options struct {
	Auth *auth.Service
	Now  func() time.Time // nil: time.Now
	Log  *slog.Logger     // nil: slog.Default()
	// RedirectURIs are where answers may go besides the console's own
	// addresses; each is matched as a whole.
	RedirectURIs []string
	// SignedOutURIs are where a browser may go after signing out, besides the
	// console's own address.
	SignedOutURIs []string
	// Home is where people go, below the public URL, who sign in without having been
	// sent here; empty: the start page.
	Home string
	// Resource is the path, below the public URL, that applications of others are let
	// into; empty: into none.
	Resource string
	// Documents reads the documents in which such applications describe themselves. It
	// must connect to public addresses only; nil: they register.
	Documents *http.Client
	// Address tells the network address of a caller; nil takes the connection's.
	Address func(*http.Request) string
}

// Provider answers the requests of the embedded OpenID provider.
type Provider struct {
	auth      *auth.Service
	now       func() time.Time
	log       *slog.Logger
	address   func(*http.Request) string
	issuer    string
	base      string // the path that the issuer's address begins with
	home      string // where people go who signed in without a request
	cookies   door.Cookies
	redirects []string
	signedOut []string
	resource  string
	documents *documents
	forms     *http.CrossOriginProtection
	mux       *http.ServeMux
}

// New makes a provider whose issuer is the service's public URL.
func New(o Options) (*Provider, error) {
	u, err := url.Parse(o.Auth.PublicURL())
	if err != nil || !quern.IsWeb(u) || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("idp: the public URL must be an http or https address without query")
	}
	p := &Provider{
		auth: o.Auth, now: o.Now, log: o.Log, address: o.Address,
		issuer: o.Auth.PublicURL(), base: strings.TrimSuffix(u.EscapedPath(), "/"), cookies: door.Cookies{Secure: u.Scheme == "https"},
		forms: http.NewCrossOriginProtection(), mux: http.NewServeMux(), resource: o.Resource,
	}
	if p.home = p.issuer + o.Home; o.Home == "" {
		p.home = p.issuer + "/"
	}
	if p.now == nil {
		p.now = time.Now
	}
	p.documents = newDocuments(o.Documents, p.now)
	if p.log == nil {
		p.log = slog.Default()
	}
	if p.address == nil {
		p.address = connectionAddress
	}
	if err := p.forms.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
		return nil, err
	}
	p.redirects = append([]string{p.issuer + "/", p.issuer + "/callback"}, o.RedirectURIs...)
	p.signedOut = append([]string{p.issuer + "/"}, o.SignedOutURIs...)
	for _, address := range append(p.redirects, p.signedOut...) {
		if err := registrable(address); err != nil {
			return nil, err
		}
	}
	for path, handler := range p.routes() {
		p.mux.HandleFunc(path, handler)
	}
	return p, nil
}

// AuthorizePath is where applications send people to sign in.
const AuthorizePath = "/oauth2/authorize"

// The paths of the provider, below the public URL.
const (
	pathDiscovery = "/.well-known/openid-configuration"
	pathMetadata  = "/.well-known/oauth-authorization-server"
	pathKeys      = "/oauth2/jwks"
	pathAuthorize = AuthorizePath
	pathToken     = "/oauth2/token"
	pathUserinfo  = "/oauth2/userinfo"
	pathLogout    = "/oauth2/logout"
	pathLogin     = "/login"
	pathConsent   = "/oauth2/consent"
	pathRegister  = "/oauth2/register"
	pathRevoke    = "/oauth2/revoke"
)

// Paths lists what the provider serves, for the router in front of it.
func (p *Provider) Paths() []string { return slices.Sorted(maps.Keys(p.routes())) }

func (p *Provider) routes() map[string]http.HandlerFunc {
	routes := map[string]http.HandlerFunc{
		pathDiscovery: allowAnyOrigin(allowMethods(p.discovery, "GET")),
		pathMetadata:  allowAnyOrigin(allowMethods(p.discovery, "GET")),
		pathKeys:      allowAnyOrigin(allowMethods(p.jwks, "GET")),
		pathAuthorize: allowMethods(p.authorize, "GET", "POST"),
		pathToken:     allowAnyOrigin(allowMethods(p.token, "POST")),
		pathUserinfo:  allowAnyOrigin(allowMethods(p.userinfo, "GET", "POST")),
		pathLogout:    allowMethods(p.logout, "GET", "POST"),
		pathLogin:     allowMethods(p.login, "GET", "POST"),
		pathConsent:   allowMethods(p.consent, "POST"),
		pathRevoke:    allowAnyOrigin(allowMethods(p.revoke, "POST")),
	}
	if p.resource != "" {
		routes[pathRegister] = allowAnyOrigin(allowMethods(p.register, "POST"))
	}
	return routes
}

// maxBody bounds the forms that are read.
const maxBody = 64 << 10

func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	p.mux.ServeHTTP(w, r)
}

// allowMethods refuses methods that a path does not have.
func allowMethods(next http.HandlerFunc, methods ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, m := range methods {
			onlyHead := r.Method == http.MethodHead && m == http.MethodGet
			if r.Method == m || onlyHead {
				next(w, r)
				return
			}
		}
		door.RefuseMethod(w, r, strings.Join(methods, ", "))
	}
}

// allowAnyOrigin lets scripts of any origin read the answer. None of these paths looks
// at a cookie.
func allowAnyOrigin(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", "WWW-Authenticate")
		if r.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Methods", "GET, POST")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
			h.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next(w, r)
	}
}

func reply(w http.ResponseWriter, status int, body any) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	if err := door.WriteJSON(w, status, body); err != nil {
		panic(err) // only plain values are written here
	}
}

func connectionAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// logFailure logs what went wrong here and returns the status for it.
func (p *Provider) logFailure(r *http.Request, err error) int {
	p.log.ErrorContext(r.Context(), "sign-in request failed", "path", r.URL.Path, "error", err)
	if quern.Is(err, quern.Unavailable) {
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
