package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"quern"
)

// Loading is a copy of the metadata on its way in.
type Loading struct {
	// Schema is the version of the schema that the copy was made of.
	Schema int
	// Replace says that metadata that are there go.
	Replace bool
	// Now is when the copy is loaded.
	Now time.Time
	// Alive is how long ago a server may have been seen that is taken to be running.
	Alive time.Duration
	// Rows gives all rows to put, table by table. It may be called again.
	Rows func(put func(t Table, rows [][]any) error) error
}

// ErrHasData says that metadata were to be loaded where there are some.
var ErrHasData = quern.E(quern.Conflict, quern.CodeConflict, "there are users and data already")

// Load puts a copy of the metadata into the database that o names, in one transaction,
// and brings it up to date: leases are free, uploads under way have ended. It fails, and
// changes nothing, when the copy is newer than this program, a server runs on the
// database, or there are metadata which are not to be replaced.
func Load(ctx context.Context, o Options, l Loading) (err error) {
	all, err := readMigrations(migrations)
	if err != nil {
		return err
	}
	if l.Schema > len(all) {
		return &NewerSchemaError{Have: l.Schema, Know: len(all)}
	}
	if o.MaxConns == 0 {
		o.MaxConns = 2
	}
	s, err := connect(o)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, s.Close()) }()
	return s.Update(ctx, func(tx *Tx) error {
		if err := tx.clear(ctx, l); err != nil {
			return err
		}
		if err := tx.apply(ctx, all[:l.Schema]); err != nil {
			return err
		}
		if err := tx.fill(ctx, l); err != nil {
			return err
		}
		if err := tx.migrate(ctx, all, worksFrom); err != nil {
			return err
		}
		return tx.settle(ctx, l.Now)
	})
}

// clear takes away the tables that are there, if they may go.
func (tx *Tx) clear(ctx context.Context, l Loading) error {
	have, err := tx.beginMigrating(ctx)
	if err != nil {
		return err
	}
	if have > 0 {
		if err := tx.mayClear(ctx, l); err != nil {
			return err
		}
	}
	mine, err := ours()
	if err != nil {
		return err
	}
	tables, err := tx.allTables(ctx)
	if err != nil {
		return err
	}
	cascade := ""
	if tx.dialect.forUpdate != "" {
		cascade = " CASCADE" // the foreign keys of those that are still to go
	}
	for _, t := range tables {
		if mine[t.Name] || t.Name == "schema_version" {
			if _, err := tx.exec(ctx, `DROP TABLE `+t.Name+cascade); err != nil {
				return err
			}
		}
	}
	_, err = tx.beginMigrating(ctx)
	return err
}

