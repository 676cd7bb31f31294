package isolate

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"quern/ingest/format"
)

// frameKind says what a frame holds.
type frameKind byte

const (
	frameTable   frameKind = 'T' // a tableFrame: what follows are its records
	frameRecord  frameKind = 'R' // row, line, page and the cells of a record
	frameFault   frameKind = 'F' // a faultFrame: a record that cannot be read
	frameNotes   frameKind = 'N' // the table's notes; it ends here
	frameRefusal frameKind = 'E' // why the document cannot be read
	frameDone    frameKind = 'D' // there is no more
)

// maxFrame bounds a frame: the longest record, and what says how long its cells are.
const maxFrame = format.MaxRecord + format.MaxCells*binary.MaxVarintLen64 + 1024

// errFrame says that a worker does not speak as agreed.
var errFrame = errors.New("isolate: a worker sent what is no frame")

// request is what a worker is asked.
type request struct {
	Path       string      `json:"path"`
	Kind       format.Kind `json:"kind"`
	Header     *bool       `json:"header"`
	PDF        string      `json:"pdf"`
	KeepTotals bool        `json:"keepTotals"`
	Compiled   string      `json:"compiled"` // a folder that the worker may read
}

// tableFrame is a table without its records.
type tableFrame struct {
	Member       string   `json:"member"`
	Sheet        string   `json:"sheet"`
	Detail       string   `json:"detail"`
	DecimalComma bool     `json:"decimalComma"`
	Header       []string `json:"header"`
	Totals       []string `json:"totals"`
}

// faultFrame is a record that cannot be read.
type faultFrame struct {
	Line   int64  `json:"line"`
	Row    int64  `json:"row"`
	Reason string `json:"reason"`
	Text   string `json:"text"`
}

// writeFrame writes one frame.
func writeFrame(out *bufio.Writer, kind frameKind, payload []byte) error {
	head := binary.AppendUvarint([]byte{byte(kind)}, uint64(len(payload)))
	if _, err := out.Write(head); err != nil {
		return err
	}
	_, err := out.Write(payload)
	return err
}

// writeJSON writes a frame of JSON.
func writeJSON(out *bufio.Writer, kind frameKind, v any) error {
	payload, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFrame(out, kind, payload)
}

// readFrame reads one frame into buffer, which it may replace.
func readFrame(in *bufio.Reader, buffer []byte) (kind frameKind, payload []byte, err error) {
	first, err := in.ReadByte()
	if err != nil {
		return 0, buffer, err
	}
	size, err := binary.ReadUvarint(in)
	if err != nil {
		return 0, buffer, unexpected(err)
	}
	if size > maxFrame {
		return 0, buffer, errFrame
	}
	if uint64(cap(buffer)) < size {
		buffer = make([]byte, size)
	}
	buffer = buffer[:size]
	_, err = io.ReadFull(in, buffer)
	return frameKind(first), buffer, unexpected(err)
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// appendRecord writes a record as the payload of a frame.
func appendRecord(out []byte, rec format.Record) []byte {
	out = binary.AppendUvarint(out, uint64(rec.Row))
	out = binary.AppendUvarint(out, uint64(rec.Line))
	out = binary.AppendUvarint(out, uint64(rec.Page))
	for _, c := range rec.Cells {
		out = append(binary.AppendUvarint(out, uint64(len(c.Text))), c.Text...)
	}
	return out
}

// parseRecord reads what appendRecord wrote. The cells lie in payload.
func parseRecord(payload []byte, cells []format.Cell) (rec format.Record, err error) {
	for _, place := range []*int64{&rec.Row, &rec.Line, &rec.Page} {
		number, n := binary.Uvarint(payload)
		if n <= 0 || number > 1<<40 {
			return rec, errFrame
		}
		*place, payload = int64(number), payload[n:]
	}
	for rec.Cells = cells[:0]; len(payload) > 0; {
		size, n := binary.Uvarint(payload)
		if n <= 0 || size > uint64(len(payload)-n) {
			return rec, errFrame
		}
		end := n + int(size)
		rec.Cells = append(rec.Cells, format.Cell{Text: payload[n:end:end]})
		payload = payload[end:]
	}
	return rec, nil
}
