package store

import (
	"context"
	"database/sql"
	"time"
)

// Key is a key that tokens are signed with.
type Key struct {
	ID        string
	Private   []byte // PKCS #8; empty once the key is retired
	Public    []byte // PKIX
	CreatedAt time.Time
	ExpiresAt time.Time // zero while the key is in use
}

const keyColumns = `id, private_key, public_key, created_at, expires_at`

func scanKey(scan func(...any) error) (Key, error) {
	var k Key
	var created, expires sql.NullInt64
	err := scan(&k.ID, &k.Private, &k.Public, &created, &expires)
	k.CreatedAt, k.ExpiresAt = instant(created), instant(expires)
	return k, err
}

// SigningKey returns the key in use; NotFound when there is none yet.
func (tx *Tx) SigningKey(ctx context.Context) (Key, error) {
	return scanKey(tx.row(ctx, `SELECT `+keyColumns+` FROM signing_keys WHERE slot = 1`))
}

// InsertKey puts a key in use; Conflict when another one is.
func (tx *Tx) InsertKey(ctx context.Context, k Key) error {
	_, err := tx.exec(ctx, `INSERT INTO signing_keys (id, slot, private_key, public_key, created_at) VALUES ($1, 1, $2, $3, $4)`,
		k.ID, k.Private, k.Public, micros(k.CreatedAt))
	return err
}

// RetireKey takes a key out of use and forgets its private half; sessions signed
// by it are good until expires. It reports whether the key was in use.
func (tx *Tx) RetireKey(ctx context.Context, id string, expires time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE signing_keys SET slot = NULL, private_key = $2, expires_at = $3 WHERE id = $1 AND slot = 1`,
		id, []byte{}, micros(expires))
	return n == 1, err
}

// needed holds for keys that are in use, or that signed something still good.
const needed = `(coalesce(slot, 0) = 1 OR coalesce(expires_at, 0) > $1 OR EXISTS (SELECT 1 FROM tokens
	WHERE key_id = signing_keys.id AND revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > $1)))`

// Keys lists the keys whose tokens can be good at a time, newest first.
func (tx *Tx) Keys(ctx context.Context, now time.Time) ([]Key, error) {
	var all []Key
	err := tx.each(ctx, `SELECT `+keyColumns+` FROM signing_keys WHERE `+needed+` ORDER BY created_at DESC, id DESC`,
		[]any{micros(now)}, func(scan func(...any) error) error {
			k, err := scanKey(scan)
			all = append(all, k)
			return err
		})
	return all, err
}

// Key returns the key of an id if its tokens can be good at a time; NotFound
// otherwise.
func (tx *Tx) Key(ctx context.Context, id string, now time.Time) (Key, error) {
	return scanKey(tx.row(ctx, `SELECT `+keyColumns+` FROM signing_keys WHERE id = $2 AND `+needed, micros(now), id))
}

// DeleteSpentKeys removes the keys whose tokens are all gone.
func (tx *Tx) DeleteSpentKeys(ctx context.Context, now time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM signing_keys WHERE NOT `+needed, micros(now))
	return err
}
