package store

import (
	"context"

	"quern"
)

// RunsAfter lists the runs of a thread behind its first, oldest first, without
// what their events hold.
func (tx *Tx) RunsAfter(ctx context.Context, first quern.RunID) ([]quern.Run, error) {
	return tx.runs(ctx, ` WHERE thread_id = $1 ORDER BY created_at, id`, []any{first})
}

// WithdrawRun makes a run that asked back, and that no other run answers, a
// cancelled one, and reports whether it did.
func (tx *Tx) WithdrawRun(ctx context.Context, r quern.Run) (bool, error) {
	failure, err := encode(r.Failure)
	if err != nil {
		return false, err
	}
	n, err := tx.exec(ctx, `UPDATE runs SET status = 'cancelled', asked_back = 0, failure = $2, updated_at = $3
		WHERE id = $1 AND status = 'completed' AND asked_back = 1
		AND NOT EXISTS (SELECT 1 FROM runs later WHERE later.after_id = runs.id)`, r.ID, failure, micros(r.UpdatedAt))
	return n == 1, err
}
