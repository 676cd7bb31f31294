package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-jose/go-jose/v4/jwt"

	"quern"
	"quern/store"
)

// The bounds of API tokens.
const (
	maxTokenName   = 100
	maxTokenScopes = 100
	maxTokens      = 1000 // in force, per user
)

// CreateToken makes an API token for the principal's user and returns its secret,
// which is not kept. Forbidden for a restricted or read-only principal, Invalid when
// spec is.
func (s *Service) CreateToken(ctx context.Context, p quern.Principal, spec quern.TokenSpec) (quern.Token, string, error) {
	if err := cmp.Or(mayManage(p), p.MayChange()); err != nil {
		return quern.Token{}, "", err
	}
	if spec.Admin {
		if err := mayMakeAdmin(p); err != nil {
			return quern.Token{}, "", err
		}
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	spec, err := checkSpec(p.User, spec, now)
	if err != nil {
		return quern.Token{}, "", err
	}
	t := quern.Token{
		ID: quern.NewID[quern.TokenID](), User: p.User.ID, Name: spec.Name, Scopes: spec.Scopes, ReadOnly: spec.ReadOnly, Admin: spec.Admin,
		CreatedAt: now, ExpiresAt: spec.ExpiresAt,
	}
	if err := s.keys.ensure(ctx); err != nil {
		return quern.Token{}, "", err
	}
	var secret string
	err = s.store.Update(ctx, func(tx *store.Tx) (err error) {
		secret, err = s.addToken(ctx, tx, p.User, t, apiIssuer)
		return err
	})
	if err != nil {
		return quern.Token{}, "", err
	}
	return t, secret, nil
}

// addToken stores an API token, unless its user has very many, and returns its secret,
// which is good for an audience.
func (s *Service) addToken(
	ctx context.Context, tx *store.Tx, u quern.User, t quern.Token, audience string, extra ...map[string]any,
) (secret string, err error) {
	c := jwt.Claims{
		Issuer: apiIssuer, Audience: jwt.Audience{audience}, Subject: string(u.ID), ID: string(t.ID),
		IssuedAt: jwt.NewNumericDate(t.CreatedAt),
	}
	if !t.ExpiresAt.IsZero() {
		// Rounded up: the store holds the exact time.
		c.Expiry = jwt.NewNumericDate(t.ExpiresAt.Add(time.Second - 1))
	}
	said := []any{c, nameClaims(u)}
	for _, more := range extra {
		said = append(said, more)
	}
	n, err := tx.CountTokens(ctx, u.ID, t.CreatedAt)
	if err != nil {
		return "", err
	}
	if n >= maxTokens {
		return "", quern.E(quern.Conflict, quern.CodeConflict, "a user can have at most %d tokens; revoke one first", maxTokens)
	}
	secret, kid, err := s.keys.sign(ctx, tx, typeAPI, said...)
	if err != nil {
		return "", err
	}
	if err := tx.InsertToken(ctx, t, kid); err != nil {
		return "", err
	}
	made := quern.AuditEntry{At: t.CreatedAt, Actor: u.ID, Action: quern.AuditCreateToken, User: u.ID, Object: string(t.ID), Detail: rights(t)}
	return secret, tx.Audit(ctx, made)
}

// rights says what is particular about a token, for the audit trail.
func rights(t quern.Token) map[string]string {
	said := map[string]string{}
	if t.Admin {
		said["admin"] = "true"
	}
	if t.ReadOnly {
		said["readOnly"] = "true"
	}
	if t.Scopes != nil {
		said["restricted"] = "true"
	}
	if t.Resource != "" {
		said["resource"] = t.Resource
	}
	if len(said) == 0 {
		return nil
	}
	return said
}

func mayManage(p quern.Principal) error {
	if p.Restricted() {
		return quern.E(quern.Forbidden, quern.CodeForbidden, "a restricted token cannot manage tokens")
	}
	return nil
}

// mayMakeAdmin reports whether the principal can make tokens that administer.
func mayMakeAdmin(p quern.Principal) error {
	if err := p.MayAdminister(); err != nil {
		return err
	}
	if !p.User.Admin {
		return quern.E(quern.Forbidden, quern.CodeForbidden,
			"your role admin is the identity provider's word, which no API token can carry: it needs 'quern user grant'")
	}
	return nil
}

func checkSpec(u quern.User, spec quern.TokenSpec, now time.Time) (quern.TokenSpec, error) {
	var faults []quern.SubError
	fault := func(code, format string, args ...any) {
		faults = append(faults, quern.SubError{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	spec.Name = strings.TrimSpace(spec.Name)
	switch n := utf8.RuneCountInString(spec.Name); {
	case n == 0:
		fault("required", "name: is required")
	case n > maxTokenName:
		fault("too_long", "name: must have at most %d characters", maxTokenName)
	case !utf8.ValidString(spec.Name) || strings.ContainsFunc(spec.Name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		fault("format", "name: must be text without control characters")
	}
	if !spec.ExpiresAt.IsZero() {
		spec.ExpiresAt = spec.ExpiresAt.UTC().Truncate(time.Microsecond)
		if !spec.ExpiresAt.After(now) {
			fault("past", "expires_at: must be in the future")
		}
	}
	if spec.Scopes != nil && len(spec.Scopes) == 0 {
		fault("empty", "accessRestrictedTo: must name at least one namespace; leave it out for a token without restriction")
	}
	if spec.Admin && spec.Scopes != nil {
		fault("excluded", "admin: goes with no restriction")
	}
	if len(spec.Scopes) > maxTokenScopes {
		fault("too_long", "accessRestrictedTo: must have at most %d entries", maxTokenScopes)
		spec.Scopes = nil
	}
	var scopes []quern.Scope
	for i, scope := range spec.Scopes {
		scope, reasons := checkScope(u, scope)
		for _, reason := range reasons {
			fault("name", "accessRestrictedTo[%d].%s", i, reason)
		}
		if !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	spec.Scopes = scopes
	if len(faults) > 0 {
		return spec, quern.E(quern.Invalid, quern.CodeInvalid, "the token cannot be made as asked").With(faults...)
	}
	return spec, nil
}

func checkScope(u quern.User, scope quern.Scope) (quern.Scope, []string) {
	var reasons []string
	if strings.EqualFold(scope.Username, quern.Self) {
		scope.Username = u.Username
	}
	name, ok := quern.Username(scope.Username)
	if !ok {
		reasons = append(reasons, "username: is not a username")
	}
	scope.Username = name
	if !quern.ValidName(scope.Namespace) {
		reasons = append(reasons, "namespace: is not a name of a namespace")
	}
	if scope.Dataset != "" && !quern.ValidName(scope.Dataset) {
		reasons = append(reasons, "dataset: is not a name of a dataset")
	}
	return scope, reasons
}

// Tokens lists the principal's API tokens that are not revoked, newest first.
// Forbidden for a restricted principal.
func (s *Service) Tokens(ctx context.Context, p quern.Principal) (all []quern.Token, err error) {
	if err := mayManage(p); err != nil {
		return nil, err
	}
	err = s.store.View(ctx, func(tx *store.Tx) error {
		all, err = tx.Tokens(ctx, p.User.ID)
		return err
	})
	return all, err
}

// Token returns one of the principal's API tokens that is not revoked; NotFound
// otherwise. Forbidden for a restricted principal.
func (s *Service) Token(ctx context.Context, p quern.Principal, id quern.TokenID) (t quern.Token, err error) {
	if err := mayManage(p); err != nil {
		return t, err
	}
	if !quern.ValidID(string(id)) {
		return t, noToken()
	}
	err = s.store.View(ctx, func(tx *store.Tx) error {
		t, err = tx.Token(ctx, id)
		return err
	})
	switch {
	case quern.Is(err, quern.NotFound):
		return quern.Token{}, noToken().Because(err)
	case err != nil:
		return quern.Token{}, err
	case t.User != p.User.ID || !t.RevokedAt.IsZero():
		return quern.Token{}, noToken().Because(errors.New("token of another user, or revoked"))
	}
	return t, nil
}

// RevokeToken makes one of the principal's API tokens worthless at once;
// NotFound when there is none in force. Forbidden for a restricted or read-only
// principal.
func (s *Service) RevokeToken(ctx context.Context, p quern.Principal, id quern.TokenID) error {
	if err := cmp.Or(mayManage(p), p.MayChange()); err != nil {
		return err
	}
	if !quern.ValidID(string(id)) {
		return noToken()
	}
	return s.store.Update(ctx, func(tx *store.Tx) error {
		return s.Revoke(ctx, tx, p.User.ID, quern.User{ID: p.User.ID}, id)
	})
}

// Revoke makes an API token of a user's worthless, in a transaction, in the name of an
// actor; NotFound when there is none in force.
func (s *Service) Revoke(ctx context.Context, tx *store.Tx, actor quern.UserID, u quern.User, id quern.TokenID) error {
	revoked, err := tx.RevokeToken(ctx, u.ID, id, s.now())
	switch {
	case err != nil:
		return err
	case !revoked:
		return noToken()
	}
	return tx.Audit(ctx, quern.AuditEntry{At: s.now(), Actor: actor, Action: quern.AuditRevokeToken, User: u.ID, Object: string(id)})
}

func noToken() *quern.Error {
	return quern.E(quern.NotFound, quern.CodeNotFound, "there is no such token")
}
