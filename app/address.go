package app

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// callerAddress tells where a request comes from. Proxies of trusted networks
// are believed about who called them, from the nearest one on; everything
// beyond the first stranger could be made up.
func callerAddress(trusted []netip.Prefix) func(*http.Request) string {
	return func(r *http.Request) string {
		peer, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil {
			return r.RemoteAddr
		}
		caller := peer.Addr().Unmap()
		hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		for _, hop := range slices.Backward(hops) {
			isProxy := slices.ContainsFunc(trusted, func(n netip.Prefix) bool { return n.Contains(caller) })
			next, err := netip.ParseAddr(strings.TrimSpace(hop))
			if !isProxy || err != nil {
				break
			}
			caller = next.Unmap()
		}
		return caller.String()
	}
}
