// Package query runs people's SQL over the datasets they may see, and reads
// datasets row by row.
//
// It owns how names in a query find datasets, how much of a result is given,
// and how rows are written down. It never checks rights itself: every dataset
// comes from catalog, at the version current when the query names it. The
// failure it is built around is the silent half: a result that was cut says so
// and says how much there was.
package query

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"quern"
	"quern/blob"
	"quern/catalog"
	"quern/engine"
	"quern/link"
	"quern/trace"
	"quern/tree"
)

// Service runs queries.
type Service struct {
	catalog *catalog.Service
	files   blob.Files
	engine  engine.Engine
	links   *link.Service
	temp    string
	maxRows int
	cluster Cluster
}

// Options says what queries work with.
type Options struct {
	Catalog *catalog.Service
	Files   blob.Files
	Engine  engine.Engine
	Links   *link.Service
	Temp    string // a folder for files in the making
	MaxRows int    // the most rows a query returns
	Cluster Cluster
}

// New makes a Service.
func New(o Options) *Service {
	return &Service{catalog: o.Catalog, files: o.Files, engine: o.Engine, links: o.Links, temp: o.Temp, maxRows: o.MaxRows, cluster: o.Cluster}
}

// Request is a query and where its unqualified names are looked up.
type Request struct {
	In  quern.NamespacePath
	SQL string
	// Tree is what SQL was printed from, where it was; nil for SQL that somebody wrote.
	// Rows of a tree that lists a dataset know which of its rows they are.
	Tree *tree.Query
	// MaxRows is the most rows it returns, if that is less than the service's; 0: the service's.
	MaxRows int
	// Valid says that * gives whether rows are valid, where a dataset tells. Other
	// internal columns are given when the query names them.
	Valid bool
}

// SQL runs a query. NotFound when the namespace is not one the principal sees;
// Invalid when the query is wrong, forbidden, or names what the principal does
// not see. The caller closes the rows.
func (s *Service) SQL(ctx context.Context, p quern.Principal, r Request) (engine.Rows, error) {
	n, err := s.catalog.Namespace(ctx, p, r.In)
	if err != nil {
		return nil, err
	}
	found, ran, why := s.elsewhere(ctx, p, r, n)
	if ran {
		return found, why
	}
	ctx, span := trace.Start(ctx, quern.SpanQuery, "query")
	span.Content(r.SQL, "")
	held, err := s.run(ctx, p, r, n, &opened{why: why, sparse: catalog.NewSparse(s.files)})
	if err != nil {
		span.End(err)
		return nil, err
	}
	held.span = span
	if s.cluster.Engine != nil {
		held.ran = Embedded
		span.Set(trace.A(trace.Engine, Embedded))
	}
	return held.listing.rows(held, n), nil
}

// run runs a query on this machine, over no more of the objects that it reads than it needs,
// and once more over all of them when that fails.
func (s *Service) run(ctx context.Context, p quern.Principal, r Request, n quern.Namespace, open *opened) (*heldRows, error) {
	listed := newListing(r)
	rows, err := s.engine.Query(ctx, engine.Query{
		SQL:     listed.sql,
		User:    p.User.Username,
		MaxRows: s.most(r),
		Resolve: func(ctx context.Context, ref engine.Ref) (engine.Table, error) {
			return s.table(ctx, p, resolve(ref, n), listed, open)
		},
		Fetch: open.fetch,
	})
	held := &heldRows{Rows: rows, open: open, listing: listed}
	if err == nil && open.isSparse() {
		// What a query meets that it did not ask for comes before its first row, or nearly never.
		held.first = rows.Next()
		held.peeked = true
		err = rows.Err()
	}
	if err == nil {
		return held, nil
	}
	if rows != nil {
		err = errors.Join(err, rows.Close())
	}
	again := open.mistrust(err)
	open.release()
	if !again {
		return nil, err
	}
	return s.run(ctx, p, r, n, &opened{why: open.why})
}

// most is how many rows a request is given at most; 0: all.
func (s *Service) most(r Request) int {
	if r.MaxRows > 0 && (s.maxRows == 0 || r.MaxRows < s.maxRows) {
		return r.MaxRows
	}
	return s.maxRows
}

// shownColumns leaves out internal columns that a query does not ask for.
func shownColumns(columns []quern.Column, r Request) []quern.Column {
	sql := strings.ToLower(r.SQL)
	return slices.DeleteFunc(columns, func(c quern.Column) bool {
		valid := r.Valid && c.Name == quern.ValidColumn
		return quern.IsInternal(c.Name) && !valid && !strings.Contains(sql, strings.ToLower(c.Name))
	})
}

