package idp

import (
	"mime"
	"net/http"

	"quern"
	"quern/auth"
)

// oauthError is the body of a refused request to the token endpoint.
type oauthError struct {
	Error       string `json:"error"`
	Description string `json:"error_description,omitempty"`
}

// token trades an authorization code for tokens.
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
	client := form.Get("client_id")
	if id, secret, basic := r.BasicAuth(); basic {
		contradicts := client != "" && client != id
		if client = id; contradicts || secret != "" {
			client = ""
		}
	}
	if client != auth.ClientID || form.Get("client_secret") != "" {
		w.Header().Set("WWW-Authenticate", "Basic")
		refuse(http.StatusUnauthorized, "invalid_client", "the client is not known; public clients have no secret")
		return
	}
	if form.Get("grant_type") != "authorization_code" {
		refuse(http.StatusBadRequest, "unsupported_grant_type", "only authorization_code is supported")
		return
	}
	code, verifier := form.Get("code"), form.Get("code_verifier")
	if code == "" || !validVerifier(verifier) {
		refuse(http.StatusBadRequest, "invalid_request", "code and code_verifier are required")
		return
	}
	issued, err := p.auth.Redeem(r.Context(), code, form.Get("redirect_uri"), verifier)
	switch {
	case quern.Is(err, quern.Unauthentic):
		refuse(http.StatusBadRequest, "invalid_grant", "the code is not valid, has expired, was used before, or belongs to another request")
	case err != nil:
		refuse(p.logFailure(r, err), "server_error", "the code cannot be redeemed at the moment")
	default:
		body := map[string]any{
			"access_token": issued.Access, "token_type": "Bearer",
			"expires_in": int64(issued.ExpiresIn.Seconds()), "scope": issued.Scope,
		}
		if issued.ID != "" {
			body["id_token"] = issued.ID
		}
		w.Header().Set("Pragma", "no-cache")
		reply(w, http.StatusOK, body)
	}
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
