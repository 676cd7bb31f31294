package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"quern"
	"quern/catalog"
	"quern/ingest/format"
)

// tableColumn is a column of a table of text.
type tableColumn struct {
	at       int // among the cells of a record
	form     form
	original string
	asText   bool // the dataset's column is one of text
}

// readTable reads a table of text twice: once to learn what its columns are,
// over all rows, and once to write them.
func (r *reading) readTable(ctx context.Context, t format.Table, about quern.IngestedTable) error {
	if done, err := r.readParallel(ctx, t, &about); done || err != nil {
		return err
	}
	learned, header, err := r.learn(ctx, t, &about)
	if err != nil {
		return err
	}
	columns, batch := r.chooseColumns(t, header, learned, &about)
	if err := r.fit(batch); err != nil {
		return err
	}
	before := r.dataset
	for i, c := range catalog.Plan(before, batch) {
		columns[i].asText = c.Type == quern.Text
	}
	w := &tableWriter{reading: r, about: &about, columns: columns}
	w.parts = parts{dir: r.dir, full: func(p part) error { return r.piece(ctx, p, batch) }}
	defer w.parts.close()
	if err := w.write(ctx, t); err != nil {
		return err
	}
	originals := make([]string, len(columns))
	for i, c := range columns {
		originals[i] = c.original
	}
	about.Rows = w.parts.rows
	r.describe(&about, originals, batch, before)
	return nil
}

// eachRecord reads a table from front to back. What cannot be read goes to bad.
func eachRecord(ctx context.Context, in format.Reader, row func(format.Record) error, bad func(*format.Fault) error) error {
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		rec, err := in.Next()
		fault, isFault := errors.AsType[*format.Fault](err)
		switch {
		case err == nil:
			err = row(rec)
		case errors.Is(err, io.EOF):
			return nil
		case isFault:
			err = bad(fault)
		}
		if err != nil {
			return err
		}
	}
}

// learn is the first reading.
func (r *reading) learn(ctx context.Context, t format.Table, about *quern.IngestedTable) (columns []*column, header []string, err error) {
	in, err := t.Open()
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	header = in.Header()
	columns = make([]*column, len(header))
	for i := range columns {
		columns[i] = newColumn(r.quarantine)
	}
	err = eachRecord(ctx, in, func(rec format.Record) error {
		for i := range rec.Cells {
			columns[i].cell(&rec.Cells[i], r.nulls)
		}
		return nil
	}, func(f *format.Fault) error {
		if r.quarantine {
			return nil // the second reading takes it
		}
		return r.reject(about, f)
	})
	if err == nil && len(r.rejected) > 0 && !r.quarantine {
		err = errUnreadable
	}
	about.Notes = append(about.Notes, in.Notes()...)
	return columns, header, err
}

// chooseColumns decides what the columns are. One without a name and without a value is
// none.
func (r *reading) chooseColumns(
	t format.Table, header []string, learned []*column, about *quern.IngestedTable,
) (columns []tableColumn, batch []catalog.Batch) {
	names := cleanNames(header)
	// A comma that must be a decimal one tells how the other columns are written.
	comma := false
	for _, c := range learned {
		comma = comma || c.onlyComma()
	}
	for i, c := range learned {
		if header[i] == "" && c.values == 0 && !c.words {
			continue
		}
		ownComma := t.DecimalComma && c.commas
		f, ambiguous := c.chooseForm(comma || ownComma)
		if ambiguous {
			about.Notes = append(about.Notes,
				fmt.Sprintf("the dates of %s can be read as day/month and as month/day; they were left as text", names[i]))
		}
		notable := c.marks || !f.isNumber()
		if form := formNames[f.date()]; form != "" && notable {
			about.Notes = append(about.Notes, fmt.Sprintf("%s was read as %s", names[i], form))
		}
		columns = append(columns, tableColumn{at: i, form: f, original: header[i]})
		batch = append(batch, catalog.Batch{Name: names[i], Shape: c.shape(f)})
	}
	return columns, batch
}

// tableWriter is the second reading.
type tableWriter struct {
	reading *reading
	about   *quern.IngestedTable
	columns []tableColumn
	parts   parts
	line    []byte
}

func (w *tableWriter) write(ctx context.Context, t format.Table) error {
	in, err := t.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	err = eachRecord(ctx, in, w.record, func(f *format.Fault) error { return w.reading.reject(w.about, f) })
	if err != nil {
		return err
	}
	return w.parts.flush()
}

// record writes one row, or rejects it when a value does not have its column's
// form.
func (w *tableWriter) record(rec format.Record) error {
	w.line = append(w.line[:0], '{')
	for n := range w.columns {
		c := &w.columns[n]
		if c.at >= len(rec.Cells) {
			continue
		}
		if !w.cell(n, c, rec.Cells[c.at]) {
			return w.reading.reject(w.about, &format.Fault{
				Line: rec.Line, Row: rec.Row, Text: rowText(rec),
				Reason: fmt.Sprintf("%s does not fit the other values of %s", quoteShort(string(rec.Cells[c.at].Text)), quoteShort(c.original)),
			})
		}
	}
	w.line = append(w.line, '}')
	w.reading.noteSource(w.about, rec.Row)
	w.reading.counted.Add(1)
	return w.parts.row(w.line)
}

// cell writes one value; it reports false when the value cannot be written.
func (w *tableWriter) cell(n int, c *tableColumn, cell format.Cell) bool {
	text := bytes.TrimSpace(cell.Text)
	null := len(text) == 0 && len(cell.Text) == 0 && !cell.Quoted || !c.asText && (len(text) == 0 || w.reading.nulls.has(text))
	if null {
		return true
	}
	w.line = appendMember(w.line, n)
	if c.asText || c.form == noForm {
		w.line = appendText(w.line, cell.Text)
		return c.asText || c.form == noForm
	}
	var ok bool
	w.line, ok = appendValue(w.line, text, c.form)
	return ok
}

// rowText writes the beginning of a record for people.
func rowText(rec format.Record) string {
	var b []byte
	for i, c := range rec.Cells {
		if i > 0 {
			b = append(b, '\t')
		}
		if b = append(b, c.Text...); len(b) > 4<<10 {
			break
		}
	}
	return format.Clip(b)
}
