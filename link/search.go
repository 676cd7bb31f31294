package link

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quern"
	"quern/catalog"
	"quern/engine"
	"quern/store"
	"quern/tree"
)

// Search says what links are looked for in, and how.
type Search struct {
	// Rows are looked at in place of the dataset's own; nil for its own. Members
	// that are no columns of the dataset are ignored.
	Rows []map[string]any
	// Options are nil for those kept with the dataset.
	Options *quern.LinkOptions
}

// Rebuild looks for a dataset's links now, in data the principal may write, and
// lists those in effect afterwards. The search's options are kept.
func (s *Service) Rebuild(ctx context.Context, p quern.Principal, path quern.DatasetPath, search Search) ([]quern.Link, error) {
	d, err := s.catalog.Dataset(ctx, p, path, catalog.Write)
	if err != nil {
		return nil, err
	}
	if err := s.freshen(ctx, d); err != nil {
		return nil, err
	}
	if err := s.rebuild(ctx, d.ID, search); err != nil {
		return nil, err
	}
	return s.Links(ctx, p, path)
}

// Preview lists the links that Rebuild would find, as far as the principal may
// read both ends, and keeps none of them.
func (s *Service) Preview(ctx context.Context, p quern.Principal, path quern.DatasetPath, search Search) ([]quern.Link, error) {
	snap, err := s.catalog.Snapshot(ctx, p, path)
	if err != nil {
		return nil, err
	}
	if err := s.freshen(ctx, snap.Dataset); err != nil {
		return nil, err
	}
	searched, err := s.search(ctx, snap, search, 1)
	if err != nil {
		return nil, err
	}
	return s.visible(ctx, p, searched.found)
}

// searched is what a search found.
type searched struct {
	options quern.LinkOptions
	columns []sketch // of the dataset, or of the rows in its place
	found   []store.Link
	beside  []store.Sketched // the datasets that it was compared with, as they were
}

// search looks for the links of a dataset and returns at most keep destinations
// for a column.
func (s *Service) search(ctx context.Context, snap quern.Snapshot, search Search, keep int) (r searched, err error) {
	d := snap.Dataset
	r.options = optionsOf(d)
	if search.Options != nil {
		r.options = *search.Options
	}
	from := s.stored(snap)
	if search.Rows != nil {
		var remove func()
		if from, remove, err = s.sent(ctx, d, search.Rows); err != nil {
			return r, err
		}
		defer remove()
	}
	if r.columns, err = s.sketches(ctx, from); err != nil {
		return r, err
	}
	beside, err := s.beside(ctx, d)
	r.beside = beside
	if err != nil {
		return r, err
	}
	own := newTable(store.Sketched{ID: d.ID, Rows: from.dataset.Rows, Options: &r.options}, d.Path(), r.columns)
	if r.found, err = s.discover(ctx, d, own, beside, keep); err != nil {
		return r, err
	}
	places, err := s.discoverPlaces(ctx, from, r.options, beside, keep)
	r.found = withPlaces(r.found, places)
	return r, err
}

// optionsOf returns how links of a dataset are looked for.
func optionsOf(d quern.Dataset) quern.LinkOptions {
	if d.LinkOptions == nil {
		return quern.LinkOptions{}
	}
	return *d.LinkOptions
}

// allowed reports whether options let a column of a dataset with so many rows be compared.
func (s sketch) allowed(o quern.MatchOptions, rows int64) bool {
	distinct := 0.0
	if rows > 0 {
		distinct = float64(s.Distinct) / float64(rows)
	}
	return columnAllowed(o, s.Name) && distinct >= o.MinDistinct && s.uniqueness() >= o.MinVariation
}

// columnAllowed reports whether options let a column with a name be compared.
func columnAllowed(o quern.MatchOptions, name string) bool {
	if o.IgnorePrivate && strings.HasPrefix(name, "_") {
		return false
	}
	named := slices.ContainsFunc(o.TargetColumns, func(target string) bool { return tree.SameName(target, name) })
	return len(o.TargetColumns) == 0 || named
}

