package catalog

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"quern"
	"quern/blob"
	"quern/engine"
	"quern/store"
)

// maxLost bounds how many lost segments are remembered; more are counted and
// logged all the same.
const maxLost = 1000

// SegmentFiles are files of objects that tell an object which is not there from a
// segment that is lost: one that the metadata still name. A loss is an error with
// a code of its own, logged and counted, and Ready goes on naming it until the
// object is back.
type SegmentFiles struct {
	files blob.Files
	store *store.Store
	log   *slog.Logger

	journal *journalFiles // nil where nobody makes files of rows in the journal

	mu    sync.Mutex
	lost  map[string]bool // keys
	count int64
}

var _ blob.Files = (*SegmentFiles)(nil)

// NewSegmentFiles watches over files.
func NewSegmentFiles(files blob.Files, s *store.Store, log *slog.Logger) *SegmentFiles {
	return &SegmentFiles{files: files, store: s, log: log, lost: map[string]bool{}}
}

// MakeRows has files of rows in the journal written by an engine, into a folder. Close
// removes them.
func (f *SegmentFiles) MakeRows(writer engine.Writer, temp string) {
	f.journal = &journalFiles{writer: writer, temp: temp, made: map[journalRun]*journalFile{}}
}

// Rows returns a file of the rows of a segment that is in the journal.
func (f *SegmentFiles) Rows(ctx context.Context, s quern.Segment) (path string, release func(), err error) {
	if f.journal == nil {
		return "", nil, errNoRowFiles
	}
	return f.journal.file(ctx, s)
}

// Close removes the files that were made. Nobody may read them any more.
func (f *SegmentFiles) Close() error {
	if f.journal == nil {
		return nil
	}
	return f.journal.close()
}

// Dir is the folder that holds the file of every object.
func (f *SegmentFiles) Dir() string { return f.files.Dir() }

// File returns the file of an object. It fails with NotFound for an object that
// is not there, and with CodeDataLost for one that a dataset needs.
func (f *SegmentFiles) File(ctx context.Context, key string) (path string, release func(), err error) {
	path, release, err = f.files.File(ctx, key)
	return path, release, f.ifLost(ctx, key, err)
}

// ifLost returns the error of reading an object, with CodeDataLost where the object is not
// there and a dataset needs it.
func (f *SegmentFiles) ifLost(ctx context.Context, key string, err error) error {
	if !quern.Is(err, quern.NotFound) {
		return err
	}
	needed, failed := f.needed(ctx, key)
	switch {
	case failed != nil:
		return failed
	case !needed:
		return err
	}
	f.note(ctx, key)
	lost := quern.E(quern.Internal, quern.CodeDataLost,
		"stored data of the dataset are missing: the operator of the server has to bring them back")
	return lost.Because(fmt.Errorf("segment %s: %w", key, err))
}

func (f *SegmentFiles) needed(ctx context.Context, key string) (needed bool, err error) {
	err = f.store.View(ctx, func(tx *store.Tx) error {
		needed, err = tx.IsSegment(ctx, key)
		return err
	})
	return needed, err
}

func (f *SegmentFiles) note(ctx context.Context, key string) {
	f.log.ErrorContext(ctx, "a segment is lost: the object store does not have it", "key", key)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	if len(f.lost) < maxLost {
		f.lost[key] = true
	}
}

// Losses counts the reads that failed because a segment was lost.
func (f *SegmentFiles) Losses() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count
}

// Ready fails while segments that were found lost are still needed and still not
// there.
func (f *SegmentFiles) Ready(ctx context.Context) error {
	lost := 0
	for _, key := range f.keys() {
		_, release, err := f.files.File(ctx, key)
		if err == nil {
			release()
			f.forget(key)
			continue
		}
		needed, err := f.needed(ctx, key)
		if err != nil {
			return err
		}
		if !needed {
			f.forget(key)
			continue
		}
		lost++
	}
	if lost > 0 {
		return quern.E(quern.Internal, quern.CodeDataLost, "segments of datasets are lost: %d", lost)
	}
	return nil
}

func (f *SegmentFiles) keys() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	keys := make([]string, 0, len(f.lost))
	for key := range f.lost {
		keys = append(keys, key)
	}
	return keys
}

func (f *SegmentFiles) forget(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.lost, key)
}
