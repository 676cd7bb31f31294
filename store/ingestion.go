package store

import (
	"context"
	"database/sql"
	"math"
	"time"

	"quern"
)

const ingestionColumns = `id, dataset_id, actor_id, token_id, scopes, status, files, options, retry_of, attempt, message,
	expected_bytes, processed_bytes, processed_rows, report, name, seen_at,
	(SELECT max(r.created_at) FROM ingestions r WHERE r.retry_of = ingestions.id), created_at, started_at, ended_at`

// InsertIngestion adds a pending ingestion, due at once.
func (tx *Tx) InsertIngestion(ctx context.Context, i quern.Ingestion) error {
	scopes, files, options, err := encodeAsked(i)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `INSERT INTO ingestions (id, dataset_id, actor_id, token_id, scopes, status, files, options, retry_of, name,
		expected_bytes, due_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`,
		i.ID, i.Dataset, i.Actor, i.Token, scopes, quern.IngestionPending, files, options, i.RetryOf, i.Name, i.ExpectedBytes,
		micros(i.CreatedAt))
	return err
}

func encodeFiles(files []quern.IngestionFile) (sql.NullString, error) {
	if files == nil {
		files = []quern.IngestionFile{}
	}
	return encode(files)
}

// encodeAsked returns what an ingestion was asked to do, and with which rights, as it is
// stored.
func encodeAsked(i quern.Ingestion) (scopes, files, options sql.NullString, err error) {
	if scopes, err = encode(i.Scopes); err != nil {
		return scopes, files, options, err
	}
	if files, err = encodeFiles(i.Files); err != nil {
		return scopes, files, options, err
	}
	options, err = encode(i.Options)
	return scopes, files, options, err
}

var completedIngestions = valueTable{"added", []valueColumn{{"id", "text"}, {"dataset_id", "text"}, {"actor_id", "text"}, {"token_id", "text"},
	{"scopes", "text"}, {"status", "text"}, {"files", "text"}, {"options", "text"}, {"retry_of", "text"}, {"name", "text"},
	{"expected_bytes", "bigint"}, {"due_at", "bigint"}, {"created_at", "bigint"}, {"processed_bytes", "bigint"}, {"processed_rows", "bigint"},
	{"started_at", "bigint"}, {"ended_at", "bigint"}, {"report", "text"}, {"attempt", "bigint"}}}

// InsertCompletedIngestions adds ingestions of rows that were stored at once.
func (tx *Tx) InsertCompletedIngestions(ctx context.Context, all ...quern.Ingestion) error {
	rows := make([][]any, len(all))
	for n, i := range all {
		scopes, files, options, err := encodeAsked(i)
		if err != nil {
			return err
		}
		report, err := encode(i.Report)
		if err != nil {
			return err
		}
		created := micros(i.CreatedAt)
		rows[n] = []any{i.ID, i.Dataset, i.Actor, i.Token, scopes, quern.IngestionCompleted, files, options, i.RetryOf, i.Name,
			i.ExpectedBytes, created, created, i.ProcessedBytes, i.ProcessedRows, created, micros(i.EndedAt), report, 1}
	}
	return tx.insertLater(ctx, "ingestions", completedIngestions, rows)
}

func scanIngestion(scan func(...any) error, more ...any) (i quern.Ingestion, err error) {
	var scopes, files, options, report sql.NullString
	var seen, retried, created, started, ended sql.NullInt64
	if err := scan(append([]any{&i.ID, &i.Dataset, &i.Actor, &i.Token, &scopes, &i.Status, &files, &options, &i.RetryOf, &i.Attempt,
		&i.Message, &i.ExpectedBytes, &i.ProcessedBytes, &i.ProcessedRows, &report, &i.Name, &seen, &retried, &created, &started, &ended},
		more...)...); err != nil {
		return i, err
	}
	i.SeenAt, i.LastRetryAt, i.CreatedAt, i.StartedAt, i.EndedAt = instant(seen), instant(retried), instant(created), instant(started),
		instant(ended)
	for _, part := range []struct {
		text sql.NullString
		dest any
	}{{scopes, &i.Scopes}, {files, &i.Files}, {options, &i.Options}, {report, &i.Report}} {
		if err := decode(part.text, part.dest); err != nil {
			return i, err
		}
	}
	return i, nil
}

// Ingestion returns an ingestion, or NotFound.
func (tx *Tx) Ingestion(ctx context.Context, id quern.IngestionID) (quern.Ingestion, error) {
	return scanIngestion(tx.row(ctx, `SELECT `+ingestionColumns+` FROM ingestions WHERE id = $1`, id))
}

