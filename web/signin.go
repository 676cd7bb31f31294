package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"quern"
	"quern/auth"
	"quern/door"
)

// The addresses at which a browser begins to sign in, comes back from the provider,
// and signs out.
const (
	SignInPath   = "/signin"
	callbackPath = "/callback"
	signOutPath  = "/signout"
)

const (
	// signInCookie holds a key that what the browser brings back is checked with.
	signInCookie = "quern_signin"
	// signInSeconds is how long a browser may take at the provider.
	signInSeconds = 15 * 60
	// maxGoal bounds the address that a sign-in leads to.
	maxGoal = 1024
)

// attempt is one way to the provider and back. All of it follows from the browser's
// key and the attempt's id, so that any server can finish it, and any number of
// pages of one browser can be on their way at once.
type attempt struct{ key, id, goal string }

func newAttempt(key, goal string) attempt { return attempt{key, rand.Text()[:16], goal} }

// derive makes a secret of the attempt for one purpose.
func (a attempt) derive(purpose string) string {
	mac := hmac.New(sha256.New, []byte(a.key))
	_, _ = mac.Write([]byte(purpose + " " + a.id + " " + a.goal))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (a attempt) state() string {
	return a.id + "." + base64.RawURLEncoding.EncodeToString([]byte(a.goal)) + "." + a.derive("state")
}

// attemptOf reads what state made, if the key is the one that it was made with.
func attemptOf(key, state string) (attempt, bool) {
	parts := strings.Split(state, ".")
	if key == "" || len(parts) != 3 {
		return attempt{}, false
	}
	goal, err := base64.RawURLEncoding.DecodeString(parts[1])
	a := attempt{key, parts[0], string(goal)}
	return a, err == nil && hmac.Equal([]byte(a.derive("state")), []byte(parts[2]))
}

// goalOf returns an address of this server that a sign-in may lead to: the one given,
// or the start page where that is another server's or none.
func goalOf(address string) string {
	isPath := strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//")
	if !isPath || len(address) > maxGoal || strings.ContainsRune(address, '\\') || strings.ContainsFunc(address, unicode.IsControl) {
		return "/"
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == SignInPath || u.Path == callbackPath {
		return "/"
	}
	return u.RequestURI()
}

// signedIn reports whether a request comes from a browser with a session that lasts.
func (p *Pages) signedIn(r *http.Request) (bool, error) {
	secret := p.browsers.Secret(r)
	if secret == "" {
		return false, nil
	}
	who, err := p.auth.Session(r.Context(), secret)
	switch {
	case quern.Is(err, quern.Unauthentic):
		return false, nil
	case err != nil:
		return false, err
	}
	door.SetUser(r.Context(), who.User.Username)
	return true, nil
}

// signIn sends a browser to the provider.
func (p *Pages) signIn(w http.ResponseWriter, r *http.Request) {
	goal := goalOf(r.URL.Query().Get("to"))
	in, err := p.signedIn(r)
	switch {
	case err != nil:
		p.failSignIn(w, r, err, goal)
		return
	case in:
		p.redirect(w, r, p.publicURL+goal)
		return
	case !p.auth.SignsIn():
		p.tell(w, http.StatusNotFound, "No sign-in here",
			"This server is not set up for signing in with a browser. Whoever runs it can change that; programs use tokens.", "")
		return
	}
	key := p.browsers.Cookies.Value(r, signInCookie)
	if len(key) != len(rand.Text()) {
		key = rand.Text()
	}
	a := newAttempt(key, goal)
	sum := sha256.Sum256([]byte(a.derive("verifier")))
	address, err := p.auth.AuthorizationAt(r.Context(), p.authorizePath, auth.Authorization{
		State: a.state(), Nonce: a.derive("nonce"), RedirectURI: p.publicURL + callbackPath,
		Challenge: base64.RawURLEncoding.EncodeToString(sum[:]),
	})
	if err != nil {
		p.failSignIn(w, r, err, goal)
		return
	}
	p.browsers.Cookies.Set(w, signInCookie, key, signInSeconds)
	p.redirect(w, r, address)
}

// callback takes a browser back from the provider.
func (p *Pages) callback(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	a, ok := attemptOf(p.browsers.Cookies.Value(r, signInCookie), q.Get("state"))
	if !ok {
		p.tell(w, http.StatusBadRequest, "This sign-in cannot go on",
			"It took too long, was begun in another browser, or the browser keeps no cookies.", "/")
		return
	}
	goal := goalOf(a.goal)
	if in, err := p.signedIn(r); err == nil && in { // another page was faster
		p.redirect(w, r, p.publicURL+goal)
		return
	}
	if q.Get("error") != "" || q.Get("code") == "" {
		p.tell(w, http.StatusForbidden, "You are not signed in", "The sign-in was given up, or was not allowed.", goal)
		return
	}
	session, secret, err := p.auth.BeginSession(r.Context(), auth.Return{
		Code: q.Get("code"), Issuer: q.Get("iss"), RedirectURI: p.publicURL + callbackPath,
		Verifier: a.derive("verifier"), Nonce: a.derive("nonce"), UserAgent: r.UserAgent(),
	})
	if err != nil {
		p.failSignIn(w, r, err, goal)
		return
	}
	door.SetUser(r.Context(), session.User.Username)
	p.browsers.SetSecret(w, secret, int(session.ExpiresAt.Sub(session.CreatedAt).Seconds()))
	p.redirect(w, r, p.publicURL+goal)
}

// signOut ends the browser's session, or all of its user's, here and at the provider.
func (p *Pages) signOut(w http.ResponseWriter, r *http.Request) {
	if err := p.browsers.FromOwnPage(r); err != nil {
		p.tell(w, http.StatusForbidden, "You are still signed in", "Another site asked to sign you out, which only this one can do.", "")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxGoal)
	everywhere := r.PostFormValue("everywhere") != ""
	next, err := p.auth.Leave(r.Context(), p.browsers.Secret(r), p.publicURL+"/", everywhere)
	if err != nil {
		door.SetError(r.Context(), err)
		p.tell(w, door.Status(door.Classify(err)), "You are still signed in",
			"Signing out does not work at the moment. Please try again later.", "")
		return
	}
	p.browsers.SetSecret(w, "", -1)
	if next == "" {
		next = p.publicURL + "/"
	}
	p.redirect(w, r, next)
}

func (p *Pages) redirect(w http.ResponseWriter, r *http.Request, address string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// failSignIn tells a person why the sign-in came to nothing.
func (p *Pages) failSignIn(w http.ResponseWriter, r *http.Request, err error, goal string) {
	door.SetError(r.Context(), err)
	if quern.Is(err, quern.Unauthentic) {
		detail := door.Classify(err).Detail
		p.tell(w, http.StatusForbidden, "You are not signed in", strings.ToUpper(detail[:1])+detail[1:]+".", goal)
		return
	}
	p.tell(w, door.Status(door.Classify(err)), "Signing in does not work at the moment", "Please try again in a little while.", goal)
}

// tell shows a message; with a goal, its link begins the sign-in again.
func (p *Pages) tell(w http.ResponseWriter, status int, title, text, goal string) {
	m := door.Message{Title: title, Text: text}
	if goal != "" {
		m.Link, m.LinkText = SignInPath+"?"+url.Values{"to": {goal}}.Encode(), "Sign in again"
	}
	door.WriteMessage(w, status, m)
}
