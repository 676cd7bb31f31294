package worker

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// kind says what a frame holds. A frame is its kind, the length of its body in
// four bytes, and the body.
type kind byte

const (
	// From the server.
	queryFrame  kind = 'q' // request: the SQL to run
	tableFrame  kind = 't' // resolved: the answer to a nameFrame
	thereFrame  kind = 'f' // nothing: the answer to a spanFrame
	cancelFrame kind = 'c' // nothing: the query is not wanted any more
	// From the worker.
	nameFrame   kind = 'n' // engine.Ref: which table is this?
	spanFrame   kind = 's' // []engine.Span: what the query reads of sparse segments
	columnFrame kind = 'h' // []quern.Column: the query runs, rows follow
	rowFrame    kind = 'r' // rows; see values.go
	endFrame    kind = 'e' // ending: there is nothing more
)

const (
	headerSize = 5
	// maxFrame bounds a frame, and so the memory that a row of a result takes here.
	maxFrame = 64 << 20
	// flushSize is how many bytes of rows travel together.
	flushSize = 64 << 10
)

var errFrame = errors.New("worker: a frame that cannot be")

// appendFrame appends a frame with a body in JSON.
func appendFrame(to []byte, k kind, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return to, err
	}
	if len(text) > maxFrame {
		return to, fmt.Errorf("%w: %d bytes", errFrame, len(text))
	}
	return append(appendHeader(to, k, len(text)), text...), nil
}

func appendHeader(to []byte, k kind, size int) []byte {
	return binary.BigEndian.AppendUint32(append(to, byte(k)), uint32(size))
}

// frames reads frames. A body is valid until the next is read.
type frames struct {
	from *bufio.Reader
	body []byte
}

func newFrames(from io.Reader) *frames { return &frames{from: bufio.NewReaderSize(from, flushSize)} }

func (f *frames) next() (kind, []byte, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(f.from, header[:]); err != nil {
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(header[1:])
	if size > maxFrame {
		return 0, nil, fmt.Errorf("%w: %d bytes", errFrame, size)
	}
	if cap(f.body) > 4*flushSize && size <= flushSize {
		f.body = nil // one long row is no reason to keep as much for good
	}
	if uint32(cap(f.body)) < size {
		f.body = make([]byte, size)
	}
	f.body = f.body[:size]
	_, err := io.ReadFull(f.from, f.body)
	return kind(header[0]), f.body, err
}
