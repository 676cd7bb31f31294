package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/catalog"
	"quern/engine"
	"quern/tree"
)

// Window says which rows of a dataset are wanted, and in which order.
type Window struct {
	Offset, Limit int64
	// Sort are the keys, the first counts first; none: the order of storing.
	Sort []Sort
	// Filter is a condition as a filter of the fluent form has it; empty: all rows.
	Filter string
}

// Sort is one key that rows are sorted by; nulls come last either way.
type Sort struct {
	Column     string
	Descending bool
}

// stored reports whether a window shows rows as they were stored.
func (w Window) stored() bool { return len(w.Sort) == 0 && w.Filter == "" }

// Window returns a part of a dataset's rows. Rows that sort alike stay in the order of
// storing, so that neighbouring windows neither share a row nor miss one. Invalid when
// the filter is wrong or a column is not there. The caller closes the rows.
func (s *Service) Window(ctx context.Context, p quern.Principal, path quern.DatasetPath, w Window) (Page, error) {
	snap, err := s.catalog.Snapshot(ctx, p, path)
	if err != nil {
		return Page{}, err
	}
	if w.stored() || snap.Dataset.Rows == 0 {
		return s.storedWindow(ctx, snap, w)
	}
	selected, err := selection(snap.Dataset, w)
	if err != nil {
		return Page{}, err
	}
	table, err := s.open(ctx, snap)
	if err != nil {
		return Page{}, err
	}
	page := Page{Dataset: snap.Dataset, Total: snap.Dataset.Rows}
	if w.Filter != "" {
		if page.Total, err = table.count(ctx, p, selected); err != nil {
			table.held.release()
			return Page{}, err
		}
	}
	rows, err := table.window(ctx, p, selected, w)
	if err != nil {
		table.held.release()
		return Page{}, err
	}
	page.Rows = newListedRows(&heldRows{Rows: rows, open: table.held}, snap.Dataset.ID, true)
	return page, nil
}

// storedWindow returns rows as they were stored, by the place at which they stand.
func (s *Service) storedWindow(ctx context.Context, snap quern.Snapshot, w Window) (Page, error) {
	from, before := int64(0), int64(0)
	for _, segment := range snap.Segments {
		from = segment.FirstRow + w.Offset - before
		if before += segment.Rows; w.Offset < before {
			break
		}
	}
	return s.rowsFrom(ctx, snap, from, w.Limit)
}

// selection is the query of a window without its place: the rows that the filter
// leaves, in order.
func selection(d quern.Dataset, w Window) (*tree.Query, error) {
	q := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{{Dataset: d.Path()}}}}
	if w.Filter != "" {
		cond, err := tree.ParseFilter(w.Filter)
		if wrong, ok := errors.AsType[*tree.Error](err); ok {
			return nil, wrong.Invalid()
		}
		q.Select.Where = cond
	}
	for _, key := range w.Sort {
		q.Order = append(q.Order, tree.Order{Expr: tree.Column{Name: key.Column}, Desc: key.Descending, Nulls: tree.NullsLast})
	}
	schema := tree.Schema{Tables: []tree.Table{{Path: d.Path(), Columns: catalog.Columns(d)}}}
	tree.FitValues(q, schema)
	err := tree.Validate(q, schema)
	if bad, ok := errors.AsType[*tree.Problem](err); ok {
		return nil, bad.Invalid(w.Filter)
	}
	return q, err
}

// oneTable is a dataset that several queries of ours read at one version.
type oneTable struct {
	engine engine.Engine
	table  engine.Table
	held   *opened
}

// open makes a dataset ready to be read; its files stay until held is released.
func (s *Service) open(ctx context.Context, snap quern.Snapshot) (oneTable, error) {
	t, release, err := catalog.OpenTable(ctx, s.files, snap.Dataset, snap.Segments)
	if err != nil {
		return oneTable{}, err
	}
	t.RowIDs = true
	held := &opened{}
	held.add(release)
	held.read(snap.Dataset)
	return oneTable{s.engine, t, held}, nil
}

// query runs SQL in which every name is the table's.
func (t oneTable) query(ctx context.Context, p quern.Principal, sql string) (engine.Rows, error) {
	return t.engine.Query(ctx, engine.Query{
		SQL: sql, User: p.User.Username, Resolve: func(context.Context, engine.Ref) (engine.Table, error) { return t.table, nil },
	})
}

// window returns the rows of a window. Which they are is found out first, with the columns
// that decide it: a sort carries whatever it is given, and of a wide dataset that is more
// than a query may hold.
func (t oneTable) window(ctx context.Context, p quern.Principal, selected *tree.Query, w Window) (engine.Rows, error) {
	items := append(slices.Clone(selected.Select.Items), tree.Item{Expr: tree.Column{Name: quern.RowColumn}})
	every := &tree.Query{Select: &tree.Select{Items: items, From: selected.Select.From}}
	all, err := tree.SQL(every)
	if err != nil {
		return nil, err
	}
	every.Order = selected.Order
	ordered, err := tree.SQL(every)
	if err != nil {
		return nil, err
	}
	order := " ORDER BY " + quern.RowColumn
	if len(selected.Order) > 0 {
		order = strings.TrimPrefix(ordered, all) + ", " + quern.RowColumn
	}
	numbers := *selected.Select
	numbers.Items = []tree.Item{{Expr: tree.Column{Name: quern.RowColumn}}}
	sql, err := tree.SQL(&tree.Query{Select: &numbers})
	if err != nil {
		return nil, err
	}
	found, err := t.all(ctx, p, fmt.Sprintf("%s%s LIMIT %d OFFSET %d", sql, order, w.Limit, w.Offset))
	if err != nil {
		return nil, err
	}
	wanted := []string{"NULL"}
	for _, row := range found {
		wanted = append(wanted, fmt.Sprint(row[0]))
	}
	return t.query(ctx, p, fmt.Sprintf("%s WHERE %s IN (%s)%s", all, quern.RowColumn, strings.Join(wanted, ", "), order))
}

// count returns how many rows a selection leaves.
func (t oneTable) count(ctx context.Context, p quern.Principal, selected *tree.Query) (int64, error) {
	q := &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}}}, From: selected.Select.From, Where: selected.Select.Where,
	}}
	sql, err := tree.SQL(q)
	if err != nil {
		return 0, err
	}
	row, err := t.one(ctx, p, sql)
	if err != nil {
		return 0, err
	}
	n, _ := row[0].(int64)
	return n, nil
}

// one returns the one row of a query.
func (t oneTable) one(ctx context.Context, p quern.Principal, sql string) ([]any, error) {
	all, err := t.all(ctx, p, sql)
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("query: %d rows, not one", len(all))
	}
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// all returns the rows of a query that has few.
func (t oneTable) all(ctx context.Context, p quern.Principal, sql string) (all [][]any, err error) {
	rows, err := t.query(ctx, p, sql)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		copied, _ := CopyRow(rows.Row())
		all = append(all, copied)
	}
	return all, errors.Join(rows.Err(), rows.Close())
}
