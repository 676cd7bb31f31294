package server

import (
	"net/http"
	"path"
	"strings"

	"quern"
	"quern/door"
)

// limitRequests refuses requests beyond the limit at once: waiting would only move
// the queue to where nobody sees it.
func (s *Server) limitRequests(next http.Handler) http.Handler {
	slots := make(chan struct{}, s.opts.Limits.Requests)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			next.ServeHTTP(w, r)
		default:
			door.WriteError(w, r, quern.E(quern.Unavailable, quern.CodeUnavailable, "the server is busy, try again later"))
		}
	})
}

// refuseUnclean refuses paths with empty or dot segments. Muxes would redirect them,
// which turns a POST into a GET, and two spellings of one address are a way
// around rules that name addresses.
func (s *Server) refuseUnclean(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := r.URL.EscapedPath()
		if p != "*" && p != path.Clean(p) && p != strings.TrimSuffix(path.Clean(p), "/")+"/" {
			door.WriteError(w, r, door.ErrNoRoute)
			return
		}
		next.ServeHTTP(w, r)
	})
}
