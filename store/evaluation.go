package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

const evaluationColumns = `id, namespace_id, actor_id, token_id, status, attempt, message, knowledge_version, data_digest, server_release, model, total,
	(SELECT count(*) FROM verdicts v WHERE v.evaluation_id = evaluations.id AND v.mark = 'good'),
	(SELECT count(*) FROM verdicts v WHERE v.evaluation_id = evaluations.id AND v.mark = 'bad'),
	(SELECT count(*) FROM verdicts v WHERE v.evaluation_id = evaluations.id AND v.mark = 'review'),
	(SELECT u.username FROM users u WHERE u.id = evaluations.actor_id),
	(SELECT o.username FROM namespaces n JOIN users o ON o.id = n.owner_id WHERE n.id = evaluations.namespace_id),
	(SELECT n.name FROM namespaces n WHERE n.id = evaluations.namespace_id),
	created_at, ended_at`

// InsertEvaluation adds a pending evaluation, due at once.
func (tx *Tx) InsertEvaluation(ctx context.Context, e quern.Evaluation) error {
	_, err := tx.exec(ctx, `INSERT INTO evaluations (id, namespace_id, actor_id, token_id, status, due_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $6)`, e.ID, e.Namespace, e.Actor, e.Token, quern.EvaluationPending, micros(e.CreatedAt))
	return err
}

func scanEvaluation(scan func(...any) error, more ...any) (e quern.Evaluation, err error) {
	var created, ended sql.NullInt64
	s := &e.Subject
	err = scan(append([]any{&e.ID, &e.Namespace, &e.Actor, &e.Token, &e.Status, &e.Attempt, &e.Message, &s.Knowledge, &s.Data, &s.Release, &s.Model,
		&e.Total, &e.Good, &e.Bad, &e.Review, &e.By, &e.In.Owner, &e.In.Namespace, &created, &ended}, more...)...)
	e.CreatedAt, e.EndedAt, e.Done = instant(created), instant(ended), e.Good+e.Bad+e.Review
	return e, err
}

// Evaluation returns an evaluation of a namespace, or NotFound.
func (tx *Tx) Evaluation(ctx context.Context, in quern.NamespaceID, id quern.EvaluationID) (quern.Evaluation, error) {
	return scanEvaluation(tx.row(ctx, `SELECT `+evaluationColumns+` FROM evaluations WHERE id = $1 AND namespace_id = $2`, id, in))
}

// Evaluations lists a namespace's evaluations from before one, newest first; an empty
// one: from the newest on.
func (tx *Tx) Evaluations(ctx context.Context, in quern.NamespaceID, before quern.EvaluationID, limit int) (all []quern.Evaluation, err error) {
	err = tx.each(ctx, `SELECT `+evaluationColumns+` FROM evaluations WHERE namespace_id = $1 AND ($2 = '' OR id < $2)
		ORDER BY id DESC LIMIT $3`, []any{in, before, limit}, func(scan func(...any) error) error {
		e, err := scanEvaluation(scan)
		all = append(all, e)
		return err
	})
	return all, err
}

// takeEvaluation is how evaluations are taken.
var takeEvaluation = taking{
	table: "evaluations", working: "'pending', 'processing'", columns: evaluationColumns, set: `status = 'processing'`,
}

// TakeEvaluation takes an evaluation that is due, but none of those in hand. NotFound
// when none is due.
func (tx *Tx) TakeEvaluation(ctx context.Context, c quern.Claim, inHand []string) (e quern.Evaluation, s quern.Suspicion, err error) {
	e, err = scanEvaluation(tx.take(ctx, takeEvaluation, c, inHand), &s)
	return e, s, err
}

