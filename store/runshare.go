package store

import (
	"context"
	"database/sql"

	"quern"
)

func scanRunShare(scan func(...any) error) (s quern.RunShare, err error) {
	var created sql.NullInt64
	err = scan(&s.Run, &s.ID, &created)
	s.CreatedAt = instant(created)
	return s, err
}

// InsertRunShare adds the link to a run's answer; Conflict when there is one.
func (tx *Tx) InsertRunShare(ctx context.Context, s quern.RunShare) error {
	_, err := tx.exec(ctx, `INSERT INTO run_shares (run_id, share_id, created_at) VALUES ($1, $2, $3)`, s.Run, s.ID, micros(s.CreatedAt))
	return err
}

// RunShareOf returns the link to a run's answer; NotFound when there is none.
func (tx *Tx) RunShareOf(ctx context.Context, run quern.RunID) (quern.RunShare, error) {
	return scanRunShare(tx.row(ctx, `SELECT run_id, share_id, created_at FROM run_shares WHERE run_id = $1`, run))
}

// RunShare returns what a link leads to; NotFound when it leads nowhere.
func (tx *Tx) RunShare(ctx context.Context, id string) (quern.RunShare, error) {
	return scanRunShare(tx.row(ctx, `SELECT run_id, share_id, created_at FROM run_shares WHERE share_id = $1`, id))
}

// DeleteRunShare takes the link to a run's answer back, if there is one.
func (tx *Tx) DeleteRunShare(ctx context.Context, run quern.RunID) error {
	_, err := tx.exec(ctx, `DELETE FROM run_shares WHERE run_id = $1`, run)
	return err
}
