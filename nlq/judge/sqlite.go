package judge

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	_ "modernc.org/sqlite" // the databases of question sets are SQLite files

	"quern"
)

// file is a database in one SQLite file.
type file struct {
	name string
	db   *sql.DB
}

// openFile opens a SQLite file for reading.
func openFile(path, name string) (*file, error) {
	address := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: "mode=ro&immutable=1"}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return &file{name, db}, nil
}

func (d *file) Name() string { return d.name }

// Close closes the file.
func (d *file) Close() error { return d.db.Close() }

// tables lists the tables of the database.
func (d *file) tables(ctx context.Context) ([]string, error) {
	rows, err := d.rows(ctx, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, r := range rows {
		names = append(names, fmt.Sprint(r[0]))
	}
	return names, nil
}

// columns lists the columns of a table.
func (d *file) columns(ctx context.Context, table string) ([]string, error) {
	rows, err := d.rows(ctx, "SELECT name FROM pragma_table_info("+quote(table, '\'')+")")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, r := range rows {
		names = append(names, fmt.Sprint(r[0]))
	}
	return names, nil
}

// rows runs a query and returns all of its rows.
func (d *file) rows(ctx context.Context, text string) (all [][]any, err error) {
	ctx, cancel := context.WithTimeout(ctx, goldTime)
	defer cancel()
	rows, err := d.db.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

func (d *file) fill(ctx context.Context, h *Product, in quern.NamespacePath) ([]quern.DatasetPath, error) {
	tables, err := d.tables(ctx)
	if err != nil {
		return nil, err
	}
	var made []quern.DatasetPath
	for _, table := range tables {
		path, err := h.dataset(ctx, in, table)
		if err == nil {
			err = d.copy(ctx, h, table, path)
		}
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", table, err)
		}
		made = append(made, path)
	}
	return made, nil
}

func (d *file) answer(ctx context.Context, _ *Product, text string) ([][]any, error) {
	return d.rows(ctx, text)
}

// copy ingests a table's rows, some thousands at a time.
func (d *file) copy(ctx context.Context, h *Product, table string, to quern.DatasetPath) error {
	columns, err := d.columns(ctx, table)
	if err != nil {
		return err
	}
	const batch = 20_000
	selected, numeric := make([]string, len(columns)), make([]bool, len(columns))
	for i, c := range columns {
		selected[i] = "+" + quote(c, '"') // the sign keeps the driver from reading dates
		if numeric[i], err = d.numeric(ctx, table, c); err != nil {
			return err
		}
	}
	for from := 0; ; from += batch {
		page := fmt.Sprintf("SELECT %s FROM %s LIMIT %d OFFSET %d", strings.Join(selected, ", "), quote(table, '"'), batch, from)
		rows, err := d.rows(ctx, page)
		switch {
		case err != nil:
			return err
		case len(rows) == 0 && from == 0:
			return d.copyColumns(ctx, h, table, to)
		case len(rows) == 0:
			return nil
		}
		if _, err := h.Ingest.JSON(ctx, h.Principal, to, body(columns, numeric, rows), ""); err != nil {
			return err
		}
		if len(rows) < batch {
			return nil
		}
	}
}

// numeric reports whether a column holds nothing but numbers, some of them
// written as text, as SQLite lets them be. An empty text is no value then.
func (d *file) numeric(ctx context.Context, table, column string) (bool, error) {
	c := quote(column, '"')
	rows, err := d.rows(ctx, fmt.Sprintf("SELECT DISTINCT +%s FROM %s WHERE typeof(%s) IN ('text', 'blob')", c, quote(table, '"'), c))
	if err != nil {
		return false, err
	}
	some := false
	for _, r := range rows {
		text := fmt.Sprint(plain(r[0]))
		if text != "" && !decimal.MatchString(text) {
			return false, nil
		}
		some = some || text != ""
	}
	if some || len(rows) == 0 {
		return some, nil
	}
	numbers, err := d.rows(ctx, fmt.Sprintf("SELECT 1 FROM %s WHERE typeof(%s) IN ('integer', 'real') LIMIT 1", quote(table, '"'), c))
	return len(numbers) > 0, err
}

var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})([.][0-9]+)?$`)

// body writes rows as an ingest body; numbers that numeric columns hold as text
// are written as numbers.
func body(columns []string, numeric []bool, rows [][]any) *bytes.Buffer {
	var b bytes.Buffer
	b.WriteString(`{"data":[`)
	for i, row := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('{')
		for j, v := range row {
			if j > 0 {
				b.WriteByte(',')
			}
			name, _ := json.Marshal(columns[j])
			value, err := json.Marshal(plain(v))
			if err != nil { // an infinite number
				value = []byte("null")
			}
			if numeric[j] {
				if value = bytes.Trim(value, `"`); len(value) == 0 {
					value = []byte("null")
				}
			}
			b.Write(name)
			b.WriteByte(':')
			b.Write(value)
		}
		b.WriteByte('}')
	}
	b.WriteString(`]}`)
	return &b
}

// plain returns a value of SQLite's as JSON can hold it.
func plain(v any) any {
	switch v := v.(type) {
	case []byte:
		return strings.ToValidUTF8(string(v), "")
	case string:
		return strings.ReplaceAll(strings.ToValidUTF8(v, ""), "\x00", "")
	}
	return v
}

func quote(name string, mark byte) string {
	m := string(mark)
	return m + strings.ReplaceAll(name, m, m+m) + m
}
