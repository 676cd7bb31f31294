package rest

import (
	"bytes"
	"io"
	"os"
)

// spoolMemory is how much of an answer is kept in memory; the rest goes to a
// file.
const spoolMemory = 1 << 20

// spool holds an answer until it is known to be whole, so that a late failure
// is still answered as one, and so that a slow client keeps nothing waiting but
// itself.
type spool struct {
	dir    string // for the file; empty means the machine's
	memory bytes.Buffer
	file   *os.File
}

// Write adds to the answer.
func (s *spool) Write(p []byte) (int, error) {
	if s.file == nil && s.memory.Len()+len(p) <= spoolMemory {
		return s.memory.Write(p)
	}
	if s.file == nil {
		file, err := os.CreateTemp(s.dir, "answer-*")
		if err != nil {
			return 0, err
		}
		// Nobody else needs its name, and a crash leaves nothing behind.
		_ = os.Remove(file.Name())
		s.file = file
	}
	return s.file.Write(p)
}

// sendTo writes the whole answer.
func (s *spool) sendTo(w io.Writer) error {
	if _, err := w.Write(s.memory.Bytes()); err != nil {
		return err
	}
	if s.file == nil {
		return nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{s.file}, make([]byte, 64<<10))
	return err
}

// close frees the answer.
func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close()
	}
}
