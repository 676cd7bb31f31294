package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"quern"
	"quern/catalog"
)

// distantFiles are files that come when all that are wanted were asked for.
type distantFiles struct {
	wanted   int64
	failing  string // the key of one that does not come
	asked    atomic.Int64
	all      chan struct{}
	opened   atomic.Int64
	released atomic.Int64
}

var errDistant = errors.New("it does not come")

func (f *distantFiles) Dir() string { return "" }

func (f *distantFiles) File(ctx context.Context, key string) (string, func(), error) {
	if f.asked.Add(1) == f.wanted {
		close(f.all)
	}
	select {
	case <-f.all:
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	if key == f.failing {
		return "", nil, errDistant
	}
	f.opened.Add(1)
	return "/" + key, func() { f.released.Add(1) }, nil
}

// The segments of a table are fetched together and stay in order; where one does not come, the
// others are released.
func TestSegmentsAreOpenedTogether(t *testing.T) {
	t.Parallel()
	const count = 6
	var segments []quern.Segment
	for i := range count {
		segments = append(segments, quern.Segment{Key: fmt.Sprint("s", i), FirstRow: int64(i), Rows: 1})
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	files := &distantFiles{wanted: count, all: make(chan struct{})}
	table, release, err := catalog.OpenTable(ctx, files, quern.Dataset{}, segments)
	if err != nil || len(table.Segments) != count {
		t.Fatalf("OpenTable() = %d segments, %v, want %d", len(table.Segments), err, count)
	}
	for i, s := range table.Segments {
		if want := fmt.Sprint("/s", i); s.Path != want || s.FirstRow != int64(i) {
			t.Errorf("segment %d = %s from row %d, want %s", i, s.Path, s.FirstRow, want)
		}
	}
	if release(); files.released.Load() != count {
		t.Errorf("release() released %d, want %d", files.released.Load(), count)
	}
	files = &distantFiles{wanted: count, all: make(chan struct{}), failing: "s3"}
	if _, _, err := catalog.OpenTable(ctx, files, quern.Dataset{}, segments); !errors.Is(err, errDistant) || files.released.Load() != files.opened.Load() {
		t.Errorf("OpenTable() = %v, %d of %d released, want what failed and all", err, files.released.Load(), files.opened.Load())
	}
}
