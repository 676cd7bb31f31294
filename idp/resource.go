package idp

import (
	"net/http"

	"quern/auth"
	"quern/door"
)

// pathResource is where a resource says who signs people in for it (RFC 9728).
const pathResource = "/.well-known/oauth-protected-resource"

// Resource tells applications who signs people in for one resource of this server.
type Resource struct {
	Auth *auth.Service
	Path string // of the resource, below the public URL
}

// Paths lists where it is told: with the resource's path behind it, and without.
func (s Resource) Paths() []string { return []string{pathResource, pathResource + s.Path} }

// Address is where it is told, whole: what the resource names to who is not let in.
func (s Resource) Address() string { return s.Auth.PublicURL() + pathResource + s.Path }

// Announce has the resource name the address to who is not let in.
func (s Resource) Announce(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, door.NameResource(r, s.Address())) })
}

func (s Resource) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	allowAnyOrigin(allowMethods(s.serve, "GET"))(w, r)
}

func (s Resource) serve(w http.ResponseWriter, _ *http.Request) {
	said := map[string]any{
		"resource": s.Auth.PublicURL() + s.Path, "resource_name": "Quern", "authorization_servers": []string{s.Auth.IssuerURL()},
		"bearer_methods_supported": []string{"header"},
	}
	if s.Auth.Embedded() {
		// An outside provider has its own words, and refuses those that it does not know.
		said["scopes_supported"] = []string{auth.ScopeRead, auth.ScopeWrite}
	}
	w.Header().Set("Cache-Control", "public, max-age=300")
	reply(w, http.StatusOK, said)
}
