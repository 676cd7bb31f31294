package idp

import (
	"net/http"
	"net/url"
	"slices"

	"quern/auth"
)

// logout ends a sign-in. A request that proves with an ID token that it comes
// from the client is carried out at once; any other asks the user first, so
// that no page elsewhere can sign people out.
func (p *Provider) logout(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if err := r.ParseForm(); err != nil {
		p.message(w, http.StatusBadRequest, "That did not work", "The request cannot be read.")
		return
	}
	var hinted string
	if hint := r.Form.Get("id_token_hint"); hint != "" {
		// A hint that does not hold only means that the user is asked.
		hinted, _ = p.auth.LoginOfHint(r.Context(), hint)
	}
	login, err := p.signedIn(r)
	if err != nil {
		p.message(w, p.logFailure(r, err), "That did not work", "Signing out does not work at the moment. Please try again later.")
		return
	}
	proven := hinted != "" && (login == nil || login.ID == hinted)
	confirmed := r.Method == http.MethodPost && p.genuine(r)
	if login != nil && !proven && !confirmed {
		p.askLogout(w, r, *login)
		return
	}
	ended := hinted
	if login != nil {
		ended = login.ID
	}
	if ended != "" {
		if err := p.auth.SignOut(r.Context(), ended); err != nil {
			p.message(w, p.logFailure(r, err), "That did not work", "Signing out does not work at the moment. Please try again later.")
			return
		}
	}
	p.cookies.Set(w, loginCookie, "", -1)
	p.afterLogout(w, r, hinted != "")
}

func (p *Provider) askLogout(w http.ResponseWriter, r *http.Request, login auth.Login) {
	page := logoutPage{
		Action: p.base + pathLogout, FormToken: p.formToken(w, r), Username: login.User.Username, Home: p.issuer + "/",
		ClientID: r.Form.Get("client_id"), Return: r.Form.Get("post_logout_redirect_uri"), State: r.Form.Get("state"),
	}
	var goal string
	if slices.Contains(p.signedOut, page.Return) {
		goal = origin(page.Return)
	}
	p.render(w, http.StatusOK, "logout", page, goal)
}

// afterLogout goes where the client asked to, when that is registered and the
// client is known.
func (p *Provider) afterLogout(w http.ResponseWriter, r *http.Request, known bool) {
	goal := r.Form.Get("post_logout_redirect_uri")
	known = known || r.Form.Get("client_id") == auth.ClientID
	if !known || !slices.Contains(p.signedOut, goal) {
		p.message(w, http.StatusOK, "You are signed out", "You can close this page.")
		return
	}
	if state := printable(r.Form.Get("state")); state != "" {
		goal = withParameters(goal, url.Values{"state": {state}}, false)
	}
	http.Redirect(w, r, goal, http.StatusSeeOther)
}
