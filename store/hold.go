package store

import (
	"context"
	"time"
)

// InsertHold keeps all objects from being swept until a time, and forgets holds that
// ended before now.
func (tx *Tx) InsertHold(ctx context.Context, id, reason string, now, until time.Time) error {
	if _, err := tx.exec(ctx, `DELETE FROM holds WHERE until < $1`, micros(now)); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `INSERT INTO holds (id, reason, made_at, until) VALUES ($1, $2, $3, $4)`, id, reason, micros(now), micros(until))
	return err
}

// RenewHold moves the end of a hold and reports whether the hold was still there.
func (tx *Tx) RenewHold(ctx context.Context, id string, now, until time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE holds SET until = $3 WHERE id = $1 AND until > $2`, id, micros(now), micros(until))
	return n == 1, err
}

// DeleteHold ends a hold.
func (tx *Tx) DeleteHold(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `DELETE FROM holds WHERE id = $1`, id)
	return err
}

// noHold is what a statement that lists objects to delete asks for, given the number
// of the argument that holds the time.
func noHold(argument int) string {
	return `NOT EXISTS (SELECT 1 FROM holds WHERE holds.until > $` + itoa(argument) + `)`
}

// Held reports whether a hold keeps objects from being swept.
func (tx *Tx) Held(ctx context.Context, now time.Time) (free bool, err error) {
	err = tx.row(ctx, `SELECT `+noHold(1), micros(now))(&free)
	return !free, err
}
