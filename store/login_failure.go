package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// LoginFailure counts failed sign-ins of one account or from one address.
type LoginFailure struct {
	Subject      string
	Failures     int64
	BlockedUntil time.Time
	ForgetAt     time.Time
}

// LoginFailure returns the count of a subject, the zero count when there is none.
func (tx *Tx) LoginFailure(ctx context.Context, subject string) (LoginFailure, error) {
	f := LoginFailure{Subject: subject}
	var blocked, forget sql.NullInt64
	err := tx.row(ctx, `SELECT failures, blocked_until, forget_at FROM login_failures WHERE subject = $1`,
		subject)(&f.Failures, &blocked, &forget)
	if quern.Is(err, quern.NotFound) {
		return f, nil
	}
	f.BlockedUntil, f.ForgetAt = instant(blocked), instant(forget)
	return f, err
}

// TakeLoginFailure adds one failure to a subject's count and returns the new
// count; a count past its time starts anew. Two takers never get the same one.
func (tx *Tx) TakeLoginFailure(ctx context.Context, subject string, now, forget time.Time) (int64, error) {
	var n int64
	err := tx.row(ctx, `INSERT INTO login_failures (subject, failures, blocked_until, forget_at) VALUES ($1, 1, 0, $3)
		ON CONFLICT (subject) DO UPDATE SET
			failures = CASE WHEN login_failures.forget_at < $2 THEN 1 ELSE login_failures.failures + 1 END,
			forget_at = excluded.forget_at
		RETURNING failures`, subject, micros(now), micros(forget))(&n)
	return n, err
}

// BlockLogin refuses a subject's sign-ins until a time.
func (tx *Tx) BlockLogin(ctx context.Context, subject string, until time.Time) error {
	_, err := tx.exec(ctx, `UPDATE login_failures SET blocked_until = $2 WHERE subject = $1`, subject, micros(until))
	return err
}

// ReturnLoginFailure takes one failure back, and lifts the block that it put up.
func (tx *Tx) ReturnLoginFailure(ctx context.Context, subject string) error {
	_, err := tx.exec(ctx, `UPDATE login_failures SET blocked_until = 0,
		failures = CASE WHEN failures > 0 THEN failures - 1 ELSE 0 END WHERE subject = $1`, subject)
	return err
}

// ForgetLoginFailures clears a subject's count.
func (tx *Tx) ForgetLoginFailures(ctx context.Context, subject string) error {
	_, err := tx.exec(ctx, `DELETE FROM login_failures WHERE subject = $1`, subject)
	return err
}
