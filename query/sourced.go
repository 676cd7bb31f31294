package query

import (
	"context"
	"encoding/json"
	"strconv"

	"quern"
	"quern/engine"
)

// The rows whose sources are looked up together.
const (
	sourcedRows  = 1_000
	sourcedBytes = 1 << 20
)

// SourcedRows are rows that tell which file and row each came from, where that is
// known; of those of a SourcedRows of which only Rows is set, it is not.
type SourcedRows struct {
	engine.Rows
	ctx     context.Context //nolint:containedctx // lives as long as the rows do
	service *Service
	caller  quern.Principal
	dataset quern.DatasetID // empty: the rows are none of one dataset
	ahead   [][]any         // copies of rows that were read ahead
	ids     []int64         // of these
	sources []quern.Source  // of these
	at      int             // the current one
	err     error
}

// Sourced makes rows tell where they came from. They are read some ahead, unless
// they are not rows of one dataset.
func (s *Service) Sourced(ctx context.Context, p quern.Principal, rows engine.Rows) *SourcedRows {
	return &SourcedRows{Rows: rows, ctx: ctx, service: s, caller: p, dataset: datasetOf(rows)}
}

// Next moves to the next row and reports whether there is one.
func (r *SourcedRows) Next() bool {
	if r.dataset == "" {
		return r.Rows.Next()
	}
	if r.at++; r.at < len(r.ahead) {
		return true
	}
	r.at, r.ahead, r.ids = 0, r.ahead[:0], r.ids[:0]
	for size := 0; len(r.ahead) < sourcedRows && size < sourcedBytes && r.err == nil && r.Rows.Next(); {
		row, bytes := CopyRow(r.Rows.Row())
		r.ahead, r.ids, size = append(r.ahead, row), append(r.ids, RowID(r.Rows)), size+bytes
	}
	if len(r.ahead) == 0 {
		return false
	}
	if r.err = r.findSources(); r.err != nil {
		r.ahead = nil
	}
	return r.err == nil
}

// findSources looks up where the rows that were read ahead came from. A dataset
// that is gone by now, or no longer the caller's to see, tells nothing more.
func (r *SourcedRows) findSources() (err error) {
	r.sources, err = r.service.catalog.SourcesOf(r.ctx, r.caller, r.dataset, r.ids)
	if quern.Is(err, quern.NotFound) {
		r.sources, err = make([]quern.Source, len(r.ids)), nil
	}
	return err
}

// Row is the current row.
func (r *SourcedRows) Row() []any {
	if r.dataset == "" {
		return r.Rows.Row()
	}
	return r.ahead[r.at]
}

// Err is the error that ended the rows early.
func (r *SourcedRows) Err() error {
	if r.err != nil {
		return r.err
	}
	return r.Rows.Err()
}

// RowSource tells which row the current one is; nil when it is not one that was read
// from a file.
func (r *SourcedRows) RowSource() *RowSource {
	if r.dataset == "" || r.sources[r.at].Rows == 0 {
		return nil
	}
	return &RowSource{Row: r.ids[r.at], Source: &r.sources[r.at]}
}

// RowSource is which row of a dataset a row is, and where that came from.
type RowSource struct {
	Row    int64
	Source *quern.Source // that holds the row; nil when it was not read from a file
}

// appendTo writes the members of a row's metadata that tell that.
func (o *RowSource) appendTo(b []byte) []byte {
	b = strconv.AppendInt(append(b, `"row":`...), o.Row, 10)
	if o.Source == nil {
		return b
	}
	b = appendText(append(b, `,"source":{"file":`...), o.Source.File)
	if o.Source.Member != "" {
		b = appendText(append(b, `,"member":`...), o.Source.Member)
	}
	if o.Source.Sheet != "" {
		b = appendText(append(b, `,"sheet":`...), o.Source.Sheet)
	}
	if o.Source.Page > 0 {
		b = strconv.AppendInt(append(b, `,"page":`...), o.Source.Page, 10)
	}
	return append(strconv.AppendInt(append(b, `,"row":`...), o.Source.FileRow+o.Row-o.Source.FirstRow, 10), '}')
}

// withSource adds where a row came from to the object of its metadata.
func withSource(b []byte, metadata json.RawMessage, from *RowSource) []byte {
	if len(metadata) < 2 || metadata[0] != '{' || metadata[len(metadata)-1] != '}' {
		return append(b, metadata...)
	}
	b = append(b, metadata[:len(metadata)-1]...)
	if len(metadata) > 2 {
		b = append(b, ',')
	}
	return append(from.appendTo(b), '}')
}
