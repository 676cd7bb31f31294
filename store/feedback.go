package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

func scanFeedback(scan func(...any) error) (f quern.Feedback, err error) {
	var up int
	var at sql.NullInt64
	err = scan(&f.Run, &up, &f.Comment, &at)
	f.ThumbsUp, f.GivenAt = up == 1, instant(at)
	return f, err
}

// LeaseFeedback takes a run's feedback to change it, and reports whether nobody
// else has it. NotFound when there is no such run.
func (tx *Tx) LeaseFeedback(ctx context.Context, run quern.RunID, holder string, now, until time.Time) (bool, error) {
	var id quern.RunID
	if err := tx.row(ctx, tx.lock(`SELECT id FROM runs WHERE id = $1`), run)(&id); err != nil {
		return false, err
	}
	n, err := tx.exec(ctx, `INSERT INTO feedback (run_id, holder, leased_until) VALUES ($1, $2, $3)
		ON CONFLICT (run_id) DO UPDATE SET holder = excluded.holder, leased_until = excluded.leased_until
		WHERE feedback.leased_until <= $4`, run, holder, micros(until), micros(now))
	return n == 1, err
}

// PutFeedback stores feedback and ends the holder's lease; NotFound when the
// holder has none, because the run is gone or the lease ran out.
func (tx *Tx) PutFeedback(ctx context.Context, f quern.Feedback, holder string) error {
	return tx.leased(ctx, `UPDATE feedback SET thumbs_up = $3, comment = $4, given_at = $5, leased_until = 0
		WHERE run_id = $1 AND holder = $2 AND leased_until > 0`, f.Run, holder, truth(f.ThumbsUp), f.Comment, micros(f.GivenAt))
}

// DeleteFeedback removes feedback and ends the holder's lease, as PutFeedback does.
func (tx *Tx) DeleteFeedback(ctx context.Context, run quern.RunID, holder string) error {
	return tx.leased(ctx, `DELETE FROM feedback WHERE run_id = $1 AND holder = $2 AND leased_until > 0`, run, holder)
}

func (tx *Tx) leased(ctx context.Context, statement string, args ...any) error {
	n, err := tx.exec(ctx, statement, args...)
	if err == nil && n == 0 {
		err = notFound(sql.ErrNoRows)
	}
	return err
}

// ReleaseFeedback ends the holder's lease and leaves the feedback as it is.
func (tx *Tx) ReleaseFeedback(ctx context.Context, run quern.RunID, holder string) error {
	_, err := tx.exec(ctx, `UPDATE feedback SET leased_until = 0 WHERE run_id = $1 AND holder = $2`, run, holder)
	return err
}

// Feedback gives what was thought of a run, or NotFound.
func (tx *Tx) Feedback(ctx context.Context, run quern.RunID) (quern.Feedback, error) {
	return scanFeedback(tx.row(ctx, `SELECT run_id, thumbs_up, comment, given_at FROM feedback
		WHERE run_id = $1 AND thumbs_up IS NOT NULL`, run))
}
