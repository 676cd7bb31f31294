package ingest

import (
	"context"
	"sync"

	"quern/engine"
)

// segmentFeed hands the rows of one reading to one write of the engine after the other, each of
// which makes a segment. The reading begins with the first write, and waits between two of them.
type segmentFeed struct {
	rows int64                    // of a segment, at most
	read func(*segmentFeed) error // reads the text, filling and putting blocks
	more bool                     // the last write that has ended was not the last one

	begun  bool
	full   chan struct{}      // a write has all its rows, and there are more
	writes chan engine.Blocks // the next write
	over   chan struct{}      // closed when the reading has ended
	err    error              // of the reading, once it is over

	mu  sync.Mutex
	now engine.Blocks

	part    blockRun // what is written now
	started bool     // it has a block
}

// filledBlock is a block of rows, and where they stand in the text.
type filledBlock struct {
	engine.Block
	from, to, rows int64
}

// fill feeds one write: it returns when that has all its rows.
func (f *segmentFeed) fill(ctx context.Context, to engine.Blocks) error {
	f.more = false
	if !f.begun {
		f.begun, f.now = true, to
		f.full, f.writes, f.over = make(chan struct{}), make(chan engine.Blocks), make(chan struct{})
		go func() {
			defer close(f.over)
			f.err = f.read(f)
		}()
	} else {
		select {
		case f.writes <- to:
		case <-f.over:
			return f.err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	select {
	case <-f.full:
		f.more = true
		return nil
	case <-f.over:
		return f.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// wait waits for the end of the reading.
func (f *segmentFeed) wait() {
	if f.begun {
		<-f.over
	}
}

// empty returns a block to fill, for whichever write is next.
func (f *segmentFeed) empty() engine.Block {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now.Empty()
}

// put takes the next block, whose rows stand behind those of the blocks before.
func (f *segmentFeed) put(ctx context.Context, b filledBlock) error {
	if f.started && !f.part.takes(b.rows, b.to, f.rows) {
		if err := f.turn(ctx); err != nil {
			return err
		}
		f.started = false
	}
	if !f.started {
		f.started, f.part = true, blockRun{from: b.from}
	}
	f.part.rows += b.rows
	return f.now.Put(ctx, b.Block)
}

// turn ends the write of now and waits for the next.
func (f *segmentFeed) turn(ctx context.Context) error {
	select {
	case f.full <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case to := <-f.writes:
		f.mu.Lock()
		defer f.mu.Unlock()
		f.now = to
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
