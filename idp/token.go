package idp

import (
	"mime"
	"net/http"
	"strings"

	"quern"
	"quern/auth"
)

// oauthError is the body of a refused request to the token endpoint.
type oauthError struct {
	Error       string `json:"error"`
	Description string `json:"error_description,omitempty"`
}

// token trades an authorization code for tokens, or what the command line renews them with.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, code, description string) { reply(w, status, oauthError{code, description}) }
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/x-www-form-urlencoded" || r.ParseForm() != nil {
		refuse(http.StatusBadRequest, "invalid_request", "the body must be a form of at most 64 KiB")
		return
	}
	form := r.PostForm
	for name, values := range form {
		if len(values) != 1 {
			refuse(http.StatusBadRequest, "invalid_request", "a parameter is given more than once: "+printable(name))
			return
		}
	}
	client, known, err := p.tokenClient(r)
	if err != nil {
		refuse(p.logFailure(r, err), "server_error", "the client cannot be checked at the moment")
		return
	}
	if !known {
		w.Header().Set("WWW-Authenticate", "Basic")
		refuse(http.StatusUnauthorized, "invalid_client", "the client is not known; public clients have no secret")
		return
	}
	switch grant := form.Get("grant_type"); {
	case grant == "refresh_token" && client == auth.CommandLineID:
		p.renew(w, r)
		return
	case grant != "authorization_code":
		refuse(http.StatusBadRequest, "unsupported_grant_type", "only authorization_code is supported, and refresh_token for "+auth.CommandLineID)
		return
	}
	p.redeem(w, r, client)
}

// redeem answers a request with a client's authorization code.
func (p *Provider) redeem(w http.ResponseWriter, r *http.Request, client string) {
	refuse := func(status int, code, description string) { reply(w, status, oauthError{code, description}) }
	form := r.PostForm
	code, verifier := form.Get("code"), form.Get("code_verifier")
	if code == "" || !validVerifier(verifier) {
		refuse(http.StatusBadRequest, "invalid_request", "code and code_verifier are required")
		return
	}
	redemption := auth.Redemption{Code: code, RedirectURI: form.Get("redirect_uri"), Verifier: verifier, UserAgent: r.UserAgent()}
	if client != auth.ClientID {
		redemption.Client = client
		path, found := strings.CutPrefix(form.Get("resource"), p.issuer)
		if redemption.Resource = path; !found && form.Get("resource") != "" {
			refuse(http.StatusBadRequest, "invalid_target", "the resource must be the one that was granted")
			return
		}
	}
	issued, err := p.auth.RedeemFor(r.Context(), redemption)
	switch {
	case quern.Is(err, quern.Unauthentic):
		refuse(http.StatusBadRequest, "invalid_grant", "the code is not valid, has expired, was used before, or belongs to another request")
	case quern.Is(err, quern.Conflict):
		refuse(http.StatusBadRequest, "invalid_grant", err.Error())
	case err != nil:
		refuse(p.logFailure(r, err), "server_error", "the code cannot be redeemed at the moment")
	default:
		give(w, issued)
	}
}

// give answers with tokens.
func give(w http.ResponseWriter, issued auth.Issued) {
	body := map[string]any{
		"access_token": issued.Access, "token_type": "Bearer",
		"expires_in": int64(issued.ExpiresIn.Seconds()), "scope": issued.Scope,
	}
	if issued.ID != "" {
		body["id_token"] = issued.ID
	}
	if issued.Refresh != "" {
		body["refresh_token"] = issued.Refresh
	}
	w.Header().Set("Pragma", "no-cache")
	reply(w, http.StatusOK, body)
}

// tokenClient returns the client that a request for tokens comes from, and whether it is
// one that could have a code.
func (p *Provider) tokenClient(r *http.Request) (client string, known bool, err error) {
	client = r.PostForm.Get("client_id")
	if id, secret, basic := r.BasicAuth(); basic {
		contradicts := client != "" && client != id
		if client = id; contradicts || secret != "" {
			client = ""
		}
	}
	switch {
	case client == "" || r.PostForm.Get("client_secret") != "":
		return client, false, nil
	case client == auth.ClientID, client == auth.CommandLineID:
		return client, true, nil
	}
	known, err = p.mayBeClient(r.Context(), client)
	return client, known, err
}

// validVerifier reports whether s has the form of a PKCE verifier: 43 to 128
// unreserved characters.
func validVerifier(s string) bool {
	if len(s) < 43 || len(s) > 128 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.', c == '_', c == '~':
		default:
			return false
		}
	}
	return true
}
