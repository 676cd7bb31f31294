package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

const userColumns = `id, username, created_at, disabled_at, admin, deleting_at`

func scanUser(scan func(...any) error) (quern.User, error) {
	var u quern.User
	var created, disabled, deleting sql.NullInt64
	var admin int
	err := scan(&u.ID, &u.Username, &created, &disabled, &admin, &deleting)
	u.CreatedAt, u.Disabled, u.Admin, u.DeletingAt = instant(created), disabled.Valid, admin != 0, instant(deleting)
	return u, err
}

// InsertUser adds a user; Conflict when the username is taken.
func (tx *Tx) InsertUser(ctx context.Context, u quern.User, passwordHash string) error {
	_, err := tx.exec(ctx, `INSERT INTO users (id, username, password_hash, created_at) VALUES ($1, $2, $3, $4)`,
		u.ID, u.Username, passwordHash, micros(u.CreatedAt))
	return err
}

// User returns the user of an id; NotFound when there is none.
func (tx *Tx) User(ctx context.Context, id quern.UserID) (quern.User, error) {
	return scanUser(tx.row(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1`, id))
}

// UserNamed returns the user of a username in canonical form; NotFound when there
// is none.
func (tx *Tx) UserNamed(ctx context.Context, username string) (quern.User, error) {
	return scanUser(tx.row(ctx, `SELECT `+userColumns+` FROM users WHERE username = $1`, username))
}

// Users lists all users by name.
func (tx *Tx) Users(ctx context.Context) ([]quern.User, error) {
	var all []quern.User
	err := tx.each(ctx, `SELECT `+userColumns+` FROM users ORDER BY username`, nil, func(scan func(...any) error) error {
		u, err := scanUser(scan)
		all = append(all, u)
		return err
	})
	return all, err
}

// UserPassword returns a user and the hash of its password; the hash is empty for
// a user who signs in elsewhere. NotFound when there is no such user.
func (tx *Tx) UserPassword(ctx context.Context, username string) (quern.User, string, error) {
	var hash string
	u, err := scanUser(func(dest ...any) error {
		return tx.row(ctx, `SELECT `+userColumns+`, password_hash FROM users WHERE username = $1`, username)(append(dest, &hash)...)
	})
	return u, hash, err
}

// SetUserPassword replaces the hash of a user's password.
func (tx *Tx) SetUserPassword(ctx context.Context, id quern.UserID, hash string) error {
	_, err := tx.exec(ctx, `UPDATE users SET password_hash = $2 WHERE id = $1`, id, hash)
	return err
}

// SetUserDisabled disables a user from a time on, or with the zero time enables
// it again.
func (tx *Tx) SetUserDisabled(ctx context.Context, id quern.UserID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE users SET disabled_at = $2 WHERE id = $1`, id, micros(at))
	return err
}

// SetUserAdmin gives a user the role admin, or takes it away.
func (tx *Tx) SetUserAdmin(ctx context.Context, id quern.UserID, admin bool) error {
	_, err := tx.exec(ctx, `UPDATE users SET admin = $2 WHERE id = $1`, id, truth(admin))
	return err
}

// UserIdentified returns the user behind an account at an outside issuer;
// NotFound when the account has not been seen.
func (tx *Tx) UserIdentified(ctx context.Context, issuer, subject string) (quern.User, error) {
	return scanUser(tx.row(ctx, `SELECT `+userColumns+` FROM users
		WHERE id = (SELECT user_id FROM user_identities WHERE issuer = $1 AND subject = $2)`, issuer, subject))
}

// InsertIdentity ties an account at an outside issuer to a user; Conflict when
// either is already tied.
func (tx *Tx) InsertIdentity(ctx context.Context, issuer, subject string, id quern.UserID, at time.Time) error {
	_, err := tx.exec(ctx, `INSERT INTO user_identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4)`,
		issuer, subject, id, micros(at))
	return err
}
