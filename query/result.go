package query

import (
	"bytes"
	"encoding/json"

	"quern"
	"quern/engine"
)

// Result is the rows of a query, all of them in memory.
type Result struct {
	Columns  []quern.Column
	Rows     [][]any
	Total    int64               // of the whole result; more than there are rows here when those were cut
	Datasets []quern.DatasetPath // that the rows came from, first named first
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
			copied[i] = v
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
