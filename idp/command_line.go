package idp

import (
	"mime"
	"net/http"
	"net/url"
	"strings"

	"quern"
	"quern/auth"
	"quern/door"
)

// maxCode bounds the code and the state that are shown.
const maxCode = 2048

// commandLine is this server's own client on other machines. Its answers go to a program
// on the machine of the browser, or to the page that shows them.
func (p *Provider) commandLine() auth.Client {
	return auth.Client{ID: auth.CommandLineID, RedirectURIs: []string{"http://127.0.0.1/callback", "http://[::1]/callback"}}
}

// answersTo reports whether a client's answers may go to an address.
func (p *Provider) answersTo(c auth.Client, address string) bool {
	return c.ID == auth.CommandLineID && address == p.issuer+auth.CodePath || answersTo(c, address)
}

// renew answers a request with what the command line renews its access with.
func (p *Provider) renew(w http.ResponseWriter, r *http.Request) {
	issued, err := p.auth.Renew(r.Context(), r.PostForm.Get("refresh_token"))
	switch {
	case quern.Is(err, quern.Unauthentic):
		reply(w, http.StatusBadRequest, oauthError{"invalid_grant", "the refresh token is not valid, was used before, or its sign-in has ended"})
	case err != nil:
		reply(w, p.logFailure(r, err), oauthError{"server_error", "the refresh token cannot be redeemed at the moment"})
	default:
		give(w, issued)
	}
}

// revoke ends the sign-in of a command line (RFC 7009). What is known to nobody is no
// failure.
func (p *Provider) revoke(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/x-www-form-urlencoded" || r.ParseForm() != nil || r.PostForm.Get("token") == "" {
		reply(w, http.StatusBadRequest, oauthError{"invalid_request", "the body must be a form with a token"})
		return
	}
	if r.PostForm.Get("client_id") != auth.CommandLineID {
		reply(w, http.StatusUnauthorized, oauthError{"invalid_client", "only the sign-in of " + auth.CommandLineID + " is ended here"})
		return
	}
	if err := p.auth.Forget(r.Context(), r.PostForm.Get("token")); err != nil {
		reply(w, p.logFailure(r, err), oauthError{"server_error", "the sign-in cannot be ended at the moment"})
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
}

// CodePage shows what a provider answered to a command line that it cannot reach, for its
// user to type. It is there with an outside provider, too.
type CodePage struct {
	Base string // the path that the server's addresses begin with, usually empty
}

func (s CodePage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	allowMethods(s.serve, "GET")(w, r)
}

func (s CodePage) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Referrer-Policy", "no-referrer")
	q := r.URL.Query()
	code, state := q.Get("code"), q.Get("state")
	m := door.Message{Title: "The command line is not signed in", Text: "The sign-in was given up, or was not allowed.", Base: s.Base}
	if q.Get("error") == "" && typable(code) && typable(state) {
		m.Title, m.Code = "One more step", Typed(code, state)
		m.Text = "Copy this into the terminal in which you have just run quern login, and nowhere else. It is good for a few minutes, once."
	}
	door.WriteMessage(w, http.StatusOK, m)
}

// typable reports whether a text can be shown and typed.
func typable(text string) bool {
	return text != "" && len(text) <= maxCode && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// Typed is a code and the state that it came with, as one text to type. The state stands
// last: it has no tilde.
func Typed(code, state string) string { return url.QueryEscape(code) + "~" + state }
