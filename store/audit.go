package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// Audit adds an entry to the audit trail, in the transaction that it tells of. Its id is
// made where it has none.
func (tx *Tx) Audit(ctx context.Context, e quern.AuditEntry) error {
	if e.ID == "" {
		e.ID = quern.NewID[string]()
	}
	detail, err := encode(e.Detail)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `INSERT INTO audit (id, at, actor_id, action, user_id, object_id, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		e.ID, micros(e.At), e.Actor, e.Action, e.User, e.Object, detail)
	return err
}

const auditColumns = `id, at, actor_id, action, user_id, object_id, detail FROM audit`

func (tx *Tx) auditEntries(ctx context.Context, query string, args ...any) (all []quern.AuditEntry, err error) {
	err = tx.each(ctx, query, args, func(scan func(...any) error) error {
		var e quern.AuditEntry
		var at sql.NullInt64
		var detail sql.NullString
		if err := scan(&e.ID, &at, &e.Actor, &e.Action, &e.User, &e.Object, &detail); err != nil {
			return err
		}
		e.At = instant(at)
		err := decode(detail, &e.Detail)
		all = append(all, e)
		return err
	})
	return all, err
}

// UnsealedAudit lists entries that have no place yet, oldest first.
func (tx *Tx) UnsealedAudit(ctx context.Context, limit int) ([]quern.AuditEntry, error) {
	return tx.auditEntries(ctx, `SELECT `+auditColumns+` WHERE stretch IS NULL ORDER BY id LIMIT $1`, limit)
}

// SealedAudit lists the entries of a stretch in their order.
func (tx *Tx) SealedAudit(ctx context.Context, stretch int64) ([]quern.AuditEntry, error) {
	return tx.auditEntries(ctx, `SELECT `+auditColumns+` WHERE stretch = $1 ORDER BY position`, stretch)
}

// AuditSeals lists seals from a stretch on, in order.
func (tx *Tx) AuditSeals(ctx context.Context, from int64, limit int) (all []quern.AuditSeal, err error) {
	err = tx.each(ctx, `SELECT stretch, entries, first_at, last_at, before, digest, sealed_at, cut FROM audit_seals
		WHERE stretch >= $1 ORDER BY stretch LIMIT $2`, []any{from, limit}, func(scan func(...any) error) error {
		var s quern.AuditSeal
		var first, last, sealed sql.NullInt64
		var cut int
		err := scan(&s.Stretch, &s.Entries, &first, &last, &s.Before, &s.Digest, &sealed, &cut)
		s.FirstAt, s.LastAt, s.SealedAt, s.Cut = instant(first), instant(last), instant(sealed), cut != 0
		all = append(all, s)
		return err
	})
	return all, err
}

// LastAuditSeal returns the latest seal, the zero one when there is none.
func (tx *Tx) LastAuditSeal(ctx context.Context) (s quern.AuditSeal, err error) {
	err = tx.row(ctx, `SELECT stretch, digest FROM audit_seals ORDER BY stretch DESC LIMIT 1`)(&s.Stretch, &s.Digest)
	if quern.Is(err, quern.NotFound) {
		return s, nil
	}
	return s, err
}

// SealAudit gives entries their places in a stretch and closes it; Conflict when another
// server has sealed one of that number meanwhile.
func (tx *Tx) SealAudit(ctx context.Context, s quern.AuditSeal, entries []quern.AuditEntry) error {
	if _, err := tx.exec(ctx, `INSERT INTO audit_seals (stretch, entries, first_at, last_at, before, digest, sealed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		s.Stretch, s.Entries, micros(s.FirstAt), micros(s.LastAt), s.Before, s.Digest, micros(s.SealedAt)); err != nil {
		return err
	}
	for i, e := range entries {
		if _, err := tx.exec(ctx, `UPDATE audit SET stretch = $2, position = $3 WHERE id = $1`, e.ID, s.Stretch, i+1); err != nil {
			return err
		}
	}
	return nil
}

// CutAudit removes the entries of stretches that ended before a time, a number of
// stretches at most, and keeps their seals. It returns how many stretches it cut.
func (tx *Tx) CutAudit(ctx context.Context, before time.Time, limit int) (int64, error) {
	const which = ` IN (SELECT stretch FROM audit_seals WHERE cut = 0 AND last_at < $1 ORDER BY stretch LIMIT $2)`
	if _, err := tx.exec(ctx, `DELETE FROM audit WHERE stretch`+which, micros(before), limit); err != nil {
		return 0, err
	}
	return tx.exec(ctx, `UPDATE audit_seals SET cut = 1 WHERE stretch`+which, micros(before), limit)
}
