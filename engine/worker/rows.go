package worker

import (
	"fmt"

	"quern"
)

// rows reads a result as the worker makes it. The worker waits when nobody reads.
type rows struct {
	call    *call
	columns []quern.Column
	row     []any
	batch   batch
	yielded int
	limit   int // the most rows there may be; 0: any number
	total   int64
	done    bool
	err     error
}

// Columns describes the result.
func (r *rows) Columns() []quern.Column { return r.columns }

// Next moves to the next row and reports whether there is one.
func (r *rows) Next() bool {
	for !r.done && r.batch.rows == 0 {
		r.read()
	}
	if r.done {
		return false
	}
	err := r.batch.row(r.row)
	if err == nil && r.limit > 0 && r.yielded == r.limit {
		err = fmt.Errorf("%w: more than %d rows", errFrame, r.limit)
	}
	if err != nil {
		r.fail(err)
		return false
	}
	r.yielded++
	return true
}

// read takes the next frame.
func (r *rows) read() {
	k, body, err := r.call.next()
	if err != nil {
		r.fail(err)
		return
	}
	switch k {
	case rowFrame:
		if r.batch, err = newBatch(body); err != nil {
			r.fail(err)
		}
	case endFrame:
		r.done = true
		if r.total, err = r.call.finish(body); err != nil {
			r.fail(err)
			return
		}
		r.call.end()
	default:
		r.fail(errFrame)
	}
}

func (r *rows) fail(err error) {
	r.done, r.batch = true, batch{}
	r.err = r.call.explain(err)
	r.call.end()
}

// Row is the current row.
func (r *rows) Row() []any { return r.row }

// Total is the number of rows of the whole result.
func (r *rows) Total() int64 { return r.total }

// Err is the error that ended the stream early.
func (r *rows) Err() error { return r.err }

// Close frees the stream's resources.
func (r *rows) Close() error {
	r.done, r.batch = true, batch{}
	r.call.end()
	return nil
}
