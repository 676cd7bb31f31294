package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// migrations holds the schema's history: NNNN_what.sql, applied in order, each
// once, never edited after a release. The SQL is the same for both databases.
//
//go:embed migrations/*.sql
var migrations embed.FS

type migration struct {
	version int
	name    string
	sql     string
}

func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var all []migration
	for i, name := range names {
		base := strings.TrimPrefix(name, "migrations/")
		number, _, _ := strings.Cut(base, "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != i+1 {
			return nil, fmt.Errorf("store: migration %s should carry number %04d", base, i+1)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		all = append(all, migration{version, base, string(text)})
	}
	return all, nil
}

// migrate applies what is missing, all of it in one transaction that a second
// server waits for. A schema newer than the binary is an error.
func (s *Store) migrate(ctx context.Context) error {
	all, err := readMigrations(migrations)
	if err != nil {
		return err
	}
	return s.Update(ctx, func(tx *Tx) error {
		if tx.dialect.migrateLock != "" {
			if _, err := tx.exec(ctx, tx.dialect.migrateLock); err != nil {
				return err
			}
		}
		if _, err := tx.exec(ctx, `CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)`); err != nil {
			return err
		}
		var have int
		if err := tx.row(ctx, `SELECT coalesce(max(version), 0) FROM schema_version`)(&have); err != nil {
			return err
		}
		if have > len(all) {
			return &NewerSchemaError{Have: have, Know: len(all)}
		}
		for _, m := range all[have:] {
			if _, err := tx.sql.ExecContext(ctx, m.sql); err != nil {
				return errors.Join(fmt.Errorf("store: migration %s", m.name), err)
			}
			if _, err := tx.exec(ctx, `INSERT INTO schema_version (version) VALUES ($1)`, m.version); err != nil {
				return err
			}
		}
		return nil
	})
}

// NewerSchemaError says that a newer release has already changed the metadata.
type NewerSchemaError struct{ Have, Know int }

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("the metadata are at schema version %d, this binary knows versions up to %d: run a newer release, or restore a "+
		"backup made before the upgrade", e.Have, e.Know)
}
