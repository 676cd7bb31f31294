package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/ingest/format"
)

// jsonReading reads rows of JSON once, learning their columns while it writes
// them.
type jsonReading struct {
	*reading
	about    *quern.IngestedTable
	dec      *jsontext.Decoder
	shapes   *shaper
	row      bytes.Buffer // the row being read, as NDJSON
	parts    parts
	number   int64 // of the row, from 1
	line     int64 // of the row, 0 where that is not known
	rowLimit *rowLimit
	flat     *flattener
	around   *envelope // nil when the rows stand alone
	children *children // nil when no list becomes a dataset
}

// readJSON reads an array of objects, or objects one behind the other.
func (r *reading) readJSON(ctx context.Context, it format.Item, about quern.IngestedTable) error {
	text, err := format.FindText(it.Path)
	if err != nil {
		return err
	}
	in, closer, err := text.Open(r.scale(it))
	if err != nil {
		return err
	}
	defer closer.Close()
	r.look()
	j := &jsonReading{reading: r, about: &about, rowLimit: &rowLimit{r: in, left: format.MaxRecord}}
	j.parts.dir = r.dir
	defer j.parts.close()
	buffered := bufio.NewReaderSize(j.rowLimit, 256<<10)
	j.dec, j.shapes = jsontext.NewDecoder(buffered), newShaper(&j.row, r.service.limits)
	if r.found.which != "" {
		if err := j.shapes.begin(r.found.which, r.found.label); err != nil {
			return err
		}
	}
	j.flat = newFlattener(r.dataset, r.job.Options.Nested)
	if j.around, err = envelopeOf(text); err != nil {
		return err
	}
	if err := j.beginChildren(ctx, text); err != nil {
		return err
	}
	if j.children != nil {
		defer j.children.close()
		about.Notes = append(about.Notes, j.children.notes()...)
	}
	if done, err := j.readOnce(ctx, text, it); done || err != nil {
		return err
	}
	if err := j.rows(ctx, buffered); err != nil {
		return err
	}
	if j.around != nil {
		about.Notes = append(about.Notes, j.around.note())
	}
	about.Notes = append(about.Notes, j.flat.notes()...)
	if len(r.rejected) > 0 && !r.quarantine {
		return errUnreadable
	}
	if err := j.parts.flush(); err != nil {
		return err
	}
	return j.write(ctx)
}

// rows tells the two forms apart by whether the first line is a whole object.
func (j *jsonReading) rows(ctx context.Context, in *bufio.Reader) error {
	if j.around != nil {
		j.rowLimit.left = math.MaxInt64
		if err := j.around.enter(j.dec); err != nil {
			return notJSON(err)
		}
		return j.values(ctx, ']')
	}
	head, err := in.Peek(in.Size())
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if startsWithLine(head) {
		return j.lines(ctx, in)
	}
	if text := bytes.TrimLeft(head, " \t\r\n"); len(text) > 0 && text[0] == '[' {
		if _, err := j.dec.ReadToken(); err != nil {
			return notJSON(err)
		}
		return j.values(ctx, ']')
	}
	return j.values(ctx, 0)
}

// values reads one value behind the other up to the end.
func (j *jsonReading) values(ctx context.Context, end jsontext.Kind) error {
	dec := j.dec
	for {
		if j.number%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if j.enough(j.number) {
			return nil
		}
		j.rowLimit.left = format.MaxRecord
		kind := dec.PeekKind()
		if kind == 0 || kind == end {
			_, err := dec.ReadToken()
			if end == 0 && errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return notJSON(err)
			}
			if j.around != nil {
				return nil // what follows was read before
			}
			if _, err = dec.ReadToken(); !errors.Is(err, io.EOF) {
				return refused("the file goes on behind its JSON, at byte %d", dec.InputOffset())
			}
			return nil
		}
		j.number++
		if err := j.one(); err != nil {
			return notJSON(err)
		}
	}
}

// one reads a row that the decoder stands before.
func (j *jsonReading) one() error {
	value, err := j.dec.ReadValue()
	if err != nil {
		return err
	}
	j.row.Reset()
	if value.Kind() != '{' {
		return j.fault("is not an object")
	}
	if j.children != nil {
		value = j.children.own.of(value, j.parts.rows)
	}
	if value, err = j.flat.row(value); err != nil {
		return err
	}
	s := j.shapes
	s.bad, s.rows = problems{}, j.number-1
	if err := s.row(value); err != nil {
		return err
	}
	if err := s.out.Flush(); err != nil {
		return err
	}
	if s.bad.count > 0 {
		return j.fault(s.reason())
	}
	j.noteSource(j.about, j.number, 0)
	j.counted.Add(1)
	if err := j.parts.row(bytes.TrimSuffix(j.row.Bytes(), []byte("\n"))); err != nil || j.children == nil {
		return err
	}
	return j.children.take(j.flat.apart, j.children.own.value)
}

// reason says what is wrong with a row of a file. The field is a place in a request, of
// which a file has what is behind the row.
func (s *shaper) reason() string {
	_, member, _ := strings.Cut(s.bad.sub[0].Field, "]")
	reason := s.bad.sub[0].Reason()
	if member = strings.TrimPrefix(member, "."); member != "" {
		reason = member + ": " + reason
	}
	return reason
}

func (j *jsonReading) fault(reason string) error {
	return j.reject(j.about, &format.Fault{Line: j.line, Row: j.number, Reason: reason, Text: format.Clip(bytes.TrimSpace(j.row.Bytes()))})
}

// write makes segments of the rows, now that the columns are known.
func (j *jsonReading) write(ctx context.Context) error {
	batch := j.shapes.columns
	if len(batch) == 0 && j.parts.rows > 0 {
		return refused("no row has a member")
	}
	originals := columnNames(batch)
	if err := j.asWanted(originals, batch); err != nil {
		return err
	}
	if err := j.fit(batch); err != nil {
		return err
	}
	before := j.dataset
	if err := j.pieceAll(ctx, j.parts.done, batch); err != nil {
		return err
	}
	j.about.Rows = j.parts.rows
	if err := j.describe(j.about, originals, batch, before); err != nil || j.children == nil {
		return err
	}
	return j.children.write(ctx)
}

var errLongRow = refused("a row is longer than %d MiB", format.MaxRecord>>20)

// notJSON turns a decoder's error into a refusal of the file.
func notJSON(err error) error {
	if errors.Is(err, errLongRow) {
		return errLongRow
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return refused("an object names a member twice, at byte %d", syntax.ByteOffset).Because(err)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return refused("the JSON is cut short at byte %d", syntax.ByteOffset).Because(err)
		}
		return refused("is not valid JSON at byte %d", syntax.ByteOffset).Because(err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return refused("the JSON is cut short").Because(err)
	}
	return err
}

// rowLimit bounds how much is read for one row, so that a decoder cannot be made
// to hold a file of one value in memory.
type rowLimit struct {
	r    io.Reader
	left int64
}

func (b *rowLimit) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLongRow
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}
