package engine

import (
	"encoding/binary"
	"errors"
	"io"
)

// FootEnd is the size of what a segment ends with: the length of what describes it, which lies
// before, and four letters.
const FootEnd = 8

// errFoot says that bytes are not the end of a segment.
var errFoot = errors.New("engine: a segment does not end like one")

// FootSize returns how long the foot of a segment is, whose last bytes are given: all that
// has to be read to know where its columns are.
func FootSize(end []byte) (int64, error) {
	if len(end) < FootEnd || string(end[len(end)-4:]) != "PAR1" {
		return 0, errFoot
	}
	return int64(binary.LittleEndian.Uint32(end[len(end)-FootEnd:])) + FootEnd, nil
}

// ReadFoot reads the foot of a segment of a size.
func ReadFoot(file io.ReaderAt, size int64) ([]byte, error) {
	end := make([]byte, min(FootEnd, size))
	if _, err := file.ReadAt(end, size-int64(len(end))); err != nil {
		return nil, err
	}
	long, err := FootSize(end)
	if err != nil || long > size {
		return nil, errFoot
	}
	foot := make([]byte, long)
	_, err = file.ReadAt(foot, size-long)
	return foot, err
}