// Ingestions lists a dataset's ingestions made before a time, newest first.
func (tx *Tx) Ingestions(ctx context.Context, dataset quern.DatasetID, before time.Time, limit int) (all []quern.Ingestion, err error) {
	err = tx.each(ctx, `SELECT `+ingestionColumns+` FROM ingestions WHERE dataset_id = $1 AND created_at < $2
		ORDER BY created_at DESC, id DESC LIMIT $3`, []any{dataset, micros(before), limit}, func(scan func(...any) error) error {
		i, err := scanIngestion(scan)
		all = append(all, i)
		return err
	})
	return all, err
}

// IngestionsUnderWay lists the ingestions that a user asked for and that have not ended,
// newest first.
func (tx *Tx) IngestionsUnderWay(ctx context.Context, actor quern.UserID, limit int) (all []quern.Ingestion, err error) {
	err = tx.each(ctx, `SELECT `+ingestionColumns+` FROM ingestions WHERE status IN ('pending', 'processing') AND actor_id = $1
		ORDER BY created_at DESC, id DESC LIMIT $2`, []any{actor, limit}, func(scan func(...any) error) error {
		i, err := scanIngestion(scan)
		all = append(all, i)
		return err
	})
	return all, err
}

// takeIngestion is how ingestions are taken.
var takeIngestion = taking{
	table: "ingestions", working: "'pending', 'processing'", columns: ingestionColumns,
	set: `status = 'processing', processed_bytes = 0, processed_rows = 0, started_at = coalesce(started_at, $3)`,
}

// TakeIngestion takes an ingestion that is due, but none of those in hand and none
// of a busy user's: of whoever has the fewest in hand, the one that has been due
// longest. NotFound when none is due.
func (tx *Tx) TakeIngestion(ctx context.Context, c quern.Claim, inHand []string) (i quern.Ingestion, s quern.Suspicion, err error) {
	i, err = scanIngestion(tx.take(ctx, takeIngestion, c, inHand), &s)
	return i, s, err
}

// Progress is how far the work on an ingestion is.
type Progress struct{ Bytes, Rows int64 }

// KeepIngestion extends a lease and notes how far the work is. It reports
// whether the lease still held.
func (tx *Tx) KeepIngestion(ctx context.Context, id quern.IngestionID, l quern.Lease, onTrial bool, p Progress) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE ingestions SET due_at = $3, processed_bytes = $4, processed_rows = $5, `+endTrial(onTrial)+`
		WHERE id = $1 AND holder = $2 AND status = 'processing'`, id, l.Holder, micros(l.Until), p.Bytes, p.Rows)
	return n == 1, err
}

// PutBackIngestion ends a lease so that the work may be taken again at a time.
// spent says whether the attempt counts.
func (tx *Tx) PutBackIngestion(ctx context.Context, id quern.IngestionID, holder string, at time.Time, spent bool) error {
	refund := 1
	if spent {
		refund = 0
	}
	_, err := tx.exec(ctx, `UPDATE ingestions SET status = 'pending', holder = '', due_at = $3, attempt = attempt - $4, `+endTrial(false)+`
		WHERE id = $1 AND holder = $2 AND status = 'processing'`, id, holder, micros(at), refund)
	return err
}

// FreeIngestions ends all leases, for a server that knows that it is alone.
func (tx *Tx) FreeIngestions(ctx context.Context, now time.Time) error {
	_, err := tx.exec(ctx, `UPDATE ingestions SET due_at = $1 WHERE status = 'processing'`, micros(now))
	return err
}

// EndIngestion moves an ingestion to its final status and reports whether the
// holder still had it.
func (tx *Tx) EndIngestion(ctx context.Context, i quern.Ingestion, holder string) (bool, error) {
	report, err := encode(i.Report)
	if err != nil {
		return false, err
	}
	files, err := encodeFiles(i.Files)
	if err != nil {
		return false, err
	}
	n, err := tx.exec(ctx, `UPDATE ingestions SET status = $3, message = $4, report = $5, processed_bytes = $6, processed_rows = $7,
		ended_at = $8, files = $9, holder = '' WHERE id = $1 AND holder = $2 AND status = 'processing'`,
		i.ID, holder, i.Status, i.Message, report, i.ProcessedBytes, i.ProcessedRows, micros(i.EndedAt), files)
	return n == 1, err
}

// IngestedFile returns the latest completed ingestion into a dataset of a file with a
// digest, of which rows are still there; NotFound when there is none.
func (tx *Tx) IngestedFile(ctx context.Context, dataset quern.DatasetID, digest string) (quern.Ingestion, error) {
	return scanIngestion(tx.row(ctx, `SELECT `+ingestionColumns+` FROM ingestions WHERE dataset_id = $1 AND status = 'completed'
		AND files LIKE $2 AND id IN (SELECT ingestion_id FROM sources WHERE dataset_id = $1) ORDER BY created_at DESC LIMIT 1`,
		dataset, `%"digest":"`+digest+`"%`))
}

// AbortIngestion moves an ingestion that is not final to aborted and reports
// whether it did.
func (tx *Tx) AbortIngestion(ctx context.Context, id quern.IngestionID, at time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE ingestions SET status = 'aborted', ended_at = $2, holder = ''
		WHERE id = $1 AND status IN ('pending', 'processing')`, id, micros(at))
	return n == 1, err
}

