package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"quern"
)

const tokenColumns = `id, user_id, name, scopes, read_only, admin, resource, created_at, expires_at, revoked_at, last_used_at`

func scanToken(scan func(...any) error) (quern.Token, error) {
	var t quern.Token
	var scopes sql.NullString
	var readOnly, admin int
	var created, expires, revoked, used sql.NullInt64
	if err := scan(&t.ID, &t.User, &t.Name, &scopes, &readOnly, &admin, &t.Resource, &created, &expires, &revoked, &used); err != nil {
		return t, err
	}
	t.ReadOnly, t.Admin = readOnly != 0, admin != 0
	t.CreatedAt, t.ExpiresAt, t.RevokedAt, t.LastUsedAt = instant(created), instant(expires), instant(revoked), instant(used)
	return t, decode(scopes, &t.Scopes)
}

// InsertToken adds an API token that the key named signed.
func (tx *Tx) InsertToken(ctx context.Context, t quern.Token, keyID string) error {
	scopes, err := encode(t.Scopes)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `INSERT INTO tokens (id, user_id, key_id, name, scopes, read_only, resource, created_at, expires_at, admin)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		t.ID, t.User, keyID, t.Name, scopes, truth(t.ReadOnly), t.Resource, micros(t.CreatedAt), micros(t.ExpiresAt), truth(t.Admin))
	return err
}

// Token returns the API token of an id, revoked or not; NotFound when there is none.
func (tx *Tx) Token(ctx context.Context, id quern.TokenID) (quern.Token, error) {
	return scanToken(tx.row(ctx, `SELECT `+tokenColumns+` FROM tokens WHERE id = $1`, id))
}

const (
	// mostHolders is how many tokens one statement looks up, at most.
	mostHolders = 64
	// holderPatience is how long it may take.
	holderPatience = 10 * time.Second
)

// tokenHolder is a token that somebody comes with, and what was found of it.
type tokenHolder struct {
	id    quern.TokenID
	token quern.Token
	user  quern.User
	err   error
}

// TokenHolder returns the API token of an id, revoked or not, and its user; NotFound when there is
// no such token. Those who come while others are looked up are looked up together, by a statement
// that begins when they are there: nobody is told what was so before.
func (s *Store) TokenHolder(ctx context.Context, id quern.TokenID) (quern.Token, quern.User, error) {
	h := &tokenHolder{id: id}
	if err := s.holders.Add(ctx, h); err != nil {
		return quern.Token{}, quern.User{}, err
	}
	return h.token, h.user, h.err
}

// lookUpHolders returns what looks up tokens, many together.
func (s *Store) lookUpHolders() *Batcher[*tokenHolder] {
	return &Batcher[*tokenHolder]{
		Most: mostHolders, Patience: holderPatience, Fail: func(h *tokenHolder, err error) { h.err = err }, Write: s.findHolders,
	}
}

var wantedTokens = valueTable{"wanted", []valueColumn{{"id", "text"}}}

// findHolders looks up some tokens and their users.
func (s *Store) findHolders(ctx context.Context, all []*tokenHolder) error {
	var rows [][]any
	asked := map[quern.TokenID][]*tokenHolder{}
	for _, h := range all {
		if asked[h.id] == nil {
			rows = append(rows, []any{h.id})
		}
		asked[h.id] = append(asked[h.id], h)
	}
	return s.run(ctx, s.read, lookup, func(tx *Tx) error {
		for _, h := range all {
			h.err = notFound(sql.ErrNoRows)
		}
		with, args, err := tx.with(wantedTokens, rows)
		if err != nil {
			return err
		}
		return tx.each(ctx, with+`SELECT `+columnsOf("t", tokenColumns)+`, `+columnsOf("u", userColumns)+`
			FROM wanted w JOIN tokens t ON t.id = w.id JOIN users u ON u.id = t.user_id`, args, func(scan func(...any) error) (err error) {
			var u quern.User
			t, err := scanToken(func(token ...any) (err error) {
				u, err = scanUser(func(user ...any) error { return scan(append(token, user...)...) })
				return err
			})
			for _, h := range asked[t.ID] {
				h.token, h.user, h.err = t, u, err
			}
			return err
		})
	})
}

// columnsOf names columns of one of several tables.
func columnsOf(table, columns string) string {
	return table + "." + strings.ReplaceAll(columns, ", ", ", "+table+".")
}

// Tokens lists a user's API tokens that are not revoked, newest first.
func (tx *Tx) Tokens(ctx context.Context, user quern.UserID) ([]quern.Token, error) {
	var all []quern.Token
	err := tx.each(ctx, `SELECT `+tokenColumns+` FROM tokens WHERE user_id = $1 AND revoked_at IS NULL ORDER BY id DESC`,
		[]any{user}, func(scan func(...any) error) error {
			t, err := scanToken(scan)
			all = append(all, t)
			return err
		})
	return all, err
}

// CountTokens counts a user's API tokens that are neither revoked nor expired.
func (tx *Tx) CountTokens(ctx context.Context, user quern.UserID, now time.Time) (int, error) {
	var n int
	err := tx.row(ctx, `SELECT count(*) FROM tokens WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
		user, micros(now))(&n)
	return n, err
}

// RevokeToken revokes a user's API token; it reports whether there was one in force.
func (tx *Tx) RevokeToken(ctx context.Context, user quern.UserID, id quern.TokenID, at time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE tokens SET revoked_at = $3 WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL`,
		id, user, micros(at))
	return n == 1, err
}

// RevokeGrantedToken revokes the token that a client of somebody else was given, if it
// is in force.
func (tx *Tx) RevokeGrantedToken(ctx context.Context, id quern.TokenID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND resource <> '' AND revoked_at IS NULL`, id, micros(at))
	return err
}

// TouchToken records when an API token was used; an earlier time changes nothing.
func (tx *Tx) TouchToken(ctx context.Context, id quern.TokenID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`,
		id, micros(at))
	return err
}
