package idp

import (
	"crypto/rand"
	"crypto/subtle"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"quern"
	"quern/auth"
)

// The cookies of a browser: its sign-in, the proof that a form is one that this
// server gave to it, and the proof that its user has signed in with it before.
const (
	loginCookie  = "quern_login"
	formCookie   = "quern_form"
	deviceCookie = "quern_device"
)

// deviceSeconds is how long a browser keeps the proof of a device: a year.
const deviceSeconds = 365 * 24 * 60 * 60

// maxRequest bounds the authorization request that a login page carries along.
const maxRequest = 8 << 10

// formToken returns the browser's proof for forms, making it when there is none.
func (p *Provider) formToken(w http.ResponseWriter, r *http.Request) string {
	if token := p.cookies.Value(r, formCookie); len(token) >= 26 && len(token) <= 100 {
		return token
	}
	token := rand.Text()
	p.cookies.Set(w, formCookie, token, 0)
	return token
}

// genuine reports whether a form was sent from a page of this server.
func (p *Provider) genuine(r *http.Request) bool {
	token := p.cookies.Value(r, formCookie)
	return token != "" && p.forms.Check(r) == nil && subtle.ConstantTimeCompare([]byte(token), []byte(r.PostForm.Get("form_token"))) == 1
}

// login shows the login page and takes what was typed there.
func (p *Provider) login(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		p.message(w, http.StatusBadRequest, "That did not work", "The request cannot be read.")
		return
	}
	next := r.Form.Get("request")
	wanted, err := url.ParseQuery(next)
	if err != nil || len(next) > maxRequest {
		next, wanted = "", url.Values{}
	}
	page := loginPage{Request: wanted.Encode(), Username: printable(wanted.Get("login_hint"))}
	if r.Method != http.MethodPost {
		if login, err := p.signedIn(r); err == nil && login != nil && next == "" {
			http.Redirect(w, r, p.home, http.StatusSeeOther)
			return
		}
		p.showLogin(w, r, http.StatusOK, page)
		return
	}
	page.Username = printable(r.PostForm.Get("username"))
	if !p.genuine(r) {
		page.Error = "This page had expired. Please try again."
		p.showLogin(w, r, http.StatusForbidden, page)
		return
	}
	attempt := auth.Attempt{
		Username: r.PostForm.Get("username"), Password: r.PostForm.Get("password"), Address: p.address(r),
		Device: p.cookies.Value(r, deviceCookie),
	}
	in, err := p.auth.SignIn(r.Context(), attempt)
	if err != nil {
		p.showRefusal(w, r, page, err)
		return
	}
	p.begin(w, r, in)
	if next == "" {
		http.Redirect(w, r, p.home, http.StatusSeeOther)
		return
	}
	http.Redirect(w, r, p.issuer+pathAuthorize+"?"+wanted.Encode(), http.StatusSeeOther)
}

// begin puts the new sign-in into the browser. Another user's goes out.
func (p *Provider) begin(w http.ResponseWriter, r *http.Request, in auth.SignedIn) {
	if old, err := p.signedIn(r); err == nil && old != nil && old.User.ID != in.User.ID {
		if err := p.auth.SignOut(r.Context(), old.ID); err != nil {
			p.logFailure(r, err)
		}
	}
	p.cookies.Set(w, loginCookie, in.Secret, int(p.auth.LoginLife().Seconds()))
	p.cookies.Set(w, deviceCookie, in.Device, deviceSeconds)
	p.cookies.Set(w, formCookie, "", -1)
}

func (p *Provider) showRefusal(w http.ResponseWriter, r *http.Request, page loginPage, err error) {
	switch quern.KindOf(err) {
	case quern.Unauthentic:
		page.Error = "The username or the password is wrong."
		p.showLogin(w, r, http.StatusForbidden, page)
	case quern.Throttled:
		seconds := max(int(math.Ceil(auth.RetryAfter(err).Seconds())), 1)
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		page.Error = "Too many failed attempts. Please try again in " + duration(seconds) + "."
		p.showLogin(w, r, http.StatusTooManyRequests, page)
	default:
		page.Error = "Signing in does not work at the moment. Please try again later."
		p.showLogin(w, r, p.logFailure(r, err), page)
	}
}

func duration(seconds int) string {
	switch {
	case seconds == 1:
		return "a second"
	case seconds < 120:
		return strconv.Itoa(seconds) + " seconds"
	}
	return strconv.Itoa((seconds+59)/60) + " minutes"
}

func (p *Provider) showLogin(w http.ResponseWriter, r *http.Request, status int, page loginPage) {
	page.FormToken = p.formToken(w, r)
	page.Action = p.base + pathLogin
	// Browsers hold the redirects that follow a form against form-action, and
	// the last one goes back to the application.
	var goal string
	wanted, _ := url.ParseQuery(page.Request)
	if ok, _ := p.registered(wanted.Get("redirect_uri")); ok {
		goal = origin(wanted.Get("redirect_uri"))
	}
	p.render(w, status, "login", page, goal)
}
