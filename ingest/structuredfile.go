package ingest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/ingest/format"
	"quern/structure"
)

// fileBatch is how many rows of a file go through the steps at once.
const fileBatch = 100_000

// readSteps reads a table whose rows go through steps before they are stored.
func (r *reading) readSteps(ctx context.Context, t *found) error {
	if r.steps == nil {
		var def quern.InferDefinition
		if saved := r.job.Options.Definition; saved != nil {
			def = *saved
		}
		work, err := r.service.steps.Begin(structure.Job{
			For: r.job.Actor, Steps: r.job.Options.Steps, Definition: def, Instructions: r.job.Options.Instructions,
			BatchSize: r.job.Options.BatchSize, Answers: keptAnswers{r.service, cmp.Or(r.job.RetryOf, r.job.ID)},
		})
		if err != nil {
			return err
		}
		r.steps = work
	}
	w := &stepWriter{reading: r, about: &t.about, lines: t.kind == format.Text, pages: map[int64]int64{}}
	var err error
	switch t.kind {
	case format.JSON, format.NDJSON:
		err = w.readJSON(ctx, t.item)
	case format.Parquet:
		err = refused("steps cannot be run over Parquet files; ingest the file without them")
	default:
		err = w.readTable(ctx, t.table)
	}
	if err != nil {
		return err
	}
	return w.end(ctx)
}

// stepWriter collects the rows of a file, has them structured, and writes what comes
// out.
type stepWriter struct {
	*reading
	about *quern.IngestedTable
	lines bool // every row is a line of text
	rows  []structure.Row
	out   []structure.Row
	pages map[int64]int64 // of rows of the file that stand on one, by their number
}

func (w *stepWriter) readTable(ctx context.Context, t format.Table) error {
	in, err := t.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	names := cleanNames(in.Header())
	err = eachRecord(ctx, in, func(rec format.Record) error {
		row := structure.Row{Source: rec.Row - 1}
		if rec.Page > 0 {
			w.pages[row.Source] = rec.Page
		}
		if w.lines {
			row.Line = rec.Line
		}
		for i, c := range rec.Cells {
			text := string(c.Text)
			if strings.TrimSpace(text) == "" && !c.Quoted {
				continue
			}
			row.Members = append(row.Members, structure.Member{Name: names[i], Value: text, Read: !w.lines})
		}
		return w.row(ctx, row)
	}, func(f *format.Fault) error { return w.reject(w.about, f) })
	if err == nil && len(w.rejected) > 0 && !w.quarantine {
		err = errUnreadable
	}
	return err
}

// row takes a row of the file.
func (w *stepWriter) row(ctx context.Context, row structure.Row) error {
	if w.rows = append(w.rows, row); len(w.rows) < fileBatch {
		return nil
	}
	return w.flush(ctx)
}

func (w *stepWriter) flush(ctx context.Context) error {
	made, err := w.steps.Rows(ctx, w.rows)
	if err != nil {
		return err
	}
	w.rows = nil
	w.out = append(w.out, made...)
	w.counted.Add(int64(len(made)))
	const most = 2_000_000
	if len(w.out) > most {
		return refused("the steps make more than %d rows of one file; cut it into several", most)
	}
	return nil
}

// end writes the rows that came out of the steps.
func (w *stepWriter) end(ctx context.Context) error {
	if err := w.flush(ctx); err != nil {
		return err
	}
	units, err := w.service.readValues(w.out)
	if err != nil {
		return err
	}
	p := parts{dir: w.dir}
	defer p.close()
	read, err := w.service.shapeRows(w.out, units, func(line []byte) error { return p.row(bytes.TrimSuffix(line, []byte("\n"))) })
	if err == nil {
		err = p.flush()
	}
	if err != nil {
		return err
	}
	if err := w.fit(read.columns); err != nil {
		return err
	}
	originals := make([]string, len(read.columns))
	for i, c := range read.columns {
		originals[i] = c.Name
	}
	before := w.dataset
	if err := w.pieceAll(ctx, p.done, read.columns); err != nil {
		return err
	}
	for _, row := range w.out {
		w.noteSource(w.about, row.Source+1, w.pages[row.Source])
	}
	w.about.Rows = read.rows
	w.report.Steps = w.steps.Reports()
	return w.describe(w.about, originals, read.columns, before)
}

// readJSON reads the objects of a JSON file.
func (w *stepWriter) readJSON(ctx context.Context, it format.Item) error {
	in, closer, err := format.OpenText(it.Path, w.scale(it))
	if err != nil {
		return err
	}
	defer closer.Close()
	bounded := &rowLimit{r: in, left: format.MaxRecord}
	dec := jsontext.NewDecoder(bufio.NewReaderSize(bounded, 256<<10))
	list := dec.PeekKind() == '['
	if list {
		if _, err := dec.ReadToken(); err != nil {
			return notJSON(err)
		}
	}
	for number := int64(0); ; number++ {
		bounded.left = format.MaxRecord
		if kind := dec.PeekKind(); kind == 0 || kind == ']' {
			break
		}
		value, err := dec.ReadValue()
		if err != nil {
			return notJSON(err)
		}
		if value.Kind() != '{' {
			return refused("row %d is not an object", number+1)
		}
		row, err := structure.DecodeRow(value)
		if err != nil {
			return err
		}
		row.Source = number
		if err := w.row(ctx, row); err != nil {
			return err
		}
	}
	_, err = dec.ReadToken()
	if !list && errors.Is(err, io.EOF) {
		return nil
	}
	return notJSON(err)
}
