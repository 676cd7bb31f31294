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

// worksFrom is the oldest program, by the schema version that it knows, that works on
// today's schema. A release only adds to the schema, so that servers of the release
// before go on working while it is rolled out; what they used and nobody uses any more
// is taken away a release later, by a migration that raises this number to the last
// version of the release in between.
const worksFrom = 28

// migrate applies what is missing, all of it in one transaction that a second
// server waits for. A schema newer than the binary is left as it is where it says that
// it works with this binary, and is an error else.
func (s *Store) migrate(ctx context.Context) error {
	all, err := readMigrations(migrations)
	if err != nil {
		return err
	}
	return s.Update(ctx, func(tx *Tx) error { return tx.migrate(ctx, all, worksFrom) })
}

func (tx *Tx) migrate(ctx context.Context, all []migration, worksFrom int) error {
	have, err := tx.beginMigrating(ctx)
	if err != nil {
		return err
	}
	if have > len(all) {
		return tx.worksOnNewer(ctx, have, len(all))
	}
	if err := tx.apply(ctx, all[have:]); err != nil || have == len(all) || len(all) < worksFrom {
		return err
	}
	_, err = tx.exec(ctx, `UPDATE schema_version SET oldest = $1 WHERE version = $2`, worksFrom, len(all))
	return err
}

// beginMigrating keeps others from migrating and returns the schema version, 0 when
// there is no schema yet.
func (tx *Tx) beginMigrating(ctx context.Context) (have int, err error) {
	if tx.dialect.migrateLock != "" {
		if _, err := tx.exec(ctx, tx.dialect.migrateLock); err != nil {
			return 0, err
		}
	}
	if _, err := tx.exec(ctx, `CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)`); err != nil {
		return 0, err
	}
	err = tx.row(ctx, `SELECT coalesce(max(version), 0) FROM schema_version`)(&have)
	return have, err
}

// apply runs migrations, in order.
func (tx *Tx) apply(ctx context.Context, some []migration) error {
	for _, m := range some {
		if _, err := tx.sql.ExecContext(ctx, m.sql); err != nil {
			return errors.Join(fmt.Errorf("store: migration %s", m.name), err)
		}
		if _, err := tx.exec(ctx, `INSERT INTO schema_version (version) VALUES ($1)`, m.version); err != nil {
			return err
		}
	}
	return nil
}

// worksOnNewer fails unless the schema, which is newer than this program, works with it.
func (tx *Tx) worksOnNewer(ctx context.Context, have, know int) error {
	var oldest int
	if err := tx.row(ctx, `SELECT oldest FROM schema_version ORDER BY version DESC LIMIT 1`)(&oldest); err != nil {
		return err
	}
	if oldest == 0 || know < oldest {
		return &NewerSchemaError{Have: have, Know: know}
	}
	return nil
}

// SchemaVersion is the version that this program makes.
func SchemaVersion() int {
	all, err := readMigrations(migrations)
	if err != nil {
		panic(err) // a file that a test of this package refuses
	}
	return len(all)
}

// NewerSchemaError says that a newer release has already changed the metadata.
type NewerSchemaError struct{ Have, Know int }

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("the metadata are at schema version %d, which is more than one release newer than this program, which knows versions up to %d: "+
		"run a newer release, or restore a backup made before the upgrade", e.Have, e.Know)
}
