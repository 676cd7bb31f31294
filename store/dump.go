package store

import (
	"cmp"
	"context"
	"database/sql"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Table is one of the tables that the metadata are made of.
type Table struct {
	Name    string
	Columns []string
	key     []string // the columns of its primary key
}

// passing are tables about what goes on, which a copy of the metadata leaves out.
var passing = []string{"holds", "servers"}

var createTable = regexp.MustCompile(`(?m)^CREATE TABLE (?P<name>\w+)`)

// ours returns the names of the tables that migrations make: a database may have others.
func ours() (map[string]bool, error) {
	all, err := readMigrations(migrations)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, m := range all {
		for _, found := range createTable.FindAllStringSubmatch(m.sql, -1) {
			names[found[1]] = true
		}
	}
	return names, nil
}

// Schema returns the version of the schema, 0 when there is none.
func (s *Store) Schema(ctx context.Context) (version int, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		version = 0
		tables, err := tx.allTables(ctx)
		if err != nil || !slices.ContainsFunc(tables, func(t Table) bool { return t.Name == "schema_version" }) {
			return err
		}
		return tx.row(ctx, `SELECT coalesce(max(version), 0) FROM schema_version`)(&version)
	})
	return version, err
}

// HasUsers reports whether there are users, and so something to lose.
func (s *Store) HasUsers(ctx context.Context) (has bool, err error) {
	err = s.View(ctx, func(tx *Tx) error { return tx.row(ctx, `SELECT EXISTS (SELECT 1 FROM users)`)(&has) })
	return has, err
}

func (tx *Tx) allTables(ctx context.Context) (tables []Table, err error) {
	type place struct {
		column string
		at     int
	}
	var keys [][]place
	err = tx.each(ctx, tx.dialect.tables, nil, func(scan func(...any) error) error {
		var table, column string
		var at int
		if err := scan(&table, &column, &at); err != nil {
			return err
		}
		if len(tables) == 0 || tables[len(tables)-1].Name != table {
			tables, keys = append(tables, Table{Name: table}), append(keys, nil)
		}
		last := len(tables) - 1
		tables[last].Columns = append(tables[last].Columns, column)
		if at > 0 {
			keys[last] = append(keys[last], place{column, at})
		}
		return nil
	})
	for i := range tables {
		slices.SortFunc(keys[i], func(a, b place) int { return cmp.Compare(a.at, b.at) })
		for _, k := range keys[i] {
			tables[i].key = append(tables[i].key, k.column)
		}
	}
	return tables, err
}

// Tables lists the tables that a copy of the metadata has, by name.
func (tx *Tx) Tables(ctx context.Context) ([]Table, error) {
	mine, err := ours()
	if err != nil {
		return nil, err
	}
	all, err := tx.allTables(ctx)
	return slices.DeleteFunc(all, func(t Table) bool { return !mine[t.Name] || slices.Contains(passing, t.Name) }), err
}

// Dump gives every row of a table in the order of its primary key: nulls, whole numbers,
// numbers, texts and bytes. The row is fn's to keep.
func (tx *Tx) Dump(ctx context.Context, t Table, fn func(row []any) error) error {
	order := t.key
	if len(order) == 0 {
		order = t.Columns
	}
	query := `SELECT ` + strings.Join(t.Columns, ", ") + ` FROM ` + t.Name + ` ORDER BY ` + strings.Join(order, ", ")
	return tx.each(ctx, query, nil, func(scan func(...any) error) error {
		row, into := make([]any, len(t.Columns)), make([]any, len(t.Columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := scan(into...); err != nil {
			return err
		}
		return fn(row)
	})
}

// Clock returns the time by the database's own clock, to a millisecond or better.
func (s *Store) Clock(ctx context.Context) (time.Time, error) {
	var now sql.NullInt64
	if err := s.read.QueryRowContext(ctx, s.dialect.now).Scan(&now); err != nil {
		return time.Time{}, s.classify(err)
	}
	return instant(now), nil
}
