package client

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"
)

// body is the bytes of a part on their way. It counts them, and digests them
// where nothing else sees to it that they arrive as they were sent.
type body struct {
	section  *io.SectionReader
	progress *Progress
	moved    func()

	mu     sync.Mutex // the HTTP client may read on for a while after a failure
	digest hash.Hash  // nil: TLS does
	sent   int64
	over   bool
	err    error
}

func newBody(section *io.SectionReader, p *Progress, moved func(), digested bool) *body {
	b := &body{section: section, progress: p, moved: moved}
	if digested {
		b.digest = md5.New()
	}
	return b
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.section.Read(p)
	b.moved()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return 0, errors.New("the part is no longer being sent")
	}
	if b.digest != nil {
		b.digest.Write(p[:n])
	}
	b.sent += int64(n)
	b.progress.done.Add(int64(n))
	switch {
	case errors.Is(err, io.EOF) && b.sent < b.section.Size():
		b.err = errors.New("has become shorter")
	case err != nil && !errors.Is(err, io.EOF):
		b.err = fmt.Errorf("cannot be read: %w", err)
	}
	return n, err
}

// fault is what is wrong with the file itself.
func (b *body) fault() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// is reports whether a tag can be that of what was sent.
func (b *body) is(tag string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.digest == nil || tag == hex.EncodeToString(b.digest.Sum(nil))
}

// undo takes back what was counted.
func (b *body) undo() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	b.progress.done.Add(-b.sent)
}