// resolve completes a name from where the query was asked.
func resolve(ref engine.Ref, in quern.Namespace) quern.DatasetPath {
	path := quern.DatasetPath{Owner: ref.Owner, Namespace: ref.Namespace, Dataset: ref.Dataset}
	if path.Owner == "" {
		path.Owner = in.Owner
	}
	if path.Namespace == "" {
		path.Namespace = in.Name
	}
	return path
}

// NamedSourceColumns returns those of the columns that tell where rows came from which
// a text names.
func NamedSourceColumns(text string) []quern.Column {
	text = strings.ToLower(text)
	return slices.DeleteFunc(catalog.SourceColumns(), func(c quern.Column) bool { return !strings.Contains(text, c.Name) })
}

// SourceValues returns what a column of catalog.SourceColumns says of a dataset's rows,
// each value once.
func (s *Service) SourceValues(ctx context.Context, p quern.Principal, path quern.DatasetPath, c quern.Column) ([]string, error) {
	d, err := s.catalog.Dataset(ctx, p, path, catalog.Read)
	if err != nil {
		return nil, err
	}
	labels, err := s.catalog.Labels(ctx, p, d, []quern.Column{c})
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, run := range labels[0].Runs {
		seen[run.Value] = true
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

// table opens a dataset that a query names, with what the query asks for beside its
// columns.
func (s *Service) table(ctx context.Context, p quern.Principal, path quern.DatasetPath, l listing, open *opened) (engine.Table, error) {
	snap, err := s.catalog.Snapshot(ctx, p, path)
	if err != nil {
		return engine.Table{}, err
	}
	if open.bytes += sizeOf(snap); !s.cluster.fits(open.bytes) {
		return engine.Table{}, open.tooLarge()
	}
	t, release, err := open.table(ctx, s.files, snap)
	if err != nil {
		return engine.Table{}, err
	}
	open.add(release)
	open.read(snap.Dataset)
	t.RowIDs, t.Columns = l.named, shownColumns(t.Columns, l.request)
	t.Labels, err = s.catalog.Labels(ctx, p, snap.Dataset, NamedSourceColumns(l.request.SQL))
	return t, err
}

// Datasets lists the datasets that the rows of a query came from, first named
// first.
func Datasets(rows engine.Rows) []quern.DatasetPath {
	if s, ok := rows.(*stream); ok {
		return s.result.Datasets
	}
	all := readBy(rows)
	paths := make([]quern.DatasetPath, len(all))
	for i, d := range all {
		paths[i] = d.Path()
	}
	return paths
}

// Reads lists the ids of the datasets that a query read for its rows.
func Reads(rows engine.Rows) []quern.DatasetID {
	if sourced, ok := rows.(*SourcedRows); ok {
		rows = sourced.Rows
	}
	if s, ok := rows.(*stream); ok {
		return s.result.reads
	}
	var ids []quern.DatasetID
	for _, d := range readBy(rows) {
		ids = append(ids, d.ID)
	}
	return ids
}

func readBy(rows engine.Rows) []quern.Dataset {
	if listed, ok := rows.(*listedRows); ok {
		rows = listed.heldRows
	}
	held, ok := rows.(*heldRows)
	if !ok {
		return nil
	}
	held.open.mu.Lock()
	defer held.open.mu.Unlock()
	return slices.Clone(held.open.datasets)
}

// Page is one page of a dataset's rows.
type Page struct {
	Dataset  quern.Dataset
	Rows     engine.Rows
	FirstRow int64 // the id of the first row; the others follow without gaps, unless the rows know their own
	Total    int64 // of the rows that all pages have together
}

// Rows returns a dataset's rows from a row id on, at most limit of them, in an
// order that no later change disturbs. The caller closes the rows.
func (s *Service) Rows(ctx context.Context, p quern.Principal, path quern.DatasetPath, from, limit int64) (Page, error) {
	snap, err := s.catalog.Snapshot(ctx, p, path)
	if err != nil {
		return Page{}, err
	}
	return s.rowsFrom(ctx, snap, from, limit)
}

func (s *Service) rowsFrom(ctx context.Context, snap quern.Snapshot, from, limit int64) (Page, error) {
	open, segments := &opened{}, within(snap.Segments, from, limit)
	t, release, err := catalog.OpenTable(ctx, s.files, snap.Dataset, segments)
	if err != nil {
		return Page{}, err
	}
	open.add(release)
	t.Columns = shownColumns(t.Columns, Request{})
	rows, err := s.engine.Scan(ctx, t, from, limit)
	if err != nil {
		open.release()
		return Page{}, err
	}
	first := from
	if len(segments) > 0 {
		first = max(from, segments[0].FirstRow)
	}
	return Page{snap.Dataset, &heldRows{Rows: rows, open: open}, first, snap.Dataset.Rows}, nil
}

// within returns the segments that hold some of limit rows from an id on; a
// negative limit means all.
func within(segments []quern.Segment, from, limit int64) []quern.Segment {
	var some []quern.Segment
	var rows int64
	for _, s := range segments {
		if s.FirstRow+s.Rows <= from {
			continue
		}
		some = append(some, s)
		if rows += s.FirstRow + s.Rows - max(from, s.FirstRow); limit >= 0 && rows >= limit {
			break
		}
	}
	return some
}

// opened collects what must be released when a query ends.
type opened struct {
	mu       sync.Mutex
	releases []func()
	datasets []quern.Dataset
	bytes    int64           // of the datasets
	why      error           // the query is not for the cluster; nil: it was not asked
	sparse   *catalog.Sparse // what is fetched of objects; nil: all
	missing  bool            // data could not be opened or fetched
}

// table opens the segments of a dataset.
func (o *opened) table(ctx context.Context, files blob.Files, snap quern.Snapshot) (engine.Table, func(), error) {
	if o.sparse == nil {
		return catalog.OpenTable(ctx, files, snap.Dataset, snap.Segments)
	}
	t, release, err := o.sparse.Open(ctx, snap.Dataset, snap.Segments)
	return t, release, o.note(err)
}

// fetch brings what a query reads of sparse segments into their files.
func (o *opened) fetch(ctx context.Context, spans []engine.Span) error {
	if o.sparse == nil {
		return errors.New("query: no segment is sparse")
	}
	return o.note(o.sparse.Fetch(ctx, spans))
}

// note remembers that a query failed for want of data, and not of what the engine made of them.
func (o *opened) note(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.missing = o.missing || err != nil
	return err
}

// isSparse reports whether a query reads sparse segments.
func (o *opened) isSparse() bool { return o.sparse != nil && o.sparse.Any() }

// mistrust reports whether a query may have failed because its segments are sparse. Then all
// of them is fetched from now on.
func (o *opened) mistrust(err error) bool {
	if err == nil || !o.isSparse() {
		return false
	}
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	unread := quern.Is(err, quern.Internal) && !ended && !o.missing
	if !unread && !errors.Is(err, blob.ErrChanged) && !errors.Is(err, blob.ErrNoRange) {
		return false
	}
	o.sparse.Distrust()
	return true
}

// tooLarge says why a query that this machine has no room for runs nowhere.
func (o *opened) tooLarge() error {
	if o.why != nil {
		return o.why
	}
	return &engine.Unmapped{What: "queries stay on this server (engine_route)"}
}

// read notes that a query reads a dataset.
func (o *opened) read(d quern.Dataset) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !slices.ContainsFunc(o.datasets, func(other quern.Dataset) bool { return other.ID == d.ID }) {
		o.datasets = append(o.datasets, d)
	}
}

// find returns the dataset at path, if the query reads it.
func (o *opened) find(path quern.DatasetPath) (quern.DatasetID, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.datasets {
		if tree.SamePath(d.Path(), path) {
			return d.ID, true
		}
	}
	return "", false
}

func (o *opened) add(release func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.releases = append(o.releases, release)
}

func (o *opened) release() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, r := range o.releases {
		r()
	}
	o.releases = nil
}

// heldRows are rows whose files stay until they are closed.
type heldRows struct {
	engine.Rows
	open *opened
	span *trace.Span
	ran  string // where; empty: there is one place only
	read int64

	listing listing
	first   bool // there is a first row
	peeked  bool // the rows are at it, though nobody asked for it
	failed  error
}

// Err is the error that ended the rows early.
func (r *heldRows) Err() error {
	if r.failed != nil {
		return r.failed
	}
	return r.Rows.Err()
}

// Next counts the rows that were read, for the trace.
func (r *heldRows) Next() bool {
	more := r.first
	if !r.peeked {
		more = r.Rows.Next()
	}
	r.peeked = false
	if err := r.Rows.Err(); !more && r.open.mistrust(err) {
		r.failed = quern.E(quern.Unavailable, quern.CodeUnavailable,
			"the data that the query needs were not fetched whole; try again").Because(err)
	}
	if more {
		r.read++
	}
	return more
}

// Close closes the rows and lets their files go.
func (r *heldRows) Close() error {
	defer r.open.release()
	r.span.Set(trace.A(trace.ReturnedRows, r.read))
	r.span.End(r.Rows.Err())
	return r.Rows.Close()
}
