package link

import (
	"context"

	"quern"
	"quern/catalog"
	"quern/store"
)

// Curate picks, of the links found in a namespace of the principal's, or at one
// dataset of it, those worth keeping, and adds them when they are to be activated.
func (s *Service) Curate(ctx context.Context, p quern.Principal, in quern.NamespacePath, dataset string, activate bool) (Curated, error) {
	paths, err := s.curatedDatasets(ctx, p, in, dataset)
	if err == nil {
		err = p.MayChange()
	}
	if err != nil {
		return Curated{}, err
	}
	result := Curated{Datasets: len(paths)}
	seen := map[[2]quern.ColumnPath]bool{}
	for _, path := range paths {
		links, err := s.Links(ctx, p, path)
		if quern.Is(err, quern.NotFound) {
			result.Datasets-- // deleted meanwhile, or beyond the caller's token
			continue
		}
		if err != nil {
			return Curated{}, err
		}
		for _, l := range links {
			ends := [2]quern.ColumnPath{l.Origin, l.Destination}
			if l.Decision == quern.LinkUndecided && worthKeeping(l) && !seen[ends] {
				seen[ends] = true
				result.Links = append(result.Links, l)
			}
		}
	}
	if activate {
		err = s.activate(ctx, p, result.Links)
	}
	return result, err
}

// Curated is what Curate picked.
type Curated struct {
	Datasets int
	Links    []quern.Link
}

// leastKept is the score from which a found link is worth keeping for good.
const leastKept = 0.75

// worthKeeping reports whether a found link is worth keeping whatever the data
// become: it is sure, values speak for it, and it does not multiply rows.
func worthKeeping(l quern.Link) bool {
	const leastHits = 2
	joins := l.Cardinality == quern.ManyToOne || l.Cardinality == quern.OneToOne
	return l.Score >= leastKept && l.Hits >= leastHits && joins
}

// markCurated marks the found links that are worth keeping as added where the
// options say so.
func (s *Service) markCurated(found []store.Link, o quern.LinkOptions) []store.Link {
	for i := range found {
		if o.Curate && worthKeeping(found[i].Link) {
			found[i].Decision, found[i].DecidedAt = quern.LinkAdded, s.now()
		}
	}
	return found
}

func (s *Service) curatedDatasets(
	ctx context.Context, p quern.Principal, in quern.NamespacePath, dataset string,
) ([]quern.DatasetPath, error) {
	if dataset != "" {
		d, err := s.catalog.Dataset(ctx, p, quern.DatasetPath{Owner: in.Owner, Namespace: in.Namespace, Dataset: dataset}, catalog.Write)
		return []quern.DatasetPath{d.Path()}, err
	}
	n, err := s.catalog.Namespace(ctx, p, in)
	if err != nil {
		return nil, err
	}
	var paths []quern.DatasetPath
	err = s.store.View(ctx, func(tx *store.Tx) error {
		ids, err := tx.DatasetsIn(ctx, n.ID)
		paths = nil // of a try before
		for _, id := range ids[:min(len(ids), mostDatasets)] {
			d, err := tx.DatasetByID(ctx, id)
			if err != nil {
				return err
			}
			paths = append(paths, d.Path())
		}
		return err
	})
	return paths, err
}

// activate decides that links are there.
func (s *Service) activate(ctx context.Context, p quern.Principal, links []quern.Link) error {
	for _, l := range links {
		pair := Pair{Origin: l.Origin.Resource(), Destination: l.Destination.Resource(), Match: l.Match, Distance: l.Distance}
		if _, _, err := s.Add(ctx, p, pair); err != nil {
			return err
		}
	}
	return nil
}
