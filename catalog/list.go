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

func listed(p quern.Principal, a store.Access) Listed {
	r := resource(a)
	return Listed{r.Path, role(p, r)}
}

// Datasets lists the datasets the principal sees, its own and those shared with
// it, in the order of owner, namespace and name. more reports whether the list
// goes on.
func (s *Service) Datasets(ctx context.Context, p quern.Principal, f Filter) (page []Listed, more bool, err error) {
	return s.list(ctx, p, f, (*store.Tx).DatasetAccesses)
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
		page, more = nil, false
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
				page = append(page, listed(p, a))
			}
			if len(accesses) < sf.Limit {
				return nil
			}
		}
	})
	return page, more, err
}