// content is rows of a dataset, stored or sent.
type content struct {
	dataset quern.Dataset
	open    func(context.Context) (engine.Table, func(), error)
}

// stored is a dataset's own rows.
func (s *Service) stored(snap quern.Snapshot) content {
	return content{snap.Dataset, func(ctx context.Context) (engine.Table, func(), error) {
		return catalog.OpenTable(ctx, s.files, snap.Dataset, snap.Segments)
	}}
}

// sent is rows that a caller sent in place of a dataset's own. It is there until
// remove is called.
func (s *Service) sent(ctx context.Context, d quern.Dataset, rows []map[string]any) (c content, remove func(), err error) {
	dir, err := os.MkdirTemp(s.temp, "links-*")
	if err != nil {
		return c, nil, fmt.Errorf("link: %w", err)
	}
	remove = func() { _ = os.RemoveAll(dir) }
	columns, names := sentColumns(d, rows)
	source, target := filepath.Join(dir, "rows.ndjson"), filepath.Join(dir, "rows.parquet")
	if err := writeRows(source, rows, columns, names); err != nil {
		remove()
		return c, nil, err
	}
	written, err := s.engine.Write(ctx, engine.Source{Path: source, Columns: columns}, target)
	if err != nil {
		remove()
		return c, nil, err
	}
	d.Rows, d.Columns = written.Rows, make([]quern.DatasetColumn, len(columns))
	for i, column := range columns {
		d.Columns[i] = quern.DatasetColumn{Column: column, Stats: written.Columns[i]}
	}
	t := engine.Table{Columns: columns, Segments: []engine.Segment{{Path: target, Columns: columns, Rows: written.Rows}}}
	return content{d, func(context.Context) (engine.Table, func(), error) { return t, func() {}, nil }}, remove, nil
}

// sentColumns returns those of a dataset's columns that links are looked for at,
// with the types of the sent values, and what rows call each of them.
func sentColumns(d quern.Dataset, rows []map[string]any) (columns []quern.Column, names [][]string) {
	spellings := map[string][]string{}
	for _, row := range rows {
		for name := range row {
			key := quern.NameKey(name)
			if !slices.Contains(spellings[key], name) {
				spellings[key] = append(spellings[key], name)
			}
		}
	}
	for _, c := range d.Columns {
		used := spellings[quern.NameKey(c.Name)]
		if classOf(c.Type) == "" || len(used) == 0 || len(columns) == mostColumns {
			continue
		}
		if classOf(c.Type) == numbers {
			c.Type = numberType(rows, used)
		}
		columns, names = append(columns, c.Column), append(names, used)
	}
	return columns, names
}

// numberType is the type that holds all numbers that rows have under some names.
func numberType(rows []map[string]any, names []string) quern.Type {
	const exact = 1 << 53
	for _, row := range rows {
		for _, name := range names {
			n, ok := row[name].(float64)
			exactInteger := n == math.Trunc(n) && math.Abs(n) <= exact
			if ok && !exactInteger {
				return quern.Double
			}
		}
	}
	return quern.Integer
}

// writeRows writes rows as the engine reads them; values that are not of a
// column's type are left out.
func writeRows(path string, rows []map[string]any, columns []quern.Column, names [][]string) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("link: %w", err)
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	encoder := json.NewEncoder(out)
	for _, row := range rows {
		line := map[string]any{}
		for i, column := range columns {
			for _, name := range names[i] {
				if value := row[name]; fitsColumn(value, column.Type) {
					line[fmt.Sprintf("c%d", i)] = value
				}
			}
		}
		if err := encoder.Encode(line); err != nil {
			return fmt.Errorf("link: %w", err)
		}
	}
	return out.Flush()
}

func fitsColumn(value any, t quern.Type) bool {
	switch value.(type) {
	case string:
		return t == quern.Text
	case float64:
		return t != quern.Text
	}
	return false
}
