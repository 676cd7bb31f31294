package catalog

import (
	"context"

	"quern"
	"quern/store"
)

// Standing is a namespace and the datasets in it that a principal sees, each with
// what the principal is to it.
type Standing struct {
	Namespace quern.Namespace
	Role      quern.Role // on the namespace as a whole; Nobody where only datasets in it were granted
	Datasets  []StandingDataset
}

// StandingDataset is a dataset and what a principal is to it.
type StandingDataset struct {
	quern.Dataset
	Role quern.Role
}

// Standing returns what a principal sees of a namespace, in the order of names, and
// at most limit datasets of it, in a transaction of the caller's. NotFound when the
// namespace is not one the principal sees.
func (s *Service) Standing(ctx context.Context, tx *store.Tx, p quern.Principal, path quern.NamespacePath, limit int) (Standing, error) {
	access, err := namespaceAccess(ctx, tx, p, path)
	if err != nil || !Visible(p, resource(access)) {
		return Standing{}, decide(p, Read, access, err)
	}
	standing := Standing{Namespace: access.Namespace, Role: role(p, resource(access))}
	filter := store.AccessFilter{Owner: access.Namespace.Owner, Namespace: access.Namespace.Name, Limit: limit}
	all, err := tx.DatasetAccesses(ctx, p.User.ID, filter)
	for _, a := range all {
		if r := resource(a); Can(p, Read, r) {
			standing.Datasets = append(standing.Datasets, StandingDataset{a.Dataset, role(p, r)})
		}
	}
	return standing, err
}
