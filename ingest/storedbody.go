package ingest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

const (
	// bodyPage is how much memory a body takes at a time, and mostPages how often it does so
	// before it goes on in a file.
	bodyPage, mostPages = 1 << 20, 32
	// mostHeld is how many bodies are held in memory at the same time; more are in files whole.
	mostHeld = 2
)

var (
	// bodyPages has memory that bodies were held in.
	bodyPages = sync.Pool{New: func() any { return new([bodyPage]byte) }}
	// heldBodies has a place for every body that is held in memory.
	heldBodies = make(chan struct{}, mostHeld)
)

// storedBody is a body that can be read again: its beginning is in memory, if there is a place
// for it, and what is more in a file.
type storedBody struct {
	held  bool
	pages []*[bodyPage]byte
	page  int // bytes of the last of them
	file  *os.File
	size  int64
	err   error // that ended it early
}

// store stores a body, which must be removed.
func (b *longBody) store(body io.Reader) (*storedBody, error) {
	stored, in := &storedBody{}, &endedReader{r: body}
	select {
	case heldBodies <- struct{}{}:
		stored.held = true
	default:
	}
	ended, err := stored.hold(in)
	if err == nil && !ended {
		err = stored.spill(b.temp, in)
	}
	if err != nil {
		stored.remove()
		return nil, fmt.Errorf("ingest: %w", err)
	}
	stored.err = in.err
	return stored, nil
}

// hold reads a body into memory until that is full; ended says that nothing is left.
func (s *storedBody) hold(in io.Reader) (ended bool, err error) {
	for s.held && len(s.pages) < mostPages {
		page := bodyPages.Get().(*[bodyPage]byte)
		s.pages = append(s.pages, page)
		s.page, err = io.ReadFull(in, page[:])
		s.size += int64(s.page)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// spill writes the rest of a body to a file.
func (s *storedBody) spill(dir string, in io.Reader) (err error) {
	if s.file, err = os.CreateTemp(dir, "body-*.json"); err != nil {
		return err
	}
	n, err := io.Copy(s.file, in)
	s.size += n
	return err
}

// whole returns the body as it came.
func (s *storedBody) whole() (io.Reader, error) {
	parts := make([]io.Reader, 0, 3)
	parts = append(parts, &pageReader{body: s})
	if s.file != nil {
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		parts = append(parts, s.file)
	}
	if s.err != nil {
		parts = append(parts, failingReader{s.err})
	}
	return io.MultiReader(parts...), nil
}

// remove lets go of memory and file. Nobody may read any more.
func (s *storedBody) remove() {
	for _, page := range s.pages {
		bodyPages.Put(page)
	}
	if s.held {
		<-heldBodies
	}
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

// pageReader reads what is in memory of a body.
type pageReader struct {
	body *storedBody
	next int // page
	at   int // in it
}

func (r *pageReader) Read(p []byte) (int, error) {
	for r.next < len(r.body.pages) {
		length := bodyPage
		if r.next == len(r.body.pages)-1 {
			length = r.body.page
		}
		if n := copy(p, r.body.pages[r.next][r.at:length]); n > 0 || len(p) == 0 {
			r.at += n
			return n, nil
		}
		r.next, r.at = r.next+1, 0
	}
	return 0, io.EOF
}

// endedReader ends where reading fails, and keeps why.
type endedReader struct {
	r   io.Reader
	err error // that was not the end
}

func (e *endedReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		e.err, err = err, io.EOF
	}
	return n, err
}
