package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"quern"
	"quern/engine"
)

// mostJournalFiles bounds the files of rows in the journal that are kept though nobody
// reads them.
const mostJournalFiles = 32

// journalFiles makes files of rows that are in the journal and keeps some of them: rows
// that are in the journal never change.
type journalFiles struct {
	writer engine.Writer
	temp   string

	mu   sync.Mutex
	made map[journalRun]*journalFile
	uses int64 // so far
}

// journalRun is rows of a dataset. No other rows ever get their ids.
type journalRun struct {
	dataset     quern.DatasetID
	first, rows int64
}

type journalFile struct {
	path    string
	readers int
	used    int64         // when, in uses
	ready   chan struct{} // closed once the file is there, or err
	err     error
}

// file returns a file of the rows of a segment that is in the journal.
func (j *journalFiles) file(ctx context.Context, s quern.Segment) (path string, release func(), err error) {
	run := journalRun{s.Dataset, s.FirstRow, s.Rows}
	j.mu.Lock()
	f := j.made[run]
	if f == nil {
		f = &journalFile{path: filepath.Join(j.temp, "journal-"+quern.NewID[string]()+".parquet"), ready: make(chan struct{})}
		j.made[run] = f
		go func() {
			// Others may wait for it too: it does not end with the first who asked.
			f.err = j.write(context.WithoutCancel(ctx), s, f.path)
			close(f.ready)
		}()
	}
	f.readers++
	j.mu.Unlock()
	release = func() { j.release(run, f) }
	select {
	case <-f.ready:
		err = f.err
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		release()
		return "", nil, err
	}
	return f.path, release, nil
}

func (j *journalFiles) write(ctx context.Context, s quern.Segment, path string) error {
	lines := path + ".ndjson"
	defer os.Remove(lines)
	if err := os.WriteFile(lines, s.Lines, 0o600); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	written, err := j.writer.Write(ctx, engine.Source{Path: lines, Columns: s.Columns, Bare: true}, path)
	if err == nil && written.Rows != s.Rows {
		err = fmt.Errorf("catalog: a file of %d rows in the journal has %d", s.Rows, written.Rows)
	}
	return err
}

// release lets a reader go, and files that nobody reads once there are too many, or that
// are the beginning of others.
func (j *journalFiles) release(run journalRun, f *journalFile) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f.readers--
	j.uses++
	f.used = j.uses
	var idle int
	for other, file := range j.made {
		if file.readers > 0 || !file.done() {
			continue
		}
		outgrown := run.dataset == other.dataset && run.first == other.first && run.rows > other.rows
		if file.err != nil || outgrown {
			j.drop(other)
			continue
		}
		idle++
	}
	for ; idle > mostJournalFiles; idle-- {
		var oldest journalRun
		for other, file := range j.made {
			if file.readers > 0 || !file.done() {
				continue
			}
			if oldest.dataset == "" || file.used < j.made[oldest].used {
				oldest = other
			}
		}
		j.drop(oldest)
	}
}

func (f *journalFile) done() bool {
	select {
	case <-f.ready:
		return true
	default:
		return false
	}
}

func (j *journalFiles) drop(run journalRun) {
	_ = os.Remove(j.made[run].path)
	delete(j.made, run)
}

// close removes all files. Nobody may read them any more.
func (j *journalFiles) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	var errs []error
	for run, f := range j.made {
		<-f.ready
		if err := os.Remove(f.path); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
		delete(j.made, run)
	}
	return errors.Join(errs...)
}
