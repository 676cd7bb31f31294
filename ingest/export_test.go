package ingest

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/catalog"
)

// Scan is scan, for tests of what it makes of bodies.
func Scan(body io.Reader, out io.Writer, limits Limits) (rows int64, columns []catalog.Batch, err error) {
	read, err := scan(body, out, limits)
	return read.rows, read.columns, err
}

// ScanQuickly is Scan that looks for usual rows from a row on; -1: never.
func ScanQuickly(body io.Reader, out io.Writer, limits Limits, from int64) (rows int64, columns []catalog.Batch, members string, err error) {
	s := newScanner(body, out, limits)
	s.next = from
	read, err := s.scan()
	return read.rows, read.columns, string(read.members), err
}

// ScanParallel is ScanQuickly with all cores, from a number of bytes of usual rows on.
func ScanParallel(body io.Reader, out io.Writer, limits Limits, after int64) (rows int64, columns []catalog.Batch, members string, err error) {
	s := newScanner(body, out, limits)
	s.next, s.parallelAfter = 1, after
	read, err := s.scan()
	return read.rows, read.columns, string(read.members), err
}

// WorthMerging is worthMerging, for tests of what merging costs.
func WorthMerging(segments []quern.Segment, idle bool) []quern.Segment {
	return worthMerging(segments, idle)
}

// FullSegment is the size from which a segment is left alone.
const FullSegment = fullSegment

// ShapeLines shapes lines, those that are JSON, and tells what came of it: usual ones
// quickly, if that is wanted.
func ShapeLines(lines []string, quickly bool) string {
	var out bytes.Buffer
	s := newShaper(&out, Limits{Rows: 1000, Columns: 10})
	for _, line := range lines {
		text := bytes.Trim([]byte(line), " \t\r\n")
		var err error
		switch {
		case quickly && len(text) > 0 && s.usual(text) == len(text):
			err = s.keepUsual()
		case jsontext.Value(text).IsValid():
			err = s.row(text)
		}
		if err != nil {
			return err.Error()
		}
	}
	return fmt.Sprint(s.out.Flush(), s.rows, s.columns, s.bad, out.String())
}

// ReadOnce has files read in blocks of so many bytes, once if that can be; tell is told
// whenever that was tried.
func (s *Service) ReadOnce(block int, tell func(done bool)) {
	s.once = onceOptions{block: block, tell: tell}
}

// ReadTwice has files read in blocks of so many bytes, always twice.
func (s *Service) ReadTwice(block int) { s.once = onceOptions{never: true, block: block} }

// CutInto has delimited text make segments of so many rows, at most.
func (s *Service) CutInto(rows int64) { s.once.rows = rows }

// ContentDigest is the digest by which a file is known that comes twice.
func ContentDigest(path string) (string, error) { return contentDigest(path) }

// BodyPage, MostPages and MostHeld say how bodies are stored.
const BodyPage, MostPages, MostHeld = bodyPage, mostPages, mostHeld

// StoreBody stores a body, which is read by whole.
func StoreBody(dir string, body io.Reader) (whole func() (io.Reader, error), remove func(), err error) {
	b := &longBody{Service: &Service{temp: dir}}
	stored, err := b.store(body)
	if err != nil {
		return nil, nil, err
	}
	return stored.whole, stored.remove, nil
}
