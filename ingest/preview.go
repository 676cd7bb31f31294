package ingest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"quern"
	"quern/catalog"
	"quern/ingest/format"
)

const (
	// previews is how many files are looked at for previews at the same time.
	previews = 2
	// previewRows is how many rows of a table a preview looks at, and previewCells how
	// many cells of a wide one.
	previewRows, previewCells = 20_000, 2_000_000
	// previewSample is how many rows a preview shows, and previewExamples how many of
	// what does not fit.
	previewSample, previewExamples = 20, 5
)

// Preview is what an ingestion would make of files.
type Preview struct {
	Files    []quern.IngestionFile
	Tables   []PreviewTable
	Complete bool // all rows of all tables were looked at
}

// PreviewTable is a table as it would be stored. Its Rows are those looked at.
type PreviewTable struct {
	quern.IngestedTable
	Columns  []PreviewColumn
	Header   bool // the file names the columns
	Complete bool
	Faults   []quern.RejectedRow // examples of rows that cannot be read
	Sample   [][]json.RawMessage // the first rows, a value for every column
}

// PreviewColumn is a column as it would be stored.
type PreviewColumn struct {
	quern.IngestedColumn
	Former  quern.Type // what the dataset's column is now, where that would change
	Misfits *Misfits   // nil where there are none
}

// Misfits are values that are not of a type: the one that the request wants, or the
// one that nearly all values of the column have.
type Misfits struct {
	Type     quern.Type
	Cells    int64
	Examples []quern.RejectedRow
}

// Preview tells what an ingestion would make of uploaded files. It stores nothing. The
// principal must be one who could ask for the ingestion.
func (s *Service) Preview(ctx context.Context, p quern.Principal, path quern.DatasetPath, r Request) (Preview, error) {
	d, err := s.catalog.OrDraft(ctx, p, path, catalog.Write)
	if quern.Is(err, quern.NotFound) {
		d, err = quern.Dataset{Name: path.Dataset}, s.catalog.MayWrite(ctx, p, path)
	}
	if err != nil {
		return Preview{}, err
	}
	files, err := s.uploaded(ctx, p, r)
	if err != nil {
		return Preview{}, err
	}
	select {
	case s.previews <- struct{}{}:
		defer func() { <-s.previews }()
	case <-ctx.Done():
		return Preview{}, ctx.Err()
	}
	dir, err := os.MkdirTemp(s.temp, "preview-")
	if err != nil {
		return Preview{}, fmt.Errorf("ingest: %w", err)
	}
	defer os.RemoveAll(dir)
	look := s.newReading(quern.Ingestion{Files: files, Options: r.Options}, d, dir)
	look.actor, look.path = p, path
	look.preview = &Preview{Tables: []PreviewTable{}, Complete: true}
	if err := look.readAll(ctx); err != nil {
		return Preview{}, err
	}
	look.preview.Files = look.job.Files
	return *look.preview, nil
}

// looking is a table that a preview is looking at.
type looking struct {
	complete bool
	header   bool
	sample   [][]byte // rows as parts write them
	faults   []quern.RejectedRow
	misfits  map[int]*Misfits // by column
}

// look begins to look at a table.
func (r *reading) look() { r.looking = &looking{complete: true, misfits: map[int]*Misfits{}} }

// enough reports whether a preview has looked at as many rows as it does.
func (r *reading) enough(rows int64) bool {
	if r.preview == nil || rows < previewRows {
		return false
	}
	r.looking.complete = false
	return true
}

// previewTable looks at a table of text.
func (r *reading) previewTable(ctx context.Context, t format.Table, about quern.IngestedTable) error {
	r.look()
	limited := format.NewTable(t.Member, t.Detail, t.DecimalComma, func() (format.Reader, error) {
		in, err := t.Open()
		if err != nil {
			return nil, err
		}
		most := min(previewRows, max(previewExamples, previewCells/max(1, len(in.Header()))))
		return &firstRows{Reader: in, left: most, looking: r.looking}, nil
	})
	learned, header, err := r.learn(ctx, limited, &about)
	if err != nil {
		return err
	}
	columns, batch := r.chooseColumns(limited, header, learned.columns, &about)
	columns, batch = r.addWhich(columns, batch)
	if err := r.fit(batch); err != nil {
		return err
	}
	for i, c := range catalog.Plan(r.dataset, batch) {
		columns[i].asText = c.Type == quern.Text
	}
	originals := make([]string, len(columns))
	for i, c := range columns {
		originals[i] = c.original
		r.looking.header = r.looking.header || c.original != ""
	}
	w := &previewWriter{tableWriter{reading: r, about: &about, columns: columns, totals: learned.totals}, make([]tableColumn, len(columns))}
	for i, c := range columns {
		w.misfit[i] = c
		if c.form == noForm && c.want != quern.Text && c.constant == nil {
			w.misfit[i].form = learned.columns[c.at].nearly()
		}
	}
	in, err := limited.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	r.looking.forget(&about, learned.totals)
	if err := eachRecord(ctx, in, w.see, func(f *format.Fault) error { return r.reject(&about, f) }); err != nil {
		return err
	}
	for i, m := range r.looking.misfits {
		m.Type = columns[i].want
		if m.Type == "" {
			m.Type = learned.columns[columns[i].at].shape(w.misfit[i].form).Type
		}
	}
	return r.describe(&about, originals, batch, r.dataset)
}

