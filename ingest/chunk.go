package ingest

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"quern/catalog"
	"quern/engine"
)

// chunkBytes is how many bytes of lines are looked at together, unless a line is longer.
const chunkBytes = 256 << 10

// maxChunkWorkers bounds how many goroutines look at the chunks of one text.
const maxChunkWorkers = 4

// rowChunk is some whole rows of a text, and the usual rows that it begins with.
type rowChunk struct {
	text  []byte
	err   error           // what ended the text, behind these rows; io.EOF at its end
	rows  []byte          // usual ones, as NDJSON
	block engine.Block    // or as values; nil: none
	grown []catalog.Batch // what is known of the columns with these; nil: no more than before
	count int64           // of the usual rows
	lines int64           // that these rows and what is blank between them stand on
	rest  []byte          // the text from the first row that is not usual on
	ready chan struct{}
}

// chunkReader reads the rows of a text in chunks: one goroutine takes them from the text,
// several write the usual rows of them, and next returns them in the order of the text. There
// are never more than a few chunks, and of long lines one.
type chunkReader struct {
	ctx     context.Context
	stop    context.CancelFunc
	in      io.Reader
	form    chunkForm
	rest    []byte                 // what is read and in no chunk, the beginning of a row
	known   atomic.Pointer[shaper] // what usual rows are held against; nobody changes it
	queue   chan *rowChunk
	work    chan *rowChunk
	free    chan *rowChunk
	running sync.WaitGroup
}

// chunkForm is how the rows of a text are parted.
type chunkForm struct {
	// bytes is how many are looked at together, unless a row is longer.
	bytes int
	// end returns where the last whole row of a text ends, 0 when it has none.
	end func(text []byte) int
	// write writes the usual rows that a chunk begins with.
	write func(c *rowChunk, known *shaper)
	// longest is how much of a text may be without the end of a row before it fails with tooLong.
	longest int
	tooLong error
}

// readChunks begins to read the rows of in, given what is known of their columns so far; nil
// when no row is to be taken as a usual one. It must be closed.
func readChunks(ctx context.Context, in io.Reader, form chunkForm, known *shaper) *chunkReader {
	workers := min(runtime.GOMAXPROCS(0), maxChunkWorkers)
	chunks := 2*workers + 2
	r := &chunkReader{
		in: in, form: form, queue: make(chan *rowChunk, chunks), work: make(chan *rowChunk, chunks), free: make(chan *rowChunk, chunks),
	}
	r.ctx, r.stop = context.WithCancel(ctx)
	if known != nil {
		r.learn(known)
	}
	for range chunks {
		r.free <- &rowChunk{ready: make(chan struct{}, 1)}
	}
	r.running.Go(r.cut)
	for range workers {
		r.running.Go(r.write)
	}
	return r
}

// close ends all reading.
func (r *chunkReader) close() {
	r.stop()
	r.running.Wait()
}

// learn says what is known of the columns now, for chunks to come.
func (r *chunkReader) learn(known *shaper) { r.known.Store(known.snapshot()) }

// next returns the next chunk, which is to be given back.
func (r *chunkReader) next() (*rowChunk, error) {
	select {
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	case c := <-r.queue:
		<-c.ready
		return c, nil
	}
}

// giveBack takes a chunk back.
func (r *chunkReader) giveBack(c *rowChunk) { r.free <- c }

// cut takes whole lines from the file until it ends.
func (r *chunkReader) cut() {
	defer close(r.work)
	for ended := false; !ended; {
		c, ok := r.take()
		if !ok {
			return
		}
		*c = rowChunk{text: append(c.text[:0], r.rest...), rows: c.rows[:0], ready: c.ready}
		end := r.fill(c)
		r.rest = append(r.rest[:0], c.text[end:]...)
		c.text = c.text[:end]
		ended = c.err != nil
		r.work <- c // both have room for all chunks that there are
		r.queue <- c
	}
}

// take returns a free chunk, whose memory is bounded.
func (r *chunkReader) take() (c *rowChunk, ok bool) {
	select {
	case c = <-r.free:
	case <-r.ctx.Done():
		return nil, false
	}
	if cap(c.text)+cap(c.rows) > 8*r.form.bytes {
		c.text, c.rows = nil, nil
	}
	return c, true
}

// fill reads until the chunk has a whole row, or nothing is left to read, and returns where
// the last whole row ends. The last of a text need not have an end.
func (r *chunkReader) fill(c *rowChunk) (end int) {
	var others []*rowChunk
	defer func() {
		for _, other := range others {
			r.free <- other
		}
	}()
	for {
		from := len(c.text)
		c.text = slices.Grow(c.text, r.form.bytes)
		n, err := io.ReadFull(r.in, c.text[from:from+r.form.bytes])
		c.text = c.text[:from+n]
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			c.err = io.EOF
			return len(c.text)
		}
		before := max(0, from-1) // what parts rows may be longer than a byte
		end = r.form.end(c.text[before:])
		if end > 0 {
			end += before
		} else if err == nil && len(c.text) > r.form.longest {
			err = r.form.tooLong
		}
		if c.err = err; err != nil || end > 0 {
			return end
		}
		// A long row has the memory of all chunks to itself.
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
func (r *chunkReader) write() {
	var known, own *shaper
	for c := range r.work {
		if now := r.known.Load(); now != known {
			known, own = now, now.reader()
		}
		if c.rest = c.text; own != nil && r.ctx.Err() == nil {
			r.form.write(c, own)
			c.grown = own.took()
		}
		c.ready <- struct{}{}
	}
}

// take takes the row that text begins with, if it is a usual one, and returns its length; 0 when
// it is not. It counts once it is kept.
func (c *rowChunk) take(known *shaper, text []byte) int {
	if known.blocks == nil {
		return known.usual(text)
	}
	if c.block == nil {
		c.block = known.blocks.Empty()
	}
	return known.take(text, c.block)
}

// keep keeps the row that was taken, or lets go of it.
func (c *rowChunk) keep(known *shaper, kept bool) bool {
	switch {
	case kept && known.blocks == nil:
		c.rows = append(append(c.rows, known.line...), '\n')
	case kept:
		c.block.EndRow()
	case known.blocks != nil:
		c.block.Undo()
	}
	if kept {
		c.count++
	}
	return kept
}
