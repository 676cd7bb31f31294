package enginetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"quern/engine"
)

// Sparse is an engine whose queries see segments of which nothing is there but the feet and
// what the engine asked for.
type Sparse struct {
	engine.Engine
	dir string

	mu      sync.Mutex
	files   map[string]*sparseFile // by the file that has all of it
	Fetched int64                  // bytes that were asked for, each as often as it was
	Asked   int64                  // how often something was
}

// sparseFile is a sparse copy of a file.
type sparseFile struct {
	engine.Segment
	from string
}

// NewSparse makes the segments of an engine's queries sparse. The same file has the same
// sparse copy in every query until Forget.
func NewSparse(t testing.TB, e engine.Engine) *Sparse {
	t.Helper()
	return &Sparse{Engine: e, dir: t.TempDir(), files: map[string]*sparseFile{}}
}

// Forget has the next query see copies with nothing but feet.
func (s *Sparse) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.files)
	s.Fetched, s.Asked = 0, 0
}

// Query runs a query over sparse segments.
func (s *Sparse) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	return s.QueryFetching(ctx, q, s.fetch)
}

// QueryFetching runs a query over sparse segments whose bytes somebody else fetches.
func (s *Sparse) QueryFetching(
	ctx context.Context, q engine.Query, fetch func(context.Context, []engine.Span) error,
) (engine.Rows, error) {
	whole := q.Resolve
	if whole == nil {
		return s.Engine.Query(ctx, q)
	}
	q.Resolve = func(ctx context.Context, ref engine.Ref) (engine.Table, error) {
		table, err := whole(ctx, ref)
		if err != nil {
			return table, err
		}
		segments := table.Segments
		table.Segments = make([]engine.Segment, len(segments))
		for i, segment := range segments {
			table.Segments[i] = s.sparse(segment)
		}
		return table, nil
	}
	q.Fetch = fetch
	return s.Engine.Query(ctx, q)
}

// sparse returns the copy of a segment; the segment itself where it is no such file.
func (s *Sparse) sparse(segment engine.Segment) engine.Segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[segment.Path]; f != nil {
		segment.Path, segment.Sparse, segment.Content = f.Path, f.Sparse, f.Sparse
		return segment
	}
	file, err := os.Open(segment.Path)
	if err != nil {
		return segment
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return segment
	}
	foot, err := engine.ReadFoot(file, info.Size())
	if err != nil {
		return segment
	}
	f := &sparseFile{Segment: segment, from: segment.Path}
	out, err := os.CreateTemp(s.dir, "*.parquet")
	if err != nil {
		return segment
	}
	_, written := out.WriteAt(foot, info.Size()-int64(len(foot)))
	if errors.Join(written, out.Close()) != nil {
		return segment
	}
	f.Path, f.Sparse = out.Name(), filepath.Base(out.Name())
	f.Content = f.Sparse
	s.files[f.from] = f
	return f.Segment
}

func (s *Sparse) fetch(_ context.Context, spans []engine.Span) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Asked++
	for _, span := range spans {
		var from *sparseFile
		for _, f := range s.files {
			if f.Sparse == span.Sparse {
				from = f
			}
		}
		if from == nil {
			return fmt.Errorf("enginetest: no file is %q", span.Sparse)
		}
		if err := copySpan(from, span); err != nil {
			return err
		}
		s.Fetched += span.To - span.From
	}
	return nil
}

func copySpan(f *sparseFile, span engine.Span) error {
	in, err := os.Open(f.from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(f.Path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	body := make([]byte, span.To-span.From)
	if _, err := in.ReadAt(body, span.From); err != nil {
		return err
	}
	_, err = out.WriteAt(body, span.From)
	return err
}
