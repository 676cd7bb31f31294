package quern

import "net/url"

// IsWeb reports whether an address is a whole one of http or https.
func IsWeb(u *url.URL) bool {
	web := u.Scheme == "http" || u.Scheme == "https"
	return web && u.Host != ""
}
