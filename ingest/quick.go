package ingest

import (
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// quickAfter is from how many rows on a scanner looks for usual ones.
	quickAfter = 16
	// quickBytes is how much of a body is held while rows are taken from it, and quickRow
	// how much of that a usual row may be.
	quickBytes, quickRow = 256 << 10, 32 << 10
	// maxQuickPause is how many rows a scanner reads at most before it looks for usual ones again.
	maxQuickPause = 1 << 16
	// maxOpened bounds what is remembered of the members before the rows.
	maxOpened = 64 << 10
)

// quickly takes usual rows straight from the body. The decoder, which has just read a row,
// goes on behind them.
type quickly struct {
	body   io.Reader // behind what was read ahead
	ahead  []byte    // read from the body, but not by the decoder
	memory []byte    // that ahead is in
	spare  []byte    // memory for the next
	next   int64     // the row from which usual ones are looked for again
	pause  int64     // how many rows are read before that
	opened []byte    // what the body began with: the members before the rows, without their values
	shift  int64     // what the decoder's offsets lack
	// parallelAfter is from how many bytes of usual rows on all cores look for them.
	parallelAfter int64
	form          chunkForm // of what they look at
}

// Read reads the body for the decoder.
func (q *quickly) Read(p []byte) (int, error) {
	if len(q.ahead) == 0 {
		return q.body.Read(p)
	}
	n := copy(p, q.ahead)
	q.ahead = q.ahead[n:]
	return n, nil
}

// open notes a member that is in front of the rows.
func (q *quickly) open(name string) error {
	if len(q.opened) > maxOpened {
		q.next = -1 // never
		return nil
	}
	separator := byte('{')
	if len(q.opened) > 0 {
		separator = ','
	}
	quoted, err := jsontext.AppendQuote(append(q.opened, separator), name)
	q.opened = append(quoted, ':', '{', '}')
	return err
}

// quickRows takes usual rows from the body until one is not, and makes the decoder stand
// before that. The decoder must stand right behind a row.
func (s *scanner) quickRows() error {
	if err := s.settle(); err != nil {
		return err
	}
	if s.feed != nil {
		if _, err := s.feed.changed(); err != nil {
			return err
		}
	}
	q := &s.quickly
	offset, first := s.offset(), s.rows
	start := offset // of the usual rows, or of what all cores found not to be one
	text := append(append(q.spare[:0], s.dec.UnreadBuffer()...), q.ahead...)
	at := 0
	for ended := false; s.rows < s.limits.Rows; {
		n, err := s.quickRow(text[at:])
		if err != nil {
			return err
		}
		if at += n; n > 0 {
			continue
		}
		if last := spaceEnd(text, at); ended || len(text)-at >= quickRow || last < len(text) && text[last] == ']' {
			break
		}
		if s.mayBeParallel(offset + int64(at) - start) {
			used, rest, err := s.quickChunks(text[at:])
			if err != nil {
				return err
			}
			offset += int64(at) + used
			text, at, start = rest, 0, offset
			continue
		}
		offset += int64(at)
		text, at = append(text[:0], text[at:]...), 0
		if cap(text) < quickBytes {
			text = append(make([]byte, 0, quickBytes), text...)
		}
		n, err = q.body.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if ended = err != nil; ended {
			q.body = failingReader{err}
		}
	}
	if q.pause = min(2*q.pause, maxQuickPause); s.rows-first >= quickAfter {
		q.pause = 1
	}
	q.next = s.rows + q.pause
	q.ahead, q.memory, q.spare = text[at:], text, q.memory
	return s.resume(offset + int64(at))
}

// quickRow takes the row that text goes on with behind a comma, if it is a usual one, and
// returns how long both are.
func (s *scanner) quickRow(text []byte) (int, error) {
	n := s.shapes.usualNext(text)
	if n == 0 {
		return 0, nil
	}
	s.rows++
	return n, s.shapes.keepUsual()
}

// settle waits until the rows so far are shaped.
func (s *scanner) settle() error {
	err := s.work.wait()
	s.work = &batches{work: s.shapes.batch}
	return err
}

// resume makes the decoder stand behind a row that ends at an offset, as if it had read all
// up to there: the members that came before the rows must not come again.
func (s *scanner) resume(offset int64) error {
	begin := string(s.opened) // ends with that of the rows
	begin = begin[:len(begin)-len("{}")] + "[{}"
	s.dec.Reset(io.MultiReader(strings.NewReader(begin), &s.quickly))
	for s.dec.InputOffset() < int64(len(begin)) {
		if _, err := s.dec.ReadToken(); err != nil {
			return err
		}
	}
	s.shift = offset - int64(len(begin))
	return nil
}

// offset is how much of the body the decoder has read.
func (s *scanner) offset() int64 { return s.dec.InputOffset() + s.shift }

// failingReader fails.
type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }
