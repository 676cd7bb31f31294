package schema

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"quern"
	"quern/catalog"
	"quern/knowledge"
)

// table is one version of a dataset.
type table struct {
	id      quern.DatasetID
	version int64
	rows    int64
	columns []Column // without what their dataset's head says of them
	used    int64    // the turn of its last use
	bytes   int
	failed  time.Time     // when its values could not be read; zero if they could
	began   time.Time     // when its values were first asked for
	done    chan struct{} // closed when index is final
	index   atomic.Pointer[[]indexed]
	last    atomic.Pointer[described]
	taught  atomic.Pointer[knowledge.Used] // about its namespace, as of the last question
	encoded atomic.Pointer[encoded]
}

// indexed is what was read of a column's values.
type indexed struct {
	values   *Values
	distinct int64 // 0: not valueCount
}

// table returns a dataset at the version of its head or later, and starts to index
// its values unless that was done.
func (s *Service) table(ctx context.Context, head quern.Dataset) (*table, error) {
	if t := s.current(head); t != nil {
		return t, nil
	}
	snap, err := s.catalog.Table(ctx, head.ID)
	if err != nil {
		return nil, err
	}
	t := &table{id: head.ID, version: snap.Dataset.Version, rows: snap.Dataset.Rows, began: time.Now(), done: make(chan struct{})}
	for _, c := range catalog.DisplayColumns(snap.Dataset) {
		t.columns = append(t.columns, column(c, t.rows, s.known))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.tables[t.id]; other != nil && other.version >= t.version && other.failed.IsZero() {
		return other, nil // somebody else was faster
	}
	if s.closed {
		close(t.done)
		return t, nil
	}
	s.drop(t.id)
	s.turn++
	t.used = s.turn
	s.tables[t.id] = t
	s.work.Go(func() { s.indexTable(t, snap) })
	return t, nil
}

// current returns a dataset that need not be read again.
func (s *Service) current(head quern.Dataset) *table {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tables[head.ID]
	if t == nil || t.version < head.Version {
		return nil
	}
	if !t.failed.IsZero() && s.now().Sub(t.failed) > retryAfter {
		return nil
	}
	s.turn++
	t.used = s.turn
	return t
}

// indexTable indexes the values of a table and encodes its names.
func (s *Service) indexTable(t *table, snap quern.Snapshot) {
	defer close(t.done)
	ctx, cancel := context.WithTimeout(s.ctx, indexTime)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return
	}
	index, err := s.readSafely(ctx, t, snap)
	if err != nil && s.ctx.Err() == nil {
		s.log.WarnContext(ctx, "indexing a dataset's values failed", "dataset", t.id, "error", err)
	}
	t.index.Store(&index)
	if failed := s.encodeNames(ctx, t, snap.Dataset); failed != nil && s.ctx.Err() == nil {
		s.log.WarnContext(ctx, "encoding a dataset's names failed", "dataset", t.id, "error", failed)
	}
	bytes := 0
	if made := t.encoded.Load(); made != nil {
		bytes += made.bytes()
	}
	for _, i := range index {
		if i.values != nil {
			bytes += i.values.Bytes()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		t.failed = s.now()
	}
	if s.tables[t.id] != t {
		return // a later version took its place
	}
	t.bytes = bytes
	s.bytes += bytes
	for s.bytes > s.memory && len(s.tables) > 1 {
		s.drop(s.idlest(t))
	}
}

// readSafely is read, with a panic as an error: values that cannot be indexed must
// not take the server with them.
func (s *Service) readSafely(ctx context.Context, t *table, snap quern.Snapshot) (index []indexed, err error) {
	defer func() {
		if p := recover(); p != nil {
			index, err = make([]indexed, len(t.columns)), fmt.Errorf("indexing panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return s.read(ctx, t, snap)
}

// idlest returns the table that was not used for longest, other than one.
func (s *Service) idlest(other *table) quern.DatasetID {
	var id quern.DatasetID
	least := s.turn + 1
	for _, t := range s.tables {
		if t != other && t.used < least {
			id, least = t.id, t.used
		}
	}
	return id
}

// drop lets a table go. The caller holds the lock.
func (s *Service) drop(id quern.DatasetID) {
	if t := s.tables[id]; t != nil {
		s.bytes -= t.bytes
		delete(s.tables, id)
	}
}

func (s *Service) forget(id quern.DatasetID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(id)
}

// versions returns what is kept.
func (s *Service) versions() map[quern.DatasetID]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[quern.DatasetID]int64, len(s.tables))
	for id, t := range s.tables {
		all[id] = t.version
	}
	return all
}
