package query

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"quern"
	"quern/catalog"
	"quern/engine"
)

// Format is a form in which a dataset is exported.
type Format string

// The formats.
const (
	CSV     Format = "csv"
	JSON    Format = "json"
	NDJSON  Format = "ndjson"
	Parquet Format = "parquet"
	Arrow   Format = "arrow" // an IPC stream
)

// recheck is how many rows an export writes between two looks at whether the
// reader may still read.
const recheck = 5_000

// Export is a dataset about to be written out.
type Export struct {
	Dataset quern.Dataset
	service *Service
	caller  quern.Principal
	path    quern.DatasetPath
	snap    quern.Snapshot
	format  Format
	// StillKnown checks whether the caller is still let in at all; nil means it is.
	StillKnown func(context.Context) error
	// EscapeFormulas makes text that a spreadsheet would run as a formula
	// harmless in CSV, by a leading apostrophe.
	EscapeFormulas bool
}

// Export prepares to write a dataset out as it is now.
func (s *Service) Export(ctx context.Context, p quern.Principal, path quern.DatasetPath, f Format) (*Export, error) {
	snap, err := s.catalog.Snapshot(ctx, p, path)
	if err != nil {
		return nil, err
	}
	return &Export{Dataset: snap.Dataset, service: s, caller: p, path: path, snap: snap, format: f}, nil
}

// Write writes the whole dataset to w. It stops with an error when the caller
// loses the right to read, or the dataset goes away, in the middle.
func (e *Export) Write(ctx context.Context, w io.Writer) error {
	table, release, err := catalog.OpenTable(ctx, e.service.files, e.Dataset, e.snap.Segments)
	if err != nil {
		return err
	}
	defer release()
	table.Columns = shownColumns(table.Columns, Request{})
	if e.format == Parquet {
		return e.writeParquet(ctx, w, table)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	sink := e.sink(out, table.Columns)
	defer sink.release()
	if err := e.scan(ctx, table, sink.row); err != nil {
		return err
	}
	if err := sink.end(); err != nil {
		return err
	}
	return out.Flush()
}

// FirstRow is the id of the first row; the others follow without gaps.
func (e *Export) FirstRow() int64 {
	if len(e.snap.Segments) == 0 {
		return 0
	}
	return e.snap.Segments[0].FirstRow
}

// Columns are those of the rows that Each calls back with, internal ones included.
func (e *Export) Columns() []quern.Column { return catalog.Columns(e.Dataset) }

// Each calls back with every row of the dataset, in order. It stops as Write does.
func (e *Export) Each(ctx context.Context, row func([]any) error) error {
	table, release, err := catalog.OpenTable(ctx, e.service.files, e.Dataset, e.snap.Segments)
	if err != nil {
		return err
	}
	defer release()
	return e.scan(ctx, table, row)
}

func (e *Export) scan(ctx context.Context, table engine.Table, row func([]any) error) error {
	rows, err := e.service.engine.Scan(ctx, table, 0, -1)
	if err != nil {
		return err
	}
	defer rows.Close()
	for n := 1; rows.Next(); n++ {
		if n%recheck == 0 {
			if err := e.stillReadable(ctx); err != nil {
				return err
			}
		}
		if err := row(rows.Row()); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (e *Export) stillReadable(ctx context.Context) error {
	if e.StillKnown != nil {
		if err := e.StillKnown(ctx); err != nil {
			return err
		}
	}
	d, err := e.service.catalog.Dataset(ctx, e.caller, e.path, catalog.Read)
	if err == nil && d.ID != e.Dataset.ID {
		return quern.E(quern.NotFound, quern.CodeNotFound, "not found")
	}
	return err
}

// writeParquet writes one Parquet file. Its end names its parts, so it is made
// whole before its first byte is sent.
func (e *Export) writeParquet(ctx context.Context, w io.Writer, table engine.Table) error {
	path := filepath.Join(e.service.temp, "export-"+quern.NewID[string]()+".parquet")
	defer os.Remove(path)
	if _, err := e.service.engine.Copy(ctx, table, path); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	defer file.Close()
	const step = 4 << 20
	for {
		n, err := io.CopyN(w, file, step)
		nothing := err == nil && n == 0
		if err == io.EOF || nothing {
			return nil
		}
		if err != nil {
			return err
		}
		if err := e.stillReadable(ctx); err != nil {
			return err
		}
	}
}

// sink writes rows in one format.
type sink struct {
	row     func([]any) error
	end     func() error
	release func() // frees what the sink holds, also when the export was not finished
}

func (e *Export) sink(out *bufio.Writer, columns []quern.Column) sink {
	switch e.format {
	case CSV:
		return newCSVWriter(out, columns, e.EscapeFormulas).sink()
	case Arrow:
		return newArrowWriter(out, columns, e.about()).sink()
	}
	return jsonSink(out, columns, e.format == JSON)
}

// about is what a stream that can tell of itself tells: which dataset it is, at which
// version, and how many rows there must be.
func (e *Export) about() map[string]string {
	var rows int64
	for _, s := range e.snap.Segments {
		rows += s.Rows
	}
	at := e.Dataset.Path()
	return map[string]string{
		"quern.dataset": at.Owner + "/" + at.Namespace + "/" + at.Dataset,
		"quern.version": strconv.FormatInt(e.Dataset.Version, 10),
		"quern.rows":    strconv.FormatInt(rows, 10),
	}
}

func jsonSink(out *bufio.Writer, columns []quern.Column, array bool) sink {
	enc, line, first := NewEncoder(columns), []byte(nil), true
	return sink{
		release: func() {},
		row: func(row []any) error {
			line = line[:0]
			if array {
				line = append(line, ",\n"...)
				if first {
					line = append(line[:0], '[')
				}
				first = false
			}
			line = enc.Append(line, row)
			if !array {
				line = append(line, '\n')
			}
			_, err := out.Write(line)
			return err
		},
		end: func() error {
			switch {
			case array && first:
				_, err := out.WriteString("[]\n")
				return err
			case array:
				_, err := out.WriteString("]\n")
				return err
			}
			return nil
		},
	}
}
