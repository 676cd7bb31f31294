package ingest

import (
	"context"
	"errors"
	"slices"

	"quern"
	"quern/ingest/format"
)

// findTables finds the tables of one plain file.
func (r *reading) findTables(ctx context.Context, it format.Item, packed bool) (tables []*found, err error) {
	base := found{item: it, packed: packed, kind: format.Kind(r.job.Options.Format)}
	kind, err := format.Detect(it.Path, it.Name)
	if err == nil && base.kind == "" {
		base.kind = kind
	}
	if err == nil && incompatible(base.kind, kind) {
		err = refused("is %s, not %s as the request says", kind, base.kind)
	}
	if err == nil {
		tables, err = r.tablesOf(ctx, base)
	}
	return tables, base.explain(err)
}

// explain names the file in an archive in a refusal of it.
func (t *found) explain(err error) error {
	if text, ok := format.Refused(err); ok && t.packed && !errors.Is(err, errUnreadable) {
		return refused("%s: %s", t.item.Member, text).Because(err)
	}
	return err
}

// incompatible reports whether a file that is found to be one kind cannot be
// read as the kind that the request names. Text can be read as any text.
func incompatible(asked, found format.Kind) bool {
	text := func(k format.Kind) bool {
		switch k {
		case format.Parquet, format.Excel, format.ODS, format.OldExcel, format.Document, format.PDF:
			return false
		}
		return true
	}
	return asked != found && (!text(asked) || !text(found))
}

// tablesOf finds the tables of a file whose kind is known.
func (r *reading) tablesOf(ctx context.Context, base found) (all []*found, err error) {
	it := base.item
	base.about = quern.IngestedTable{File: r.file.Name, Member: storable(it.Member), Format: string(base.kind), Notes: slices.Clone(it.Notes)}
	switch base.kind {
	case format.JSON, format.NDJSON, format.Parquet:
		base.label = r.labelOf(format.Table{}, base.kind, it.Member)
		base.header, err = r.typedNames(ctx, base)
		return []*found{&base}, err
	}
	half := halved{r.scale(it), 0}
	asked := r.job.Options
	o := format.Options{Header: asked.Header, PDF: asked.PDF, KeepTotals: r.keepsTotals(), Dir: r.dir, Watch: half.see}
	tables, err := r.service.tables(ctx, it.Path, base.kind, o)
	if err == nil {
		tables, err = r.chosen(tables, base.kind)
	}
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		one := base
		one.table, one.about.Detail, one.label = t, t.Detail, r.labelOf(t, base.kind, it.Member)
		if t.Member != "" && one.about.Member != "" {
			one.about.Member += "/"
		}
		one.about.Member += storable(t.Member)
		if one.header, err = headerOf(t); err != nil {
			return nil, err
		}
		all = append(all, &one)
	}
	return all, nil
}

func headerOf(t format.Table) ([]string, error) {
	in, err := t.Open()
	if err != nil {
		return nil, err
	}
	return in.Header(), in.Close()
}

// typedNames returns the names of columns of a file with types of its own, where it is
// one of several.
func (r *reading) typedNames(ctx context.Context, t found) (names []string, err error) {
	if !t.packed {
		return nil, nil
	}
	if t.kind != format.Parquet {
		return peekNames(t.item.Path)
	}
	rows, err := r.service.engine.Import(ctx, t.item.Path)
	if err != nil {
		return nil, err
	}
	for _, c := range rows.Columns() {
		names = append(names, c.Name)
	}
	return names, rows.Close()
}

// readFound reads one table into its dataset.
func (r *reading) readFound(ctx context.Context, t *found) error {
	r.target, r.found = t.into, t
	if len(r.job.Options.Steps) > 0 {
		return r.readSteps(ctx, t)
	}
	switch t.kind {
	case format.JSON, format.NDJSON:
		return r.readJSON(ctx, t.item, t.about)
	case format.Parquet:
		return r.readParquet(ctx, t.item, t.about)
	}
	return r.readTable(ctx, t.table, t.about)
}
