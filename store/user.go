package store

import (
	"context"
	"database/sql"

	"quern"
)

const userColumns = `id, username, created_at, disabled_at`

func scanUser(scan func(...any) error) (quern.User, error) {
	var u quern.User
	var created, disabled sql.NullInt64
	err := scan(&u.ID, &u.Username, &created, &disabled)
	u.CreatedAt, u.Disabled = instant(created), disabled.Valid
	return u, err
}

// InsertUser adds a user; Conflict when the username is taken.
func (tx *Tx) InsertUser(ctx context.Context, u quern.User, passwordHash string) error {
	_, err := tx.exec(ctx, `INSERT INTO users (id, username, password_hash, created_at) VALUES ($1, $2, $3, $4)`,
		u.ID, u.Username, passwordHash, micros(u.CreatedAt))
	return err
}

// User gives the user of an id; NotFound when there is none.
func (tx *Tx) User(ctx context.Context, id quern.UserID) (quern.User, error) {
	return scanUser(tx.sql.QueryRowContext(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1`, id).Scan)
}

// UserNamed gives the user of a username in canonical form; NotFound when there
// is none.
func (tx *Tx) UserNamed(ctx context.Context, username string) (quern.User, error) {
	return scanUser(tx.sql.QueryRowContext(ctx, `SELECT `+userColumns+` FROM users WHERE username = $1`, username).Scan)
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
