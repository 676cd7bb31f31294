package rest

import (
	"context"

	"quern"
	"quern/api"
	"quern/link"
)

func linkEntry(l quern.Link) api.Link {
	return api.Link{
		Origin: l.Origin.Resource(), Destination: l.Destination.Resource(), Hits: l.Hits, MatchType: api.LinkMatchType(l.Match),
		Score: l.Score, Cardinality: api.LinkCardinality(l.Cardinality), Decision: api.LinkDecision(l.Decision),
	}
}

func linkEntries(links []quern.Link) []api.Link {
	entries := make([]api.Link, len(links))
	for i, l := range links {
		entries[i] = linkEntry(l)
	}
	return entries
}

func ontologyBody(o link.Ontology) api.Ontology {
	return api.Ontology{Links: linkEntries(o.Links), Add: linkEntries(o.Added), Remove: linkEntries(o.Removed)}
}

func linkPairs(ends []api.LinkEnds) []link.Pair {
	pairs := make([]link.Pair, len(ends))
	for i, e := range ends {
		pairs[i] = link.Pair{Origin: e.Origin, Destination: e.Destination}
	}
	return pairs
}

// ListLinks lists the links at a dataset.
func (o operations) ListLinks(ctx context.Context, r api.ListLinksRequestObject) (api.ListLinksResponseObject, error) {
	links, err := o.Links.Links(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName))
	return api.ListLinks200JSONResponse{Links: linkEntries(links)}, err
}

// RebuildLinks looks for a dataset's links now.
func (o operations) RebuildLinks(ctx context.Context, r api.RebuildLinksRequestObject) (api.RebuildLinksResponseObject, error) {
	links, err := o.Links.Rebuild(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName))
	return api.RebuildLinks200JSONResponse{Links: linkEntries(links)}, err
}

// PreviewLinks shows what links would be found.
func (o operations) PreviewLinks(ctx context.Context, r api.PreviewLinksRequestObject) (api.PreviewLinksResponseObject, error) {
	links, err := o.Links.Preview(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName))
	return api.PreviewLinks200JSONResponse{Links: linkEntries(links)}, err
}

// AddLink decides that there is a link.
func (o operations) AddLink(ctx context.Context, r api.AddLinkRequestObject) (api.AddLinkResponseObject, error) {
	l, created, err := o.Links.Add(ctx, principal(ctx), link.Pair{Origin: r.Body.Origin, Destination: r.Body.Destination})
	if created {
		return api.AddLink201JSONResponse(linkEntry(l)), err
	}
	return api.AddLink200JSONResponse(linkEntry(l)), err
}

// Ontology gives a dataset's links and what was decided about them.
func (o operations) Ontology(ctx context.Context, r api.OntologyRequestObject) (api.OntologyResponseObject, error) {
	ontology, err := o.Links.Ontology(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName))
	return api.Ontology200JSONResponse(ontologyBody(ontology)), err
}

// UpdateOntology adds and removes links.
func (o operations) UpdateOntology(ctx context.Context, r api.UpdateOntologyRequestObject) (api.UpdateOntologyResponseObject, error) {
	ontology, err := o.Links.Change(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName),
		linkPairs(r.Body.Add), linkPairs(r.Body.Remove))
	return api.UpdateOntology200JSONResponse(ontologyBody(ontology)), err
}
