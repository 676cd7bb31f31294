package ingest

import (
	"context"
	"errors"
	"os"
	"slices"

	"quern"
	"quern/catalog"
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
	rows  int64           // of a segment of delimited text
	tell  func(done bool) // is told what came of an attempt
}

// onceReader reads plain text once: the first block tells what the columns seem to be, and
// all are written as that while they are still learned. What was learned of all of them
// decides whether what was written is right; if not, nothing has happened.
type onceReader struct {
	*parallelReader
	table    format.Table
	guessed  *parallelReader // what it seems to be
	rows     int64           // about how many a segment has
	left     []int           // cells that seem to be no column
	learners []*learner
	sum      *blockSum
}

// readOnce reads and writes the text in one go; done is false when it must be read twice,
// and then nothing has happened.
func (s *parallelReader) readOnce(ctx context.Context, t format.Table) (done bool, err error) {
	before, notes, block := s.bytes.Load(), s.about.Notes, s.plain.Block
	if o := s.guess(ctx, t); o != nil {
		err = o.write(ctx)
		done = !errors.Is(err, errGivenUp) && !errors.Is(err, format.ErrUneven)
		s.service.once.ended(done)
	}
	if !done {
		s.bytes.Store(before)
		s.about.Notes, s.plain.Block = notes, block
		return false, nil
	}
	return true, err
}

// chunks is how rows of about so many bytes are parted: the engine works on 2,048 together.
func (o onceOptions) chunks(form chunkForm, row int64) chunkForm {
	form.bytes = o.together(row)
	form.longest = max(form.longest, form.bytes)
	return form
}

// together is how many bytes of rows of about so many bytes are worked on together.
func (o onceOptions) together(row int64) int {
	const rows, least, most = 2000, 64 << 10, 1 << 20
	if o.block > 0 {
		return o.block
	}
	return int(min(max(rows*row, least), most))
}

// segment is how many rows a segment of delimited text has, at most.
func (o onceOptions) segment() int64 {
	if o.rows > 0 {
		return o.rows
	}
	return segmentRows
}

func (o onceOptions) ended(done bool) {
	if o.tell != nil {
		o.tell(done)
	}
}

// guess learns the first block; nil when it tells nothing, or the rows are too few.
func (s *parallelReader) guess(ctx context.Context, t format.Table) *onceReader {
	info, err := os.Stat(s.plain.Path())
	if err != nil || s.service.once.never || info.Size() < 2*int64(s.plain.Block) {
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
	s.plain.Block = s.service.once.together(part.to / max(part.rows, 1))
	o.rows = min(s.service.once.segment(), int64(float64(part.rows)*float64(min(info.Size(), segmentBytes))/float64(part.to)))
	return o
}

// write makes segments of the text; errGivenUp when they are not what they should be, and then
// none of them is anybody's.
func (o *onceReader) write(ctx context.Context) error {
	before, planned := o.dataset, o.guessed.planned
	reading, stop := context.WithCancel(ctx)
	feed := &segmentFeed{rows: o.service.once.segment(), read: func(f *segmentFeed) error { return o.feed(reading, f) }}
	defer feed.wait()
	defer stop()
	var pieces []catalog.Piece
	for more := true; more; {
		piece, err := o.service.put(ctx, o.dataset.ID, planned, func(path string) (engine.Written, error) {
			written, err := o.service.engine.Write(ctx, engine.Source{Columns: planned, Rows: o.rows, Feed: feed.fill}, path)
			if more = feed.more; err == nil && !more {
				err = o.verify(len(pieces) + 1)
			}
			return written, err
		})
		if err != nil {
			o.drop(ctx, pieces)
			return err
		}
		pieces = append(pieces, piece)
	}
	for i, piece := range pieces {
		o.addPiece(piece, o.batch)
		o.plain.See(o.parts[i].to - o.parts[i].from)
		o.noteSources(o.about, piece.Rows)
	}
	return o.describeColumns(before)
}

// drop removes segments that are not what they should be. What cannot be removed now is swept
// later, as what a crash leaves.
func (o *onceReader) drop(ctx context.Context, pieces []catalog.Piece) {
	for _, p := range pieces {
		if err := o.service.objects.Delete(context.WithoutCancel(ctx), p.Key); err != nil {
			o.service.log.DebugContext(ctx, "a segment that was given up is not removed", "key", p.Key, "error", err)
		}
	}
}

// feed learns the blocks and hands them to the engine.
func (o *onceReader) feed(ctx context.Context, to *segmentFeed) error {
	ordered := newInOrder(to.put)
	return o.plain.Each(ctx, o.workers, func(ctx context.Context, worker int, b *format.Block) error {
		out, learner := to.empty(), o.learners[worker]
		if err := o.read(b, learner, out); err != nil {
			return err
		}
		o.sum.add(b)
		return ordered.put(ctx, b.Number, filledBlock{out, b.From, b.To, b.Rows})
	})
}

// read learns the records of a block and appends them to one of the engine, column by column where they
// are written as nearly all are.
func (o *onceReader) read(b *format.Block, l *learner, out engine.Block) error {
	var err error
	if cells, ok := b.Split(); ok {
		err = o.split(cells, l, out)
	} else {
		err = b.Read(func(cells []format.Cell) error { return o.record(cells, l, out) })
	}
	if err == nil && !b.Verbatim {
		err = errGivenUp
	}
	return err
}

// split learns the columns of a block and appends them to one of the engine.
func (o *onceReader) split(cells engine.Cells, l *learner, out engine.Block) error {
	for i := range o.guessed.columns {
		at := o.guessed.columns[i].at
		seen, ok := out.Column(i, cells, at)
		if !ok {
			return errGivenUp
		}
		l.columns[at].takenAll(cells, at, o.guessed.planned[i].Type, seen, l.nulls)
	}
	var cell format.Cell
	for _, at := range o.left {
		for row := range cells.Rows() {
			cell.Text, cell.Quoted = cells.Cell(row, at)
			l.columns[at].cell(&cell, l.nulls)
		}
	}
	out.EndRows(cells.Rows())
	return nil
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

// verify makes sure that reading the text twice would have written the same, in as many segments.
func (o *onceReader) verify(segments int) error {
	o.sumUp(o.learners, o.sum)
	if len(o.parts) != segments || o.sum.verbatim(o.plain) == nil {
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
