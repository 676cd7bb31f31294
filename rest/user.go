package rest

import (
	"context"
	"time"

	"quern"
	"quern/api"
)

const (
	defaultPage = 100
	defaultDays = 30
	mostDays    = 366
)

// CreateToken makes an API token for the caller.
func (o operations) CreateToken(ctx context.Context, r api.CreateTokenRequestObject) (api.CreateTokenResponseObject, error) {
	spec := quern.TokenSpec{Name: r.Body.Name, ExpiresAt: r.Body.ExpiresAt}
	for _, a := range r.Body.AccessRestrictedTo {
		spec.Scopes = append(spec.Scopes, quern.Scope{Username: a.Username, Namespace: a.Namespace, Dataset: a.Dataset})
	}
	token, secret, err := o.Tokens.CreateToken(ctx, principal(ctx), spec)
	if err != nil {
		return nil, err
	}
	return api.CreateToken200JSONResponse{
		ID: string(token.ID), Name: token.Name, CreatedAt: token.CreatedAt.UTC(), ExpiresAt: token.ExpiresAt.UTC(),
		AccessRestrictedTo: accesses(token.Scopes), Token: secret,
	}, nil
}

// ListTokens lists the caller's API tokens.
func (o operations) ListTokens(ctx context.Context, _ api.ListTokensRequestObject) (api.ListTokensResponseObject, error) {
	tokens, err := o.Tokens.Tokens(ctx, principal(ctx))
	if err != nil {
		return nil, err
	}
	list := api.ListTokens200JSONResponse{}
	for _, t := range tokens {
		if !t.RevokedAt.IsZero() {
			continue
		}
		list = append(list, api.Token{
			ID: string(t.ID), Name: t.Name, CreatedAt: t.CreatedAt.UTC(), ExpiresAt: t.ExpiresAt.UTC(),
			LastUsedAt: t.LastUsedAt.UTC(), AccessRestrictedTo: accesses(t.Scopes),
		})
	}
	return list, nil
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
	answer := api.TokenPermissions200JSONResponse{Restricted: token.Scopes != nil, AccessRestrictedTo: []api.Access{}}
	answer.AccessRestrictedTo = append(answer.AccessRestrictedTo, accesses(token.Scopes)...)
	return answer, nil
}

// CurrentUser shows who the caller is.
func (o operations) CurrentUser(ctx context.Context, _ api.CurrentUserRequestObject) (api.CurrentUserResponseObject, error) {
	p := principal(ctx)
	return api.CurrentUser200JSONResponse{
		ID: string(p.User.ID), Username: p.User.Username, CreatedAt: p.User.CreatedAt.UTC(),
		Restricted: p.Restricted(), TokenID: string(p.Token), AccessRestrictedTo: accesses(p.Scopes),
	}, nil
}

// UsageHistory lists the caller's requests.
func (o operations) UsageHistory(ctx context.Context, r api.UsageHistoryRequestObject) (api.UsageHistoryResponseObject, error) {
	limit := int(r.Params.Limit)
	if limit == 0 {
		limit = defaultPage
	}
	// One more than asked for tells whether there is another page.
	events, err := o.Usage.Usage(ctx, principal(ctx), quern.UsageID(r.Params.Cursor), limit+1)
	if err != nil {
		return nil, err
	}
	page := api.UsageHistory200JSONResponse{Data: []api.UsageEvent{}}
	if len(events) > limit {
		events = events[:limit]
		page.NextCursor = string(events[limit-1].ID)
	}
	for _, e := range events {
		page.Data = append(page.Data, api.UsageEvent{ID: string(e.ID), At: e.At.UTC(), Operation: e.Operation, Units: e.Units})
	}
	return page, nil
}

// UsageByDay counts the caller's requests.
func (o operations) UsageByDay(ctx context.Context, r api.UsageByDayRequestObject) (api.UsageByDayResponseObject, error) {
	from, to, err := days(r.Params.From, r.Params.To, o.Now())
	if err != nil {
		return nil, err
	}
	counts, err := o.Usage.UsageByDay(ctx, principal(ctx), from, to)
	if err != nil {
		return nil, err
	}
	models, err := o.Usage.ModelUsageByDay(ctx, principal(ctx), from, to)
	if err != nil {
		return nil, err
	}
	answer := api.UsageByDay200JSONResponse{Data: []api.UsageDay{}, Models: []api.ModelUsageDay{}}
	for _, c := range counts {
		answer.Data = append(answer.Data, api.UsageDay{Day: c.Day, Operation: c.Operation, Requests: c.Requests})
	}
	for _, m := range models {
		answer.Models = append(answer.Models, api.ModelUsageDay{
			Day: m.Day, Provider: m.Provider, Model: m.Model, Requests: m.Requests,
			InputTokens: m.InputTokens, OutputTokens: m.OutputTokens, Cost: float64(m.Cost) / 1e6,
		})
	}
	return answer, nil
}

// days fills in what the caller left out and refuses spans that are too long.
func days(from, to string, now time.Time) (string, string, error) {
	last := now.UTC().Truncate(24 * time.Hour)
	if to != "" {
		last, _ = time.Parse(time.DateOnly, to) // the contract's format was checked
	}
	first := last.AddDate(0, 0, 1-defaultDays)
	if from != "" {
		first, _ = time.Parse(time.DateOnly, from)
	}
	if first.After(last) || last.Sub(first) >= mostDays*24*time.Hour {
		return "", "", quern.E(quern.Invalid, quern.CodeInvalid, "the days are not valid").With(quern.SubError{
			Code: "range", Message: "from: must not be after to, and at most 366 days are counted",
		})
	}
	return first.Format(time.DateOnly), last.Format(time.DateOnly), nil
}

func accesses(scopes []quern.Scope) []api.Access {
	var list []api.Access
	for _, s := range scopes {
		list = append(list, api.Access{Username: s.Username, Namespace: s.Namespace, Dataset: s.Dataset})
	}
	return list
}
