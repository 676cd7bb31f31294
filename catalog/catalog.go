// Package catalog owns namespaces, datasets, the versions of their tables and
// who may do what with them. It is the one place where rights are decided: a
// verb that touches a dataset gets it from here, or not at all.
//
// A table is a list of immutable segments. A change is one transaction that
// moves the dataset to its next version:
//
//	Stage ──► write object ──► Append ──► visible in version n+1
//	   │                         │
//	   └── crash: the object stays on the garbage list and is swept
//	replaced segments ──► garbage list ──► swept after the grace period
//
// It never parses data and never runs a query. The failure it is built around
// is the crash between the object store and the metadata: an object is on the
// garbage list before its first byte is written, and the commit that makes it
// visible is what strikes it off.
package catalog

import (
	"context"
	"time"

	"quern"
	"quern/store"
)

// Service is the catalog.
type Service struct {
	store *store.Store
	now   func() time.Time
	grace time.Duration
	quota quern.Quota
}

// Options says what a catalog works with.
type Options struct {
	Store *store.Store
	Now   func() time.Time
	// Grace is how long objects outlive the version that last named them, so
	// that readers of that version finish.
	Grace time.Duration
	// Quota is that of users who have none of their own.
	Quota quern.Quota
}

// New makes a catalog.
func New(o Options) *Service {
	return &Service{store: o.Store, now: o.Now, grace: o.Grace, quota: o.Quota}
}

func notFound() error { return quern.E(quern.NotFound, quern.CodeNotFound, "not found") }

func forbidden() error {
	return quern.E(quern.Forbidden, quern.CodeForbidden, "your role on this does not allow it")
}

// owner returns the username a path's first segment means; ok is false when no
// user can have it.
func owner(p quern.Principal, written string) (string, bool) {
	if written == quern.Self {
		return p.User.Username, true
	}
	return quern.Username(written)
}

// decide turns an access into permission for an action, NotFound or Forbidden.
func decide(p quern.Principal, a Action, access store.Access, err error) error {
	if err != nil {
		if quern.Is(err, quern.NotFound) {
			return notFound()
		}
		return err
	}
	r := resource(access)
	switch {
	case !Visible(p, r):
		return notFound()
	case !Can(p, a, r):
		return forbidden()
	case a.changes():
		return p.MayChange()
	}
	return nil
}

// datasetAccess returns the dataset at path, with the principal's grants on it,
// if the principal may do the action.
func datasetAccess(ctx context.Context, tx *store.Tx, p quern.Principal, path quern.DatasetPath, a Action) (store.Access, error) {
	var ok bool
	if path.Owner, ok = owner(p, path.Owner); !ok || !quern.ValidName(path.Namespace) || !quern.ValidName(path.Dataset) {
		return store.Access{}, notFound()
	}
	access, err := tx.DatasetAccess(ctx, p.User.ID, path)
	return access, decide(p, a, access, err)
}

// dataset returns the dataset at path if the principal may do the action.
func dataset(ctx context.Context, tx *store.Tx, p quern.Principal, path quern.DatasetPath, a Action) (quern.Dataset, error) {
	access, err := datasetAccess(ctx, tx, p, path, a)
	if err != nil {
		return quern.Dataset{}, err
	}
	return access.Dataset, nil
}

// lockDataset is datasetAccess for a change: what it returns, rights included,
// stays true until the transaction ends.
func lockDataset(ctx context.Context, tx *store.Tx, p quern.Principal, path quern.DatasetPath, a Action) (store.Access, error) {
	before, err := datasetAccess(ctx, tx, p, path, a)
	if err != nil {
		return before, err
	}
	if err := tx.LockDataset(ctx, before.Dataset.ID); err != nil {
		return before, err
	}
	// Waiting for the lock may have taken long enough for anything to change.
	after, err := datasetAccess(ctx, tx, p, path, a)
	if err == nil && after.Dataset.ID != before.Dataset.ID {
		return after, notFound()
	}
	return after, err
}

func namespaceAccess(ctx context.Context, tx *store.Tx, p quern.Principal, path quern.NamespacePath) (store.Access, error) {
	var ok bool
	if path.Owner, ok = owner(p, path.Owner); !ok || !quern.ValidName(path.Namespace) {
		return store.Access{}, notFound()
	}
	return tx.NamespaceAccess(ctx, p.User.ID, path)
}

// lockNamespace returns the namespace at path if the principal may do the action,
// and keeps it so until the transaction ends.
func lockNamespace(ctx context.Context, tx *store.Tx, p quern.Principal, path quern.NamespacePath, a Action) (quern.Namespace, error) {
	access, err := namespaceAccess(ctx, tx, p, path)
	if err := decide(p, a, access, err); err != nil {
		return quern.Namespace{}, err
	}
	if err := tx.LockNamespace(ctx, access.Namespace.ID); err != nil {
		return quern.Namespace{}, err
	}
	access, err = namespaceAccess(ctx, tx, p, path)
	return access.Namespace, decide(p, a, access, err)
}

// Dataset returns a dataset the principal may do the action with.
func (s *Service) Dataset(ctx context.Context, p quern.Principal, path quern.DatasetPath, a Action) (d quern.Dataset, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		d, err = dataset(ctx, tx, p, path, a)
		return err
	})
	return d, err
}

// Describe returns a dataset the principal may read, and what the principal is to
// it.
func (s *Service) Describe(ctx context.Context, p quern.Principal, path quern.DatasetPath) (d quern.Dataset, r quern.Role, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		access, err := datasetAccess(ctx, tx, p, path, Read)
		d, r = access.Dataset, role(p, resource(access))
		return err
	})
	return d, r, err
}

// Snapshot returns a dataset the principal may read, with the segments of that
// very version.
func (s *Service) Snapshot(ctx context.Context, p quern.Principal, path quern.DatasetPath) (snap quern.Snapshot, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		if snap.Dataset, err = dataset(ctx, tx, p, path, Read); err != nil {
			return err
		}
		snap.Segments, err = segments(ctx, tx, snap.Dataset)
		return err
	})
	return snap, err
}

// Namespace returns a namespace the principal may know of, be it only for one
// dataset in it.
func (s *Service) Namespace(ctx context.Context, p quern.Principal, path quern.NamespacePath) (n quern.Namespace, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		access, err := namespaceAccess(ctx, tx, p, path)
		if err != nil || !Visible(p, resource(access)) {
			return decide(p, Read, access, err)
		}
		n = access.Namespace
		return nil
	})
	return n, err
}
