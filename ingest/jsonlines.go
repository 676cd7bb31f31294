package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"quern/ingest/format"
)

// chunkBytes is how many bytes of lines are looked at together, unless a line is longer.
const chunkBytes = 256 << 10

// lineChunk is some whole lines of a file, and the usual rows that it begins with.
type lineChunk struct {
	text  []byte
	err   error  // what ended the file, behind the text; io.EOF at its end
	rows  []byte // usual ones, as NDJSON
	count int64  // of the usual rows
	lines int64  // that these rows and what is blank between them stand on
	rest  []byte // the lines from the first that is not usual on
	ready chan struct{}
}

// lineReader reads the lines of a file in chunks: one goroutine takes them from the file,
// several write the usual rows of them, and next returns them in the order of the file. There
// are never more than a few chunks, and of long lines one.
type lineReader struct {
	ctx     context.Context
	stop    context.CancelFunc
	in      io.Reader
	known   atomic.Pointer[shaper] // what usual rows are held against; nobody changes it
	queue   chan *lineChunk
	work    chan *lineChunk
	free    chan *lineChunk
	running sync.WaitGroup
}

// readLines begins to read the lines of in, given what is known of their columns so far; nil
// when no row is to be taken as a usual one. It must be closed.
func readLines(ctx context.Context, in io.Reader, known *shaper) *lineReader {
	workers := runtime.GOMAXPROCS(0)
	chunks := 2*workers + 2
	r := &lineReader{
		in: in, queue: make(chan *lineChunk, chunks), work: make(chan *lineChunk, chunks), free: make(chan *lineChunk, chunks),
	}
	r.ctx, r.stop = context.WithCancel(ctx)
	if known != nil {
		r.learn(known)
	}
	for range chunks {
		r.free <- &lineChunk{ready: make(chan struct{}, 1)}
	}
	r.running.Go(r.cut)
	for range workers {
		r.running.Go(r.write)
	}
	return r
}

// close ends all reading.
func (r *lineReader) close() {
	r.stop()
	r.running.Wait()
}

// learn says what is known of the columns now, for chunks to come.
func (r *lineReader) learn(known *shaper) { r.known.Store(known.snapshot()) }

// next returns the next chunk, which is to be given back.
func (r *lineReader) next() (*lineChunk, error) {
	select {
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	case c := <-r.queue:
		<-c.ready
		return c, nil
	}
}

// giveBack takes a chunk back.
func (r *lineReader) giveBack(c *lineChunk) { r.free <- c }

// cut takes whole lines from the file until it ends.
func (r *lineReader) cut() {
	defer close(r.work)
	var rest []byte // the beginning of a line
	for ended := false; !ended; {
		c, ok := r.take()
		if !ok {
			return
		}
		*c = lineChunk{text: append(c.text[:0], rest...), rows: c.rows[:0], ready: c.ready}
		end := r.fill(c)
		rest = append(rest[:0], c.text[end:]...)
		c.text = c.text[:end]
		ended = c.err != nil
		r.work <- c // both have room for all chunks that there are
		r.queue <- c
	}
}

// take returns a free chunk, whose memory is bounded.
func (r *lineReader) take() (c *lineChunk, ok bool) {
	select {
	case c = <-r.free:
	case <-r.ctx.Done():
		return nil, false
	}
	if cap(c.text)+cap(c.rows) > 8*chunkBytes {
		c.text, c.rows = nil, nil
	}
	return c, true
}

// fill reads until the chunk has a whole line, or nothing is left to read, and returns where
// the last whole line ends. The last of a file need not have an end.
func (r *lineReader) fill(c *lineChunk) (end int) {
	var others []*lineChunk
	defer func() {
		for _, other := range others {
			r.free <- other
		}
	}()
	for {
		from := len(c.text)
		c.text = slices.Grow(c.text, chunkBytes)
		n, err := io.ReadFull(r.in, c.text[from:from+chunkBytes])
		c.text = c.text[:from+n]
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			c.err = io.EOF
			return len(c.text)
		}
		if len(c.text) > format.MaxRecord+chunkBytes {
			err = errLongRow
		}
		end = from + bytes.LastIndexByte(c.text[from:], '\n') + 1
		if c.err = err; err != nil || end > from {
			return end
		}
		// A long line has the memory of all chunks to itself.
		for len(others) < cap(r.free)-1 {
			other, ok := r.take()
			if !ok {
				c.err = r.ctx.Err()
				return from
			}
			others = append(others, other)
		}
	}
}

// write writes the usual rows of chunks.
func (r *lineReader) write() {
	var known, own *shaper
	for c := range r.work {
		if now := r.known.Load(); now != known {
			known, own = now, now.reader()
		}
		if c.rest = c.text; own != nil {
			c.write(own)
		}
		c.ready <- struct{}{}
	}
}

// write writes the usual rows that the chunk begins with.
func (c *lineChunk) write(known *shaper) {
	for len(c.rest) > 0 {
		line, rest := cutLine(c.rest)
		row := bytes.Trim(line, " \t\r\n")
		if len(row) > 0 {
			if known.usual(row) != len(row) {
				return
			}
			c.rows = append(append(c.rows, known.line...), '\n')
			c.count++
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

// snapshot returns a copy of what usual looks at.
func (s *shaper) snapshot() *shaper {
	return &shaper{
		byRaw: maps.Clone(s.byRaw), columns: slices.Clone(s.columns), members: slices.Clone(s.members), before: slices.Clone(s.before), prefix: s.prefix,
	}
}

// reader returns a shaper that finds usual rows by a snapshot, which it does not change.
func (s *shaper) reader() *shaper {
	own := *s
	own.before, own.lastTry = slices.Clone(s.before), make([]int64, len(s.columns))
	return &own
}
