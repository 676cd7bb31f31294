package door

import "net/http"

// Cookies are those of a server that is reached over HTTPS, or not. Scripts never
// see them and other sites do not have them sent along. Over HTTPS no other host can
// set them; a browser refuses the name for that over HTTP, so there it is plain.
type Cookies struct{ Secure bool }

// Name returns the full name of a cookie.
func (c Cookies) Name(name string) string {
	if c.Secure {
		return "__Host-" + name
	}
	return name
}

// Value returns the value of a request's cookie, "" when it has none.
func (c Cookies) Value(r *http.Request, name string) string {
	cookie, err := r.Cookie(c.Name(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Set gives a browser a cookie for some seconds: 0 means until it is closed, less
// than that takes the cookie away.
func (c Cookies) Set(w http.ResponseWriter, name, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name: c.Name(name), Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, Secure: c.Secure, SameSite: http.SameSiteLaxMode,
	})
}