// KeepEvaluation extends a lease and reports whether it still held.
func (tx *Tx) KeepEvaluation(ctx context.Context, id quern.EvaluationID, l quern.Lease, onTrial bool) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE evaluations SET due_at = $3, `+endTrial(onTrial)+`
		WHERE id = $1 AND holder = $2 AND status = 'processing'`, id, l.Holder, micros(l.Until))
	return n == 1, err
}

// BeginEvaluation notes what an evaluation is of, and forgets the verdicts that were
// about something else. It reports whether the holder still had it.
func (tx *Tx) BeginEvaluation(ctx context.Context, e quern.Evaluation, holder string) (bool, error) {
	s := e.Subject
	if _, err := tx.exec(ctx, `DELETE FROM verdicts WHERE evaluation_id = $1 AND NOT EXISTS (SELECT 1 FROM evaluations WHERE id = $1
		AND knowledge_version = $2 AND data_digest = $3 AND server_release = $4 AND model = $5 AND total = $6)`,
		e.ID, s.Knowledge, s.Data, s.Release, s.Model, e.Total); err != nil {
		return false, err
	}
	n, err := tx.exec(ctx, `UPDATE evaluations SET knowledge_version = $3, data_digest = $4, server_release = $5, model = $6, total = $7
		WHERE id = $1 AND holder = $2 AND status = 'processing'`, e.ID, holder, s.Knowledge, s.Data, s.Release, s.Model, e.Total)
	return n == 1, err
}

// InsertVerdict adds how a question went, and reports whether the holder still had the
// evaluation.
func (tx *Tx) InsertVerdict(ctx context.Context, id quern.EvaluationID, holder string, position int, v quern.Verdict) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE evaluations SET total = total WHERE id = $1 AND holder = $2 AND status = 'processing'`, id, holder)
	if err != nil || n == 0 {
		return false, err
	}
	_, err = tx.exec(ctx, `INSERT INTO verdicts (evaluation_id, position, kind, entry, question, mark, reason, query)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, id, position, v.Kind, v.Entry, v.Question, v.Mark, v.Reason, v.Query)
	return true, err
}

// Verdicts lists how the questions of an evaluation went, in the order in which they
// were asked.
func (tx *Tx) Verdicts(ctx context.Context, id quern.EvaluationID) (all []quern.Verdict, err error) {
	err = tx.each(ctx, `SELECT kind, entry, question, mark, reason, query FROM verdicts WHERE evaluation_id = $1 ORDER BY position`,
		[]any{id}, func(scan func(...any) error) error {
			var v quern.Verdict
			err := scan(&v.Kind, &v.Entry, &v.Question, &v.Mark, &v.Reason, &v.Query)
			all = append(all, v)
			return err
		})
	return all, err
}

// PutBackEvaluation ends a lease so that the work may be taken again at a time. spent
// says whether the attempt counts.
func (tx *Tx) PutBackEvaluation(ctx context.Context, id quern.EvaluationID, holder string, at time.Time, spent bool) error {
	refund := 1
	if spent {
		refund = 0
	}
	_, err := tx.exec(ctx, `UPDATE evaluations SET status = 'pending', holder = '', due_at = $3, attempt = attempt - $4, `+endTrial(false)+`
		WHERE id = $1 AND holder = $2 AND status = 'processing'`, id, holder, micros(at), refund)
	return err
}

// FreeEvaluations ends all leases, for a server that knows that it is alone.
func (tx *Tx) FreeEvaluations(ctx context.Context, now time.Time) error {
	_, err := tx.exec(ctx, `UPDATE evaluations SET due_at = $1 WHERE status = 'processing'`, micros(now))
	return err
}

// EndEvaluation moves an evaluation to its final status, unless somebody else has it
// by now.
func (tx *Tx) EndEvaluation(ctx context.Context, e quern.Evaluation, holder string) error {
	_, err := tx.exec(ctx, `UPDATE evaluations SET status = $3, message = $4, ended_at = $5, holder = ''
		WHERE id = $1 AND holder = $2 AND status = 'processing'`, e.ID, holder, e.Status, e.Message, micros(e.EndedAt))
	return err
}

// PruneEvaluations deletes the oldest evaluations of a namespace but for some.
func (tx *Tx) PruneEvaluations(ctx context.Context, in quern.NamespaceID, keep int) error {
	_, err := tx.exec(ctx, `DELETE FROM evaluations WHERE namespace_id = $1 AND id NOT IN (
		SELECT id FROM evaluations WHERE namespace_id = $1 ORDER BY id DESC LIMIT $2)`, in, keep)
	return err
}
