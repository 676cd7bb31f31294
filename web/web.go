// Package web owns what people see of the server: the console of those who are
// signed in, the way in and out of it, the landing page, the reference of the
// contract, and the stylesheet that these share with the login page.
//
// It never reads a caller's data: every page is made from what is in the binary, and
// the console asks the contract's operations like any other client. Tokens never
// reach a browser, which has a cookie. The failures it is built around are a
// reference that no longer says what the server does, so it is made from the
// contract that the server enforces, and a page that runs what is not ours: no
// document loads anything from outside, and none has a script in its text.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"quern/auth"
	"quern/door"
)

//go:embed assets
var assets embed.FS

//go:embed page/*.html
var pages embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"prose": prose}).ParseFS(pages, "page/*.html"))

// assetsPath is where the bundled files are: those of the pages that the server
// renders, and under its build the console's.
const assetsPath = "/assets/"

// Options says what the pages work with.
type Options struct {
	// PublicURL is where the server is reached.
	PublicURL string
	Auth      *auth.Service
	Browsers  *door.Browsers
	// AuthorizePath is where the embedded provider signs people in.
	AuthorizePath string
	// PartsOrigin is where browsers send parts of files to, when that is not here.
	PartsOrigin string
}

// Pages is the handler of the pages, of their files, and of every address that nobody
// else answers.
type Pages struct {
	publicURL, authorizePath string
	auth                     *auth.Service
	browsers                 *door.Browsers
	console                  *console
	home                     *page
	docs                     func() (*page, error) // made when it is first asked for: it takes the whole contract
	assets                   http.Handler
}

// New makes the pages.
func New(o Options) (*Pages, error) {
	p := &Pages{
		publicURL: strings.TrimSuffix(o.PublicURL, "/"), authorizePath: o.AuthorizePath,
		auth: o.Auth, browsers: o.Browsers, assets: http.FileServerFS(assets),
	}
	files, err := fs.Sub(dist, "console/dist")
	if err != nil {
		return nil, err
	}
	if p.console, err = newConsole(files); err != nil {
		return nil, err
	}
	p.console.parts, p.console.goals = o.PartsOrigin, o.Auth.SignOutOrigin
	if p.home, err = render("home.html", struct {
		PublicURL string
		SignsIn   bool
	}{p.publicURL, o.Auth.SignsIn()}); err != nil {
		return nil, err
	}
	p.docs = sync.OnceValues(func() (*page, error) { return render("docs.html", newReference(p.publicURL)) })
	return p, nil
}

// Announce names the console's build in every answer of next.
func (p *Pages) Announce(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(BuildHeader, p.console.build)
		next.ServeHTTP(w, r)
	})
}

// ServeHTTP answers with a page.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	allow, serve := "GET, HEAD", p.route(r.URL.Path)
	if r.URL.Path == signOutPath {
		allow = "POST"
	}
	switch {
	case serve == nil && door.WantsPage(r):
		door.SetError(r.Context(), door.ErrNoRoute)
		p.tell(w, http.StatusNotFound, "There is nothing here", "The address may be mistyped, or what was there is gone.", "")
	case serve == nil:
		door.WriteError(w, r, door.ErrNoRoute)
	case !slices.Contains(strings.Split(allow, ", "), r.Method):
		door.RefuseMethod(w, r, allow)
	default:
		serve(w, r)
	}
}

// route returns what answers an address; nil when nothing does.
func (p *Pages) route(address string) http.HandlerFunc {
	switch {
	case strings.HasPrefix(address, assetsPath):
		return p.serveAsset
	case address == "/", p.console.owns(address):
		return p.serveConsole
	}
	return map[string]http.HandlerFunc{
		"/docs": p.serveDocs, SignInPath: p.signIn, callbackPath: p.callback, signOutPath: p.signOut, "/favicon.ico": p.favicon,
	}[address]
}

// serveConsole answers with the console where somebody is signed in, and otherwise
// with the landing page, or with the way to sign in and back.
func (p *Pages) serveConsole(w http.ResponseWriter, r *http.Request) {
	in, err := p.signedIn(r)
	switch {
	case err != nil:
		p.failSignIn(w, r, err, r.URL.RequestURI())
	case in:
		p.console.ServeHTTP(w, r)
	case r.URL.Path == "/":
		w.Header().Set("Vary", "Cookie")
		p.home.ServeHTTP(w, r)
	default:
		p.redirect(w, r, p.publicURL+SignInPath+"?"+url.Values{"to": {r.URL.RequestURI()}}.Encode())
	}
}

// serveDocs answers with the reference of the contract.
func (p *Pages) serveDocs(w http.ResponseWriter, r *http.Request) {
	docs, err := p.docs()
	if err != nil {
		door.WriteError(w, r, err)
		return
	}
	docs.ServeHTTP(w, r)
}

// serveAsset answers with a bundled file, and with nothing else in its place.
func (p *Pages) serveAsset(w http.ResponseWriter, r *http.Request) {
	door.SetOperation(r.Context(), "assets")
	name := strings.TrimPrefix(r.URL.Path, assetsPath)
	if own, ok := strings.CutPrefix(name, p.console.build+"/"); ok {
		p.console.serveFile(w, r, own)
		return
	}
	if info, err := fs.Stat(assets, "assets/"+name); err != nil || info.IsDir() {
		door.WriteError(w, r, door.ErrNoRoute)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=300")
	p.assets.ServeHTTP(w, r)
}

// favicon sends browsers that ask by themselves to the icon of the pages.
func (p *Pages) favicon(w http.ResponseWriter, r *http.Request) {
	if _, err := fs.Stat(assets, "assets/favicon.svg"); err != nil {
		door.WriteError(w, r, door.ErrNoRoute)
		return
	}
	p.redirect(w, r, p.publicURL+assetsPath+"favicon.svg")
}

// page is a page that was rendered already.
type page struct {
	name, etag string
	body       []byte
}

func render(name string, data any) (*page, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	sum := sha256.Sum256(b.Bytes())
	return &page{name: name, etag: `"` + hex.EncodeToString(sum[:8]) + `"`, body: b.Bytes()}, nil
}

// ServeHTTP writes the page.
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	door.SetOperation(r.Context(), p.name)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", door.PagePolicy)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", p.etag)
	if r.Header.Get("If-None-Match") == p.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(p.body) // the client may be gone
}
