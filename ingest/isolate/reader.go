package isolate

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"quern"
	"quern/ingest/format"
	"quern/ingest/pdfium"
	"quern/sandbox"
)

// Reader reads documents in the workers of a pool. It is safe for concurrent use.
type Reader struct {
	pool     *sandbox.Pool
	time     time.Duration
	compiled string
	compile  func()
}

// NewReader makes a Reader whose workers have so much time for a document. What they
// need to read PDF files is compiled into a folder that they may read, once there is
// such a file.
func NewReader(pool *sandbox.Pool, most time.Duration, compiled string, log *slog.Logger) *Reader {
	compile := sync.OnceFunc(func() {
		if err := pdfium.Compile(compiled); err != nil {
			log.Warn("what reads PDF files is not kept compiled; every worker compiles it anew", "error", err)
		}
	})
	return &Reader{pool, most, compiled, compile}
}

// Tables finds the tables of a file as format.Tables does. Documents are read in a
// worker, and their records kept in a file in o.Dir.
func (r *Reader) Tables(ctx context.Context, path string, kind format.Kind, o format.Options) ([]format.Table, error) {
	if !Isolated(kind) {
		return format.Tables(ctx, path, kind, o)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(o.Dir, "tables-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if kind == format.PDF {
		r.compile()
	}
	s := &spool{file: file, left: spoolFactor * format.UnpackedLimit(info.Size())}
	ask := request{Kind: kind, Header: o.Header, PDF: o.PDF, KeepTotals: o.KeepTotals, Compiled: r.compiled}
	if err := r.convert(ctx, path, ask, s); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if o.Watch != nil {
		o.Watch(int(info.Size()))
	}
	return s.tables, nil
}

// convert has a worker read a document into the spool.
func (r *Reader) convert(ctx context.Context, path string, ask request, s *spool) error {
	w, name, err := r.take(ctx, path)
	if err != nil {
		return fmt.Errorf("isolate: %w", err)
	}
	working, cancel := context.WithTimeout(ctx, r.time)
	defer cancel()
	stop := context.AfterFunc(working, w.Kill)
	ask.Path = name
	line, err := json.Marshal(ask)
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	if err == nil {
		err = s.fill(w)
	}
	inTime := stop()
	_, refused := format.Refused(err)
	answered := err == nil || refused
	var failure sandbox.Failure
	if !answered && inTime {
		failure = w.Bury()
	}
	r.pool.Give(w, inTime && answered)
	switch {
	case answered:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case working.Err() != nil:
		return refuse("the document takes more than %v to read", r.time)
	case failure.Memory:
		return refuse("the document needs more memory to be read than there is")
	case failure.Taken:
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "the server had no memory left to read the document; try again later").Because(err)
	}
	return refuse("the document breaks its reader").Because(err)
}

// take returns a worker that may read the file, and its name there.
func (r *Reader) take(ctx context.Context, path string) (w *sandbox.Process, name string, err error) {
	if w, err = r.pool.Take(ctx, sandbox.For{}); err != nil {
		return nil, "", err
	}
	if name, err = w.Show(path); err == nil {
		return w, name, nil
	}
	r.pool.Give(w, true)
	w, err = r.pool.TakeFor(ctx, []string{path})
	return w, path, err
}

func refuse(text string, args ...any) *quern.Error {
	return quern.E(quern.Invalid, quern.CodeInvalid, text, args...)
}

// spoolFactor is how many times as much as a file may unpack to its records may
// take, with what is written between them.
const spoolFactor = 2

// spool keeps the records of a document in a file without a name, which goes with
// its last reader.
type spool struct {
	file   *os.File
	size   int64
	left   int64
	tables []format.Table
}

// fill copies what a worker sends, frame by frame, until the document is read.
func (s *spool) fill(from io.Reader) error {
	in, out := bufio.NewReaderSize(from, 256<<10), bufio.NewWriterSize(s.file, 256<<10)
	var buffer []byte
	var current *spooledTable
	for {
		kind, payload, err := readFrame(in, buffer)
		if err != nil {
			return unexpected(err)
		}
		buffer = payload
		switch kind {
		case frameDone:
			return out.Flush()
		case frameRefusal:
			return sentRefusal(payload)
		case frameTable:
			if current, err = s.add(payload); err != nil {
				return err
			}
			continue
		}
		if current == nil {
			return errFrame
		}
		if err := s.keep(out, kind, payload); err != nil {
			return err
		}
		current.size = s.size - current.from
	}
}

func sentRefusal(payload []byte) error {
	var text string
	if err := json.Unmarshal(payload, &text); err != nil {
		return errFrame
	}
	return refuse("%s", quern.Clip(text, 1000))
}

// keep writes a frame to the file, if there is room for it.
func (s *spool) keep(out *bufio.Writer, kind frameKind, payload []byte) error {
	frame := int64(1 + uvarintSize(uint64(len(payload))) + len(payload))
	if s.left -= frame; s.left < 0 {
		return refuse("the document holds more than can be kept of it")
	}
	s.size += frame
	return writeFrame(out, kind, payload)
}

func uvarintSize(n uint64) (size int) {
	for size = 1; n >= 0x80; n >>= 7 {
		size++
	}
	return size
}

// add begins a table.
func (s *spool) add(payload []byte) (*spooledTable, error) {
	var about tableFrame
	if err := json.Unmarshal(payload, &about); err != nil || len(about.Header) > format.MaxCells || len(s.tables) >= format.MaxTables {
		return nil, errFrame
	}
	t := &spooledTable{spool: s, header: about.Header, from: s.size}
	table := format.NewTable(about.Member, about.Detail, about.DecimalComma, t.open)
	table.Sheet, table.Totals = about.Sheet, about.Totals
	s.tables = append(s.tables, table)
	return t, nil
}

// spooledTable is a table whose records are in a spool.
type spooledTable struct {
	spool      *spool
	header     []string
	from, size int64
}

func (t *spooledTable) open() (format.Reader, error) {
	part := io.NewSectionReader(t.spool.file, t.from, t.size)
	return &spooledReader{table: t, in: bufio.NewReaderSize(part, 256<<10)}, nil
}

// spooledReader reads the records of a spooled table.
type spooledReader struct {
	table  *spooledTable
	in     *bufio.Reader
	buffer []byte
	cells  []format.Cell
	notes  []string
	row    int64
}

// Header returns the names of the columns.
func (r *spooledReader) Header() []string { return r.table.header }

// Notes returns what the worker said of the records.
func (r *spooledReader) Notes() []string { return r.notes }

// Close does nothing: the file is shared by all tables.
func (r *spooledReader) Close() error { return nil }

// Next reads a record.
func (r *spooledReader) Next() (format.Record, error) {
	kind, payload, err := readFrame(r.in, r.buffer)
	r.buffer = payload
	if err != nil {
		return format.Record{}, err
	}
	switch kind {
	case frameRecord:
		rec, err := parseRecord(payload, r.cells)
		r.cells = rec.Cells
		r.row++
		impossible := len(rec.Cells) > len(r.table.header) || rec.Row != r.row
		if err == nil && impossible {
			err = errFrame
		}
		return rec, err
	case frameFault:
		var f faultFrame
		if json.Unmarshal(payload, &f) != nil {
			return format.Record{}, errFrame
		}
		r.row++
		fault := format.Fault(f)
		return format.Record{}, &fault
	case frameNotes:
		if json.Unmarshal(payload, &r.notes) != nil {
			return format.Record{}, errFrame
		}
		return format.Record{}, io.EOF
	}
	return format.Record{}, errFrame
}
