package blob

import (
	"io"

	"quern"
)

// Body is a reader that remembers why it failed, because not every consumer
// hands that on.
type Body interface {
	io.Reader
	// Err is the error, other than io.EOF, that Read gave last, if any.
	Err() error
}

// Exactly returns a reader of size bytes of r that fails with quern.Invalid when
// r ends early or holds more. The failure comes before the last byte does, so
// whoever copies from it never takes a wrong body for a whole one. It can seek,
// for another try, when r can.
func Exactly(r io.Reader, size int64) Body {
	e := &exact{r: r, size: size, left: size}
	if s, ok := r.(io.Seeker); ok {
		if start, err := s.Seek(0, io.SeekCurrent); err == nil {
			return &exactSeeker{exact: e, seeker: s, start: start}
		}
	}
	return e
}

var errLength = quern.E(quern.Invalid, quern.CodeInvalid, "the body does not have the declared size")

type exact struct {
	r          io.Reader
	size, left int64
	checked    bool
	err        error
}

func (e *exact) Err() error { return e.err }

func (e *exact) Read(p []byte) (int, error) {
	n, err := e.read(p)
	if err != nil && err != io.EOF {
		e.err = err
	}
	return n, err
}

func (e *exact) read(p []byte) (int, error) {
	if e.left == 0 {
		if !e.checked && !e.ended() {
			return 0, errLength
		}
		e.checked = true
		return 0, io.EOF
	}
	if int64(len(p)) > e.left {
		p = p[:e.left]
	}
	n, err := e.r.Read(p)
	e.left -= int64(n)
	switch {
	case err == io.EOF && e.left > 0:
		return 0, errLength
	case err == io.EOF:
		e.checked = true
		return n, nil
	case err == nil && n > 0 && e.left == 0:
		if !e.ended() {
			return 0, errLength
		}
		e.checked = true
	}
	return n, err
}

// ended reports whether nothing is left to read.
func (e *exact) ended() bool {
	n, err := io.ReadFull(e.r, make([]byte, 1))
	return n == 0 && err == io.EOF
}

type exactSeeker struct {
	*exact
	seeker io.Seeker
	start  int64
}

// Seek moves within the body, counted from where the reader stood at first. A
// body that has failed would fail again, so it stays as it is.
func (e *exactSeeker) Seek(offset int64, whence int) (int64, error) {
	if e.err != nil {
		return 0, e.err
	}
	at := e.size - e.left
	switch whence {
	case io.SeekStart:
		at = offset
	case io.SeekCurrent:
		at += offset
	case io.SeekEnd:
		at = e.size + offset
	}
	if at < 0 || at > e.size {
		return 0, errLength
	}
	if _, err := e.seeker.Seek(e.start+at, io.SeekStart); err != nil {
		return 0, err
	}
	e.left, e.checked = e.size-at, false
	return at, nil
}
