package server

import (
	"net/http"
	"quern/door"
	"slices"
)

// dataPolicy is the policy of everything that is not a page: a browser that is
// talked into showing it may load and run nothing.
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

// setSecurityHeaders sets the headers that keep browsers from guessing, framing and
// telling. Handlers of pages replace the policy.
func (s *Server) setSecurityHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", dataPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		if r.TLS != nil {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}

const (
	allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
	allowedHeaders = "Authorization, Content-Type, Content-MD5, Idempotency-Key, If-Match, If-None-Match, Range, Last-Event-ID, " +
		"X-Request-Id, A2A-Version, A2A-Extensions, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, traceparent, tracestate"
	exposedHeaders = "ETag, X-Request-Id, X-Next-Cursor, WWW-Authenticate, Retry-After, Content-Disposition, Content-Range, Location, " +
		"Mcp-Session-Id"
)

// allowOrigins lets pages of the listed origins call. Tokens travel in a header that
// the page sets itself, so credentials of the browser are never allowed.
func (s *Server) allowOrigins(next http.Handler) http.Handler {
	if len(s.opts.Origins) == 0 {
		return next
	}
	all := slices.Contains(s.opts.Origins, "*")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		if !all {
			h.Add("Vary", "Origin")
		}
		origin := r.Header.Get("Origin")
		allowed := all || slices.Contains(s.opts.Origins, origin)
		if origin == "" || !allowed {
			next.ServeHTTP(w, r)
			return
		}
		if all {
			origin = "*"
		}
		h.Set("Access-Control-Allow-Origin", origin)
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			h.Set("Access-Control-Expose-Headers", exposedHeaders)
			next.ServeHTTP(w, r)
			return
		}
		door.SetOperation(r.Context(), "preflight")
		h.Set("Access-Control-Allow-Methods", allowedMethods)
		h.Set("Access-Control-Allow-Headers", allowedHeaders)
		h.Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
	})
}
