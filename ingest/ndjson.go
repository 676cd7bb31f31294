package ingest

import (
	"bufio"
	"errors"
	"os"
	"strconv"
	"unicode/utf8"

	"quern/engine"
)

const (
	// segmentRows is the most rows of a segment that files are cut into.
	segmentRows = fullSegment
	// segmentBytes is how large the rows of a segment may be before they are
	// written as Parquet.
	segmentBytes = 256 << 20
)

// part is some rows as NDJSON or, where csv says how, as delimited text.
type part struct {
	path string
	rows int64
	csv  *engine.CSV
}

// parts writes rows as NDJSON into files of bounded size.
type parts struct {
	dir   string
	full  func(part) error // takes every part over; nil: they pile up in done
	done  []part
	rows  int64
	file  *os.File
	out   *bufio.Writer
	bytes int64
	now   part
}

// row appends one row, a JSON object without its end of line.
func (p *parts) row(line []byte) error {
	if err := p.begin(); err != nil {
		return err
	}
	_, _ = p.out.Write(line)
	if err := p.out.WriteByte('\n'); err != nil {
		return err
	}
	return p.written(1, len(line)+1)
}

// block appends so many rows, each with its end of line.
func (p *parts) block(text []byte, rows int64) error {
	for ; rows > 0; rows-- {
		if err := p.begin(); err != nil {
			return err
		}
		if p.now.rows+rows <= segmentRows {
			if _, err := p.out.Write(text); err != nil {
				return err
			}
			return p.written(rows, len(text))
		}
		var line []byte
		line, text = cutLine(text)
		if err := p.row(line[:len(line)-1]); err != nil {
			return err
		}
	}
	return nil
}

// begin makes a file for the next rows if there is none.
func (p *parts) begin() error {
	if p.file != nil {
		return nil
	}
	f, err := os.CreateTemp(p.dir, "rows-*.ndjson")
	if err != nil {
		return err
	}
	p.file, p.now, p.bytes = f, part{path: f.Name()}, 0
	if p.out == nil {
		p.out = bufio.NewWriterSize(f, 256<<10)
	}
	p.out.Reset(f)
	return nil
}

// written counts rows that were appended, and ends the part when it is full.
func (p *parts) written(rows int64, bytes int) error {
	p.rows += rows
	p.now.rows += rows
	p.bytes += int64(bytes)
	if p.now.rows == segmentRows || p.bytes >= segmentBytes {
		return p.flush()
	}
	return nil
}

// flush ends the part that is being written.
func (p *parts) flush() error {
	if p.file == nil {
		return nil
	}
	err := errors.Join(p.out.Flush(), p.file.Close())
	p.file = nil
	if err != nil {
		return err
	}
	if p.full == nil {
		p.done = append(p.done, p.now)
		return nil
	}
	return errors.Join(p.full(p.now), os.Remove(p.now.path))
}

// close lets go of a part that was not ended.
func (p *parts) close() {
	if p.file != nil {
		_ = p.file.Close()
		p.file = nil
	}
}

// appendMember appends the name of a column's member, and what parts it from the
// member before.
func appendMember(line []byte, column int) []byte {
	if line[len(line)-1] != '{' {
		line = append(line, ',')
	}
	line = append(line, `"c`...)
	line = strconv.AppendInt(line, int64(column), 10)
	return append(line, `":`...)
}

const hexDigits = "0123456789abcdef"

// appendText appends text as a JSON string.
func appendText(out, text []byte) []byte {
	out = append(out, '"')
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			if r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
			out = append(append(out, text[start:i]...), "\uFFFD"...)
			i++
			start = i
			continue
		}
		out = append(out, text[start:i]...)
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		default:
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(append(out, text[start:]...), '"')
}
