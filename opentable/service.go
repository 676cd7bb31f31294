package opentable

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"quern"
	"quern/blob"
	"quern/catalog"
	"quern/store"
)

const (
	// mostVersions bounds how many versions of a table are listed.
	mostVersions = 100
	// margin is how long a version that is listed stays readable at least.
	margin = 5 * time.Minute
)

// Options is what a Service works with.
type Options struct {
	Store   *store.Store
	Catalog *catalog.Service
	Objects blob.Store
	Still   func(context.Context, quern.UserID, quern.TokenID) (quern.Principal, error)
	Rewrite Rewriter
	// Bucket is where readers find the objects, at which address and region.
	Bucket, Endpoint, Region string
	// Lender lends out the keys with which they read them; nil for keys of our own.
	Lender blob.Lender
	Grace  time.Duration // how long objects outlive their part in a dataset
	// KeepSmall says that small metadata are kept in Store, in the transaction that publishes
	// their version, and not as objects: the fewer syncs of a disk, the sooner a load is answered.
	KeepSmall bool
	Now       func() time.Time
	Log       *slog.Logger
}

// Rewriter rewrites segments of a dataset in its types of now.
type Rewriter interface {
	// Widen rewrites the segments that choose picks out of a dataset's. It ends without
	// an error when the dataset changed meanwhile.
	Widen(ctx context.Context, id quern.DatasetID, choose func(quern.Snapshot) []quern.Segment) error
	// Fold makes segments of those rows of a dataset that are in the journal and come
	// before a row.
	Fold(ctx context.Context, id quern.DatasetID, before int64) error
}

// Service makes tables of datasets. It is safe for concurrent use.
type Service struct {
	Options
	builds singleflight.Group
	wake   chan struct{}

	mu     sync.Mutex
	behind map[quern.DatasetID]int64 // versions that a table is served behind its dataset
	secret []byte                    // that keys are made with
}

// New makes the service.
func New(o Options) *Service {
	return &Service{Options: o, wake: make(chan struct{}, 1), behind: map[quern.DatasetID]int64{}}
}

// Loaded is a table as a reader gets it.
type Loaded struct {
	Dataset  quern.Dataset
	Location string // of Metadata as an object
	Metadata Metadata
}

// ErrRewriting says that no version of the table can be read by other engines yet.
var ErrRewriting = quern.E(quern.Unavailable, quern.CodeUnavailable,
	"the table is being rewritten in types that other engines read; try again soon")

// Load returns the table of a dataset that the principal was let read. It fails with
// NotFound for a dataset that never had a column, and with ErrRewriting.
func (s *Service) Load(ctx context.Context, d quern.Dataset) (Loaded, error) {
	known, versions, err := s.kept(ctx, d)
	if err != nil {
		return Loaded{}, err
	}
	known, fields := fieldsOf(known, d)
	if len(fields) == 0 {
		return Loaded{}, errNoTable
	}
	t := table{dataset: d, known: known, fields: fields, place: s.Place, versions: versions}
	v, ok := whole(versions, d.Version)
	if !ok {
		return s.loadBuilt(ctx, d)
	}
	s.caughtUp(d.ID)
	return s.loaded(t, v), nil
}

var errNoTable = quern.E(quern.NotFound, quern.CodeNotFound, "the table does not exist")

// loaded shows the table with one version as the current one.
func (s *Service) loaded(t table, v store.Published) Loaded {
	t.fields, t.schemaID, t.served = v.Fields, v.SchemaID, v.Version
	if v.Manifests != "" {
		t.current = v.Version
	}
	t.versions = listed(t.versions, v, s.Now())
	return Loaded{Dataset: t.dataset, Location: s.Place(v.Metadata), Metadata: t.metadata()}
}

// Exists fails with NotFound for a dataset that never had a column, which is no table.
func (s *Service) Exists(ctx context.Context, d quern.Dataset) error {
	if len(columnsOf(d)) > 0 {
		return nil
	}
	return s.Store.View(ctx, func(tx *store.Tx) error {
		known, err := tx.KnownFields(ctx, d.ID)
		if err == nil && len(known) == 0 {
			err = errNoTable
		}
		return err
	})
}

// kept returns the columns that a dataset was known to have, and its versions where that
// of now is one of them.
func (s *Service) kept(ctx context.Context, d quern.Dataset) (known []quern.Field, versions []store.Published, err error) {
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		versions = nil
		if known, err = tx.KnownFields(ctx, d.ID); err != nil {
			return err
		}
		if ok, err := tx.IsPublished(ctx, d.ID, d.Version, s.Bucket, s.keptBucket()); err != nil || !ok {
			return err
		}
		versions, err = s.published(ctx, tx, d.ID)
		return err
	})
	return known, versions, err
}

// published returns the latest versions of a dataset whose metadata name files where
// readers find them now.
func (s *Service) published(ctx context.Context, tx *store.Tx, id quern.DatasetID) ([]store.Published, error) {
	all, err := tx.Published(ctx, id, mostVersions)
	return slices.DeleteFunc(all, func(p store.Published) bool { return p.Bucket != s.Bucket && p.Bucket != s.keptBucket() }), err
}

// whole finds a version all of whose objects are the dataset's.
func whole(versions []store.Published, version int64) (store.Published, bool) {
	for _, v := range versions {
		if v.Version == version && v.Until.IsZero() {
			return v, true
		}
	}
	return store.Published{}, false
}

