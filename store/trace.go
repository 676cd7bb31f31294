package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"quern"
)

// PutSpans stores spans, over those of the same id. Spans of runs that are gone
// are left out.
func (tx *Tx) PutSpans(ctx context.Context, spans []quern.Span) error {
	for _, s := range spans {
		attributes, err := encode(s.Attributes)
		if err != nil {
			return err
		}
		_, err = tx.exec(ctx, `INSERT INTO spans (run_id, id, parent_id, kind, name, started_at, ended_at, failure, input, output, attributes)
			SELECT r.id, $2, $3, $4, $5, CAST($6 AS BIGINT), CAST($7 AS BIGINT), $8, $9, $10, $11 FROM runs r WHERE r.id = $1
			ON CONFLICT (run_id, id) DO UPDATE SET parent_id = excluded.parent_id, kind = excluded.kind, name = excluded.name,
			started_at = excluded.started_at, ended_at = excluded.ended_at, failure = excluded.failure,
			input = excluded.input, output = excluded.output, attributes = excluded.attributes`,
			s.Run, s.ID, s.Parent, s.Kind, s.Name, micros(s.Start), micros(s.End), s.Failure, s.Input, s.Output, attributes)
		if err != nil {
			return err
		}
	}
	return nil
}

// Spans lists the spans of a run in the order in which they began, at most so many.
func (tx *Tx) Spans(ctx context.Context, run quern.RunID, limit int) (all []quern.Span, err error) {
	err = tx.each(ctx, `SELECT id, parent_id, kind, name, started_at, ended_at, failure, input, output, attributes FROM spans
		WHERE run_id = $1 ORDER BY started_at, id LIMIT $2`, []any{run, limit}, func(scan func(...any) error) error {
		s := quern.Span{Run: run}
		var start, end sql.NullInt64
		var attributes sql.NullString
		err := scan(&s.ID, &s.Parent, &s.Kind, &s.Name, &start, &end, &s.Failure, &s.Input, &s.Output, &attributes)
		s.Start, s.End = instant(start), instant(end)
		all = append(all, s)
		return errors.Join(err, decode(attributes, &all[len(all)-1].Attributes))
	})
	return all, err
}

// DeleteSpans removes spans that began before a time, at most so many, and tells
// how many it removed.
func (tx *Tx) DeleteSpans(ctx context.Context, before time.Time, limit int) (int64, error) {
	return tx.exec(ctx, `DELETE FROM spans WHERE (run_id, id) IN
		(SELECT run_id, id FROM spans WHERE started_at < $1 ORDER BY started_at LIMIT $2)`, micros(before), limit)
}

// PutScore stores the score of a run, over one that it has; NotFound when there
// is no such run.
func (tx *Tx) PutScore(ctx context.Context, f quern.Feedback) error {
	n, err := tx.exec(ctx, `INSERT INTO scores (run_id, value, comment, scored_at)
		SELECT r.id, CAST($2 AS INTEGER), $3, CAST($4 AS BIGINT) FROM runs r WHERE r.id = $1
		ON CONFLICT (run_id) DO UPDATE SET value = excluded.value, comment = excluded.comment, scored_at = excluded.scored_at`,
		f.Run, truth(f.ThumbsUp), f.Comment, micros(f.GivenAt))
	if err == nil && n == 0 {
		err = notFound(sql.ErrNoRows)
	}
	return err
}

// Score returns the score of a run, or NotFound.
func (tx *Tx) Score(ctx context.Context, run quern.RunID) (quern.Feedback, error) {
	return scanFeedback(tx.row(ctx, `SELECT run_id, value, comment, scored_at FROM scores WHERE run_id = $1`, run))
}

// DeleteScore removes the score of a run, if it has one.
func (tx *Tx) DeleteScore(ctx context.Context, run quern.RunID) error {
	_, err := tx.exec(ctx, `DELETE FROM scores WHERE run_id = $1`, run)
	return err
}

// truth is how a yes or no is stored.
func truth(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
