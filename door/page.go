package door

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"strings"
)

// PagePolicy is the content security policy for HTML without scripts.
const PagePolicy = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed page/message.html
var messages embed.FS

var message = template.Must(template.ParseFS(messages, "page/message.html"))

// Message is what a page tells a person: that something ended, or did not work, and
// where to go on.
type Message struct {
	Title, Text string
	Code        string // to be copied; empty: none
	// Base is the path that the server's addresses begin with, usually empty.
	Base string
	// Link is where the reader can go on, and LinkText what it says; empty: to the
	// start page.
	Link, LinkText string
}

// WriteMessage answers with a page for people.
func WriteMessage(w http.ResponseWriter, status int, m Message) {
	if m.Link == "" {
		m.Link = m.Base + "/"
	}
	if m.LinkText == "" {
		m.LinkText = "Go to the start page"
	}
	var body bytes.Buffer
	if err := message.Execute(&body, m); err != nil {
		panic(err) // only text goes into it
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", PagePolicy)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = body.WriteTo(w) // the client may be gone
}

// WantsPage reports whether a request is that of a person who follows a link or types
// an address, and not that of a program.
func WantsPage(r *http.Request) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	return reads && strings.Contains(r.Header.Get("Accept"), "text/html")
}
