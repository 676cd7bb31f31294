package ingest

import (
	"context"
	"errors"
	"os"
	"slices"

	"quern"
	"quern/engine"
	"quern/ingest/format"
)

var (
	// errGivenUp says that the rows are not as the beginning of their text made believe.
	errGivenUp = errors.New("ingest: the rows are not as the first of them")
	// errEnough ends a reading of which no more is needed.
	errEnough = errors.New("ingest: enough was read")
)

// onceOptions say how what can be read once is read, where tests want it otherwise.
type onceOptions struct {
	never bool            // all is read twice
	block int             // how many bytes are taken apart at once
	tell  func(done bool) // is told what came of an attempt
}

// onceReader reads plain text once: the first block tells what the columns seem to be, and
// all are written as that while they are still learned. What was learned of all of them
// decides whether what was written is right; if not, nothing has happened.
type onceReader struct {
	*parallelReader
	table    format.Table
	guessed  *parallelReader // what it seems to be
	rows     int64           // about how many there are
	left     []int           // cells that seem to be no column
	learners []*learner
	sum      *blockSum
}

// readOnce reads and writes the text in one go; done is false when it must be read twice,
// and then nothing has happened.
func (s *parallelReader) readOnce(ctx context.Context, t format.Table) (done bool, err error) {
	before, notes := s.bytes.Load(), s.about.Notes
	if o := s.guess(ctx, t); o != nil {
		err = o.write(ctx)
		done = !errors.Is(err, errGivenUp) && !errors.Is(err, format.ErrUneven)
		s.service.once.ended(done)
	}
	if !done {
		s.bytes.Store(before)
		s.about.Notes = notes
		return false, nil
	}
	return true, err
}

// chunks is how rows of about so many bytes are parted: the engine works on 2,048 together.
func (o onceOptions) chunks(form chunkForm, row int64) chunkForm {
	const rows, least, most = 2000, 64 << 10, 1 << 20
	form.bytes = int(min(max(rows*row, least), most))
	if o.block > 0 {
		form.bytes = o.block
	}
	form.longest = max(form.longest, form.bytes)
	return form
}

func (o onceOptions) ended(done bool) {
	if o.tell != nil {
		o.tell(done)
	}
}

// guess learns the first block; nil when it tells nothing, or the rows are too few or too
// many for one segment.
func (s *parallelReader) guess(ctx context.Context, t format.Table) *onceReader {
	info, err := os.Stat(s.plain.Path())
	if err != nil || s.service.once.never || info.Size() < 2*int64(s.plain.Block) || info.Size() > segmentBytes {
		return nil
	}
	guessed := *s
	first, sum := newLearner(len(s.plain.Header), s.nulls), &blockSum{blocks: map[int]format.Block{}}
	err = s.plain.Each(ctx, 1, func(_ context.Context, _ int, b *format.Block) error {
		err := b.Read(first.record)
		sum.add(b)
		return errors.Join(err, errEnough)
	})
	if errors.Is(err, format.ErrUneven) || !errors.Is(err, errEnough) || sum.verbatim(s.plain) == nil {
		return nil
	}
	o := &onceReader{parallelReader: s, table: t, guessed: &guessed, sum: &blockSum{blocks: map[int]format.Block{}}}
	for range s.workers {
		o.learners = append(o.learners, first.successor())
	}
	guessed.sumUp([]*learner{first}, sum)
	if guessed.choose(t, &quern.IngestedTable{}) != nil || !guessed.writable() || !guessed.readable() {
		return nil
	}
	for at, next := 0, 0; at < len(s.plain.Header); at++ {
		if next < len(guessed.columns) && guessed.columns[next].at == at {
			next++
		} else {
			o.left = append(o.left, at)
		}
	}
	part := guessed.parts[0]
	o.rows = int64(float64(part.rows) * float64(info.Size()) / float64(part.to))
	if o.rows > segmentRows {
		return nil
	}
	return o
}

// write makes a segment of the text; errGivenUp when that is not what it should be.
func (o *onceReader) write(ctx context.Context) error {
	before := o.dataset
	piece, err := o.service.put(ctx, o.dataset.ID, o.guessed.planned, func(path string) (engine.Written, error) {
		written, err := o.service.engine.Write(ctx, engine.Source{Columns: o.guessed.planned, Rows: o.rows, Feed: o.feed}, path)
		if err == nil {
			err = o.verify()
		}
		return written, err
	})
	if err != nil {
		return err
	}
	o.addPiece(piece, o.batch)
	o.plain.See(o.parts[0].to - o.parts[0].from)
	o.noteSources(o.about, piece.Rows)
	return o.describeColumns(before)
}

// feed learns the blocks and hands them to the engine.
func (o *onceReader) feed(ctx context.Context, to engine.Blocks) error {
	ordered := newInOrder(to.Put)
	return o.plain.Each(ctx, o.workers, func(ctx context.Context, worker int, b *format.Block) error {
		out, learner := to.Empty(), o.learners[worker]
		err := b.Read(func(cells []format.Cell) error {
			return o.record(cells, learner, out)
		})
		if err == nil && !b.Verbatim {
			err = errGivenUp
		}
		if err != nil {
			return err
		}
		o.sum.add(b)
		return ordered.put(ctx, b.Number, out)
	})
}

// record learns a record and appends it to a block.
func (o *onceReader) record(cells []format.Cell, l *learner, out engine.Block) error {
	for i := range o.guessed.columns {
		at := o.guessed.columns[i].at
		cell := &cells[at]
		if !out.Cell(i, cell.Text, cell.Quoted) {
			return errGivenUp
		}
		l.columns[at].taken(cell, o.guessed.planned[i].Type, l.nulls)
	}
	for _, at := range o.left {
		l.columns[at].cell(&cells[at], l.nulls)
	}
	out.EndRow()
	return nil
}

// verify makes sure that reading the text twice would have written the same.
func (o *onceReader) verify() error {
	o.sumUp(o.learners, o.sum)
	if len(o.parts) != 1 || o.sum.verbatim(o.plain) == nil {
		return errGivenUp
	}
	if err := o.choose(o.table, o.about); err != nil {
		return errGivenUp
	}
	sameCells := slices.EqualFunc(o.columns, o.guessed.columns, func(a, b tableColumn) bool { return a.at == b.at })
	if !sameCells || !slices.Equal(o.planned, o.guessed.planned) || !o.writable() || !o.readable() {
		return errGivenUp
	}
	return nil
}
