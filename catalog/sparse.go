package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/blob"
	"quern/engine"
	"quern/store"
)

const (
	// guessedFoot is how much of the end of an object is fetched whose foot nobody kept.
	guessedFoot = 64 << 10
	// smallSegment is the size up to which a segment whose foot nobody kept is fetched whole.
	smallSegment = 1 << 20
)

// KeepsFeet reports whether the feet of segments are worth keeping: only parts of objects are
// fetched, so that who knows where columns are need not ask the store.
func KeepsFeet(files blob.Files) bool {
	f, ok := files.(*SegmentFiles)
	return ok && f.sparse() != nil
}

// sparse returns the files as those that hold parts of objects, nil where they cannot.
func (f *SegmentFiles) sparse() blob.SparseFiles {
	s, _ := f.files.(blob.SparseFiles)
	return s
}

// Sparse is segments of datasets of which as much is here as was fetched.
type Sparse struct {
	files *SegmentFiles

	mu   sync.Mutex
	byID map[string]sparseSegment
}

type sparseSegment struct {
	key  string
	file *blob.SparseFile
}

// NewSparse returns a place for sparse segments; nil where files are whole anyway.
func NewSparse(files blob.Files) *Sparse {
	if !KeepsFeet(files) {
		return nil
	}
	return &Sparse{files: files.(*SegmentFiles), byID: map[string]sparseSegment{}}
}

// Open makes segments of a dataset readable by the engine as OpenTable does, but has nothing
// fetched of objects except feet that nobody kept. The engine asks for what it reads; see
// Fetch.
func (s *Sparse) Open(ctx context.Context, d quern.Dataset, segments []quern.Segment) (t engine.Table, release func(), err error) {
	feet, err := s.files.feet(ctx, segments)
	if err != nil {
		return engine.Table{}, nil, err
	}
	opening, ctx := errgroup.WithContext(ctx)
	return openTable(opening, d, segments, func(segment quern.Segment) (engine.Segment, func(), error) {
		return s.open(ctx, segment, feet[segment.Key])
	})
}

// open opens one segment.
func (s *Sparse) open(ctx context.Context, segment quern.Segment, foot []byte) (engine.Segment, func(), error) {
	if segment.InJournal() {
		path, release, err := openSegment(ctx, s.files, segment)
		return engine.Segment{Path: path}, release, err
	}
	file, err := s.files.openSparse(ctx, segment, foot)
	if err != nil {
		return engine.Segment{}, nil, err
	}
	if file.ID() != "" {
		s.mu.Lock()
		s.byID[file.ID()] = sparseSegment{segment.Key, file}
		s.mu.Unlock()
	}
	return engine.Segment{Path: file.Path(), Sparse: file.ID()}, file.Release, nil
}

// Fetch brings bytes of segments into their files.
func (s *Sparse) Fetch(ctx context.Context, spans []engine.Span) error {
	bySegment := map[string][]blob.Span{}
	for _, span := range spans {
		bySegment[span.Sparse] = append(bySegment[span.Sparse], blob.Span{From: span.From, To: span.To})
	}
	fetching, ctx := errgroup.WithContext(ctx)
	for id, spans := range bySegment {
		s.mu.Lock()
		segment, ok := s.byID[id]
		s.mu.Unlock()
		if !ok {
			return errors.New("catalog: bytes of a segment are asked for that is not sparse")
		}
		fetching.Go(func() error { return s.files.ifLost(ctx, segment.key, segment.file.Fetch(ctx, spans)) })
	}
	return fetching.Wait()
}

// Any reports whether a segment is sparse.
func (s *Sparse) Any() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byID) > 0
}

// Distrust has all of these segments fetched whole from now on.
func (s *Sparse) Distrust() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, segment := range s.byID {
		segment.file.Distrust()
	}
}

// feet returns the feet that are kept of segments of which nothing is here.
func (f *SegmentFiles) feet(ctx context.Context, segments []quern.Segment) (feet map[string][]byte, err error) {
	var keys []string
	for _, s := range segments {
		if !s.InJournal() && !f.sparse().HasSparse(s.Key) {
			keys = append(keys, s.Key)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	err = f.store.View(ctx, func(tx *store.Tx) error {
		feet, err = tx.Feet(ctx, keys)
		return err
	})
	return feet, err
}

// openSparse opens a segment that has a foot, or whose foot is fetched and kept.
func (f *SegmentFiles) openSparse(ctx context.Context, s quern.Segment, foot []byte) (*blob.SparseFile, error) {
	known := len(foot) > 0 || f.sparse().HasSparse(s.Key)
	if !known && s.Bytes <= smallSegment {
		_, release, err := f.File(ctx, s.Key)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	file, err := f.sparse().Sparse(ctx, blob.Tailed{Key: s.Key, Size: s.Bytes, Tail: foot})
	if err != nil {
		return nil, f.ifLost(ctx, s.Key, err)
	}
	if file.ID() == "" || len(foot) > 0 {
		return file, nil
	}
	if err := f.fetchFoot(ctx, s, file); err != nil {
		file.Release()
		return nil, f.ifLost(ctx, s.Key, err)
	}
	return file, nil
}

// fetchFoot makes sure that a file has the foot of its segment, and keeps one that it had
// to fetch.
func (f *SegmentFiles) fetchFoot(ctx context.Context, s quern.Segment, file *blob.SparseFile) error {
	local, err := os.Open(file.Path())
	if err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	defer local.Close()
	end := make([]byte, engine.FootEnd)
	last := blob.Span{From: s.Bytes - engine.FootEnd, To: s.Bytes}
	fetched := !file.Has(last)
	if fetched {
		if err := file.Fetch(ctx, []blob.Span{{From: s.Bytes - guessedFoot, To: s.Bytes}}); err != nil {
			return err
		}
	}
	if _, err := local.ReadAt(end, last.From); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	long, err := engine.FootSize(end)
	if err != nil {
		return engine.LostSegment(err)
	}
	if err := file.Fetch(ctx, []blob.Span{{From: s.Bytes - long, To: s.Bytes}}); err != nil || !fetched {
		return err
	}
	foot, err := engine.ReadFoot(local, s.Bytes)
	if err != nil {
		return engine.LostSegment(err)
	}
	f.keepFoot(ctx, s.Key, foot)
	return nil
}

// keepFoot keeps the foot of a segment for the next time that nothing of it is here.
func (f *SegmentFiles) keepFoot(ctx context.Context, key string, foot []byte) {
	err := f.store.Update(ctx, func(tx *store.Tx) error {
		if is, err := tx.IsSegment(ctx, key); err != nil || !is {
			return err
		}
		return tx.PutFoot(ctx, key, foot)
	})
	if err != nil {
		f.log.DebugContext(ctx, "the foot of a segment is not kept", "key", key, "error", err)
	}
}
