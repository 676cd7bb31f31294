package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// JournalEntry is some rows of a dataset that are not in a segment yet.
type JournalEntry struct {
	Dataset  quern.DatasetID
	FirstRow int64
	Rows     int64
	At       time.Time
	Types    []quern.Type // of the dataset's columns when the rows came, in order
	Lines    []byte       // NDJSON; members are named by the positions of columns
}

// insertAtOnce bounds the rows that one statement brings, well under both databases' limits
// on placeholders.
const insertAtOnce = 200

var newJournal = valueTable{"added", []valueColumn{{"dataset_id", "text"}, {"first_row", "bigint"}, {"row_count", "bigint"},
	{"bytes", "bigint"}, {"written_at", "bigint"}, {"types", "text"}, {"lines", "text"}}}

// InsertJournal adds entries to the journal. The datasets' counts are UpdateData's.
func (tx *Tx) InsertJournal(ctx context.Context, entries []JournalEntry) error {
	rows := make([][]any, len(entries))
	for i, e := range entries {
		types, err := encode(e.Types)
		if err != nil {
			return err
		}
		rows[i] = []any{e.Dataset, e.FirstRow, e.Rows, len(e.Lines), micros(e.At), types, string(e.Lines)}
	}
	return tx.insertLater(ctx, "journal", newJournal, rows)
}

// Journal lists the entries of a dataset that begin before a row, by row.
func (tx *Tx) Journal(ctx context.Context, id quern.DatasetID, before int64) (all []JournalEntry, err error) {
	var last sql.NullString // most entries have the types of the one before
	err = tx.each(ctx, `SELECT first_row, row_count, types, lines FROM journal WHERE dataset_id = $1 AND first_row < $2 ORDER BY first_row`,
		[]any{id, before}, func(scan func(...any) error) error {
			e := JournalEntry{Dataset: id}
			var types sql.NullString
			if err := scan(&e.FirstRow, &e.Rows, &types, &e.Lines); err != nil {
				return err
			}
			if len(all) > 0 && types == last {
				e.Types = all[len(all)-1].Types
			} else if err := decode(types, &e.Types); err != nil {
				return err
			}
			last = types
			all = append(all, e)
			return nil
		})
	return all, err
}

// JournalSize adds up the entries of a dataset from one row up to, but not including,
// another.
func (tx *Tx) JournalSize(ctx context.Context, id quern.DatasetID, from, to int64) (s quern.Stored, err error) {
	err = tx.row(ctx, `SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT), CAST(coalesce(sum(row_count), 0) AS BIGINT) FROM journal
		WHERE dataset_id = $1 AND first_row >= $2 AND first_row < $3`, id, from, to)(&s.Bytes, &s.Rows)
	return s, err
}

// DeleteJournal takes the entries of a dataset from one row up to, but not including,
// another out of the journal.
func (tx *Tx) DeleteJournal(ctx context.Context, id quern.DatasetID, from, to int64) error {
	return tx.later(ctx, `DELETE FROM journal WHERE dataset_id = $1 AND first_row >= $2 AND first_row < $3`, id, from, to)
}

// Journaled lists datasets whose oldest entry was written before a time, oldest first.
func (tx *Tx) Journaled(ctx context.Context, before time.Time, limit int) ([]quern.DatasetID, error) {
	return tx.datasetIDs(ctx, `SELECT dataset_id FROM journal GROUP BY dataset_id HAVING min(written_at) < $1
		ORDER BY min(written_at), dataset_id LIMIT $2`, micros(before), limit)
}

