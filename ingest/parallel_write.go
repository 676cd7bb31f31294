package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"quern"
	"quern/engine"
	"quern/ingest/format"
)

// write makes segments of the text, now that the columns are known.
func (s *parallelReader) write(ctx context.Context, verbatim *engine.CSV) error {
	before := s.dataset
	var err error
	if verbatim != nil && s.readable() {
		err = s.writeVerbatim(ctx, verbatim)
	} else {
		err = s.rewrite(ctx)
	}
	if err != nil {
		return err
	}
	return s.describeColumns(before)
}

// describeColumns tells how the columns were mapped.
func (s *parallelReader) describeColumns(before quern.Dataset) error {
	originals := make([]string, len(s.columns))
	for i, c := range s.columns {
		originals[i] = c.original
	}
	return s.describe(s.about, originals, s.batch, before)
}

// readable reports whether the engine reads every column as what it is.
func (s *parallelReader) readable() bool {
	for _, c := range s.columns {
		if !c.asText && !s.learned[c.at].readable(c.form) {
			return false
		}
	}
	return true
}

// writeVerbatim has the engine read the file, or the parts of it that make a segment each.
func (s *parallelReader) writeVerbatim(ctx context.Context, csv *engine.CSV) error {
	csv.Cells = len(s.plain.Header)
	for _, c := range s.columns {
		csv.At = append(csv.At, c.at)
	}
	for _, p := range s.parts {
		path, of := s.plain.Path(), *csv
		if of.Header = p.first; len(s.parts) > 1 {
			var err error
			if path, err = s.plain.Cut(s.dir, p.from, p.to); err != nil {
				return err
			}
		}
		if err := s.piece(ctx, part{path: path, rows: p.rows, csv: &of}, s.batch); err != nil {
			return err
		}
		if len(s.parts) > 1 {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		s.plain.See(p.to - p.from)
		s.noteSources(s.about, p.rows)
	}
	return nil
}

// rewrite writes the text once more, in the form that the engine reads.
func (s *parallelReader) rewrite(ctx context.Context) error {
	w := &blockJoiner{parallelReader: s, csv: engine.CSV{Delimiter: ',', Cells: len(s.columns)}}
	for i := range s.columns {
		w.csv.At = append(w.csv.At, i)
	}
	defer w.close()
	spare := sync.Pool{New: func() any { return &rewrittenBlock{} }}
	joined := newInOrder(func(ctx context.Context, b *rewrittenBlock) error {
		defer spare.Put(b)
		return w.block(ctx, b)
	})
	err := s.plain.Each(ctx, s.workers, func(ctx context.Context, _ int, b *format.Block) error {
		out := spare.Get().(*rewrittenBlock)
		*out = rewrittenBlock{text: out.text[:0]}
		if err := b.Read(func(cells []format.Cell) error { return s.record(out, cells) }); err != nil {
			return err
		}
		return joined.put(ctx, b.Number, out)
	})
	if err != nil {
		return err
	}
	return w.flush(ctx)
}

// rewrittenBlock is a block as it is written anew.
type rewrittenBlock struct {
	text    []byte
	rows    int64
	wrapped bool
}

// record writes one row.
func (s *parallelReader) record(out *rewrittenBlock, cells []format.Cell) error {
	for n := range s.columns {
		if n > 0 {
			out.text = append(out.text, ',')
		}
		if err := s.cell(out, &s.columns[n], &cells[s.columns[n].at]); err != nil {
			return err
		}
	}
	out.text = append(out.text, '\n')
	out.rows++
	return nil
}

// cell writes one value. All values have their column's form: all were looked at.
func (s *parallelReader) cell(out *rewrittenBlock, c *tableColumn, cell *format.Cell) error {
	if c.asText {
		if len(cell.Text) == 0 && !cell.Quoted {
			return nil
		}
		out.quote(cell.Text)
		return nil
	}
	text := bytes.TrimSpace(cell.Text)
	if len(text) == 0 || s.nulls.has(text) {
		return nil
	}
	from := len(out.text)
	value, ok := appendValue(out.text, text, c.form)
	if out.text = value; !ok {
		return refused("%s does not fit the other values of %s", quoteShort(string(cell.Text)), quoteShort(c.original))
	}
	if n := len(out.text); n > from+1 && out.text[from] == '"' { // a date or a time
		out.text = append(out.text[:from], out.text[from+1:n-1]...)
	}
	return nil
}

// quote writes text, in quotes where it needs them.
func (w *rewrittenBlock) quote(text []byte) {
	plain := len(text) > 0
	for _, c := range text {
		switch c {
		case '\n', '\r':
			w.wrapped = true
			plain = false
		case '"', ',':
			plain = false
		}
	}
	if plain {
		w.text = append(w.text, text...)
		return
	}
	w.text = append(w.text, '"')
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			break
		}
		w.text = append(append(w.text, text[:i+1]...), '"')
		text = text[i+1:]
	}
	w.text = append(append(w.text, text...), '"')
}

// blockJoiner puts blocks behind one another, and makes a segment of every part.
type blockJoiner struct {
	*parallelReader
	csv     engine.CSV
	file    *os.File
	now     part
	bytes   int64
	wrapped bool
}

func (w *blockJoiner) block(ctx context.Context, b *rewrittenBlock) error {
	tooLarge := w.now.rows+b.rows > w.service.once.segment() || w.bytes+int64(len(b.text)) > segmentBytes
	if w.file != nil && tooLarge {
		if err := w.flush(ctx); err != nil {
			return err
		}
	}
	if w.file == nil {
		f, err := os.CreateTemp(w.dir, "rows-*.csv")
		if err != nil {
			return fmt.Errorf("ingest: %w", err)
		}
		w.file, w.now, w.bytes, w.wrapped = f, part{path: f.Name()}, 0, false
	}
	w.now.rows += b.rows
	w.bytes += int64(len(b.text))
	w.wrapped = w.wrapped || b.wrapped
	_, err := w.file.Write(b.text)
	return err
}

// flush makes a segment of what was written since the last.
func (w *blockJoiner) flush(ctx context.Context) error {
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	w.file = nil
	if err != nil || w.now.rows == 0 {
		return errors.Join(err, os.Remove(w.now.path))
	}
	of := w.csv
	of.Wrapped, w.now.csv = w.wrapped, &of
	if err := w.piece(ctx, w.now, w.batch); err != nil {
		return err
	}
	w.noteSources(w.about, w.now.rows)
	return os.Remove(w.now.path)
}

// close lets go of a part that was not ended.
func (w *blockJoiner) close() {
	if w.file != nil {
		_ = w.file.Close()
	}
}
