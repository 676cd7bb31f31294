package store

import (
	"context"
	"database/sql"
	"time"
)

// LoginCode is one authorization code of the embedded provider. Its id is the
// jti of the access token made from it.
type LoginCode struct {
	ID          string
	LoginID     string
	RedirectURI string
	Challenge   string
	Nonce       string
	Scope       string
	Client      string // the id of who it was given to; empty: the console
	ClientName  string
	Resource    string // the path that its token is good at; empty: everywhere
	ExpiresAt   time.Time
	PurgeAt     time.Time // when the last token made from it has expired
	UsedAt      time.Time // zero: unused
}

// InsertLoginCode adds a code whose secret has the given hash.
func (tx *Tx) InsertLoginCode(ctx context.Context, c LoginCode, hash []byte) error {
	_, err := tx.exec(ctx, `INSERT INTO login_codes (id, login_id, code_hash, redirect_uri, challenge, nonce, scope, client_id, client_name, resource, expires_at, purge_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		c.ID, c.LoginID, hash, c.RedirectURI, c.Challenge, c.Nonce, c.Scope, c.Client, c.ClientName, c.Resource,
		micros(c.ExpiresAt), micros(c.PurgeAt))
	return err
}

// LoginCode returns the code of a secret and holds it for the rest of the
// transaction; NotFound when there is none.
func (tx *Tx) LoginCode(ctx context.Context, hash []byte) (LoginCode, error) {
	var c LoginCode
	var expires, purge, used sql.NullInt64
	err := tx.row(ctx, tx.lock(`SELECT id, login_id, redirect_uri, challenge, nonce, scope, client_id, client_name, resource,
		expires_at, purge_at, used_at FROM login_codes WHERE code_hash = $1`), hash)(
		&c.ID, &c.LoginID, &c.RedirectURI, &c.Challenge, &c.Nonce, &c.Scope, &c.Client, &c.ClientName, &c.Resource, &expires, &purge, &used)
	c.ExpiresAt, c.PurgeAt, c.UsedAt = instant(expires), instant(purge), instant(used)
	return c, err
}

// UseLoginCode marks a code as used.
func (tx *Tx) UseLoginCode(ctx context.Context, id string, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE login_codes SET used_at = $2 WHERE id = $1`, id, micros(at))
	return err
}

// RevokeLoginCode makes the tokens that came from a code worthless.
func (tx *Tx) RevokeLoginCode(ctx context.Context, id string, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE login_codes SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL`, id, micros(at))
	return err
}