// nearly returns the form that nine in ten of the values have but not all, noForm when
// there is none.
func (c *column) nearly() form {
	best := noForm
	for f, n := range c.counts {
		enough := n < c.values && n*10 >= c.values*9
		if enough && (best == noForm || n > c.counts[best]) {
			best = form(f)
		}
	}
	return best
}

// previewWriter takes rows in order to show some of them and to count what does not
// fit.
type previewWriter struct {
	tableWriter
	misfit []tableColumn // the columns, with the forms that values are held against
}

func (w *previewWriter) see(rec format.Record) error {
	if rec.Row == w.totals {
		return nil
	}
	look := w.reading.looking
	for n := range w.misfit {
		c := &w.misfit[n]
		if c.at >= len(rec.Cells) || c.form == noForm {
			continue
		}
		text := bytes.TrimSpace(rec.Cells[c.at].Text)
		if len(text) == 0 || w.reading.nulls.has(text) {
			continue
		}
		var ok bool
		if w.line, ok = c.appendValue(w.line[:0], text); !ok {
			look.misfit(n, rec, text)
		}
	}
	w.line = append(w.line[:0], '{')
	for n := range w.columns {
		c := &w.columns[n]
		if c.constant != nil {
			w.line = appendText(appendMember(w.line, n), c.constant)
			continue
		}
		if c.at < len(rec.Cells) && !w.cell(n, c, rec.Cells[c.at]) {
			return w.reading.reject(w.about, &format.Fault{Line: rec.Line, Row: rec.Row, Text: rowText(rec), Reason: c.reason(rec)})
		}
	}
	w.line = append(w.line, '}')
	if len(look.sample) < previewSample {
		look.sample = append(look.sample, bytes.Clone(w.line))
	}
	w.about.Rows++
	return nil
}

// forget drops the faults of the first reading, which come again, but for the row of
// totals.
func (l *looking) forget(about *quern.IngestedTable, totals int64) {
	l.faults = slices.DeleteFunc(l.faults, func(f quern.RejectedRow) bool { return totals == 0 || f.Row != totals })
	about.Rejected = int64(len(l.faults))
}

func (l *looking) misfit(column int, rec format.Record, text []byte) {
	m := l.misfits[column]
	if m == nil {
		m = &Misfits{}
		l.misfits[column] = m
	}
	if m.Cells++; len(m.Examples) < previewExamples {
		m.Examples = append(m.Examples, quern.RejectedRow{Row: rec.Row, Line: rec.Line, Text: format.Clip(text)})
	}
}

// firstRows reads the first rows of a table.
type firstRows struct {
	format.Reader
	left    int
	looking *looking
}

// Next reads a record, of which there are no more than were asked for.
func (f *firstRows) Next() (format.Record, error) {
	rec, err := f.Reader.Next()
	if _, fault := errors.AsType[*format.Fault](err); err != nil && !fault {
		return rec, err
	}
	if f.left--; f.left < 0 {
		f.looking.complete = false
		return format.Record{}, io.EOF
	}
	return rec, err
}

// sampleParts keeps the first rows of what was written of a file with types of its
// own.
func (r *reading) sampleParts(all []part) error {
	for _, p := range all {
		f, err := os.Open(p.path)
		if err != nil {
			return err
		}
		lines := bufio.NewReader(f)
		for len(r.looking.sample) < previewSample {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				r.looking.sample = append(r.looking.sample, line)
			}
			if err != nil {
				break
			}
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	r.looking.header = true
	return nil
}

// previewed adds a table to the preview, and to the dataset what it would add.
func (r *reading) previewed(about quern.IngestedTable, batch []catalog.Batch) error {
	look := r.looking
	t := PreviewTable{IngestedTable: about, Header: look.header, Complete: look.complete, Faults: look.faults}
	r.preview.Complete = r.preview.Complete && look.complete
	former := map[string]quern.Type{}
	for _, c := range r.dataset.Columns {
		former[quern.NameKey(c.Name)] = c.Type
	}
	piece := catalog.Piece{Rows: max(1, about.Rows)}
	for i, c := range about.Columns {
		column := PreviewColumn{IngestedColumn: c, Misfits: look.misfits[i]}
		if was := former[quern.NameKey(c.Name)]; was != c.Type {
			column.Former = was
		}
		t.Columns = append(t.Columns, column)
		piece.Columns = append(piece.Columns, catalog.PieceColumn{
			Column: quern.Column{Name: c.Name, Type: c.Type}, Shape: batch[i].Shape, Unit: batch[i].Unit,
		})
	}
	for _, line := range look.sample {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(line, &members); err != nil {
			return err
		}
		row := make([]json.RawMessage, len(about.Columns))
		for i := range row {
			if row[i] = members["c"+strconv.Itoa(i)]; row[i] == nil {
				row[i] = json.RawMessage("null")
			}
		}
		t.Sample = append(t.Sample, row)
	}
	r.preview.Tables = append(r.preview.Tables, t)
	r.dataset = catalog.Appended(r.dataset, piece)
	return nil
}
