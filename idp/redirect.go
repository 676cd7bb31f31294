package idp

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quern"
)

// registrable refuses addresses that answers must never go to.
func registrable(address string) error {
	u, err := url.Parse(address)
	if err != nil || !quern.IsWeb(u) || u.User != nil || u.Fragment != "" || strings.ContainsAny(address, "#*\\ \t\r\n") {
		return fmt.Errorf("idp: %q cannot be registered: it must be a whole http or https address without user or fragment", address)
	}
	return nil
}

// registered reports whether answers may go to an address, and whether it is
// there by the rule for programs on the caller's own machine, which listen on
// any port.
func (p *Provider) registered(address string) (ok, loopback bool) {
	if slices.Contains(p.redirects, address) {
		return true, false
	}
	for _, host := range []string{"http://127.0.0.1:", "http://[::1]:"} {
		rest, found := strings.CutPrefix(address, host)
		if !found {
			continue
		}
		port, err := strconv.ParseUint(strings.TrimSuffix(rest, "/callback"), 10, 16)
		// Written anew, so that nothing but the port can differ.
		return err == nil && port > 0 && address == fmt.Sprintf("%s%d/callback", host, port), true
	}
	return false, false
}

// origin is the scheme, host and port of an address that is registered.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// withParameters adds parameters to an address, in its query or its fragment.
func withParameters(address string, add url.Values, fragment bool) string {
	if fragment {
		return address + "#" + add.Encode()
	}
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + add.Encode()
}
