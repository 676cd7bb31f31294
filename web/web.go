// Package web owns the pages that the server renders by itself: the landing
// page, the reference of the contract, and the stylesheet they share with the
// login page.
//
// It never runs a script, never asks an outside host for anything and never
// reads a caller's data: every page is made once from what is in the binary.
// The failure it is built around is a reference that no longer says what the
// server does, so the reference is made from the contract that the server
// enforces and from nothing else.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"quern/door"
)

//go:embed assets
var assets embed.FS

//go:embed page/*.html
var pages embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"prose": prose}).ParseFS(pages, "page/*.html"))

// Assets serves the bundled files under /assets/.
func Assets() http.Handler {
	files := http.FileServerFS(assets)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		door.SetOperation(r.Context(), "assets")
		if strings.HasSuffix(r.URL.Path, "/") {
			http.NotFound(w, r) // no lists of files
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=300")
		files.ServeHTTP(w, r)
	})
}

// New makes the handler of / and /docs for a server that is reached at
// publicURL, and of every address that nobody else answers.
func New(publicURL string) (http.Handler, error) {
	publicURL = strings.TrimSuffix(publicURL, "/")
	home, err := render("home.html", struct{ PublicURL string }{publicURL})
	if err != nil {
		return nil, err
	}
	docs, err := render("docs.html", newReference(publicURL))
	if err != nil {
		return nil, err
	}
	served := map[string]*page{"/": home, "/docs": docs}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, ok := served[r.URL.Path]
		switch {
		case !ok:
			door.WriteError(w, r, door.ErrNoRoute)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			door.RefuseMethod(w, r, "GET, HEAD")
		default:
			p.ServeHTTP(w, r)
		}
	}), nil
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
