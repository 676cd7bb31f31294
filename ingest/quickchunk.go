package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// parallelAfter is from how many bytes of usual rows, one behind the other, on they are looked
// for by all cores.
const parallelAfter = 2 * quickBytes

// parallelBodies has a place for every body that all cores look at. Where none is free there is
// nothing to be gained by it.
var parallelBodies = make(chan struct{}, 4)

// errNoRowEnd says that no row seems to end in a chunk of a body.
var errNoRowEnd = errors.New("ingest: no row ends")

// bodyForm is that of rows in a list, each behind a comma. What looks like the end of a row may be
// inside of a text: then the chunk is not usual up to its end, and nobody looks at those behind it.
var bodyForm = chunkForm{
	end: func(text []byte) int { return bytes.LastIndex(text, []byte("},")) + 1 }, write: (*rowChunk).writeList,
	bytes: chunkBytes, longest: chunkBytes, tooLong: errNoRowEnd,
}

// writeList is write for rows in a list.
func (c *rowChunk) writeList(known *shaper) {
	for len(c.rest) > 0 {
		at := nextRow(c.rest)
		if at == 0 {
			return
		}
		n := c.take(known, c.rest[at:])
		if !c.keep(known, n > 0) {
			return
		}
		c.rest = c.rest[at+n:]
	}
}

// quickChunks has all cores look for usual rows in a text and the body behind it, until one is
// not. It returns how much they were, and what was read behind them. The caller has a place.
func (s *scanner) quickChunks(text []byte) (used int64, rest []byte, err error) {
	defer func() { <-parallelBodies }()
	r := readChunks(context.Background(), io.MultiReader(bytes.NewReader(text), s.body), s.form, s.shapes)
	defer r.close()
	for {
		c, err := r.next()
		if err != nil {
			return used, nil, err
		}
		if s.rows+c.count > s.limits.Rows {
			c.count, c.rows, c.rest = 0, nil, c.text // the rows up to the limit are taken one by one
		}
		if err := s.keepChunk(c); err != nil {
			return used, nil, err
		}
		s.rows += c.count
		s.shapes.rows += c.count
		used += int64(len(c.text) - len(c.rest))
		if len(c.rest) > 0 || c.err != nil {
			return used, s.unread(r, c), nil
		}
		r.giveBack(c)
	}
}

// keepChunk takes the usual rows of a chunk.
func (s *scanner) keepChunk(c *rowChunk) error {
	if s.feed != nil {
		s.parallelAfter = parallelAfter // where rows are not usual after all it costs more than it gains
		return s.feed.chunk(c)
	}
	_, err := s.shapes.out.Write(c.rows)
	return err
}

// mayBeParallel reports whether all cores are to look for usual rows, of which so many bytes
// came one behind the other, and takes a place for them.
func (s *scanner) mayBeParallel(usual int64) bool {
	if usual < s.parallelAfter {
		return false
	}
	select {
	case parallelBodies <- struct{}{}:
		return true
	default:
		return false
	}
}

// unread ends the reading and returns what was read from a chunk on and not taken.
func (s *scanner) unread(r *chunkReader, c *rowChunk) (rest []byte) {
	r.close()
	rest = append(rest, c.rest...)
	for more := true; more; {
		if c.err != nil && !errors.Is(c.err, errNoRowEnd) && !errors.Is(c.err, context.Canceled) {
			s.body = failingReader{c.err}
		}
		select {
		case c = <-r.queue:
			rest = append(rest, c.text...)
		default:
			more = false
		}
	}
	return append(rest, r.rest...)
}
