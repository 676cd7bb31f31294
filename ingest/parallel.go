package ingest

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"quern"
	"quern/catalog"
	"quern/engine"
	"quern/ingest/format"
)

// parallelReader reads plain delimited text with all cores. The first reading learns the
// columns, over all rows, and finds out whether the engine can read the text as it
// is; if not, the second writes it anew.
type parallelReader struct {
	*reading
	about   *quern.IngestedTable
	plain   *format.Plain
	workers int
	columns []tableColumn
	batch   []catalog.Batch
	planned []quern.Column
	learned []*column
	parts   []blockRun
	notes   []string // of how the text was read
}

// blockRun is a run of blocks that makes one segment.
type blockRun struct {
	from, to int64 // bytes of the file
	rows     int64
	first    bool // it begins with the header
}

// takes reports whether a segment of so many rows has room for those of the next block.
func (r blockRun) takes(rows, to, most int64) bool {
	return r.rows+rows <= most && to-r.from <= segmentBytes
}

// readParallel reads a table of plain text. done is false when it must be read
// record by record, and then nothing has happened.
func (r *reading) readParallel(ctx context.Context, t format.Table, about *quern.IngestedTable) (done bool, err error) {
	if r.quarantine || len(r.job.Options.Columns) > 0 || r.found.which != "" {
		return false, nil // which rows cannot be stored is decided one by one
	}
	plain, ok, err := t.Plain()
	if err != nil || !ok {
		return false, err
	}
	if r.service.once.block > 0 {
		plain.Block = r.service.once.block
	}
	if !r.keepsTotals() {
		if total, err := mayEndInTotals(plain); total || err != nil {
			return false, err
		}
	}
	s := &parallelReader{reading: r, about: about, plain: plain, workers: runtime.GOMAXPROCS(0)}
	if done, err := s.readOnce(ctx, t); done || err != nil {
		return true, err
	}
	before := r.bytes.Load()
	verbatim, even, err := s.learn(ctx)
	if err != nil {
		return true, err
	}
	notes := about.Notes
	if even {
		if err := s.choose(t, about); err != nil {
			return true, err
		}
	}
	if !even || !s.writable() {
		about.Notes = notes
		r.bytes.Store(before)
		return false, nil
	}
	return true, s.write(ctx, verbatim)
}

// choose decides what the columns are, by what was learned of them, and what they become
// in the dataset.
func (s *parallelReader) choose(t format.Table, about *quern.IngestedTable) error {
	about.Notes = append(about.Notes, s.notes...)
	s.columns, s.batch = s.chooseColumns(t, s.plain.Header, s.learned, about)
	if err := s.fit(s.batch); err != nil {
		return err
	}
	s.planned = catalog.Plan(s.dataset, s.batch)
	for i, c := range s.planned {
		s.columns[i].asText = c.Type == quern.Text
	}
	return nil
}

// writable reports whether the rows can be written as delimited text.
func (s *parallelReader) writable() bool {
	for i, c := range s.planned {
		_, _, decimal := c.Type.DecimalSize()
		oddDecimal := decimal && s.learned[s.columns[i].at].odd
		if c.Type == quern.JSON || oddDecimal {
			return false
		}
	}
	return len(s.columns) > 1
}

// learn is the first reading. verbatim says how the engine can read the text as
// it is, nil when it cannot; even is false when the text cannot be read so.
func (s *parallelReader) learn(ctx context.Context) (verbatim *engine.CSV, even bool, err error) {
	learners := make([]*learner, s.workers)
	for i := range learners {
		learners[i] = newLearner(len(s.plain.Header), s.nulls)
	}
	sum := &blockSum{blocks: map[int]format.Block{}}
	err = s.plain.Each(ctx, s.workers, func(_ context.Context, worker int, b *format.Block) error {
		err := b.Read(learners[worker].record)
		sum.add(b)
		return err
	})
	if errors.Is(err, format.ErrUneven) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	s.sumUp(learners, sum)
	return sum.verbatim(s.plain), true, nil
}

// sumUp keeps what was learned of all blocks.
func (s *parallelReader) sumUp(learners []*learner, sum *blockSum) {
	for _, other := range learners[1:] {
		learners[0].merge(other)
	}
	s.learned, s.parts = learners[0].columns, sum.parts(s.plain.Named, s.service.once.segment())
	s.notes = slices.Concat(s.plain.Notes, format.BlankNotes(sum.blank()))
}

// learner learns the columns of the blocks that one worker reads.
type learner struct {
	columns []*column
	nulls   *nullWords
}

func newLearner(width int, nulls *nullWords) *learner {
	l := &learner{columns: make([]*column, width), nulls: nulls}
	for i := range l.columns {
		l.columns[i] = newColumn(false, false)
	}
	return l
}

func (l *learner) record(cells []format.Cell) error {
	for i := range cells {
		l.columns[i].cell(&cells[i], l.nulls)
	}
	return nil
}

// successor returns a learner that knows what this one knows, and has seen no value.
func (l *learner) successor() *learner {
	next := &learner{columns: make([]*column, len(l.columns)), nulls: l.nulls}
	for i, c := range l.columns {
		known := *c
		known.values, known.units.values = 0, 0
		next.columns[i] = &known
	}
	return next
}

func (l *learner) merge(o *learner) {
	for i, c := range l.columns {
		c.merge(o.columns[i])
	}
}
