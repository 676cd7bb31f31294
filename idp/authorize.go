package idp

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/auth"
)

// maxParameter bounds each parameter of an authorization request.
const maxParameter = 2048

// reauthenticated is the parameter that this provider adds when it sends a
// signed-in user to the login page: the sign-in has to be later than its value.
const reauthenticated = "signed_in_after"

// request is an authorization request whose address for answers is registered.
type request struct {
	values    url.Values
	types     []string // of the response, sorted
	redirect  string
	loopback  bool
	fragment  bool // answer in the fragment
	scopes    []string
	prompts   []string
	client    auth.Client // the zero one is the console
	writes    bool        // the client asks to change things too
	notBefore time.Time   // the earliest sign-in that will do
}

func (q *request) has(responseType string) bool { return slices.Contains(q.types, responseType) }

// authorize answers an authorization request.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	if err := r.ParseForm(); err != nil {
		p.message(w, http.StatusBadRequest, "This sign-in cannot go on", "The request cannot be read.")
		return
	}
	values := r.Form
	others := p.resource != "" && values.Has("client_id") && values.Get("client_id") != auth.ClientID
	if others || values.Get("client_id") == auth.CommandLineID {
		p.authorizeClient(w, r, values)
		return
	}
	if !single(values, "client_id", "redirect_uri") || values.Get("client_id") != auth.ClientID {
		p.message(w, http.StatusBadRequest, "This sign-in cannot go on", "The application that sent you here is not known to this server.")
		return
	}
	registered, loopback := p.registered(values.Get("redirect_uri"))
	if !registered {
		p.message(w, http.StatusBadRequest, "This sign-in cannot go on", "The address to return to is not registered with this server.")
		return
	}
	q := &request{values: values, redirect: values.Get("redirect_uri"), loopback: loopback}
	if code, description := p.check(q); code != "" {
		p.refuse(w, r, q, code, description)
		return
	}
	login, err := p.signedIn(r)
	switch {
	case err != nil:
		p.logFailure(r, err)
		p.refuse(w, r, q, "temporarily_unavailable", "the sign-in cannot be checked at the moment")
	case p.mustSignIn(q, login) && slices.Contains(q.prompts, "none"):
		p.refuse(w, r, q, "login_required", "nobody is signed in, or not recently enough")
	case p.mustSignIn(q, login):
		p.toLogin(w, r, q)
	default:
		p.answer(w, r, q, *login)
	}
}

// single reports whether none of the named parameters is given twice.
func single(values url.Values, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return len(values[name]) > 1 })
}

// check reads the rest of a request and returns the error code for what is wrong.
func (p *Provider) check(q *request) (code, description string) {
	q.types = strings.Fields(q.values.Get("response_type"))
	slices.Sort(q.types)
	q.fragment = !q.has("code")
	for name, given := range q.values {
		if len(given) > 1 {
			return "invalid_request", "a parameter is given more than once: " + printable(name)
		}
		if len(given[0]) > maxParameter || given[0] != printable(given[0]) {
			return "invalid_request", "a parameter is too long or not plain text: " + printable(name)
		}
	}
	switch strings.Join(q.types, " ") {
	case "code", "token", "id_token", "id_token token":
	default:
		return "unsupported_response_type", "response_type must be code, token, id_token or id_token token"
	}
	switch mode := q.values.Get("response_mode"); {
	case mode == "fragment":
		q.fragment = true
	case mode == "", mode == "query" && q.has("code"):
	default:
		return "invalid_request", "the response_mode is not supported for this response_type"
	}
	switch {
	case q.values.Get("request") != "":
		return "request_not_supported", ""
	case q.values.Get("request_uri") != "":
		return "request_uri_not_supported", ""
	case q.values.Get("registration") != "":
		return "registration_not_supported", ""
	}
	if code, description = q.checkFlow(); code != "" {
		return code, description
	}
	return p.checkPrompt(q)
}

// checkFlow holds the rules of the flow that the response type chooses.
func (q *request) checkFlow() (code, description string) {
	for _, scope := range strings.Fields(q.values.Get("scope")) {
		known := scope == "openid" || scope == "profile"
		if known && !slices.Contains(q.scopes, scope) {
			q.scopes = append(q.scopes, scope)
		}
	}
	challenge, err := base64.RawURLEncoding.Strict().DecodeString(q.values.Get("code_challenge"))
	isDigest := err == nil && len(challenge) == sha256.Size
	switch {
	case q.has("id_token") && !slices.Contains(q.scopes, "openid"):
		return "invalid_scope", "an id_token needs the scope openid"
	case q.has("id_token") && q.values.Get("nonce") == "":
		return "invalid_request", "an id_token needs a nonce"
	case !q.has("code") && q.loopback:
		return "unauthorized_client", "a loopback address is for the code flow only"
	case q.has("code") && q.values.Get("code_challenge_method") != "S256":
		return "invalid_request", "code_challenge_method must be S256"
	case q.has("code") && !isDigest:
		return "invalid_request", "code_challenge must be the SHA-256 of the code_verifier"
	}
	return "", ""
}

