package query

import (
	"bytes"
	"encoding/json"
	"strings"

	"quern"
	"quern/engine"
)

// Result is the rows of a query, all of them in memory.
type Result struct {
	Columns  []quern.Column
	Rows     [][]any
	Total    int64               // of the whole result; more than there are rows here when those were cut
	Datasets []quern.DatasetPath // that the rows came from, first named first
	ids      []int64             // of the rows, in the dataset that they are rows of; -1: not known
	listed   quern.DatasetID     // that dataset; empty when the rows are not rows of one
	reads    []quern.DatasetID   // that the query read
	ran      string              // where the query ran
}

// NewResult begins to keep rows.
func NewResult(rows engine.Rows) *Result {
	return &Result{Columns: rows.Columns(), listed: datasetOf(rows), reads: Reads(rows), ran: Ran(rows)}
}

// Keep keeps a copy of the current row.
func (r *Result) Keep(rows engine.Rows, copied []any) {
	r.Rows = append(r.Rows, copied)
	if r.listed != "" {
		r.ids = append(r.ids, RowID(rows))
	}
}

// datasetOf returns the dataset that rows are rows of; empty when they are not.
func datasetOf(rows engine.Rows) quern.DatasetID {
	switch rows := rows.(type) {
	case *listedRows:
		return rows.dataset
	case *stream:
		return rows.result.listed
	case *SourcedRows:
		return datasetOf(rows.Rows)
	}
	return ""
}

// Knows reports whether rows know which rows of a dataset they are.
func Knows(rows engine.Rows) bool { return datasetOf(rows) != "" }

// RowID returns the id of the current row in its dataset; -1 when it is not known.
func RowID(rows engine.Rows) int64 {
	switch rows := rows.(type) {
	case *listedRows:
		if id, ok := rows.rowID(); ok {
			return id
		}
	case *stream:
		if len(rows.result.ids) >= rows.next {
			return rows.result.ids[rows.next-1]
		}
	case *SourcedRows:
		return rows.ids[rows.at]
	}
	return -1
}

// CopyRow returns a row that stays as it is when its stream goes on, and about
// how many bytes it takes.
func CopyRow(row []any) (copied []any, size int) {
	const word = 16
	copied = make([]any, len(row))
	for i, v := range row {
		size += word
		switch v := v.(type) {
		case string:
			size += len(v)
			copied[i] = strings.Clone(v) // it may be a part of much more
		case json.Number:
			size += len(v)
			copied[i] = json.Number(strings.Clone(string(v)))
		case json.RawMessage:
			size += len(v)
			copied[i] = json.RawMessage(bytes.Clone(v))
		default:
			copied[i] = v
		}
	}
	return copied, size
}

// Stream returns the rows as an engine does.
func (r *Result) Stream() engine.Rows { return &stream{result: r} }

type stream struct {
	result *Result
	next   int
}

func (s *stream) Columns() []quern.Column { return s.result.Columns }

func (s *stream) Next() bool {
	s.next++
	return s.next <= len(s.result.Rows)
}

func (s *stream) Row() []any   { return s.result.Rows[s.next-1] }
func (s *stream) Total() int64 { return s.result.Total }
func (s *stream) Err() error   { return nil }
func (s *stream) Close() error { return nil }
