package push

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/http/httpguts"

	"quern"
)

// The schemes by which a sender proves who it is.
const (
	Bearer = "Bearer"
	Basic  = "Basic"
	// HMAC signs each notification with the credentials as the key.
	HMAC = "HMAC-SHA256"
)

const (
	maxURL    = 2048
	maxSecret = 4096
	maxID     = 128
)

// Canonical returns a scheme as it is written here, whatever case it came in.
func Canonical(scheme string) (string, bool) {
	for _, known := range []string{Bearer, Basic, HMAC} {
		if strings.EqualFold(scheme, known) {
			return known, true
		}
	}
	return scheme, scheme == ""
}

// Check reports what is wrong with a configuration, one sub error for each field.
func (s *Service) Check(c quern.PushConfig) error {
	var faults []quern.SubError
	note := func(field, reason string) { faults = append(faults, quern.SubError{Code: field, Message: reason}) }
	if reason := s.checkURL(c.URL); reason != "" {
		note("url", reason)
	}
	if utf8.RuneCountInString(c.ID) > maxID {
		note("id", "must have at most 128 characters")
	}
	if len(c.Token) > maxSecret || !httpguts.ValidHeaderFieldValue(c.Token) {
		note("token", "must be text that a header can carry, of at most 4096 bytes")
	}
	if _, ok := Canonical(c.Scheme); !ok {
		note("authentication.scheme", "must be one of Bearer, Basic, HMAC-SHA256")
	}
	switch {
	case len(c.Credentials) > maxSecret || !httpguts.ValidHeaderFieldValue(c.Credentials):
		note("authentication.credentials", "must be text that a header can carry, of at most 4096 bytes")
	case c.Scheme != "" && c.Credentials == "":
		note("authentication.credentials", "is required")
	case c.Scheme == "" && c.Credentials != "":
		note("authentication.scheme", "is required")
	}
	if len(faults) == 0 {
		return nil
	}
	return quern.E(quern.Invalid, quern.CodeInvalid, "the configuration is not valid").With(faults...)
}

// checkURL reports the reason why nothing is sent to an address, "" when there is
// none yet: a name is looked at again when it has been resolved.
func (s *Service) checkURL(text string) string {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return "is required"
	case err != nil, len(text) > maxURL, u.Hostname() == "", u.Opaque != "":
		return "must be an absolute URL of at most 2048 characters"
	case u.Scheme != "https" && !s.private:
		return "must begin with https://"
	case u.Scheme != "https" && u.Scheme != "http":
		return "must begin with https:// or http://"
	case u.User != nil:
		return "must not hold a name or a password"
	case !s.private && !publicName(u.Hostname()):
		return "must be a public address"
	}
	return ""
}

// publicName reports whether a host's name could be one of the public internet.
func publicName(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return Public(ip)
	}
	for _, inner := range []string{"localhost", "local", "internal", "lan", "home.arpa"} {
		if host == inner || strings.HasSuffix(host, "."+inner) {
			return false
		}
	}
	return strings.Contains(host, ".")
}
