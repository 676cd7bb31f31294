package idp

import (
	"net/http"

	"quern"
	"quern/auth"
	"quern/door"
)

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=300")
	said := map[string]any{
		"issuer":                                     p.issuer,
		"authorization_endpoint":                     p.issuer + pathAuthorize,
		"token_endpoint":                             p.issuer + pathToken,
		"userinfo_endpoint":                          p.issuer + pathUserinfo,
		"jwks_uri":                                   p.issuer + pathKeys,
		"end_session_endpoint":                       p.issuer + pathLogout,
		"revocation_endpoint":                        p.issuer + pathRevoke,
		"scopes_supported":                           []string{"openid", "profile"},
		"response_types_supported":                   []string{"code", "token", "id_token", "id_token token"},
		"response_modes_supported":                   []string{"query", "fragment"},
		"grant_types_supported":                      []string{"authorization_code", "implicit", "refresh_token"},
		"subject_types_supported":                    []string{"public"},
		"id_token_signing_alg_values_supported":      []string{"RS256"},
		"token_endpoint_auth_methods_supported":      []string{"none"},
		"revocation_endpoint_auth_methods_supported": []string{"none"},
		"code_challenge_methods_supported":           []string{"S256"},
		"prompt_values_supported":                    []string{"none", "login"},
		"claims_supported": []string{"iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "azp",
			"sid", "preferred_username"},
		"claims_parameter_supported":                     false,
		"request_parameter_supported":                    false,
		"request_uri_parameter_supported":                false,
		"authorization_response_iss_parameter_supported": true,
	}
	if p.resource != "" {
		said["scopes_supported"] = []string{"openid", "profile", auth.ScopeRead, auth.ScopeWrite}
		said["registration_endpoint"] = p.issuer + pathRegister
		said["client_id_metadata_document_supported"] = p.documents.http != nil
		said["protected_resources"] = []string{p.issuer + p.resource}
	}
	reply(w, http.StatusOK, said)
}

func (p *Provider) jwks(w http.ResponseWriter, r *http.Request) {
	keys, err := p.auth.JWKS(r.Context())
	if err != nil {
		reply(w, p.logFailure(r, err), oauthError{"server_error", "the keys cannot be read at the moment"})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=60")
	_, _ = w.Write(keys)
}

func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	who, _, err := door.Admit(r, p.auth, nil)
	switch {
	case quern.Is(err, quern.Unauthentic):
		w.Header().Set("WWW-Authenticate", door.Challenge(r))
		reply(w, http.StatusUnauthorized, oauthError{"invalid_token", "the token is missing or not valid"})
	case err != nil:
		reply(w, p.logFailure(r, err), oauthError{"server_error", "the token cannot be checked at the moment"})
	default:
		reply(w, http.StatusOK, map[string]string{"sub": string(who.User.ID), "preferred_username": who.User.Username})
	}
}
