package duckdb

import (
	"strings"

	"quern"
	"quern/engine"
)

// emptyColumn stands in for the columns of a table that has none.
const emptyColumn = "__empty"

// drainRows is how many surplus rows are counted by reading them; beyond, the
// engine is asked to count, which skips what counting does not need.
const drainRows = 100_000

// rows streams a job's result.
type rows struct {
	job       *job
	stream    *stream
	columns   []quern.Column
	row       []any
	made      bool // row is that of the current row
	at        int  // the next row of the chunk
	limit     int  // rows to yield, negative for all
	yielded   int
	total     int64
	countable string // the SQL whose rows can be counted apart
	done      bool
	err       error
}

func newRows(j *job, s *stream, limit int) *rows {
	if limit <= 0 {
		limit = -1
	}
	return &rows{job: j, stream: s, columns: s.columns(), row: make([]any, len(s.kinds)), limit: limit}
}

// Columns describes the result.
func (r *rows) Columns() []quern.Column { return r.columns }

// Next moves to the next row and reports whether there is one.
func (r *rows) Next() bool {
	if r.done {
		return false
	}
	if r.at == r.stream.size {
		ok, err := r.stream.next(r.job.ctx)
		if !ok {
			r.end(err)
			return false
		}
		r.stream.load()
		r.at = 0
	}
	if r.yielded == r.limit {
		r.end(r.count())
		return false
	}
	r.at++
	r.made = false
	r.yielded++
	r.total++
	return true
}

// Row is the current row.
func (r *rows) Row() []any {
	if !r.made && r.stream != nil {
		for i := range r.columns {
			r.row[i] = r.stream.vectors[i].value(r.at - 1)
		}
		r.made = true
	}
	return r.row[:len(r.columns)]
}

// Walk hands over the values of the current row.
func (r *rows) Walk(to engine.Values) {
	for i := range r.columns {
		r.stream.vectors[i].walk(r.at-1, to)
	}
}

// Total is the number of rows of the whole result.
func (r *rows) Total() int64 { return r.total }

// Err is the error that ended the stream early.
func (r *rows) Err() error { return r.err }

// Close frees the stream's resources.
func (r *rows) Close() error {
	if r.stream == nil {
		return nil
	}
	r.done = true
	r.stream.close()
	r.stream = nil
	r.job.close()
	return nil
}

// end frees everything as soon as the last row is known, since callers may
// hold on to the rows for longer.
func (r *rows) end(err error) {
	if r.done = true; err != nil {
		r.err = r.job.explain(err)
	}
	_ = r.Close()
}

// count finds out how many rows there are beyond those yielded.
func (r *rows) count() error {
	surplus := int64(r.stream.size - r.at)
	for surplus < drainRows {
		ok, err := r.stream.next(r.job.ctx)
		if err != nil {
			return err
		}
		if !ok {
			r.total += surplus
			return nil
		}
		surplus += int64(r.stream.size)
	}
	counter := r.counter()
	if counter == "" {
		return r.drain(surplus)
	}
	// Starting another statement ends the stream, so there is no way back.
	return r.job.each(counter, func(s *stream) { r.total = s.vectors[0].value(0).(int64) })
}

// counter returns the SQL that counts the query's rows, or nothing when its text
// cannot stand as a subquery.
func (r *rows) counter() string {
	inner := strings.TrimRight(r.countable, "; \t\r\n")
	counter := "SELECT count(*) FROM (\n" + inner + "\n)"
	if _, err := r.job.engine.guard.check(r.job.ctx, counter); inner == "" || err != nil {
		return ""
	}
	return counter
}

func (r *rows) drain(surplus int64) error {
	for {
		ok, err := r.stream.next(r.job.ctx)
		if err != nil {
			return err
		}
		if !ok {
			r.total += surplus
			return nil
		}
		surplus += int64(r.stream.size)
	}
}
