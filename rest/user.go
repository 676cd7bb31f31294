package rest

import (
	"context"
	"time"

	"quern"
	"quern/api"
	"quern/auth"
)

// defaultPage is how many entries a page has where nothing else is said.
const defaultPage = 100

// never is when a token expires that does not: clients want a time there.
var never = time.Date(9999, time.December, 31, 23, 59, 59, 0, time.UTC)

func expiry(at time.Time) time.Time {
	if at.IsZero() {
		return never
	}
	return at.UTC()
}

// CreateToken makes an API token for the caller.
func (o operations) CreateToken(ctx context.Context, r api.CreateTokenRequestObject) (api.CreateTokenResponseObject, error) {
	spec := quern.TokenSpec{Name: r.Body.Name, ExpiresAt: r.Body.ExpiresAt, ReadOnly: r.Body.ReadOnly, Admin: r.Body.Admin}
	for _, a := range r.Body.AccessRestrictedTo {
		spec.Scopes = append(spec.Scopes, quern.Scope{Username: a.Username, Namespace: a.Namespace, Dataset: a.Dataset})
	}
	token, secret, err := o.Tokens.CreateToken(ctx, principal(ctx), spec)
	if err != nil {
		return nil, err
	}
	return api.CreateToken200JSONResponse{
		ID: string(token.ID), Name: token.Name, CreatedAt: token.CreatedAt.UTC(), ExpiresAt: expiry(token.ExpiresAt),
		AccessRestrictedTo: accesses(token.Scopes), ReadOnly: token.ReadOnly, Admin: token.Admin, Token: secret,
	}, nil
}

// ListTokens lists the caller's API tokens.
func (o operations) ListTokens(ctx context.Context, _ api.ListTokensRequestObject) (api.ListTokensResponseObject, error) {
	tokens, err := o.Tokens.Tokens(ctx, principal(ctx))
	if err != nil {
		return nil, err
	}
	return api.ListTokens200JSONResponse(shownTokens(tokens)), nil
}

func shownTokens(tokens []quern.Token) []api.Token {
	list := []api.Token{}
	for _, t := range tokens {
		if !t.RevokedAt.IsZero() {
			continue
		}
		list = append(list, api.Token{
			ID: string(t.ID), Name: t.Name, CreatedAt: t.CreatedAt.UTC(), ExpiresAt: expiry(t.ExpiresAt),
			LastUsedAt: t.LastUsedAt.UTC(), AccessRestrictedTo: accesses(t.Scopes), ReadOnly: t.ReadOnly, Admin: t.Admin, Resource: t.Resource,
		})
	}
	return list
}

// RevokeToken ends an API token.
func (o operations) RevokeToken(ctx context.Context, r api.RevokeTokenRequestObject) (api.RevokeTokenResponseObject, error) {
	if err := o.Tokens.RevokeToken(ctx, principal(ctx), quern.TokenID(r.ID)); err != nil {
		return nil, err
	}
	return api.RevokeToken204Response{}, nil
}

// TokenPermissions shows what an API token reaches.
func (o operations) TokenPermissions(ctx context.Context, r api.TokenPermissionsRequestObject) (api.TokenPermissionsResponseObject, error) {
	token, err := o.Tokens.Token(ctx, principal(ctx), quern.TokenID(r.ID))
	if err != nil {
		return nil, err
	}
	answer := api.TokenPermissions200JSONResponse{Restricted: token.Scopes != nil, Permissions: []api.Access{}, ReadOnly: token.ReadOnly, Admin: token.Admin}
	answer.Permissions = append(answer.Permissions, accesses(token.Scopes)...)
	return answer, nil
}

// ListSessions lists the browsers and command lines that the caller is signed in with.
func (o operations) ListSessions(ctx context.Context, _ api.ListSessionsRequestObject) (api.ListSessionsResponseObject, error) {
	sessions, err := o.Sessions.Sessions(ctx, principal(ctx))
	if err != nil {
		return nil, err
	}
	list := api.ListSessions200JSONResponse{Sessions: []api.Session{}}
	for _, s := range sessions {
		list.Sessions = append(list.Sessions, api.Session{
			ID: string(s.ID), Client: clientOf(s), UserAgent: s.UserAgent, CreatedAt: s.CreatedAt, LastSeenAt: s.SeenAt, ExpiresAt: s.ExpiresAt,
			Current: s.ID == principal(ctx).Session,
		})
	}
	return list, nil
}

// clientOf names what is signed in.
func clientOf(s quern.Session) api.SessionClient {
	if s.Client == "" {
		return auth.ClientID
	}
	return api.SessionClient(s.Client)
}

// EndSession signs one of the caller's browsers or command lines out.
func (o operations) EndSession(ctx context.Context, r api.EndSessionRequestObject) (api.EndSessionResponseObject, error) {
	return api.EndSession204Response{}, o.Sessions.EndSession(ctx, principal(ctx), quern.BrowserID(r.SessionID))
}

// EndSessions signs all of them out.
func (o operations) EndSessions(ctx context.Context, _ api.EndSessionsRequestObject) (api.EndSessionsResponseObject, error) {
	return api.EndSessions204Response{}, o.Sessions.EndSessions(ctx, principal(ctx))
}

// CommandLineProvider tells how a command line signs in.
func (o operations) CommandLineProvider(
	ctx context.Context, _ api.CommandLineProviderRequestObject,
) (api.CommandLineProviderResponseObject, error) {
	told, err := o.Provider.CommandLine(ctx)
	if err != nil {
		return nil, err
	}
	return api.CommandLineProvider200JSONResponse{
		Issuer: told.Issuer, ClientID: told.ClientID, Scope: told.Scope, CodeURL: told.CodeURL,
	}, nil
}

// CurrentUser shows who the caller is.
func (o operations) CurrentUser(ctx context.Context, _ api.CurrentUserRequestObject) (api.CurrentUserResponseObject, error) {
	p := principal(ctx)
	return api.CurrentUser200JSONResponse{
		ID: string(p.User.ID), Username: p.User.Username, CreatedAt: p.User.CreatedAt.UTC(),
		Restricted: p.Restricted(), TokenID: string(p.Token), AccessRestrictedTo: accesses(p.Scopes), ReadOnly: p.ReadOnly, Admin: p.Admin,
	}, nil
}

func accesses(scopes []quern.Scope) []api.Access {
	var list []api.Access
	for _, s := range scopes {
		list = append(list, api.Access{Username: s.Username, Namespace: s.Namespace, Dataset: s.Dataset})
	}
	return list
}
