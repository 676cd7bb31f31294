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
	"strconv"

	"quern"
	"quern/catalog"
	"quern/ingest/format"
	"quern/structure"
)

// structureRows puts scanned rows through the steps that their sender asks for, under
// the definition that came with them or the dataset's own, and returns the file of
// the rows that came out. What was done is noted with the attempt.
func (s *Service) structureRows(
	ctx context.Context, p quern.Principal, path quern.DatasetPath, read scannedFile, a *catalog.Addition,
) (scannedFile, error) {
	d, err := s.target(ctx, p, path, a.New)
	if err != nil {
		return scannedFile{}, err
	}
	def := a.Guide.Definition.Or(d.Definition)
	a.Attempt.Options.Definition = &def
	work, err := s.steps.Begin(structure.Job{
		For: p.User.ID, Steps: a.Guide.Steps, Definition: def, Instructions: a.Guide.Instructions, BatchSize: a.Guide.BatchSize,
	})
	if err != nil {
		return scannedFile{}, err
	}
	var units map[string]string
	rows, err := read.decode()
	if err == nil {
		rows, units, err = s.runSteps(ctx, work, rows)
	}
	if err != nil {
		return scannedFile{}, err
	}
	a.Attempt.Report.Steps = work.Reports()
	out, err := os.CreateTemp(s.temp, "rows-*.ndjson")
	if err != nil {
		return scannedFile{}, fmt.Errorf("ingest: %w", err)
	}
	defer out.Close()
	file, buffered := scannedFile{path: out.Name()}, bufio.NewWriterSize(out, 1<<16)
	file.scanned, err = s.shapeRows(rows, units, func(line []byte) error {
		_, err := buffered.Write(line)
		return err
	})
	if err = errors.Join(err, buffered.Flush()); err != nil {
		return file, errors.Join(err, os.Remove(out.Name()))
	}
	return file, nil
}

// runSteps puts rows through steps and reads what was found in texts.
func (s *Service) runSteps(ctx context.Context, work *structure.Work, rows []structure.Row) (
	_ []structure.Row, units map[string]string, err error,
) {
	if rows, err = work.Rows(ctx, rows); err != nil {
		return nil, nil, err
	}
	if most := s.limits.Rows; most > 0 && int64(len(rows)) > most {
		return nil, nil, quern.E(quern.Invalid, quern.CodeInvalid, "the steps make %d rows; a request may store at most %d: upload a file instead",
			len(rows), most)
	}
	units, err = s.readValues(rows)
	return rows, units, err
}

// decode reads the rows that a scan has written.
func (f scannedFile) decode() ([]structure.Row, error) {
	in, err := os.Open(f.path)
	if err != nil {
		return nil, fmt.Errorf("ingest: %w", err)
	}
	defer in.Close()
	rows := make([]structure.Row, 0, f.rows)
	lines := bufio.NewReaderSize(in, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			row, err := structure.DecodeRow(line)
			if err != nil {
				return nil, err
			}
			for i, m := range row.Members {
				n, err := strconv.Atoi(m.Name[1:])
				if err != nil {
					return nil, err
				}
				row.Members[i].Name = f.columns[n].Name
			}
			row.Source = int64(len(rows))
			rows = append(rows, row)
		}
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("ingest: %w", err)
		}
	}
}

// shapeRows hands rows on as lines of NDJSON and learns their columns, internal ones
// included.
func (s *Service) shapeRows(rows []structure.Row, units map[string]string, each func(line []byte) error) (scanned, error) {
	var shaped bytes.Buffer
	shapes := newShaper(&shaped, s.limits)
	shapes.internal = true
	var line []byte
	for _, row := range rows {
		var err error
		shaped.Reset()
		if line, err = row.AppendJSON(line[:0]); err == nil {
			err = shapes.row(line)
		}
		if err == nil {
			err = shapes.out.Flush()
		}
		if err == nil && shapes.bad.count == 0 {
			err = each(shaped.Bytes())
		}
		if err != nil {
			return scanned{}, err
		}
	}
	if len(rows) > 0 && len(shapes.columns) == 0 && shapes.bad.count == 0 {
		shapes.bad.add("required", "infer.steps", "no row that they make has a member")
	}
	for i, c := range shapes.columns {
		shapes.columns[i].Unit = units[c.Name]
	}
	return scanned{rows: int64(len(rows)), columns: shapes.columns}, shapes.bad.err()
}

// readValues reads the columns of rows whose values are text of a document, as those
// of a file are: as numbers and dates where all of a column are. It returns the units
// of columns.
func (s *Service) readValues(rows []structure.Row) (units map[string]string, err error) {
	learned, comma := map[string]*column{}, false
	for i := range rows {
		for _, m := range rows[i].Members {
			text, isText := m.Value.(string)
			if !m.Read || !isText {
				continue
			}
			c := learned[m.Name]
			if c == nil {
				c = newColumn(false, false)
				learned[m.Name] = c
			}
			c.cell(&format.Cell{Text: []byte(text)}, s.nulls)
		}
	}
	forms := make(map[string]form, len(learned))
	for _, c := range learned {
		comma = comma || c.onlyComma()
	}
	units = map[string]string{}
	for name, c := range learned {
		forms[name], _ = c.chooseForm(comma)
		units[name] = c.unitOf(forms[name])
	}
	for i := range rows {
		for n := range rows[i].Members {
			if err := s.readValue(&rows[i].Members[n], forms); err != nil {
				return nil, err
			}
		}
	}
	return units, nil
}

func (s *Service) readValue(m *structure.Member, forms map[string]form) error {
	text, isText := m.Value.(string)
	f := forms[m.Name]
	if !m.Read || !isText || f == noForm {
		return nil
	}
	trimmed := bytes.TrimSpace([]byte(text))
	if len(trimmed) == 0 || s.nulls.has(trimmed) {
		m.Value = nil
		return nil
	}
	value, ok := appendValue(nil, trimmed, f)
	if !ok {
		return fmt.Errorf("ingest: %q does not have the form of its column", quern.Clip(text, 40))
	}
	m.Value = json.RawMessage(value)
	return nil
}

// PreviewSteps returns the rows that would be stored of a request, after its steps.
func (s *Service) PreviewSteps(
	ctx context.Context, p quern.Principal, rows []json.RawMessage, g quern.IngestGuide,
) ([]json.RawMessage, error) {
	work, err := s.steps.Begin(structure.Job{
		For: p.User.ID, Steps: g.Steps, Definition: g.Definition, Instructions: g.Instructions, BatchSize: g.BatchSize,
	})
	if err != nil {
		return nil, err
	}
	in := make([]structure.Row, len(rows))
	for i, raw := range rows {
		if in[i], err = structure.DecodeRow(raw); err != nil {
			return nil, err
		}
		in[i].Source = int64(i)
	}
	out, _, err := s.runSteps(ctx, work, in)
	if err != nil {
		return nil, err
	}
	if _, err := s.shapeRows(out, nil, func([]byte) error { return nil }); err != nil {
		return nil, err
	}
	made := make([]json.RawMessage, len(out))
	for i, row := range out {
		if made[i], err = row.AppendJSON(nil); err != nil {
			return nil, err
		}
	}
	return made, nil
}
