package mcp

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"quern"
)

// origins are the pages that may call, and the hosts by which the server is known. A
// page elsewhere can have its own name resolve to this machine, and would then be let
// in by its browser as a page of this server.
type origins struct {
	public  *url.URL
	allowed []string
}

func newOrigins(publicURL string, allowed []string) (origins, error) {
	u, err := url.Parse(publicURL)
	if err != nil {
		return origins{}, fmt.Errorf("mcp: the public URL: %w", err)
	}
	return origins{u, allowed}, nil
}

var errOrigin = quern.E(quern.Forbidden, quern.CodeForbidden, "pages of this origin may not call the server")

// check fails with Forbidden for a request of a page of another origin, and for one that
// came to this machine alone under the name of another.
func (o origins) check(r *http.Request) error {
	if origin := r.Header.Get("Origin"); origin != "" && !o.allows(origin) {
		return errOrigin
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	hereOnly := local != nil && isLoopback(local.String())
	if hereOnly && !isLoopback(r.Host) && !strings.EqualFold(r.Host, o.public.Host) {
		return quern.E(quern.Forbidden, quern.CodeForbidden, "the server is not known by the name in the Host header")
	}
	return nil
}

func (o origins) allows(origin string) bool {
	if slices.Contains(o.allowed, "*") || slices.Contains(o.allowed, origin) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	return strings.EqualFold(u.Scheme, o.public.Scheme) && strings.EqualFold(u.Host, o.public.Host)
}

// isLoopback reports whether an address, with a port or without, is one of this
// machine alone.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
