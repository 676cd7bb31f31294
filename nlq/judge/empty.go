package judge

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quern"
)

// copyColumns ingests a table that has no rows: a file of its header alone, with the
// types that the table declares.
func (d *file) copyColumns(ctx context.Context, h *Product, table string, to quern.DatasetPath) (err error) {
	declared, err := d.rows(ctx, "SELECT name, type FROM pragma_table_info("+quote(table, '\'')+")")
	if err != nil {
		return err
	}
	var header []string
	options := quern.IngestionOptions{Columns: map[string]quern.ColumnOption{}}
	for _, c := range declared {
		name := fmt.Sprint(plain(c[0]))
		header = append(header, name)
		options.Columns[name] = quern.ColumnOption{Type: declaredType(fmt.Sprint(c[1]))}
	}
	dir, err := os.MkdirTemp("", "quern-judge-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "header.csv")
	if err := writeHeader(path, header); err != nil {
		return err
	}
	return h.ingest(ctx, path, to, options)
}

func writeHeader(path string, header []string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := csv.NewWriter(f)
	if err := w.Write(header); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// declaredType is the type of what SQLite keeps in a column that is declared so.
func declaredType(declared string) quern.Type {
	declared = strings.ToUpper(declared)
	for _, kind := range []struct {
		of quern.Type
		by []string
	}{
		{quern.Integer, []string{"INT"}},
		{quern.Text, []string{"CHAR", "CLOB", "TEXT"}},
		{quern.Double, []string{"REAL", "FLOAT", "DOUBLE", "NUM", "DEC"}},
		{quern.Boolean, []string{"BOOL"}},
		{quern.Timestamp, []string{"DATETIME", "TIMESTAMP"}},
		{quern.Date, []string{"DATE"}},
	} {
		for _, part := range kind.by {
			if strings.Contains(declared, part) {
				return kind.of
			}
		}
	}
	return quern.Text
}
