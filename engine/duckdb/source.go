package duckdb

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"quern"
	"quern/engine"
)

// minPart is the least that a part of a source is split off for.
const minPart = 4 << 20

// source is an NDJSON file on its way into the engine, cut into parts that are
// worked on side by side.
type source struct {
	job     *job
	path    string
	columns []quern.Column
	parts   []*part
}

// part is a run of whole lines.
type part struct {
	from, to int64  // bytes of the source
	out      string // the file with the rewritten lines
	longest  int    // bytes of the longest line
}

// prepare makes a source readable for the engine that blocks do not take. Its JSON reader
// takes fractions through doubles and rounds what does not fit: decimals, JSON and text
// that is not in quotes are rewritten as strings. The files go with the job.
func (j *job) prepare(src engine.Source) (paths []string, longest int, err error) {
	s := &source{job: j, path: src.Path, columns: src.Columns}
	if err := s.split(); err != nil {
		return nil, 0, err
	}
	j.finally(func() {
		for _, path := range paths {
			_ = os.Remove(path)
		}
	})
	for _, p := range s.parts {
		p.out = filepath.Join(j.engine.options.TempDir, quern.NewID[string]()+".ndjson")
		paths = append(paths, p.out)
	}
	err = s.each(s.rewrite)
	for _, p := range s.parts {
		longest = max(longest, p.longest)
	}
	return paths, longest, err
}

func (s *source) split() error {
	info, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	n := min(int64(s.job.engine.options.Threads), max(info.Size()/minPart, 1))
	for i := range n {
		s.parts = append(s.parts, &part{from: info.Size() * i / n, to: info.Size() * (i + 1) / n})
	}
	return nil
}

// each works on all parts at once and returns the error of the first that has one.
func (s *source) each(work func(*part) error) error {
	errs := make([]error, len(s.parts))
	var all sync.WaitGroup
	for i, p := range s.parts {
		all.Go(func() { errs[i] = work(p) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// rewrite writes the lines of a part in the form that the engine reads.
func (s *source) rewrite(p *part) error {
	out, err := os.OpenFile(p.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	w, buffered := &lineWriter{columns: s.columns}, bufio.NewWriterSize(out, 256<<10)
	err = s.lines(p, func(line []byte) error {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		text, err := w.line(line)
		if err != nil {
			return err
		}
		p.longest = max(p.longest, len(text))
		_, err = buffered.Write(text)
		return err
	})
	return errors.Join(err, buffered.Flush(), out.Close())
}

// lines hands over the lines that begin in a part.
func (s *source) lines(p *part, each func([]byte) error) error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer file.Close()
	// The byte before tells whether a line begins with the part.
	start := max(p.from-1, 0)
	if _, err := file.Seek(start, io.SeekStart); err != nil {
		return err
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 0, 256<<10), maxObject)
	lines.Split(fullLines)
	at := start
	for n := 0; lines.Scan(); n++ {
		begin := at
		at += int64(len(lines.Bytes()))
		if begin < p.from {
			continue
		}
		if begin >= p.to {
			return nil
		}
		if n%1024 == 0 && s.job.ctx.Err() != nil {
			return s.job.ctx.Err()
		}
		p.longest = max(p.longest, len(lines.Bytes()))
		if err := each(lines.Bytes()); err != nil {
			return s.misfit(err, begin)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return quern.E(quern.Invalid, quern.CodeInvalid, "a row is longer than %d bytes", maxObject)
	}
	return lines.Err()
}

// fullLines splits after line ends, so that lengths add up to places.
func fullLines(data []byte, atEOF bool) (int, []byte, error) {
	if end := bytes.IndexByte(data, '\n'); end >= 0 {
		return end + 1, data[:end+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// misfit says which row a wrong value is in.
func (s *source) misfit(err error, at int64) error {
	wrong, ok := errors.AsType[*rowError](err)
	if !ok {
		return err
	}
	file, openErr := os.Open(s.path)
	if openErr != nil {
		return openErr
	}
	defer file.Close()
	row := 1
	block := make([]byte, 256<<10)
	for before := io.LimitReader(file, at); ; {
		n, err := before.Read(block)
		row += bytes.Count(block[:n], []byte{'\n'})
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	return quern.E(quern.Invalid, quern.CodeInvalid, "row %d: %s", row, strings.TrimSpace(wrong.reason))
}
