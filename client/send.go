package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// File is a file to upload.
type File struct {
	Name string
	Size int64
	// Content is read from several places at a time.
	Content io.ReaderAt
	// Check, unless nil, is asked before the file is finished, and a failure of it
	// ends the upload: it is for finding out that the file has changed meanwhile.
	Check func() error
}

// UploadOptions says how to upload.
type UploadOptions struct {
	// Session is the session to go on with; empty opens another one.
	Session string
	// Parallel is how many parts are sent at a time; 0 means 4.
	Parallel int
	// Started, unless nil, is told the session before the first byte is sent, so
	// that it can be written down and gone on with later.
	Started func(sessionID string) error
	// Progress, unless nil, tells how far the upload is while it runs.
	Progress *Progress
}

// Progress counts the bytes of an upload. It is safe for concurrent use.
type Progress struct{ done, total atomic.Int64 }

// Bytes tells how many bytes have been sent, and how many there are.
func (p *Progress) Bytes() (done, total int64) { return p.done.Load(), p.total.Load() }

// The reasons why a session cannot be gone on with.
var (
	// ErrEnded says that the session is aborted, or was not completed in time.
	ErrEnded = errors.New("the upload session has ended")
	// ErrOtherFiles says that the session is one of other files.
	ErrOtherFiles = errors.New("the upload session is one of other files")
)

const defaultParallel = 4

// Upload sends files and returns the session that then holds them. What a session
// already has is not sent again. It returns early when ctx ends or a failure
// outlasts the client's patience; the session then stays as it is, and Upload
// can go on with it.
func (c *Client) Upload(ctx context.Context, files []File, o UploadOptions) (Session, error) {
	if o.Parallel <= 0 {
		o.Parallel = defaultParallel
	}
	if o.Progress == nil {
		o.Progress = &Progress{}
	}
	for _, f := range files {
		o.Progress.total.Add(f.Size)
	}
	id, transfers, err := c.open(ctx, files, o)
	if err != nil {
		return Session{ID: id}, err
	}
	if o.Started != nil {
		if err := o.Started(id); err != nil {
			return Session{ID: id}, err
		}
	}
	if err := send(ctx, transfers, o.Parallel); err != nil {
		return Session{ID: id}, err
	}
	return c.Session(ctx, id)
}

// open begins a session, or finds out what is left to do of one.
func (c *Client) open(ctx context.Context, files []File, o UploadOptions) (string, []*transfer, error) {
	transfers := make([]*transfer, len(files))
	if o.Session != "" {
		return o.Session, transfers, c.reopen(ctx, files, transfers, o)
	}
	wanted := make([]NewFile, len(files))
	for i, f := range files {
		wanted[i] = NewFile{Filename: f.Name, Size: f.Size}
	}
	prepared, err := c.Prepare(ctx, wanted)
	if err != nil {
		return "", nil, err
	}
	if len(prepared.Files) != len(files) {
		return "", nil, fmt.Errorf("the server prepared %d files instead of %d", len(prepared.Files), len(files))
	}
	for i, p := range prepared.Files {
		t := newTransfer(c, prepared.SessionID, files[i], o.Progress)
		t.fileID, t.uploadID, t.key, t.partSize = p.FileID, p.UploadID, p.Key, p.PartSize
		t.lay()
		for n, u := range p.URLs {
			t.urls[n+1] = u.URL
		}
		transfers[i] = t
	}
	return prepared.SessionID, transfers, nil
}

func (c *Client) reopen(ctx context.Context, files []File, transfers []*transfer, o UploadOptions) error {
	session, err := c.Session(ctx, o.Session)
	switch {
	case IsStatus(err, 404):
		return ErrEnded
	case err != nil:
		return err
	case session.Status == Aborted:
		return ErrEnded
	case len(session.Files) != len(files):
		return ErrOtherFiles
	}
	for i, s := range session.Files {
		if s.Filename != files[i].Name || s.Size != files[i].Size {
			return ErrOtherFiles
		}
		t := newTransfer(c, session.ID, files[i], o.Progress)
		t.fileID, t.uploadID, t.key, t.partSize, t.completed = s.FileID, s.UploadID, s.Key, s.PartSize, s.Status == Completed
		t.lay()
		if err := t.take(ctx, s.Parts); err != nil {
			return err
		}
		transfers[i] = t
	}
	return nil
}

type task struct {
	transfer *transfer
	number   int // of the part; 0 finishes the file
}

// send does what is left to do, several parts at a time. The first failure stops
// the rest.
func send(ctx context.Context, transfers []*transfer, parallel int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tasks := make(chan task)
	var workers sync.WaitGroup
	for range parallel {
		workers.Go(func() {
			for t := range tasks {
				if err := t.transfer.do(ctx, t.number); err != nil {
					cancel(err)
				}
			}
		})
	}
	deal(ctx, tasks, transfers)
	close(tasks)
	workers.Wait()
	return context.Cause(ctx)
}

// deal hands out tasks until there are none left or ctx ends.
func deal(ctx context.Context, tasks chan<- task, transfers []*transfer) {
	for _, t := range transfers {
		for _, number := range t.pending() {
			select {
			case tasks <- task{t, number}:
			case <-ctx.Done():
				return
			}
		}
	}
}