// ClaimFolding reports whether nobody else folds a dataset at a time, and keeps others
// from it until another.
func (tx *Tx) ClaimFolding(ctx context.Context, id quern.DatasetID, now, until time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE datasets SET folding_until = $3 WHERE id = $1 AND folding_until <= $2`, id, micros(now), micros(until))
	return n == 1, err
}

// EndFolding lets others fold a dataset.
func (tx *Tx) EndFolding(ctx context.Context, id quern.DatasetID) error {
	_, err := tx.exec(ctx, `UPDATE datasets SET folding_until = 0 WHERE id = $1`, id)
	return err
}

// journalFrom is the schema version from which on programs know the journal.
const journalFrom = 28

// Wanted is a dataset that a user wants to write to. The names of its path are keys (see quern.NameKey).
type Wanted struct {
	User quern.UserID
	Path quern.DatasetPath
}

// Locked is a dataset that somebody wants to write to and that nobody else changes meanwhile.
type Locked struct {
	Access
	Quota quern.Quota // of the owner
	// Journal says that all servers that were seen of late know the journal: to others its rows would
	// not be there.
	Journal bool
}

var wantedDatasets = valueTable{"wanted", []valueColumn{{"user_id", "text"}, {"owner", "text"}, {"namespace", "text"}, {"dataset", "text"}}}

// LockWanted keeps datasets from changing until the transaction ends, in the order of their ids, so that
// two who lock several do not wait for each other, and returns them as they are then. Paths that lead
// nowhere, or to a draft, are left out. Servers that were seen since a time count as running.
func (tx *Tx) LockWanted(ctx context.Context, all []Wanted, since time.Time) (map[Wanted]Locked, error) {
	rows := make([][]any, len(all))
	for i, w := range all {
		rows[i] = []any{w.User, w.Path.Owner, w.Path.Namespace, w.Path.Dataset}
	}
	with, args, err := tx.with(wantedDatasets, rows)
	if err != nil {
		return nil, err
	}
	found := make(map[Wanted]Locked, len(all))
	err = tx.each(ctx, with+`SELECT `+datasetColumns+`, `+namespaceColumns+`, coalesce(ng.role, ''), coalesce(dg.role, ''),
		w.user_id, w.owner, w.namespace, w.dataset, u.quota_bytes, u.quota_rows, u.quota_questions,
		NOT EXISTS (SELECT 1 FROM servers WHERE seen_at >= $`+itoa(len(args)+1)+` AND knows < `+itoa(journalFrom)+`)
		FROM wanted w JOIN users u ON u.username = w.owner
		JOIN namespaces n ON n.owner_id = u.id AND n.name_key = w.namespace
		JOIN datasets d ON d.namespace_id = n.id AND d.name_key = w.dataset AND d.draft = 0
		LEFT JOIN grants ng ON ng.resource_id = n.id AND ng.user_id = w.user_id
		LEFT JOIN grants dg ON dg.resource_id = d.id AND dg.user_id = w.user_id
		ORDER BY d.id`+tx.dialect.forData, append(args, micros(since)), func(scan func(...any) error) (err error) {
		var w Wanted
		var l Locked
		l.Access, err = scanCachedAccess(func(dest ...any) error {
			return scan(append(dest, &w.User, &w.Path.Owner, &w.Path.Namespace, &w.Path.Dataset,
				&l.Quota.Bytes, &l.Quota.Rows, &l.Quota.Questions, &l.Journal)...)
		}, tx.columns)
		found[w] = l
		return err
	})
	return found, err
}

// MiscountedDatasets counts the datasets whose rows are not as many as those of their
// segments and of the journal, or whose share of the journal is not what they say.
func (tx *Tx) MiscountedDatasets(ctx context.Context) (all []quern.DatasetID, err error) {
	return tx.datasetIDs(ctx, `SELECT d.id FROM datasets d
		LEFT JOIN (SELECT dataset_id, sum(row_count) AS n FROM segments GROUP BY dataset_id) s ON s.dataset_id = d.id
		LEFT JOIN (SELECT dataset_id, sum(row_count) AS n, sum(bytes) AS b FROM journal GROUP BY dataset_id) j ON j.dataset_id = d.id
		WHERE d.row_count <> coalesce(s.n, 0) + coalesce(j.n, 0) OR d.journal_rows <> coalesce(j.n, 0) OR d.journal_bytes <> coalesce(j.b, 0)
		ORDER BY d.id`)
}
