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

// Admit returns who a request acts for and the token that says so, and notes
// the user for the log.
func Admit(r *http.Request, auth Authenticator) (p quern.Principal, token string, err error) {
	if token, err = Bearer(r.Header); err != nil {
		return p, "", err
	}
	if p, err = auth.Authenticate(r.Context(), token); err != nil {
		return p, "", err
	}
	SetUser(r.Context(), p.User.Username)
	return p, token, nil
}