func (p *Provider) checkPrompt(q *request) (code, description string) {
	q.prompts = strings.Fields(q.values.Get("prompt"))
	if slices.Contains(q.prompts, "none") && len(q.prompts) > 1 {
		return "invalid_request", "prompt none stands alone"
	}
	if text := q.values.Get("max_age"); text != "" {
		age, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return "invalid_request", "max_age must be a number of seconds"
		}
		q.notBefore = p.now().Add(-time.Duration(age) * time.Second)
	}
	if after, err := strconv.ParseInt(q.values.Get(reauthenticated), 10, 64); err == nil {
		q.notBefore = time.UnixMicro(after)
	}
	return "", ""
}

// signedIn returns the sign-in of the browser, nil when there is none.
func (p *Provider) signedIn(r *http.Request) (*auth.Login, error) {
	secret := p.cookies.Value(r, loginCookie)
	if secret == "" {
		return nil, nil
	}
	login, err := p.auth.Login(r.Context(), secret)
	switch {
	case quern.Is(err, quern.Unauthentic):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &login, nil
}

func (p *Provider) mustSignIn(q *request, login *auth.Login) bool {
	again := slices.Contains(q.prompts, "login") || slices.Contains(q.prompts, "select_account")
	return login == nil || again || login.At.Before(q.notBefore)
}

// toLogin sends the browser to the login page, which sends it back with a
// request that the sign-in made there satisfies.
func (p *Provider) toLogin(w http.ResponseWriter, r *http.Request, q *request) {
	back := url.Values{}
	for name := range q.values {
		back.Set(name, q.values.Get(name))
	}
	back.Del("prompt")
	if len(q.prompts) > 0 || !q.notBefore.IsZero() {
		back.Set(reauthenticated, strconv.FormatInt(p.now().UnixMicro(), 10))
	}
	http.Redirect(w, r, p.issuer+pathLogin+"?"+url.Values{"request": {back.Encode()}}.Encode(), http.StatusSeeOther)
}

// answer sends what was asked for to the registered address.
func (p *Provider) answer(w http.ResponseWriter, r *http.Request, q *request, login auth.Login) {
	grant := auth.Grant{
		Login: login, Scope: strings.Join(q.scopes, " "), Nonce: q.values.Get("nonce"),
		RedirectURI: q.redirect, Challenge: q.values.Get("code_challenge"),
	}
	switch q.client.ID {
	case "":
	case auth.CommandLineID:
		grant.Client = q.client
	default:
		grant.Client, grant.Resource = auth.Client{ID: q.client.ID, Name: tokenName(q.client, q.redirect)}, p.resource
	}
	add := url.Values{}
	if q.has("code") {
		code, err := p.auth.NewCode(r.Context(), grant)
		if err != nil {
			p.logFailure(r, err)
			p.refuse(w, r, q, "server_error", "")
			return
		}
		add.Set("code", code)
	} else {
		issued, err := p.auth.Issue(r.Context(), grant)
		if err != nil {
			p.logFailure(r, err)
			p.refuse(w, r, q, "server_error", "")
			return
		}
		if q.has("token") {
			add.Set("access_token", issued.Access)
			add.Set("token_type", "Bearer")
			add.Set("expires_in", strconv.FormatInt(int64(issued.ExpiresIn.Seconds()), 10))
			add.Set("scope", issued.Scope)
		}
		if q.has("id_token") {
			add.Set("id_token", issued.ID)
		}
	}
	p.respond(w, r, q, add)
}

func (p *Provider) refuse(w http.ResponseWriter, r *http.Request, q *request, code, description string) {
	add := url.Values{"error": {code}}
	if description != "" {
		add.Set("error_description", description)
	}
	p.respond(w, r, q, add)
}

func (p *Provider) respond(w http.ResponseWriter, r *http.Request, q *request, add url.Values) {
	if state := q.values.Get("state"); state != "" {
		add.Set("state", state)
	}
	add.Set("iss", p.issuer)
	http.Redirect(w, r, withParameters(q.redirect, add, q.fragment), http.StatusSeeOther)
}

// printable is s without what cannot be shown or stored as text, or changes how the text
// beside it is shown.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}
