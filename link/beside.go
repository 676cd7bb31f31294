package link

import (
	"context"
	"reflect"
	"slices"

	"quern"
	"quern/store"
)

const (
	// readAtOnce is how many datasets' sketches one transaction reads.
	readAtOnce = 100
	// mostSketchBytes bounds the sketches that are kept to compare others with: those of a
	// thousand datasets of ten columns with many values.
	mostSketchBytes = 64 << 20
	// columnBytes is about what a column takes beside its hashes.
	columnBytes = 500
)

// beside lists the other datasets of a dataset's namespace, as far as they are compared.
func (s *Service) beside(ctx context.Context, d quern.Dataset) (all []store.Sketched, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		all, err = tx.SketchedIn(ctx, d.Namespace.ID, mostDatasets+1)
		return err
	})
	all = slices.DeleteFunc(all, func(other store.Sketched) bool { return other.ID == d.ID })
	return all[:min(len(all), mostDatasets)], err
}

// keptTable is a table that was read, and what it was made of.
type keptTable struct {
	of    store.Sketched
	table *table
}

// tables returns datasets beside one as they were last sketched, and keeps what it read.
func (s *Service) tables(ctx context.Context, d quern.Dataset, beside []store.Sketched) ([]*table, error) {
	all, missing := make([]*table, len(beside)), []int(nil)
	path := d.Path()
	for i, other := range beside {
		path.Dataset = other.Name
		if all[i] = s.keptTable(other, path); all[i] == nil {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return all, nil
	}
	err := s.store.View(ctx, func(tx *store.Tx) error {
		for _, i := range missing {
			var sketches []sketch
			if _, err := tx.Sketch(ctx, beside[i].ID, &sketches); err != nil {
				return err
			}
			path.Dataset = beside[i].Name
			all[i] = newTable(beside[i], path, sketches)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, i := range missing {
		s.keepTable(beside[i], all[i])
	}
	return all, nil
}

// keptTable returns a table that is kept and still as it was; nil when there is none.
func (s *Service) keptTable(of store.Sketched, path quern.DatasetPath) *table {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.kept[of.ID]
	if !ok || !reflect.DeepEqual(k.of, of) || k.table.path != path {
		return nil
	}
	return k.table
}

// keepTable keeps a table. When there is no more room, all that was kept goes.
func (s *Service) keepTable(of store.Sketched, t *table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keptBytes += t.bytes()
	if old, ok := s.kept[of.ID]; ok {
		s.keptBytes -= old.table.bytes()
	}
	if s.kept == nil || s.keptBytes > mostSketchBytes {
		s.kept, s.keptBytes = map[quern.DatasetID]keptTable{}, t.bytes()
	}
	s.kept[of.ID] = keptTable{of, t}
}

// Kept is how many bytes the sketches take that are kept.
func (s *Service) Kept() quern.Room {
	s.mu.Lock()
	defer s.mu.Unlock()
	return quern.Room{Taken: int64(s.keptBytes), Limit: mostSketchBytes}
}

// bytes is about what a table takes.
func (t *table) bytes() (n int) {
	for _, c := range t.columns {
		n += columnBytes + len(c.Hashes)
	}
	return n + columnBytes
}
