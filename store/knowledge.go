package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// Knowledge is a version of what is taught about a namespace. Its document is
// JSON.
type Knowledge struct {
	Namespace quern.NamespaceID
	Version   int64
	Author    string
	WrittenAt time.Time
	Document  string
}

// KnowledgeVersion returns the number of a namespace's current version; 0 when
// there is none.
func (tx *Tx) KnowledgeVersion(ctx context.Context, id quern.NamespaceID) (version int64, err error) {
	err = tx.row(ctx, `SELECT coalesce(max(version), 0) FROM knowledge WHERE namespace_id = $1`, id)(&version)
	return version, err
}

// KnowledgeVersions lists versions of a namespace's knowledge that are not above
// one, newest first.
func (tx *Tx) KnowledgeVersions(ctx context.Context, id quern.NamespaceID, upTo int64, limit int) ([]Knowledge, error) {
	var all []Knowledge
	err := tx.each(ctx, `SELECT version, author, written_at, document FROM knowledge
		WHERE namespace_id = $1 AND version <= $2 ORDER BY version DESC LIMIT $3`, []any{id, upTo, limit}, func(scan func(...any) error) error {
		k := Knowledge{Namespace: id}
		var written sql.NullInt64
		err := scan(&k.Version, &k.Author, &written, &k.Document)
		k.WrittenAt = instant(written)
		all = append(all, k)
		return err
	})
	return all, err
}

// InsertKnowledge adds a version. Conflict when there is one of its number.
func (tx *Tx) InsertKnowledge(ctx context.Context, k Knowledge) error {
	_, err := tx.exec(ctx, `INSERT INTO knowledge (namespace_id, version, author, written_at, document) VALUES ($1, $2, $3, $4, $5)`,
		k.Namespace, k.Version, k.Author, micros(k.WrittenAt), k.Document)
	return err
}

// PruneKnowledge deletes the versions of a namespace up to one.
func (tx *Tx) PruneKnowledge(ctx context.Context, id quern.NamespaceID, upTo int64) error {
	_, err := tx.exec(ctx, `DELETE FROM knowledge WHERE namespace_id = $1 AND version <= $2`, id, upTo)
	return err
}
