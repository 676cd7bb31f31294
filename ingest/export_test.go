package ingest

import (
	"io"

	"quern"
	"quern/catalog"
)

// Scan is scan, for tests of what it makes of bodies.
func Scan(body io.Reader, out io.Writer, limits Limits) (rows int64, columns []catalog.Batch, err error) {
	read, err := scan(body, out, limits)
	return read.rows, read.columns, err
}

// WorthMerging is worthMerging, for tests of what merging costs.
func WorthMerging(segments []quern.Segment, idle bool) []quern.Segment {
	return worthMerging(segments, idle)
}

// FullSegment is the size from which a segment is left alone.
const FullSegment = fullSegment
