package format

import (
	"bufio"
	"encoding/binary"
	"io"
)

// The numbers of records in workbooks of Excel 97 to 2003.
const (
	biffFormula    = 0x0006
	biffEOF        = 0x000a
	biff1904       = 0x0022
	biffPassword   = 0x002f
	biffContinue   = 0x003c
	biffSheet      = 0x0085
	biffManyRK     = 0x00bd
	biffRichLabel  = 0x00d6
	biffStyle      = 0x00e0
	biffMerged     = 0x00e5
	biffStrings    = 0x00fc
	biffTextLabel  = 0x00fd
	biffDimensions = 0x0200
	biffNumber     = 0x0203
	biffLabel      = 0x0204
	biffTruth      = 0x0205
	biffResult     = 0x0207
	biffRK         = 0x027e
	biffFormat     = 0x041e
	biffBegin      = 0x0809
)

// biffVersion is the version of these records.
const biffVersion = 0x0600

// records reads the records of a workbook from a place on.
func (w *oldWorkbook) records(from int64) *biffReader {
	from = min(max(from, 0), w.length)
	return &biffReader{in: bufio.NewReaderSize(io.NewSectionReader(w.file, from, w.length-from), 64<<10)}
}

// biffReader reads records.
type biffReader struct {
	in   *bufio.Reader
	kind int
	data []byte
}

// next reads a record. data is valid until the next.
func (r *biffReader) next() error {
	var head [4]byte
	if _, err := io.ReadFull(r.in, head[:]); err != nil {
		return unexpected(err)
	}
	r.kind = int(binary.LittleEndian.Uint16(head[:]))
	size := int(binary.LittleEndian.Uint16(head[2:]))
	if cap(r.data) < size {
		r.data = make([]byte, size)
	}
	r.data = r.data[:size]
	_, err := io.ReadFull(r.in, r.data)
	return unexpected(err)
}

// continues reports whether the next record goes on with this one, and reads it.
func (r *biffReader) continues() (bool, error) {
	head, err := r.in.Peek(2)
	if err != nil || binary.LittleEndian.Uint16(head) != biffContinue {
		return false, nil //nolint:nilerr // at the end nothing goes on
	}
	return true, r.next()
}

// u16 returns a number in the record, 0 beyond its end.
func (r *biffReader) u16(at int) int {
	if at+2 > len(r.data) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(r.data[at:]))
}

func (r *biffReader) u32(at int) uint32 {
	if at+4 > len(r.data) {
		return 0
	}
	return binary.LittleEndian.Uint32(r.data[at:])
}
