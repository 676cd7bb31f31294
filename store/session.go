package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// Session is a session with what only the server needs of it.
type Session struct {
	quern.Session
	// LoginID is the sign-in at the embedded provider that it came from.
	LoginID string
	// The tokens are of an outside provider, which is asked at RenewAt whether the
	// session is still good; zero: never.
	IDToken, RefreshToken string
	RenewAt               time.Time
	// RefreshHash is the hash of what a command line renews its access with next.
	RefreshHash string
	// EndedAt is when it, or the sign-in that it came from, was ended; zero while
	// both last.
	EndedAt time.Time
}

const sessionColumns = `s.id, s.client, s.user_agent, s.created_at, s.seen_at, s.expires_at, coalesce(s.ended_at, l.ended_at), coalesce(s.login_id, ''),
	s.id_token, s.refresh_token, s.renew_at, s.refresh_hash, u.id, u.username, u.created_at, u.disabled_at, u.admin
	FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN logins l ON l.id = s.login_id`

func scanSession(scan func(...any) error) (Session, error) {
	var s Session
	var created, seen, expires, ended, renew, userCreated, disabled sql.NullInt64
	var admin int
	err := scan(&s.ID, &s.Client, &s.UserAgent, &created, &seen, &expires, &ended, &s.LoginID, &s.IDToken, &s.RefreshToken, &renew, &s.RefreshHash,
		&s.User.ID, &s.User.Username, &userCreated, &disabled, &admin)
	s.CreatedAt, s.SeenAt, s.ExpiresAt, s.EndedAt, s.RenewAt = instant(created), instant(seen), instant(expires), instant(ended), instant(renew)
	s.User.CreatedAt, s.User.Disabled, s.User.Admin = instant(userCreated), disabled.Valid, admin != 0
	return s, err
}

// InsertSession adds a session whose secret, a cookie's or a command line's, has the given
// hash.
func (tx *Tx) InsertSession(ctx context.Context, s Session, secretHash []byte) error {
	_, err := tx.exec(ctx, `INSERT INTO sessions (id, user_id, secret_hash, login_id, id_token, refresh_token, renew_at, user_agent,
		created_at, seen_at, expires_at, client, refresh_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		s.ID, s.User.ID, secretHash, orNull(s.LoginID), s.IDToken, s.RefreshToken, micros(s.RenewAt), s.UserAgent,
		micros(s.CreatedAt), micros(s.SeenAt), micros(s.ExpiresAt), s.Client, s.RefreshHash)
	return err
}

// SessionBySecret returns the session of a client's secret, ended or not; NotFound when
// there is none. An empty client is a browser, and the secret its cookie's.
func (tx *Tx) SessionBySecret(ctx context.Context, client string, secretHash []byte) (Session, error) {
	return scanSession(tx.row(ctx, `SELECT `+sessionColumns+` WHERE s.secret_hash = $1 AND s.client = $2`, secretHash, client))
}

// RotateRefresh puts what renews a session next in the place of what does now; it reports
// whether that was as the caller says.
func (tx *Tx) RotateRefresh(ctx context.Context, id quern.BrowserID, from, to string, at time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE sessions SET refresh_hash = $3, seen_at = $4 WHERE id = $1 AND refresh_hash = $2 AND ended_at IS NULL`,
		id, from, to, micros(at))
	return n == 1, err
}

// Session returns the session of an id, ended or not; NotFound when there is none.
func (tx *Tx) Session(ctx context.Context, id quern.BrowserID) (Session, error) {
	return scanSession(tx.row(ctx, `SELECT `+sessionColumns+` WHERE s.id = $1`, id))
}

// Sessions lists a user's sessions that were not ended and expire later than now,
// newest first, at most limit.
func (tx *Tx) Sessions(ctx context.Context, user quern.UserID, now time.Time, limit int) ([]Session, error) {
	var all []Session
	err := tx.each(ctx, `SELECT `+sessionColumns+`
		WHERE s.user_id = $1 AND s.ended_at IS NULL AND l.ended_at IS NULL AND s.expires_at > $2 ORDER BY s.id DESC LIMIT `+itoa(limit),
		[]any{user, micros(now)}, func(scan func(...any) error) error {
			s, err := scanSession(scan)
			all = append(all, s)
			return err
		})
	return all, err
}

// TouchSession records that a session was used.
func (tx *Tx) TouchSession(ctx context.Context, id quern.BrowserID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2`, id, micros(at))
	return err
}

// ClaimRenewal puts a session's renewal off to until, unless somebody else did; it
// reports whether the caller is the one who renews it.
func (tx *Tx) ClaimRenewal(ctx context.Context, id quern.BrowserID, now, until time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE sessions SET renew_at = $3 WHERE id = $1 AND renew_at <= $2 AND ended_at IS NULL`,
		id, micros(now), micros(until))
	return n == 1, err
}

// RenewSession stores the tokens that a renewal brought.
func (tx *Tx) RenewSession(ctx context.Context, s Session) error {
	_, err := tx.exec(ctx, `UPDATE sessions SET id_token = $2, refresh_token = $3, renew_at = $4 WHERE id = $1 AND ended_at IS NULL`,
		s.ID, s.IDToken, s.RefreshToken, micros(s.RenewAt))
	return err
}

const endSession = `UPDATE sessions SET ended_at = $2, id_token = '', refresh_token = '' WHERE ended_at IS NULL AND `

// EndSession ends a session and forgets its tokens; the sign-in that a browser's came from
// ends with it. A command line ends alone.
func (tx *Tx) EndSession(ctx context.Context, id quern.BrowserID, at time.Time) error {
	if _, err := tx.exec(ctx, endSession+`id = $1`, id, micros(at)); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `UPDATE logins SET ended_at = $2 WHERE ended_at IS NULL AND id = (SELECT login_id FROM sessions WHERE id = $1 AND client = '')`,
		id, micros(at))
	return err
}

// EndSessions ends every session and every sign-in of a user.
func (tx *Tx) EndSessions(ctx context.Context, user quern.UserID, at time.Time) error {
	if _, err := tx.exec(ctx, endSession+`user_id = $1`, user, micros(at)); err != nil {
		return err
	}
	return tx.EndLogins(ctx, user, at)
}