// listed returns the versions that a reader may pin beside the current one: each once,
// as it was written last, as long as its objects are kept.
func listed(versions []store.Published, current store.Published, now time.Time) []store.Published {
	var all []store.Published
	for _, v := range versions {
		switch {
		case v.Version >= current.Version, !v.Until.IsZero() && v.Until.Before(now.Add(margin)):
			continue
		case len(all) > 0 && all[len(all)-1].Version == v.Version:
			all[len(all)-1] = v
			continue
		}
		all = append(all, v)
	}
	all = append(all, current)
	return all[max(0, len(all)-mostVersions):]
}

// loadBuilt writes the metadata of a dataset's version and loads that, or of a later one,
// or the version before where that cannot be read by others yet.
func (s *Service) loadBuilt(ctx context.Context, d quern.Dataset) (Loaded, error) {
	done := s.builds.DoChan(fmt.Sprintf("%s/%d", d.ID, d.Version), func() (any, error) {
		// Others wait for it too: it does not end with the first who asked.
		return s.build(context.WithoutCancel(ctx), d)
	})
	select {
	case <-ctx.Done():
		return Loaded{}, ctx.Err()
	case r := <-done:
		if r.Err != nil {
			return Loaded{}, r.Err
		}
		return r.Val.(Loaded), nil
	}
}

// version is a snapshot and what is kept beside it.
type version struct {
	quern.Snapshot
	known    []quern.Field
	versions []store.Published
	readAt   time.Time
}

// mostReads is how often a version is read while its dataset keeps changing.
const mostReads = 20

// read returns the version of a dataset that was read before, after its rows in the
// journal were made segments; a later version where its segments are not to be had any
// more.
func (s *Service) read(ctx context.Context, d quern.Dataset) (v version, err error) {
	for range mostReads {
		if d.Journal.Rows > 0 {
			if err := s.Rewrite.Fold(ctx, d.ID, d.NextRow); err != nil {
				return v, err
			}
		}
		var now quern.Dataset
		if v, now, err = s.readOnce(ctx, d); err != nil || v.complete() {
			return v, err
		}
		d = now
	}
	return v, ErrRewriting
}

// complete reports whether the segments have the rows of the version.
func (v version) complete() bool {
	rows := v.Dataset.Rows
	for _, segment := range v.Segments {
		rows -= segment.Rows
	}
	return rows == 0
}

// readOnce reads the segments of a version, as far as they are there, and the dataset as
// it is now.
func (s *Service) readOnce(ctx context.Context, d quern.Dataset) (v version, now quern.Dataset, err error) {
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		v = version{readAt: s.Now()}
		if now, err = tx.DatasetByID(ctx, d.ID); err != nil {
			return err
		}
		if v.Dataset = d; !slices.Equal(columnsOf(d), columnsOf(now)) {
			v.Dataset = now // segments may be in its types by now
		}
		if v.Segments, err = tx.BoundedSegments(ctx, d.ID); err != nil {
			return err
		}
		v.Segments = slices.DeleteFunc(v.Segments, func(s quern.Segment) bool { return s.FirstRow >= v.Dataset.NextRow })
		if v.known, err = tx.KnownFields(ctx, d.ID); err != nil {
			return err
		}
		v.versions, err = s.published(ctx, tx, d.ID)
		return err
	})
	return v, now, err
}

func (s *Service) build(ctx context.Context, d quern.Dataset) (Loaded, error) {
	v, err := s.read(ctx, d)
	if err != nil {
		return Loaded{}, err
	}
	id := d.ID
	t := table{dataset: v.Dataset, versions: v.versions, place: s.Place}
	t.known, t.fields = fieldsOf(v.known, v.Dataset)
	t.schemaID = schemaFor(v.versions, t.fields)
	if len(Narrow(v.Snapshot)) > 0 {
		return s.loadBehind(ctx, t)
	}
	loaded, err := s.publish(ctx, v, t)
	if err == nil {
		s.caughtUp(id)
	}
	return loaded, err
}

// loadBehind serves the latest version that others can read, and has the segments of
// the one of now rewritten.
func (s *Service) loadBehind(ctx context.Context, t table) (Loaded, error) {
	id := t.dataset.ID
	var last *store.Published
	for i, v := range t.versions {
		if v.Held || v.Until.IsZero() || v.Until.After(s.Now().Add(margin)) {
			last = &t.versions[i]
		}
	}
	held := ""
	if last != nil {
		held = last.ID
	}
	err := s.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.OpenDataset(ctx, id); err != nil {
			return err
		}
		return tx.HoldPublished(ctx, id, held)
	})
	if err != nil {
		return Loaded{}, err
	}
	s.Wake()
	if last == nil {
		return Loaded{}, ErrRewriting
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.behind) < mostBehind {
		s.behind[id] = t.dataset.Version - last.Version
	}
	return s.loaded(t, *last), nil
}

// mostBehind bounds how many tables are known to lie behind their datasets.
const mostBehind = 10_000

func (s *Service) caughtUp(id quern.DatasetID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.behind, id)
}

// Behind tells how far the tables that are served lie behind their datasets: how many
// of them do, and how many versions the furthest.
func (s *Service) Behind() (tables, versions int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.behind {
		versions = max(versions, n)
	}
	return int64(len(s.behind)), versions
}

// Place is where readers find the object of a key.
func (s *Service) Place(key string) string { return "s3://" + s.Bucket + "/" + key }
