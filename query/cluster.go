package query

import (
	"context"
	"errors"
	"slices"
	"time"

	"quern"
	"quern/catalog"
	"quern/engine"
	"quern/trace"
	"quern/tree"
)

// Where a query ran.
const (
	Embedded  = "embedded"
	OnCluster = "cluster"
)

// Auto is the route on which queries run where they belong by the size of what they read;
// the other routes are Embedded and OnCluster.
const Auto = "auto"

// ClusterNote is what readers of rows that a cluster gave should know.
const ClusterNote = "the query ran on the cluster: its rows do not tell which row of a dataset they are, or which file that came from"

// Cluster is where queries run that are too large for this machine.
type Cluster struct {
	Engine engine.Querier // nil: there is none
	Route  string         // Auto, Embedded or OnCluster
	Size   int64          // in bytes to read, from which on queries go there by themselves
	Room   int64          // in bytes, of what this machine can read for one query; 0: any
	// Publish makes the version of a dataset readable by other engines and returns the
	// one that they read now: a later one where there is, or one before where this one
	// cannot be read by them yet; 0 for one without rows.
	Publish func(context.Context, quern.Dataset) (int64, error)
	// Sign makes a token with which the cluster reads datasets as a principal does.
	Sign func(ctx context.Context, p quern.Principal, datasets []quern.DatasetID, life time.Duration) (engine.Token, error)
}

// used reports whether queries may run on a cluster.
func (c Cluster) used() bool { return c.Engine != nil && c.Route != Embedded }

// fits reports whether this machine can read so many bytes for one query.
func (c Cluster) fits(bytes int64) bool { return c.Engine == nil || c.Room == 0 || bytes <= c.Room }

// Ran tells where the query of rows ran; empty where there is no cluster.
func Ran(rows engine.Rows) string {
	switch rows := rows.(type) {
	case *SourcedRows:
		return Ran(rows.Rows)
	case *stream:
		return rows.result.ran
	case *listedRows:
		return rows.ran
	case *heldRows:
		return rows.ran
	}
	return ""
}

// errBehind says that a version cannot be read by other engines yet.
var errBehind = quern.E(quern.Unavailable, quern.CodeUnavailable,
	"the dataset is being rewritten in types that the cluster reads; try again soon")

// read is what a query reads, each dataset at one version.
type read struct {
	tables map[quern.DatasetPath]engine.Table
	all    []quern.Dataset
	bytes  int64
}

// elsewhere runs a query on the cluster where it belongs there. ran is false where it is
// for this machine; why says then, for a query that did not map or did not get through,
// what the cluster has against it.
func (s *Service) elsewhere(ctx context.Context, p quern.Principal, r Request, in quern.Namespace) (rows engine.Rows, ran bool, why error) {
	if !s.cluster.used() {
		return nil, false, nil
	}
	asked := r.Tree
	if asked == nil {
		var err error
		if asked, err = tree.Parse(r.SQL); err != nil {
			return nil, false, &engine.Unmapped{What: err.Error()}
		}
	}
	for attempt := 1; ; attempt++ {
		what, err := s.readBy(ctx, p, asked, in)
		if err != nil || len(what.all) == 0 || s.cluster.Route == Auto && what.bytes < s.cluster.Size {
			return nil, false, err // this machine tells better what is wrong with it, if something is
		}
		rows, err := s.onCluster(ctx, p, r, in, what)
		switch again := errors.Is(err, engine.ErrVersionGone) && attempt == 1; {
		case again:
			continue
		case err == nil:
			return rows, true, nil
		case !mayStay(err):
			return nil, true, err
		}
		if s.cluster.fits(what.bytes) {
			return nil, false, err
		}
		return nil, true, err
	}
}

// mayStay reports whether a query that the cluster did not run may run on this machine.
func mayStay(err error) bool {
	_, unmapped := errors.AsType[*engine.Unmapped](err)
	return unmapped || quern.Is(err, quern.Unavailable)
}

// readBy finds what a query reads, as the principal sees it now.
func (s *Service) readBy(ctx context.Context, p quern.Principal, q *tree.Query, in quern.Namespace) (read, error) {
	what := read{tables: map[quern.DatasetPath]engine.Table{}}
	var failed error
	tree.EachQuery(tree.Clone(q), func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		for _, source := range q.Select.From {
			path := resolve(engine.Ref(source.Dataset), in)
			if _, known := what.tables[path]; known || failed != nil {
				continue
			}
			snap, err := s.catalog.Snapshot(ctx, p, path)
			if quern.Is(err, quern.NotFound) {
				err = quern.E(quern.Invalid, quern.CodeInvalidQuery, "there is no dataset %q", path.Dataset).Because(err)
			}
			if failed = err; err != nil {
				return
			}
			what.add(path, snap)
		}
	})
	return what, failed
}

func (r *read) add(path quern.DatasetPath, snap quern.Snapshot) {
	if !slices.ContainsFunc(r.all, func(d quern.Dataset) bool { return d.ID == snap.Dataset.ID }) {
		r.all = append(r.all, snap.Dataset)
		r.bytes += sizeOf(snap)
	}
	columns := slices.DeleteFunc(catalog.Columns(snap.Dataset), func(c quern.Column) bool { return quern.IsInternal(c.Name) })
	r.tables[path] = engine.Table{Columns: columns, Dataset: snap.Dataset.ID}
}

// sizeOf returns how many bytes a snapshot has.
func sizeOf(snap quern.Snapshot) (bytes int64) {
	for _, segment := range snap.Segments {
		bytes += segment.Bytes
	}
	return bytes
}

// onCluster runs a query on the cluster, over the versions that were read, which are
// readable there before it is sent.
func (s *Service) onCluster(ctx context.Context, p quern.Principal, r Request, in quern.Namespace, what read) (engine.Rows, error) {
	open := &opened{}
	versions := map[quern.DatasetID]int64{}
	for _, d := range what.all {
		version, err := s.cluster.Publish(ctx, d)
		switch {
		case err != nil:
			return nil, err
		case d.Rows == 0:
			version = 0
		case version > d.Version:
			return nil, engine.ErrVersionGone
		case version < d.Version:
			return nil, errBehind
		}
		versions[d.ID] = version
		open.read(d)
	}
	ctx, span := trace.Start(ctx, quern.SpanQuery, "query")
	span.Content(r.SQL, "")
	span.Set(trace.A(trace.Engine, OnCluster))
	rows, err := s.cluster.Engine.Query(ctx, engine.Query{
		SQL: r.SQL, Tree: r.Tree, User: p.User.Username, MaxRows: s.most(r),
		Resolve: func(_ context.Context, ref engine.Ref) (engine.Table, error) {
			t := what.tables[resolve(ref, in)]
			t.Version = versions[t.Dataset]
			return t, nil
		},
		Sign: func(ctx context.Context, datasets []quern.DatasetID, life time.Duration) (engine.Token, error) {
			return s.cluster.Sign(ctx, p, datasets, life)
		},
	})
	if err != nil {
		span.End(err)
		return nil, err
	}
	return &heldRows{Rows: rows, open: open, span: span, ran: OnCluster}, nil
}
