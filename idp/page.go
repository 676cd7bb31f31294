package idp

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"

	"quern/door"
)

//go:embed page/*.html
var pages embed.FS

var templates = template.Must(template.ParseFS(pages, "page/*.html"))

type loginPage struct {
	Action, FormToken, Request, Username, Error string
}

type logoutPage struct {
	Action, FormToken, Username, Home string
	ClientID, Return, State           string
}

// render writes a page that runs no scripts, fits in no frame, and whose forms
// lead only here and to goal.
func (p *Provider) render(w http.ResponseWriter, status int, name string, page any, goal string) {
	var body bytes.Buffer
	err := templates.ExecuteTemplate(&body, name+".html", struct{ Base, Page any }{p.base, page})
	if err != nil {
		p.log.Error("page cannot be made", "page", name, "error", err)
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; "+
		"frame-ancestors 'none'; form-action 'self' "+origin(p.issuer)+" "+goal)
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(status)
	_, _ = body.WriteTo(w)
}

func (p *Provider) message(w http.ResponseWriter, status int, title, text string) {
	door.WriteMessage(w, status, door.Message{Title: title, Text: text, Base: p.base})
}