// SeeIngestion notes when somebody first took notice of an ingestion.
func (tx *Tx) SeeIngestion(ctx context.Context, id quern.IngestionID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE ingestions SET seen_at = coalesce(seen_at, $2) WHERE id = $1`, id, micros(at))
	return err
}

// PutRejectedRows replaces what is noted of an ingestion's unreadable rows.
func (tx *Tx) PutRejectedRows(ctx context.Context, id quern.IngestionID, rows []quern.RejectedRow) error {
	if _, err := tx.exec(ctx, `DELETE FROM rejected_rows WHERE ingestion_id = $1`, id); err != nil {
		return err
	}
	for n, r := range rows {
		if _, err := tx.exec(ctx, `INSERT INTO rejected_rows (ingestion_id, position, file, member, line, file_row, reason, content)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, id, n, r.File, r.Member, r.Line, r.Row, r.Reason, r.Text); err != nil {
			return err
		}
	}
	return nil
}

// RejectedRows lists at most limit of an ingestion's unreadable rows, in order,
// from a position on.
func (tx *Tx) RejectedRows(ctx context.Context, id quern.IngestionID, from, limit int) (all []quern.RejectedRow, err error) {
	err = tx.each(ctx, `SELECT file, member, line, file_row, reason, content FROM rejected_rows
		WHERE ingestion_id = $1 AND position >= $2 ORDER BY position LIMIT $3`,
		[]any{id, from, limit}, func(scan func(...any) error) error {
			var r quern.RejectedRow
			err := scan(&r.File, &r.Member, &r.Line, &r.Row, &r.Reason, &r.Text)
			all = append(all, r)
			return err
		})
	return all, err
}

// InsertSources notes where rows of a dataset came from.
func (tx *Tx) InsertSources(ctx context.Context, dataset quern.DatasetID, sources []quern.Source) error {
	for _, s := range sources {
		if _, err := tx.exec(ctx, `INSERT INTO sources (dataset_id, first_row, row_count, ingestion_id, file, member,
			sheet, page, file_row) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			dataset, s.FirstRow, s.Rows, s.Ingestion, s.File, s.Member, s.Sheet, s.Page, s.FileRow); err != nil {
			return err
		}
	}
	return nil
}

// RowRange is the rows from an id up to, but not including, another.
type RowRange struct {
	From, To int64
	Limit    int // the most entries that are listed; 0: all
}

// Sources lists where rows came from, in order. Rows that were not read from a
// file have no entry.
func (tx *Tx) Sources(ctx context.Context, dataset quern.DatasetID, r RowRange) (all []quern.Source, err error) {
	limit := int64(r.Limit)
	if limit == 0 {
		limit = math.MaxInt64
	}
	err = tx.each(ctx, `SELECT first_row, row_count, ingestion_id, file, member, sheet, page, file_row FROM sources
		WHERE dataset_id = $1 AND first_row + row_count > $2 AND first_row < $3 ORDER BY first_row LIMIT $4`,
		[]any{dataset, r.From, r.To, limit}, func(scan func(...any) error) error {
			var s quern.Source
			err := scan(&s.FirstRow, &s.Rows, &s.Ingestion, &s.File, &s.Member, &s.Sheet, &s.Page, &s.FileRow)
			all = append(all, s)
			return err
		})
	return all, err
}

// DeleteSources forgets where a dataset's rows came from.
func (tx *Tx) DeleteSources(ctx context.Context, dataset quern.DatasetID) error {
	_, err := tx.exec(ctx, `DELETE FROM sources WHERE dataset_id = $1`, dataset)
	return err
}
