package ingest

import "errors"

// batchSize is how many bytes of rows are handed on at once.
const batchSize = 256 << 10

// errStopped says that the work has failed; wait tells why.
var errStopped = errors.New("ingest: the rows before this one failed")

// batch is some rows in one piece.
type batch struct {
	rows []byte
	ends []int // of the rows, in rows
}

// batches collects rows and has them worked on beside the caller, in order. Rows
// that fill no batch are worked on by wait, without a goroutine.
type batches struct {
	work   func(batch) error
	next   batch
	full   chan batch // nil until the first batch is full
	free   chan batch
	failed chan struct{}
	done   chan error
}

// add takes a copy of a row, or returns errStopped.
func (b *batches) add(row []byte) error {
	b.next.rows = append(b.next.rows, row...)
	b.next.ends = append(b.next.ends, len(b.next.rows))
	if len(b.next.rows) < batchSize {
		return nil
	}
	if b.full == nil {
		b.start()
	}
	b.full <- b.next
	b.next = <-b.free
	select {
	case <-b.failed:
		return errStopped
	default:
		return nil
	}
}

// start begins the work. It goes on taking batches after a failure, so that the
// caller never waits for one.
func (b *batches) start() {
	const ahead = 2
	b.full, b.free = make(chan batch, ahead), make(chan batch, ahead+1)
	b.failed, b.done = make(chan struct{}), make(chan error, 1)
	for range ahead {
		b.free <- batch{}
	}
	go func() {
		var err error
		for some := range b.full {
			if err == nil {
				if err = b.work(some); err != nil {
					close(b.failed)
				}
			}
			b.free <- batch{some.rows[:0], some.ends[:0]}
		}
		b.done <- err
	}()
}

// wait ends the work, the rows that fill no batch included, and returns its error.
// It must be called once, whatever add said.
func (b *batches) wait() error {
	if b.full != nil {
		close(b.full)
		if err := <-b.done; err != nil {
			return err
		}
	}
	return b.work(b.next)
}
