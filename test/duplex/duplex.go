// Package duplex mends what Go's reverse proxy breaks now and then, for the proxies
// that tests put before a server.
//
// A server of net/http closes the body of a request when its answer begins. The
// transport of a reverse proxy may not have seen the end of that body yet, although
// all of it has been sent and answered; it then takes the closed body for a request
// that failed, and cuts the answer off in the middle. In full duplex the body stays
// open until the handler returns.
package duplex

import "net/http"

// Handler serves a reverse proxy in full duplex.
func Handler(proxy http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			panic(err) // not a server of net/http
		}
		proxy.ServeHTTP(w, r)
	})
}
