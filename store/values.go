package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
)

// valueTable is a table that a statement brings along.
type valueTable struct {
	name    string
	columns []valueColumn
}

type valueColumn struct{ name, kind string } // the kind is text or bigint

// with begins a statement that reads a table of rows, which are at least one and no more than
// insertAtOnce. Where the database knows arrays, each column is one: so the text is the same however
// many rows there are, and stays prepared and planned.
func (tx *Tx) with(t valueTable, rows [][]any) (text string, args []any, err error) {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	head := "WITH " + t.name + " (" + strings.Join(names, ", ") + ") AS ("
	if !tx.dialect.arrays {
		return head + "VALUES " + rowMarks(len(rows), len(names)) + ") ", slices.Concat(rows...), nil
	}
	arrays := make([]string, len(t.columns))
	for i, c := range t.columns {
		arrays[i] = "CAST($" + itoa(i+1) + " AS " + c.kind + "[])"
		values, err := arrayOf(c.kind, rows, i)
		if err != nil {
			return "", nil, err
		}
		args = append(args, values)
	}
	return head + "SELECT * FROM unnest(" + strings.Join(arrays, ", ") + ")) ", args, nil
}

// arrayOf returns the values of a column.
func arrayOf(kind string, rows [][]any, column int) (any, error) {
	if kind == "text" {
		return valuesOf[string](rows, column)
	}
	return valuesOf[int64](rows, column)
}

func valuesOf[T any](rows [][]any, column int) ([]*T, error) {
	all := make([]*T, len(rows))
	for i, row := range rows {
		v, err := driver.DefaultParameterConverter.ConvertValue(row[column])
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		value, ok := v.(T)
		if !ok {
			return nil, fmt.Errorf("a value of column %d is a %T", column+1, v)
		}
		all[i] = &value
	}
	return all, nil
}

// insertLater inserts rows into a table under the names of their columns.
func (tx *Tx) insertLater(ctx context.Context, into string, t valueTable, rows [][]any) error {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	columns := strings.Join(names, ", ")
	for some := range slices.Chunk(rows, insertAtOnce) {
		with, args, err := tx.with(t, some)
		if err != nil {
			return err
		}
		if err := tx.later(ctx, with+`INSERT INTO `+into+` (`+columns+`) SELECT `+columns+` FROM `+t.name, args...); err != nil {
			return err
		}
	}
	return nil
}
