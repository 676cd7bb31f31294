package door

import (
	"context"
	"net/http"
	"strings"
	"time"

	"quern"
)

// Authenticator finds out who a bearer token acts for. It fails with
// Unauthentic when the token is no good.
type Authenticator interface {
	Authenticate(ctx context.Context, bearer string) (quern.Principal, error)
}

// Usage counts requests.
type Usage interface {
	// RecordUsage counts one request. It never waits for a store.
	RecordUsage(ctx context.Context, user quern.UserID, operation string, at time.Time)
}

// Bearer returns the token that a request carries. It fails with Unauthentic
// unless there is exactly one Authorization header with exactly one token.
func Bearer(h http.Header) (string, error) {
	values := h.Values("Authorization")
	if len(values) == 0 {
		return "", quern.E(quern.Unauthentic, quern.CodeUnauthorized, "a token is needed: send it as Authorization: Bearer")
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	oneToken := token != "" && !strings.ContainsAny(token, " ,")
	if len(values) > 1 || !ok || !strings.EqualFold(scheme, "Bearer") || !oneToken {
		return "", quern.E(quern.Unauthentic, quern.CodeUnauthorized, "the Authorization header does not hold one bearer token")
	}
	return token, nil
}

// Admit returns who a request acts for and a way to ask later whether that still
// holds, and notes the user for the log. A request without an Authorization header
// may be let in by the cookie of a session; browsers is nil where none is taken.
func Admit(r *http.Request, auth Authenticator, browsers *Browsers) (p quern.Principal, again func(context.Context) error, err error) {
	byCookie := browsers != nil && len(r.Header.Values("Authorization")) == 0 && browsers.Secret(r) != ""
	if byCookie {
		p, again, err = browsers.admit(r)
	} else {
		p, again, err = admitToken(r, auth)
	}
	if err != nil {
		return quern.Principal{}, nil, err
	}
	SetUser(r.Context(), p.User.Username)
	return p, again, nil
}

func admitToken(r *http.Request, auth Authenticator) (p quern.Principal, again func(context.Context) error, err error) {
	token, err := Bearer(r.Header)
	if err != nil {
		return p, nil, err
	}
	p, err = auth.Authenticate(r.Context(), token)
	return p, func(ctx context.Context) error {
		_, err := auth.Authenticate(ctx, token)
		return err
	}, err
}
