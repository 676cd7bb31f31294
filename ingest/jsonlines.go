package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"

	"quern/ingest/format"
)

// lineForm is that of rows that stand on a line each.
var lineForm = chunkForm{
	end: func(text []byte) int { return bytes.LastIndexByte(text, '\n') + 1 }, write: (*rowChunk).writeLines,
	bytes: chunkBytes, longest: format.MaxRecord + chunkBytes, tooLong: errLongRow,
}

// lines reads one object a line, so that a broken one leaves the others whole. Usual rows are
// written by all cores, others here, one by one.
func (j *jsonReading) lines(ctx context.Context, in io.Reader) error {
	j.rowLimit.left = math.MaxInt64 // lines have a limit of their own
	known := j.shapes
	if j.children != nil || j.preview != nil {
		known = nil
	}
	r := readChunks(ctx, in, lineForm, known)
	defer r.close()
	for !j.enough(j.number) {
		c, err := r.next()
		if err != nil {
			return err
		}
		learned := j.shapes.learned
		if err := j.chunk(c); err != nil {
			return err
		}
		if known != nil && j.shapes.learned > learned {
			r.learn(known)
		}
		if c.err != nil {
			return ignoreEnd(c.err)
		}
		r.giveBack(c)
	}
	return nil
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// chunk takes the rows of a chunk of lines.
func (j *jsonReading) chunk(c *rowChunk) error {
	if c.count > 0 {
		j.noteRun(j.about, j.number+1, c.count)
		if err := j.parts.block(c.rows, c.count); err != nil {
			return err
		}
	}
	j.line, j.number = j.line+c.lines, j.number+c.count
	j.counted.Add(c.count)
	rest := c.rest
	for len(rest) > 0 && !j.enough(j.number) {
		var line []byte
		line, rest = cutLine(rest)
		if j.line++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		j.number++
		done, err := j.usualLine(line)
		if err == nil && !done {
			j.dec.Reset(bytes.NewReader(line))
			err = j.lineRow(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// usualLine takes a line that holds a usual row; done is false when it does not.
func (j *jsonReading) usualLine(text []byte) (done bool, err error) {
	if j.children != nil {
		return false, nil
	}
	text = bytes.Trim(text, " \t\r\n")
	if j.shapes.usual(text) != len(text) {
		return false, nil
	}
	j.noteSource(j.about, j.number, 0)
	j.counted.Add(1)
	return true, j.parts.row(j.shapes.line)
}

func (j *jsonReading) lineRow(text []byte) error {
	err := j.one()
	if err == nil {
		if _, err = j.dec.ReadToken(); errors.Is(err, io.EOF) {
			return nil
		}
		err = refused("a line holds more than one object")
	}
	err = notJSON(err)
	reason, ok := format.Refused(err)
	if !ok || errors.Is(err, errUnreadable) {
		return err
	}
	j.row.Reset()
	return j.reject(j.about, &format.Fault{Line: j.line, Row: j.number, Reason: reason, Text: format.Clip(bytes.TrimSpace(text))})
}

// writeLines is write for rows that stand on a line each.
func (c *rowChunk) writeLines(known *shaper) {
	for len(c.rest) > 0 {
		line, rest := cutLine(c.rest)
		row := bytes.Trim(line, " \t\r\n")
		if len(row) > 0 {
			if !c.keep(known, c.take(known, row) == len(row)) {
				return
			}
		}
		c.lines++
		c.rest = rest
	}
}

// cutLine returns the first line of text, with its end, and what is behind it.
func cutLine(text []byte) (line, rest []byte) {
	end := bytes.IndexByte(text, '\n') + 1
	if end == 0 {
		end = len(text)
	}
	return text[:end], text[end:]
}
