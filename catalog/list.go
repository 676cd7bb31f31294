package catalog

import (
	"context"

	"quern"
	"quern/store"
)

// Filter narrows a list; empty members do not narrow. After is the last entry
// of the previous page.
type Filter struct {
	Owner, Namespace string
	After            quern.DatasetPath
	Limit            int
}

// Listed is an entry of a list with what the principal is to it.
type Listed struct {
	Path quern.DatasetPath // Dataset is empty for a namespace
	Role quern.Role
}

func listEntry(p quern.Principal, a store.Access) Listed {
	r := resource(a)
	return Listed{r.Path, role(p, r)}
}

// Datasets lists the datasets the principal sees, its own and those shared with
// it, in the order of owner, namespace and name. more reports whether the list
// goes on.
func (s *Service) Datasets(ctx context.Context, p quern.Principal, f Filter) (page []Listed, more bool, err error) {
	return s.list(ctx, p, f, (*store.Tx).DatasetHeads)
}

// Tables lists the datasets the principal sees that have or had a column, likewise.
func (s *Service) Tables(ctx context.Context, p quern.Principal, f Filter) (page []Listed, more bool, err error) {
	return s.list(ctx, p, f, (*store.Tx).TableHeads)
}

// Namespaces lists the namespaces the principal sees, likewise.
func (s *Service) Namespaces(ctx context.Context, p quern.Principal, f Filter) (page []Listed, more bool, err error) {
	return s.list(ctx, p, f, (*store.Tx).NamespaceAccesses)
}

type lister func(*store.Tx, context.Context, quern.UserID, store.AccessFilter) ([]store.Access, error)

// list reads on until the page is full: a restricted token skips entries.
func (s *Service) list(ctx context.Context, p quern.Principal, f Filter, from lister) (page []Listed, more bool, err error) {
	sf := store.AccessFilter{Namespace: f.Namespace, After: f.After, Limit: f.Limit + 1}
	if f.Owner != "" {
		name, ok := owner(p, f.Owner)
		if !ok {
			return nil, false, nil
		}
		sf.Owner = name
	}
	err = s.store.View(ctx, func(tx *store.Tx) error {
		page, more, sf.After = nil, false, f.After
		for {
			accesses, err := from(tx, ctx, p.User.ID, sf)
			if err != nil {
				return err
			}
			for _, a := range accesses {
				r := resource(a)
				if sf.After = r.Path; !Visible(p, r) {
					continue
				}
				if len(page) == f.Limit {
					more = true
					return nil
				}
				page = append(page, listEntry(p, a))
			}
			if len(accesses) < sf.Limit {
				return nil
			}
		}
	})
	return page, more, err
}

// Heads returns the datasets of a namespace that the principal may read, without
// their columns and at most limit of them, in the order of names. NotFound when
// the namespace is not one the principal sees.
func (s *Service) Heads(
	ctx context.Context, p quern.Principal, path quern.NamespacePath, limit int,
) (n quern.Namespace, heads []quern.Dataset, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		heads = nil
		access, err := namespaceAccess(ctx, tx, p, path)
		if err != nil || !Visible(p, resource(access)) {
			return decide(p, Read, access, err)
		}
		n = access.Namespace
		all, err := tx.DatasetHeads(ctx, p.User.ID, store.AccessFilter{Owner: n.Owner, Namespace: n.Name, Limit: limit})
		for _, a := range all {
			if Can(p, Read, resource(a)) {
				heads = append(heads, a.Dataset)
			}
		}
		return err
	})
	return n, heads, err
}

// Version returns the version of a dataset's table by id, for the server's own
// upkeep: it asks for nobody's rights, so no door may offer it.
func (s *Service) Version(ctx context.Context, id quern.DatasetID) (version int64, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		version, err = tx.DatasetVersion(ctx, id)
		return err
	})
	return version, err
}
