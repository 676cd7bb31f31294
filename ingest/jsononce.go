package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/catalog"
	"quern/engine"
	"quern/ingest/format"
)

// onceBytes is how much of a text of JSON tells what its columns seem to be.
const onceBytes = 256 << 10

// linesOnce reads a file of one object a line once: its rows are written while they are learned.
type linesOnce struct {
	*jsonReading
	text format.TextFile
	item format.Item
	feed *rowFeed
	form chunkForm
	rows int64 // that were read
	size int64 // of the file
}

// readOnce reads and writes a file of lines in one go; done is false when its rows must be learned
// before they are written, and then nothing has happened.
func (j *jsonReading) readOnce(ctx context.Context, text format.TextFile, it format.Item) (done bool, err error) {
	plain := j.around == nil && j.children == nil && j.preview == nil && j.found.which == "" && len(j.job.Options.Columns) == 0
	if !plain || j.service.once.never {
		return false, nil
	}
	before := j.bytes.Load()
	o := &linesOnce{jsonReading: j, text: text, item: it}
	about, err := o.guess()
	if about == 0 || err != nil {
		return false, err
	}
	err = o.write(ctx, about)
	done = !errors.Is(err, errGivenUp)
	j.service.once.ended(done)
	if !done {
		j.bytes.Store(before)
		return false, nil
	}
	return true, err
}

// guess learns the first lines and returns about how many there are; 0 when they tell nothing, or
// there are too few, or too many for one segment.
func (o *linesOnce) guess() (rows int64, err error) {
	info, err := os.Stat(o.item.Path)
	if err != nil {
		return 0, err
	}
	some := o.service.onceHead()
	if o.size = info.Size(); o.size < 4*int64(some) || o.size > segmentBytes {
		return 0, nil
	}
	in, closer, err := o.text.Open(nil)
	if err != nil {
		return 0, err
	}
	defer closer.Close()
	head := make([]byte, some)
	if _, err := io.ReadFull(in, head); err != nil {
		return 0, nil // what is wrong shows when it is read
	}
	head = head[:bytes.LastIndexByte(head, '\n')+1]
	if !startsWithLine(head) {
		return 0, nil
	}
	o.feed = &rowFeed{shapes: newShaper(io.Discard, o.service.limits)}
	for rest := head; len(rest) > 0; {
		var line []byte
		line, rest = cutLine(rest)
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if o.feed.takeLine(line) != nil {
			return 0, nil
		}
		rows++
	}
	if o.feed = newRowFeed(o.feed.shapes, o.planOf); o.feed == nil {
		return 0, nil
	}
	o.form = o.service.once.chunks(lineForm, int64(len(head))/rows)
	rows = int64(float64(rows) * float64(o.size) / float64(len(head)))
	if rows > segmentRows {
		return 0, nil
	}
	return rows, nil
}

// planOf returns what columns become in the dataset, nil when they cannot be part of it.
func (o *linesOnce) planOf(columns []catalog.Batch) []quern.Column {
	batch := slices.Clone(columns)
	if o.fit(batch) != nil {
		return nil
	}
	return catalog.Plan(o.dataset, batch)
}

// write makes a segment of about so many lines; errGivenUp when that is not what it should be.
func (o *linesOnce) write(ctx context.Context, rows int64) error {
	piece, err := o.service.put(ctx, o.dataset.ID, o.feed.planned, func(path string) (engine.Written, error) {
		written, err := o.service.engine.Write(ctx, engine.Source{Columns: o.feed.planned, Rows: rows, Feed: o.read}, path)
		if err == nil {
			err = o.feed.holds()
		}
		return written, err
	})
	if err != nil {
		return err
	}
	batch := o.feed.shapes.columns
	originals := columnNames(batch)
	if err := o.fit(batch); err != nil {
		return err
	}
	before := o.dataset
	o.addPiece(piece, batch)
	o.noteSources(o.about, o.rows)
	return o.describe(o.about, originals, batch, before)
}

// read hands the lines to the engine.
func (o *linesOnce) read(ctx context.Context, to engine.Blocks) error {
	in, closer, err := o.text.Open(o.scale(o.item))
	if err != nil {
		return err
	}
	defer closer.Close()
	o.feed.begin(ctx, to)
	r := readChunks(ctx, in, o.form, o.feed.shapes)
	defer r.close()
	for {
		c, err := r.next()
		if err != nil {
			return err
		}
		if err := o.chunk(c); err != nil {
			return err
		}
		changed, err := o.feed.changed()
		if err != nil || o.rows > segmentRows {
			return errGivenUp
		}
		if changed {
			r.learn(o.feed.shapes)
		}
		if c.err != nil {
			return errors.Join(ignoreEnd(c.err), o.feed.flush())
		}
		r.giveBack(c)
	}
}

// chunk takes the rows of a chunk.
func (o *linesOnce) chunk(c *rowChunk) error {
	if err := o.feed.chunk(c); err != nil {
		return err
	}
	o.rows += c.count
	for rest := c.rest; len(rest) > 0; {
		var line []byte
		line, rest = cutLine(rest)
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := o.feed.takeLine(line); err != nil {
			return err
		}
		o.rows++
	}
	return nil
}

// otherLine takes a row that is not a usual one; errGivenUp when it is none that is stored as
// it is.
func (s *shaper) otherLine(row jsontext.Value) error {
	if !row.IsValid() || row.Kind() != '{' || !flatRow(row) {
		return errGivenUp
	}
	if err := s.row(row); err != nil || s.bad.count > 0 {
		return errGivenUp
	}
	return nil
}

// columnNames are the names of columns.
func columnNames(batch []catalog.Batch) []string {
	names := make([]string, len(batch))
	for i, b := range batch {
		names[i] = b.Name
	}
	return names
}
