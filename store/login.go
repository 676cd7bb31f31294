package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// Login is one sign-in at the embedded provider.
type Login struct {
	ID        string
	User      quern.User
	CreatedAt time.Time // when the password was given
	SeenAt    time.Time // when the cookie was last used
	ExpiresAt time.Time
	EndedAt   time.Time // zero while it lasts
}

const loginColumns = `l.id, l.created_at, l.seen_at, l.expires_at, l.ended_at, u.id, u.username, u.created_at, u.disabled_at, u.admin`

func scanLogin(scan func(...any) error, more ...any) (Login, error) {
	var l Login
	var created, seen, expires, ended, userCreated, disabled sql.NullInt64
	var admin int
	err := scan(append([]any{&l.ID, &created, &seen, &expires, &ended,
		&l.User.ID, &l.User.Username, &userCreated, &disabled, &admin}, more...)...)
	l.CreatedAt, l.SeenAt, l.ExpiresAt, l.EndedAt = instant(created), instant(seen), instant(expires), instant(ended)
	l.User.CreatedAt, l.User.Disabled, l.User.Admin = instant(userCreated), disabled.Valid, admin != 0
	return l, err
}

// InsertLogin adds a sign-in whose cookie's secret has the given hash.
func (tx *Tx) InsertLogin(ctx context.Context, l Login, secretHash []byte) error {
	_, err := tx.exec(ctx, `INSERT INTO logins (id, user_id, secret_hash, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		l.ID, l.User.ID, secretHash, micros(l.CreatedAt), micros(l.SeenAt), micros(l.ExpiresAt))
	return err
}

// LoginBySecret returns the sign-in of a cookie; NotFound when there is none.
func (tx *Tx) LoginBySecret(ctx context.Context, secretHash []byte) (Login, error) {
	return scanLogin(tx.row(ctx, `SELECT `+loginColumns+`
		FROM logins l JOIN users u ON u.id = l.user_id WHERE l.secret_hash = $1`, secretHash))
}

// LoginOfToken returns the sign-in that a session token names, and whether the
// code that the token came from was used twice; NotFound when there is none.
func (tx *Tx) LoginOfToken(ctx context.Context, id, tokenID string) (l Login, replayed bool, err error) {
	var n int
	l, err = scanLogin(tx.row(ctx, `SELECT `+loginColumns+`,
		(SELECT count(*) FROM login_codes c WHERE c.id = $2 AND c.revoked_at IS NOT NULL)
		FROM logins l JOIN users u ON u.id = l.user_id WHERE l.id = $1`, id, tokenID), &n)
	return l, n > 0, err
}

// TouchLogin records that a sign-in's cookie was used.
func (tx *Tx) TouchLogin(ctx context.Context, id string, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE logins SET seen_at = $2 WHERE id = $1 AND seen_at < $2`, id, micros(at))
	return err
}

// EndLogin ends a sign-in.
func (tx *Tx) EndLogin(ctx context.Context, id string, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE logins SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL`, id, micros(at))
	return err
}

// EndLogins ends every sign-in of a user.
func (tx *Tx) EndLogins(ctx context.Context, user quern.UserID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE logins SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL`, user, micros(at))
	return err
}

// DeleteSpentLogins removes sign-ins, sessions, codes and failure counts that can
// no longer matter: the codes and counts past their time, the sign-ins and sessions
// that expired before the given one.
func (tx *Tx) DeleteSpentLogins(ctx context.Context, now, expiredBefore time.Time) error {
	if _, err := tx.exec(ctx, `DELETE FROM login_codes WHERE purge_at < $1`, micros(now)); err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `DELETE FROM login_failures WHERE forget_at < $1`, micros(now)); err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `DELETE FROM sessions WHERE expires_at < $1`, micros(expiredBefore)); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `DELETE FROM logins WHERE expires_at < $1`, micros(expiredBefore))
	return err
}
