package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// Object is an object that the metadata name.
type Object struct {
	Key    string
	Bytes  int64  // negative where the metadata do not say
	Digest string // what it holds, in hexadecimal SHA-256; empty while nobody has looked
}

// NeededObjects gives every object without which something that the metadata promise
// is lost: segments, uploaded files, and what is served to other engines. What is kept beside
// segments, such as digests and feet, names no others.
func (tx *Tx) NeededObjects(ctx context.Context, fn func(Object) error) error {
	const digest = `, COALESCE((SELECT digest FROM object_digests d WHERE d.object_key = o.object_key), '')`
	for _, query := range []struct {
		text string
		args []any
	}{
		{`SELECT o.object_key, o.bytes` + digest + ` FROM segments o ORDER BY o.object_key`, nil},
		{`SELECT o.object_key, o.size` + digest + ` FROM upload_files o JOIN upload_sessions s ON s.id = o.session_id
			WHERE o.status = $1 AND s.status = $1 ORDER BY o.object_key`, []any{quern.UploadCompleted}},
		{`SELECT o.object_key, CAST(-1 AS BIGINT)` + digest + ` FROM garbage o
			WHERE EXISTS (SELECT 1 FROM published WHERE held = 1 AND o.object_key LIKE 'tables/' || dataset_id || '/%')
			ORDER BY o.object_key`, nil},
	} {
		if err := tx.each(ctx, query.text, query.args, func(scan func(...any) error) error {
			var o Object
			if err := scan(&o.Key, &o.Bytes, &o.Digest); err != nil {
				return err
			}
			return fn(o)
		}); err != nil {
			return err
		}
	}
	return tx.publishedObjects(ctx, `until IS NULL OR held = 1`, func(key string) error {
		o := Object{Key: key, Bytes: -1}
		err := tx.row(ctx, `SELECT COALESCE((SELECT digest FROM object_digests WHERE object_key = $1), '')`, key)(&o.Digest)
		if err != nil {
			return err
		}
		return fn(o)
	})
}

// publishedObjects gives the objects that were written for other engines.
func (tx *Tx) publishedObjects(ctx context.Context, which string, fn func(key string) error) error {
	seen := map[string]bool{}
	var all []string
	err := tx.each(ctx, `SELECT objects FROM published WHERE `+which+` ORDER BY id`, nil, func(scan func(...any) error) error {
		var text sql.NullString
		var keys []string
		if err := scan(&text); err != nil {
			return err
		}
		if err := decode(text, &keys); err != nil {
			return err
		}
		for _, key := range keys {
			if !seen[key] {
				seen[key] = true
				all = append(all, key)
			}
		}
		return nil
	})
	for _, key := range all {
		if err == nil {
			err = fn(key)
		}
	}
	return err
}

// PublishedObjects returns the keys of all objects that were written for other engines.
func (tx *Tx) PublishedObjects(ctx context.Context) (map[string]bool, error) {
	all := map[string]bool{}
	err := tx.publishedObjects(ctx, `0 = 0`, func(key string) error {
		all[key] = true
		return nil
	})
	return all, err
}

// KnownObjects tells which of some keys are a segment's, an uploaded file's, or on the
// list of what will be deleted.
func (tx *Tx) KnownObjects(ctx context.Context, keys []string) (map[string]bool, error) {
	known := map[string]bool{}
	if len(keys) == 0 {
		return known, nil
	}
	args := make([]any, len(keys))
	for i, key := range keys {
		args[i] = key
	}
	in := ` WHERE object_key IN (` + marks(1, len(args), "$%") + `)`
	for _, table := range []string{"segments", "upload_files", "garbage"} {
		if err := tx.each(ctx, `SELECT object_key FROM `+table+in, args, func(scan func(...any) error) error {
			var key string
			err := scan(&key)
			known[key] = true
			return err
		}); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// RecordDigests remembers what objects hold.
func (tx *Tx) RecordDigests(ctx context.Context, objects []Object) error {
	for _, o := range objects {
		if _, err := tx.exec(ctx, `INSERT INTO object_digests (object_key, bytes, digest) VALUES ($1, $2, $3)
			ON CONFLICT (object_key) DO NOTHING`, o.Key, o.Bytes, o.Digest); err != nil {
			return err
		}
	}
	return nil
}

// LastChange returns the latest time at which something was stored: a dataset, a run, a
// token or a user.
func (tx *Tx) LastChange(ctx context.Context) (time.Time, error) {
	var at sql.NullInt64
	err := tx.row(ctx, `SELECT max(at) FROM (SELECT max(data_changed_at) AS at FROM datasets UNION ALL SELECT max(updated_at) FROM runs
		UNION ALL SELECT max(created_at) FROM tokens UNION ALL SELECT max(created_at) FROM users) AS times`)(&at)
	return instant(at), err
}
