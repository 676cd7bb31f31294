package duckdb

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"quern"
	"quern/engine"
)

// blockBytes is how much text makes a block.
const blockBytes = 1 << 20

// blocks are the rows of a source. Of a file of lines one goroutine takes whole lines, and
// several make columns of them; a feed brings columns. next hands the blocks over in order.
// What is read ahead is bounded by the queue.
type blocks struct {
	ctx     context.Context
	stop    context.CancelFunc
	columns []quern.Column
	lines   *blockReader // of rows that a feed brings as lines
	queue   chan *block  // in order, some not ready yet
	work    chan *block
	free    chan *block
	running sync.WaitGroup
	readErr error // of the source, once the queue is closed
	stats   []quern.ColumnStats
	seen    []quern.Registers // the values of the blocks so far
	rows    int64
}

// readBlocks begins to read a source with so many goroutines. It must be closed.
func readBlocks(ctx context.Context, src engine.Source, threads int) (*blocks, error) {
	s := &blocks{
		columns: src.Columns, lines: newBlockReader(src), queue: make(chan *block, 2*threads), work: make(chan *block, 2*threads), free: make(chan *block, 4*threads),
		stats: make([]quern.ColumnStats, len(src.Columns)), seen: make([]quern.Registers, len(src.Columns)),
	}
	s.ctx, s.stop = context.WithCancel(ctx)
	if src.Feed != nil {
		s.running.Go(func() {
			defer close(s.queue)
			s.readErr = src.Feed(s.ctx, s)
		})
		return s, nil
	}
	if err := s.readFile(src, threads); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// readFile begins to read a file of lines.
func (s *blocks) readFile(src engine.Source, threads int) error {
	file, err := os.Open(src.Path)
	if err != nil {
		return err
	}
	s.running.Go(func() {
		defer close(s.queue)
		defer close(s.work)
		defer file.Close()
		s.readErr = s.cutLines(file, src.CSV != nil && src.CSV.Header)
	})
	for range threads {
		r := newBlockReader(src)
		s.running.Go(func() {
			for b := range s.work {
				b.ready <- r.read(b)
			}
		})
	}
	return nil
}

// Empty returns a block to fill.
func (s *blocks) Empty() engine.Block { return s.empty() }

// Put takes a block that a feed has filled.
func (s *blocks) Put(ctx context.Context, of engine.Block) error {
	b := of.(*block)
	b.ready <- nil
	select {
	case s.queue <- b:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// close ends all reading.
func (s *blocks) close() {
	s.stop()
	s.running.Wait()
}

// next returns the next block; nil at the end.
func (s *blocks) next() (*block, error) {
	select {
	case <-s.ctx.Done():
		return nil, context.Cause(s.ctx)
	case b, ok := <-s.queue:
		if !ok {
			return nil, s.readErr
		}
		if err := <-b.ready; err != nil {
			return nil, err
		}
		s.sample(b)
		for i := range s.seen {
			s.seen[i].Merge(&b.seen[i])
		}
		s.rows += int64(b.rows)
		return b, nil
	}
}

// recycle takes a block back.
func (s *blocks) recycle(b *block) {
	select {
	case s.free <- b:
	default:
	}
}

// empty returns a block to fill.
func (s *blocks) empty() *block {
	select {
	case b := <-s.free:
		b.reset()
		return b
	default:
		return newBlock(s.columns, s.lines)
	}
}

// cutLines fills blocks with whole lines and hands them on, without the first if that is a
// header.
func (s *blocks) cutLines(file *os.File, header bool) error {
	var rest []byte // the beginning of a line
	for end := false; !end; {
		b := s.empty()
		b.text = append(b.text, rest...)
		lines := 0 // where whole lines end
		for lines == 0 && !end {
			from := len(b.text)
			if from > maxObject {
				return errOdd
			}
			b.text = append(b.text, make([]byte, blockBytes)...)
			n, err := io.ReadFull(file, b.text[from:])
			b.text = b.text[:from+n]
			if end = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); err != nil && !end {
				return err
			}
			lines = from + 1 + bytes.LastIndexByte(b.text[from:], '\n')
			if lines == from {
				lines = 0
			}
		}
		if end {
			lines = len(b.text)
		}
		rest = append(rest[:0], b.text[lines:]...)
		b.text = b.text[:lines]
		if header {
			_, records, _ := bytes.Cut(b.text, []byte{'\n'})
			b.text, header = append(b.text[:0], records...), false
		}
		if !utf8.Valid(b.text) || bytes.HasPrefix(b.text, []byte("\uFEFF")) {
			return errOdd
		}
		for _, to := range []chan *block{s.work, s.queue} {
			select {
			case to <- b:
			case <-s.ctx.Done():
				return context.Cause(s.ctx)
			}
		}
	}
	return nil
}

// sample takes examples from the first rows.
func (s *blocks) sample(b *block) {
	for i := range b.columns {
		for row := 0; row < b.rows && s.rows+int64(row) < sampleRows && len(s.stats[i].Examples) < quern.MaxExamples; row++ {
			addExample(&s.stats[i], b.columns[i].value(row))
		}
	}
}

// known is what was learned of the values, once all were read. Nothing is of decimals: what
// stands in the file of these is up to the engine.
func (s *blocks) known() []*quern.ColumnStats {
	all := make([]*quern.ColumnStats, len(s.columns))
	for i, c := range s.columns {
		if _, _, decimal := c.Type.DecimalSize(); decimal {
			continue
		}
		s.stats[i].Distinct = s.seen[i].Sketch()
		all[i] = &s.stats[i]
	}
	return all
}
