package idp

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"quern/auth"
)

// authorizeClient answers an authorization request of the command line, or of somebody
// else's application. Who is asked must be signed in before anything is found out about
// the application, and is asked each time.
func (p *Provider) authorizeClient(w http.ResponseWriter, r *http.Request, values url.Values) {
	q, login := p.clientRequest(w, r, values)
	if q == nil {
		return
	}
	p.askConsent(w, r, q, *login)
}

// clientRequest reads the request of an application and returns it with the sign-in that
// it is asked of. It returns nil when it has answered itself.
func (p *Provider) clientRequest(w http.ResponseWriter, r *http.Request, values url.Values) (*request, *auth.Login) {
	stop := func(text string) { p.message(w, http.StatusBadRequest, "This sign-in cannot go on", text) }
	q := &request{values: values, redirect: values.Get("redirect_uri")}
	code, description := p.check(q)
	login, err := p.signedIn(r)
	switch {
	case err != nil:
		p.message(w, p.logFailure(r, err), "This sign-in cannot go on", "The sign-in cannot be checked at the moment. Please try again later.")
		return nil, nil
	case login == nil && slices.Contains(q.prompts, "none"):
		stop("Nobody is signed in, and the application that sent you here wants nobody to be asked.")
		return nil, nil
	case login == nil && single(values, "client_id", "redirect_uri", "prompt", "max_age") && len(values.Encode()) <= maxRequest:
		p.toLogin(w, r, q)
		return nil, nil
	case login == nil: // nothing is read or sent on for nobody
		stop("The request cannot be read.")
		return nil, nil
	}
	if q.client, err = p.client(r.Context(), values.Get("client_id")); err != nil {
		if !errors.Is(err, errUnknownClient) {
			p.logFailure(r, err)
		}
		stop("The application that sent you here is not known to this server, or what it says about itself cannot be read.")
		return nil, nil
	}
	if !single(values, "client_id", "redirect_uri") || !p.answersTo(q.client, q.redirect) {
		stop("The address to return to is not one that the application named.")
		return nil, nil
	}
	if code == "" {
		code, description = p.checkClient(q)
	}
	switch {
	case code != "":
		p.turnAway(w, r, q, code, description)
	case slices.Contains(q.prompts, "none"):
		p.turnAway(w, r, q, "consent_required", "the user has to be asked")
	case p.mustSignIn(q, login):
		p.toLogin(w, r, q)
	default:
		return q, login
	}
	return nil, nil
}

// turnAway tells why an application cannot be let in before anybody was asked: a program
// on the user's own machine is told itself, but nobody is sent to an address of somebody
// else's to which they never agreed.
func (p *Provider) turnAway(w http.ResponseWriter, r *http.Request, q *request, code, description string) {
	if u, err := url.Parse(q.redirect); err == nil && isLoopback(u) {
		p.refuse(w, r, q, code, description)
		return
	}
	p.message(w, http.StatusBadRequest, "This sign-in cannot go on", "The application asks for what cannot be granted ("+code+"): "+description+".")
}

// checkClient holds the rules for applications of somebody else.
func (p *Provider) checkClient(q *request) (code, description string) {
	if len(q.types) != 1 || !q.has("code") {
		return "unsupported_response_type", "response_type must be code"
	}
	if q.client.ID == auth.CommandLineID {
		if q.values.Get("resource") != "" {
			return "invalid_target", "the command line is let into no single resource"
		}
		return "", ""
	}
	if asked := q.values.Get("resource"); asked != "" && asked != p.issuer+p.resource {
		return "invalid_target", "the resource must be " + p.issuer + p.resource
	}
	q.scopes = []string{auth.ScopeRead}
	q.writes = slices.Contains(strings.Fields(q.values.Get("scope")), auth.ScopeWrite)
	return "", ""
}

// consentPage is what a user is asked.
type consentPage struct {
	Action, FormToken, Request string
	Username                   string
	// Name is how the application calls itself; Says is the address of the document that
	// says so, empty when there is none.
	Name, Says string
	// Goal is where the answer goes; Here says that it is a program on this machine.
	Goal   string
	Here   bool
	Writes bool // it asks to change things too
	// CommandLine says that it is this server's own command line; Typed that its user
	// carries the code to it.
	CommandLine, Typed bool
}

func (p *Provider) askConsent(w http.ResponseWriter, r *http.Request, q *request, login auth.Login) {
	page := consentPage{
		Action: p.base + pathConsent, FormToken: p.formToken(w, r), Request: q.values.Encode(), Username: login.User.Username,
		Name: q.client.Name, Writes: q.writes,
	}
	page.Says = documentOf(q.client)
	page.CommandLine, page.Typed = q.client.ID == auth.CommandLineID, q.redirect == p.issuer+auth.CodePath
	if u, err := url.Parse(q.redirect); err == nil {
		page.Goal, page.Here = q.redirect, isLoopback(u)
	}
	p.render(w, http.StatusOK, "consent", page, origin(q.redirect))
}

// consent takes what a user answered on the page, and sends it to the application.
func (p *Provider) consent(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	err := r.ParseForm()
	values, wrong := url.ParseQuery(r.PostForm.Get("request"))
	if err != nil || wrong != nil {
		p.message(w, http.StatusBadRequest, "That did not work", "The request cannot be read.")
		return
	}
	if !p.genuine(r) {
		p.message(w, http.StatusForbidden, "That did not work", "This page had expired. Please go back to the application and try again.")
		return
	}
	q, login := p.clientRequest(w, r, values)
	switch {
	case q == nil:
	case r.PostForm.Get("answer") != "allow":
		p.refuse(w, r, q, "access_denied", "the user said no")
	default:
		if q.writes && r.PostForm.Get("write") == "yes" {
			q.scopes = append(q.scopes, auth.ScopeWrite)
		}
		p.answer(w, r, q, *login)
	}
}

// documentOf returns the address of the document that describes an application, without
// its scheme; empty for one that registered itself.
func documentOf(c auth.Client) string {
	address, ok := strings.CutPrefix(c.ID, "https://")
	if !ok {
		return ""
	}
	return address
}

// tokenName is what the user's list of tokens calls the token of an application whose
// answers go to an address. What is known of it goes before what it calls itself.
func tokenName(c auth.Client, redirect string) string {
	name := "an application on your machine"
	if u, err := url.Parse(redirect); err == nil && !isLoopback(u) {
		name = u.Host
	}
	if says := documentOf(c); says != "" {
		name, _, _ = strings.Cut(says, "/")
	}
	if c.Name != "" {
		name += ": " + c.Name
	}
	return name
}
