package door

import (
	"net/http"

	"quern"
)

// ServeUnmatched answers what no pattern of mux matches: 404 where the address
// has no operation, 405 where it has others, 204 to OPTIONS. The mux knows best
// which methods an address takes, so its own answer is asked for them.
func ServeUnmatched(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	probe := headersOnly{}
	own, _ := mux.Handler(r)
	own.ServeHTTP(probe, r)
	allow := http.Header(probe).Get("Allow")
	if allow == "" {
		WriteError(w, r, ErrNoRoute)
		return
	}
	RefuseMethod(w, r, allow)
}

// RefuseMethod answers a method that an address does not take: it takes those
// that allow lists, and OPTIONS.
func RefuseMethod(w http.ResponseWriter, r *http.Request, allow string) {
	w.Header().Set("Allow", allow+", OPTIONS")
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	WriteError(w, r, quern.E(quern.Unsupported, quern.CodeMethodNotAllowed, "this address takes %s", allow))
}

// headersOnly is a response of which nothing but the headers is kept.
type headersOnly http.Header

// Header returns the headers.
func (h headersOnly) Header() http.Header { return http.Header(h) }

// WriteHeader does nothing.
func (headersOnly) WriteHeader(int) {}

// Write does nothing.
func (headersOnly) Write(b []byte) (int, error) { return len(b), nil }
