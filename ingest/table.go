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
	want     quern.Type // what the request says that it is; empty: what its values are
	constant []byte     // what all rows have; nil: what they have in their cells
	asText   bool       // the dataset's column is one of text
}

// readTable reads a table of text twice: once to learn what its columns are,
// over all rows, and once to write them.
func (r *reading) readTable(ctx context.Context, t format.Table, about quern.IngestedTable) error {
	if r.preview != nil {
		return r.previewTable(ctx, t, about)
	}
	if done, err := r.readParallel(ctx, t, &about); done || err != nil {
		return err
	}
	learned, header, err := r.learn(ctx, t, &about)
	if err != nil {
		return err
	}
	columns, batch := r.chooseColumns(t, header, learned.columns, &about)
	columns, batch = r.addWhich(columns, batch)
	if err := r.fit(batch); err != nil {
		return err
	}
	before := r.dataset
	for i, c := range catalog.Plan(before, batch) {
		columns[i].asText = c.Type == quern.Text
	}
	w := &tableWriter{reading: r, about: &about, columns: columns, totals: learned.totals}
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
	return r.describe(&about, originals, batch, before)
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

// learned is what the first reading finds out.
type learned struct {
	columns []*column
	totals  int64 // the row of totals, which is left out; 0 when there is none
}

// learn is the first reading. A last row that calls itself one of totals takes part
// unless its numbers follow from the others.
func (r *reading) learn(ctx context.Context, t format.Table, about *quern.IngestedTable) (l learned, header []string, err error) {
	in, err := t.Open()
	if err != nil {
		return l, nil, err
	}
	defer in.Close()
	header = in.Header()
	columns := make([]*column, len(header))
	for i, name := range cleanNames(header) {
		o := r.wanted.of(header[i], name)
		columns[i] = newColumn(r.preview != nil || o != quern.ColumnOption{}, r.quarantine)
		columns[i].zeros = o.Type == quern.Integer || o.Type == quern.Double
	}
	see := func(cells []format.Cell) {
		for i := range cells {
			columns[i].cell(&cells[i], r.nulls)
		}
	}
	var last *totalsRow
	err = eachRecord(ctx, in, func(rec format.Record) error {
		if last != nil {
			see(last.cells)
			last = nil
		}
		if !r.keepsTotals() && callsItselfTotal(rec.Cells) {
			last = newTotalsRow(rec)
			return nil
		}
		see(rec.Cells)
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
	r.leaveOutTotals(about, t.Totals)
	l.columns = columns
	if err != nil || last == nil {
		return l, header, err
	}
	chosen, _ := r.chooseColumns(t, header, columns, &quern.IngestedTable{})
	follows, err := r.follows(ctx, t, last, chosen)
	if follows {
		l.totals = last.row
		about.Notes = append(about.Notes, "the last row was left out: its numbers are totals of those above it")
		r.leaveOut(about, last)
	} else {
		see(last.cells)
	}
	return l, header, err
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
		o := r.wanted.of(header[i], names[i])
		f, ambiguous := c.chooseForm(comma || ownComma)
		if wanted, ok := c.chooseWanted(o, comma || ownComma); ok {
			f, ambiguous = wanted, false
		}
		if ambiguous {
			about.Notes = append(about.Notes,
				fmt.Sprintf("the dates of %s can be read as day/month and as month/day; they were left as text", names[i]))
		}
		about.Notes = append(about.Notes, c.unitNotes(f, names[i])...)
		notable := c.signs || !f.isNumber()
		if form := formNames[f.date()]; form != "" && notable {
			about.Notes = append(about.Notes, fmt.Sprintf("%s was read as %s", names[i], form))
		}
		columns = append(columns, tableColumn{at: i, form: f, original: header[i], want: o.Type})
		batch = append(batch, catalog.Batch{Name: names[i], Shape: wantedShape(c.shape(f), o.Type), Unit: c.unitOf(f)})
	}
	return columns, batch
}

// addWhich adds the column that says which table a row is of, where there is to be one.
func (r *reading) addWhich(columns []tableColumn, batch []catalog.Batch) ([]tableColumn, []catalog.Batch) {
	if r.found.which == "" {
		return columns, batch
	}
	columns = append(columns, tableColumn{form: noForm, constant: []byte(r.found.label)})
	return columns, append(batch, catalog.Batch{Name: r.found.which, Shape: catalog.Shape{Type: quern.Text}})
}

// unitOf is the unit of the column's values under a form.
func (c *column) unitOf(f form) string {
	if !f.isNumber() {
		return ""
	}
	return c.units.unit
}

// unitNotes tells what the units of a column were taken for.
func (c *column) unitNotes(f form, name string) (notes []string) {
	u := c.units
	if u.values == 0 {
		return nil
	}
	if mixed := c.mixed(); mixed != "" && (c.onlyNumbers() || c.parted) {
		return []string{name + " " + mixed + "; it was left as text"}
	}
	if f.isNumber() && u.values < c.values {
		return []string{fmt.Sprintf("%s has numbers without a unit beside those in %s; they were taken for the same", name, u.unit)}
	}
	return nil
}

// onlyNumbers reports whether all values are numbers, whatever their units.
func (c *column) onlyNumbers() bool { return c.common&anyNumber != 0 }

// tableWriter is the second reading.
type tableWriter struct {
	reading *reading
	about   *quern.IngestedTable
	columns []tableColumn
	totals  int64 // the row that is left out
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
	if len(w.reading.rejected) > 0 && !w.reading.quarantine {
		return errUnreadable
	}
	return w.parts.flush()
}

// record writes one row, or rejects it when a value does not have its column's
// form.
func (w *tableWriter) record(rec format.Record) error {
	if rec.Row == w.totals {
		return nil
	}
	w.line = append(w.line[:0], '{')
	for n := range w.columns {
		c := &w.columns[n]
		if c.constant != nil {
			w.line = appendText(appendMember(w.line, n), c.constant)
			continue
		}
		if c.at >= len(rec.Cells) {
			continue
		}
		if !w.cell(n, c, rec.Cells[c.at]) {
			return w.reading.reject(w.about, &format.Fault{
				Line: rec.Line, Row: rec.Row, Text: rowText(rec),
				Reason: c.reason(rec),
			})
		}
	}
	w.line = append(w.line, '}')
	w.reading.noteSource(w.about, rec.Row, rec.Page)
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
	w.line, ok = c.appendValue(w.line, text)
	return ok
}

// appendValue appends a value of the column as JSON; ok is false when it does not have
// the column's form.
func (c *tableColumn) appendValue(out, text []byte) (_ []byte, ok bool) {
	if c.want != quern.Integer && c.want != quern.Double {
		return appendValue(out, text, c.form)
	}
	from := len(out)
	out, ok = appendValue(out, asNumber(text), c.form)
	if ok && c.want == quern.Integer {
		var whole []byte
		whole, ok = asInteger(out[from:])
		out = append(out[:from], whole...)
	}
	return out, ok
}

// reason says why a record's value cannot be one of the column.
func (c *tableColumn) reason(rec format.Record) string {
	value := quoteShort(string(rec.Cells[c.at].Text))
	if c.want != "" {
		return fmt.Sprintf("%s is no %s, which %s is to be", value, c.want, quoteShort(c.original))
	}
	return fmt.Sprintf("%s does not fit the other values of %s", value, quoteShort(c.original))
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
