package door

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"quern"
)

// sessionCookie holds the secret of a browser's session.
const sessionCookie = "quern_session"

// Sessions finds out who a session acts for. It fails with Unauthentic when the
// session is over or never was.
type Sessions interface {
	Session(ctx context.Context, secret string) (quern.Principal, error)
}

// Browsers are callers that prove who they are by the cookie of a session. A browser
// sends its cookie whoever asks it to, so they are let in only when the request comes
// from a page of this server.
type Browsers struct {
	Sessions Sessions
	Cookies  Cookies
	own      *http.CrossOriginProtection
}

// NewBrowsers makes the browsers of a server that is reached at publicURL.
func NewBrowsers(publicURL string, sessions Sessions) (*Browsers, error) {
	u, err := url.Parse(publicURL)
	if err != nil {
		return nil, fmt.Errorf("the public URL: %w", err)
	}
	b := &Browsers{Sessions: sessions, Cookies: Cookies{Secure: u.Scheme == "https"}, own: http.NewCrossOriginProtection()}
	return b, b.own.AddTrustedOrigin(u.Scheme + "://" + u.Host)
}

// Secret returns the secret of the session that a request's cookie names, "" when
// there is none.
func (b *Browsers) Secret(r *http.Request) string { return b.Cookies.Value(r, sessionCookie) }

// SetSecret puts a session into a browser for some seconds; less than 0 takes it out.
func (b *Browsers) SetSecret(w http.ResponseWriter, secret string, seconds int) {
	b.Cookies.Set(w, sessionCookie, secret, seconds)
}

// FromOwnPage fails when a request that changes something was sent by a page of
// another origin.
func (b *Browsers) FromOwnPage(r *http.Request) error {
	if err := b.own.Check(r); err != nil {
		return quern.E(quern.Unauthentic, quern.CodeUnauthorized, "a cookie counts only in requests of this server's own pages").Because(err)
	}
	return nil
}

// admit lets a request in by its cookie.
func (b *Browsers) admit(r *http.Request) (p quern.Principal, again func(context.Context) error, err error) {
	if err := b.FromOwnPage(r); err != nil {
		return p, nil, err
	}
	secret := b.Secret(r)
	p, err = b.Sessions.Session(r.Context(), secret)
	return p, func(ctx context.Context) error {
		_, err := b.Sessions.Session(ctx, secret)
		return err
	}, err
}