func (tx *Tx) mayClear(ctx context.Context, l Loading) error {
	tables, err := tx.allTables(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(tables, func(t Table) bool { return t.Name == "servers" }) {
		servers, err := tx.Servers(ctx, l.Now.Add(-l.Alive))
		if err != nil {
			return err
		}
		if len(servers) > 0 {
			return &RunningError{Servers: servers, Alive: l.Alive, Now: l.Now}
		}
	}
	var users int
	if err := tx.row(ctx, `SELECT count(*) FROM users`)(&users); err != nil {
		return err
	}
	if users > 0 && !l.Replace {
		return ErrHasData
	}
	return nil
}

// RunningError says that servers run on the metadata.
type RunningError struct {
	Servers []Server
	Alive   time.Duration
	Now     time.Time
}

func (e *RunningError) Error() string {
	s := e.Servers[0]
	text := fmt.Sprintf("a server runs on these metadata: %s, seen %v ago", s.Host, e.Now.Sub(s.SeenAt).Round(time.Second))
	if n := len(e.Servers) - 1; n > 0 {
		text += fmt.Sprintf(", and %d more", n)
	}
	return text + fmt.Sprintf("; stop it first (one that was killed counts for %v)", e.Alive)
}

// fill puts rows into empty tables. What rows refer to is looked at when all are there.
func (tx *Tx) fill(ctx context.Context, l Loading) error {
	tighten, err := tx.relax(ctx)
	if err != nil {
		return err
	}
	tables, err := tx.Tables(ctx)
	if err != nil {
		return err
	}
	err = l.Rows(func(t Table, rows [][]any) error {
		at := slices.IndexFunc(tables, func(have Table) bool { return have.Name == t.Name })
		if at < 0 {
			return fmt.Errorf("store: the copy has a table %q, which schema version %d does not", t.Name, l.Schema)
		}
		for _, c := range t.Columns {
			if !slices.Contains(tables[at].Columns, c) {
				return fmt.Errorf("store: the copy has a column %q of %s, which schema version %d does not", c, t.Name, l.Schema)
			}
		}
		return tx.put(ctx, t, rows)
	})
	if err != nil {
		return err
	}
	return tighten()
}

func (tx *Tx) put(ctx context.Context, t Table, rows [][]any) error {
	const most = 8000 // placeholders, well under both databases' limits
	batch := max(1, most/len(t.Columns))
	for some := range slices.Chunk(rows, batch) {
		values, args := make([]string, len(some)), make([]any, 0, len(some)*len(t.Columns))
		for i, row := range some {
			if len(row) != len(t.Columns) {
				return fmt.Errorf("store: a row of %s has %d values for %d columns", t.Name, len(row), len(t.Columns))
			}
			values[i] = "(" + marks(len(args)+1, len(row), "$%") + ")"
			args = append(args, row...)
		}
		query := `INSERT INTO ` + t.Name + ` (` + strings.Join(t.Columns, ", ") + `) VALUES ` + strings.Join(values, ", ")
		if _, err := tx.exec(ctx, query, args...); err != nil {
			return err
		}
	}
	return nil
}

// relax lets rows come before those that they refer to. What it returns ends that, and
// fails when a row refers to none.
func (tx *Tx) relax(ctx context.Context) (tighten func() error, err error) {
	if tx.dialect.forUpdate == "" {
		_, err := tx.exec(ctx, `PRAGMA defer_foreign_keys = ON`)
		return func() error { return tx.CheckReferences(ctx) }, err
	}
	var foreign [][2]string
	err = tx.each(ctx, `SELECT r.relname, c.conname FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
		WHERE c.contype = 'f' AND c.connamespace = to_regnamespace(current_schema())`, nil, func(scan func(...any) error) error {
		var one [2]string
		err := scan(&one[0], &one[1])
		foreign = append(foreign, one)
		return err
	})
	change := func(to string) error {
		for _, f := range foreign {
			if _, err := tx.exec(ctx, `ALTER TABLE `+f[0]+` ALTER CONSTRAINT `+f[1]+` `+to); err != nil {
				return err
			}
		}
		return nil
	}
	if err == nil {
		err = change("DEFERRABLE INITIALLY DEFERRED")
	}
	return func() error {
		if _, err := tx.exec(ctx, `SET CONSTRAINTS ALL IMMEDIATE`); err != nil {
			return err
		}
		return change("NOT DEFERRABLE")
	}, err
}

// CheckReferences fails when a row refers to one that is not there. PostgreSQL never
// lets that happen.
func (tx *Tx) CheckReferences(ctx context.Context) error {
	if tx.dialect.forUpdate != "" {
		return nil
	}
	return tx.each(ctx, `SELECT "table", "parent" FROM pragma_foreign_key_check`, nil, func(scan func(...any) error) error {
		var from, to string
		if err := scan(&from, &to); err != nil {
			return err
		}
		return fmt.Errorf("store: a row of %s refers to one of %s that is not there", from, to)
	})
}

// settle ends what only made sense where the copy was made: uploads under way, whose
// parts are not in it, leases, and versions that were about to be forgotten.
func (tx *Tx) settle(ctx context.Context, now time.Time) error {
	for _, statement := range []struct {
		text string
		args []any
	}{
		{`UPDATE upload_files SET status = $1 WHERE session_id IN (SELECT id FROM upload_sessions WHERE status = $2)`,
			[]any{quern.UploadAborted, quern.UploadPreparing}},
		{`UPDATE upload_sessions SET status = $1, ended_at = $3, freed_at = $3 WHERE status = $2`,
			[]any{quern.UploadAborted, quern.UploadPreparing, micros(now)}},
		{`DELETE FROM published WHERE until IS NOT NULL AND held = 0`, nil},
	} {
		if _, err := tx.exec(ctx, statement.text, statement.args...); err != nil {
			return err
		}
	}
	tables, err := tx.Tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if slices.Contains(t.Columns, "holder") {
			if _, err := tx.exec(ctx, `UPDATE `+t.Name+` SET holder = '' WHERE holder <> ''`); err != nil {
				return err
			}
		}
	}
	return nil
}
