package judge

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	_ "modernc.org/sqlite" // the databases of question sets are SQLite files

	"quern"
)

// Database is one SQLite file of a question set.
type Database struct {
	name string
	db   *sql.DB
}

// Open opens DIR/name.sqlite for reading. A name that leads out of DIR is none.
func Open(dir, name string) (*Database, error) {
	if strings.ContainsAny(name, `/\`) || cleanName(name) == "" {
		return nil, fmt.Errorf("%q cannot name a database", name)
	}
	path := filepath.Join(dir, name+".sqlite")
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("there is no database %s", path)
	}
	file := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: "mode=ro&immutable=1"}
	db, err := sql.Open("sqlite", file.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return &Database{name, db}, nil
}

// Close closes the file.
func (d *Database) Close() error { return d.db.Close() }

// tables lists the tables of the database.
func (d *Database) tables(ctx context.Context) ([]string, error) {
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
func (d *Database) columns(ctx context.Context, table string) ([]string, error) {
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

// goldTime is how long a set's own query may take.
const goldTime = 20 * time.Second

// rows runs a query and gives all of its rows.
func (d *Database) rows(ctx context.Context, text string) (all [][]any, err error) {
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

// Load makes a database's tables datasets of a namespace of its own, unless it
// is there already, and has their links discovered.
func (h *House) Load(ctx context.Context, d *Database) error {
	if done, err := h.loaded(ctx, d.name); done || err != nil {
		return err
	}
	tables, err := d.tables(ctx)
	if err != nil {
		return err
	}
	in := h.namespace(d.name)
	var made []quern.DatasetPath
	for _, table := range tables {
		path := quern.DatasetPath{Owner: in.Owner, Namespace: in.Namespace, Dataset: cleanName(table)}
		if _, err := h.Catalog.CreateDataset(ctx, h.Principal, path, quern.InferDefinition{}); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
		if err := h.copy(ctx, d, table, path); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
		made = append(made, path)
	}
	if len(made) < 2 {
		return nil
	}
	for _, path := range made {
		if _, err := h.Links.Rebuild(ctx, h.Principal, path); err != nil {
			return err
		}
	}
	return nil
}

// copy ingests a table's rows, some thousands at a time.
func (h *House) copy(ctx context.Context, d *Database, table string, to quern.DatasetPath) error {
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
		rows, err := d.rows(ctx, fmt.Sprintf("SELECT %s FROM %s LIMIT %d OFFSET %d", strings.Join(selected, ", "), quote(table, '"'), batch, from))
		if err != nil || len(rows) == 0 {
			return err
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
func (d *Database) numeric(ctx context.Context, table, column string) (bool, error) {
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

// plain gives a value of SQLite's as JSON can hold it.
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

// cleanName gives a name as datasets and namespaces may have it.
func cleanName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '_'
	}, name)
	clean = strings.TrimLeft(clean, "_-")
	const longest = 64
	return clean[:min(len(clean), longest)]
}
