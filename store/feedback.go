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

// Feedback returns what was thought of a run, or NotFound.
func (tx *Tx) Feedback(ctx context.Context, run quern.RunID) (quern.Feedback, error) {
	return scanFeedback(tx.row(ctx, `SELECT run_id, thumbs_up, comment, given_at FROM feedback
		WHERE run_id = $1 AND thumbs_up IS NOT NULL`, run))
}

// FeedbackFilter narrows a list of feedback. Members after Actor do not narrow
// when they are empty.
type FeedbackFilter struct {
	Actor    quern.UserID
	Token    quern.TokenID // only on runs that this token asked
	In       quern.NamespacePath
	ThumbsUp *bool
	// Before is the last entry of the page before.
	Before Position
	Limit  int
}

// RatedRun is a run, without what its events hold, and what was thought of it.
type RatedRun struct {
	Run      quern.Run
	Feedback quern.Feedback
}

// RatedRuns lists a user's runs that have feedback, latest given first.
func (tx *Tx) RatedRuns(ctx context.Context, f FeedbackFilter) (all []RatedRun, err error) {
	var w where
	w.add("r.actor_id = ", f.Actor)
	w.also("f.thumbs_up IS NOT NULL")
	if f.Token != "" {
		w.add("r.token_id = ", f.Token)
	}
	if f.In.Namespace != "" {
		w.add("r.namespace_owner = ", f.In.Owner)
		w.add("lower(r.namespace) = ", quern.NameKey(f.In.Namespace))
	}
	if f.ThumbsUp != nil {
		w.add("f.thumbs_up = ", truth(*f.ThumbsUp))
	}
	if f.Before.ID != "" {
		w.also("(f.given_at, f.run_id) < (" + w.arg(micros(f.Before.At)) + ", " + w.arg(f.Before.ID) + ")")
	}
	query := `SELECT r.id, r.conversation_id, r.agent, r.namespace_owner, r.namespace, r.task, r.created_at, f.thumbs_up, f.comment, f.given_at
		FROM feedback f JOIN runs r ON r.id = f.run_id` + w.text + ` ORDER BY f.given_at DESC, f.run_id DESC` + w.limit(f.Limit)
	err = tx.each(ctx, query, w.args, func(scan func(...any) error) error {
		one, err := scanRated(scan)
		all = append(all, one)
		return err
	})
	return all, err
}

func scanRated(scan func(...any) error) (one RatedRun, err error) {
	r, f := &one.Run, &one.Feedback
	var task sql.NullString
	var created, given sql.NullInt64
	var up int
	if err := scan(&r.ID, &r.Conversation, &r.Agent, &r.In.Owner, &r.In.Namespace, &task, &created, &up, &f.Comment, &given); err != nil {
		return one, err
	}
	r.Status, r.CreatedAt = quern.RunCompleted, instant(created)
	f.Run, f.ThumbsUp, f.GivenAt = r.ID, up == 1, instant(given)
	return one, decode(task, &r.Task)
}

// RunQueries lists the steps of a run without their rows.
func (tx *Tx) RunQueries(ctx context.Context, id quern.RunID) (all []quern.Step, err error) {
	err = tx.each(ctx, `SELECT data FROM run_events WHERE run_id = $1 AND type = 'step' ORDER BY seq`, []any{id},
		func(scan func(...any) error) error {
			var data sql.NullString
			if err := scan(&data); err != nil {
				return err
			}
			var s struct {
				Index                         int
				Instruction, Query, Reasoning string
			}
			err := decode(data, &s)
			all = append(all, quern.Step{Index: s.Index, Instruction: s.Instruction, Query: s.Query, Reasoning: s.Reasoning})
			return err
		})
	return all, err
}
