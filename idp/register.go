package idp

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"

	"quern"
)

// register takes what an application says of itself and answers with an id for it (RFC
// 7591). Nothing is stored, so there is nothing to fill up.
func (p *Provider) register(w http.ResponseWriter, r *http.Request) {
	refuse := func(code, description string) { reply(w, http.StatusBadRequest, oauthError{code, description}) }
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body, err := io.ReadAll(io.LimitReader(r.Body, documentBytes+1))
	var said clientMetadata
	switch {
	case kind != "application/json" || err != nil || len(body) > documentBytes:
		refuse("invalid_client_metadata", "the body must be JSON of at most 16 KiB")
		return
	case json.Unmarshal(body, &said) != nil:
		refuse("invalid_client_metadata", "the body is not an object with the members of RFC 7591")
		return
	}
	c, code, description := said.client()
	if code != "" {
		refuse(code, description)
		return
	}
	c, err = p.auth.RegisterClient(r.Context(), c)
	switch {
	case quern.Is(err, quern.Invalid):
		refuse("invalid_client_metadata", "client_name and redirect_uris are too long together")
	case err != nil:
		reply(w, p.logFailure(r, err), oauthError{"server_error", "clients cannot be registered at the moment"})
	default:
		reply(w, http.StatusCreated, map[string]any{
			"client_id": c.ID, "client_id_issued_at": p.now().Unix(), "client_name": c.Name, "redirect_uris": c.RedirectURIs,
			"token_endpoint_auth_method": "none", "grant_types": []string{"authorization_code"}, "response_types": []string{"code"},
		})
	}
}
