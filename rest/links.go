package rest

import (
	"context"
	"encoding/json"
	"errors"

	"quern"
	"quern/api"
	"quern/link"
)

func linkEntry(l quern.Link) api.Link {
	return api.Link{
		Origin: l.Origin.Resource(), Destination: l.Destination.Resource(), Hits: l.Hits, MatchType: api.LinkMatchType(l.Match),
		Distance: l.Distance, Score: l.Score, Cardinality: api.LinkCardinality(l.Cardinality), Decision: api.LinkDecision(l.Decision),
	}
}

func linkEntries(links []quern.Link) []api.Link {
	entries := make([]api.Link, len(links))
	for i, l := range links {
		entries[i] = linkEntry(l)
	}
	return entries
}

func linkPairs(ends []api.LinkEnds) []link.Pair {
	pairs := make([]link.Pair, len(ends))
	for i, e := range ends {
		pairs[i] = link.Pair{Origin: e.Origin, Destination: e.Destination, Match: quern.LinkMatch(e.MatchType), Distance: e.Distance}
	}
	return pairs
}

// ListLinks lists the links at a dataset.
func (o operations) ListLinks(ctx context.Context, r api.ListLinksRequestObject) (api.ListLinksResponseObject, error) {
	links, err := o.Links.Links(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName))
	if err == nil && len(links) == 0 {
		return api.ListLinks204Response{}, nil
	}
	return api.ListLinks200JSONResponse(linkEntries(links)), err
}

// RebuildLinks looks for a dataset's links now.
func (o operations) RebuildLinks(ctx context.Context, r api.RebuildLinksRequestObject) (api.RebuildLinksResponseObject, error) {
	links, err := o.Links.Rebuild(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), linkSearch(r.Body))
	return api.RebuildLinks200JSONResponse(linkEntries(links)), err
}

// PreviewLinks shows what links would be found.
func (o operations) PreviewLinks(ctx context.Context, r api.PreviewLinksRequestObject) (api.PreviewLinksResponseObject, error) {
	links, err := o.Links.Preview(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), linkSearch(r.Body))
	return api.PreviewLinks200JSONResponse(linkEntries(links)), err
}

func linkSearch(body *api.LinkSearch) link.Search {
	if body == nil {
		return link.Search{}
	}
	search := link.Search{Options: linkOptions(body.Link)}
	search.Rows = append(search.Rows, body.Data...)
	return search
}

// linkOptions returns how a caller wants links to be looked for; nil when it does
// not say.
func linkOptions(l *api.LinkOptions) *quern.LinkOptions {
	if l == nil {
		return nil
	}
	if l.ExactMatch == nil && l.GeoMatch == nil {
		return nil
	}
	options := &quern.LinkOptions{}
	if e := l.ExactMatch; e != nil {
		options.Exact = quern.MatchOptions{
			MinDistinct: e.MinDistinct, MinVariation: e.MinVariation, TargetColumns: e.TargetColumns, IgnorePrivate: e.IgnorePrivateColumns,
		}
	}
	if g := l.GeoMatch; g != nil {
		options.Geo = &quern.MatchOptions{
			MinDistinct: g.MinDistinct, MinVariation: g.MinVariation, TargetColumns: g.TargetColumns, IgnorePrivate: g.IgnorePrivateColumns,
			Distance: kilometres(g.Distance, string(g.DistanceUnit)),
		}
	}
	return options
}

// shownLinkOptions writes down how links are looked for, as callers say it.
func shownLinkOptions(o *quern.LinkOptions) (shown api.LinkOptions) {
	if o == nil {
		return shown
	}
	exact, err := json.Marshal(matchOptions(o.Exact))
	if err == nil {
		_ = json.Unmarshal(exact, &shown.ExactMatch)
	}
	if o.Geo == nil {
		return shown
	}
	geo := matchOptions(*o.Geo)
	geo["distance"], geo["distanceUnit"] = o.Geo.Distance, "kilometers"
	if text, err := json.Marshal(geo); err == nil {
		_ = json.Unmarshal(text, &shown.GeoMatch)
	}
	return shown
}

func matchOptions(o quern.MatchOptions) map[string]any {
	return map[string]any{
		"minDistinct": o.MinDistinct, "minVariation": o.MinVariation, "targetColumns": o.TargetColumns, "ignorePrivateColumns": o.IgnorePrivate,
	}
}

// kilometres converts a distance; without one it is the default.
func kilometres(distance *float64, unit string) float64 {
	if distance == nil {
		return link.DefaultDistance
	}
	switch unit {
	case "miles", "mile", "mi":
		return *distance * 1.609344
	case "meters", "metres", "meter", "metre", "m":
		return *distance / 1000
	}
	return *distance
}

// AddLink decides that there is a link.
func (o operations) AddLink(ctx context.Context, r api.AddLinkRequestObject) (api.AddLinkResponseObject, error) {
	pair, err := addedPair(r.Body)
	if err != nil {
		return nil, err
	}
	l, created, err := o.Links.Add(ctx, principal(ctx), pair)
	if created {
		return api.AddLink201JSONResponse(linkEntry(l)), err
	}
	return api.AddLink200JSONResponse(linkEntry(l)), err
}

// addedPair returns the ends that a request names in either of the two ways.
func addedPair(body *api.AddLinkRequest) (link.Pair, error) {
	pair := link.Pair{
		Origin: body.Origin, Destination: body.Destination, Match: quern.LinkMatch(body.MatchType),
		Distance: kilometres(body.Options.Distance, string(body.Options.DistanceUnit)),
	}
	var missing error
	for _, end := range []struct {
		name string
		ref  api.ColumnRef
		text *string
	}{{"from", body.From, &pair.Origin}, {"to", body.To, &pair.Destination}} {
		switch named := end.ref.ColumnName != ""; {
		case named && *end.text != "":
			missing = errors.Join(missing, errInvalid.With(quern.SubError{Code: "form", Message: end.name + ": an end is named once"}))
		case named:
			at := datasetPath(end.ref.Username, end.ref.Namespace, end.ref.Dataset)
			*end.text = quern.ColumnPath{DatasetPath: at, Column: end.ref.ColumnName}.Resource()
		case *end.text == "":
			missing = errors.Join(missing, errInvalid.With(quern.SubError{Code: "required", Message: end.name + ": a value is required"}))
		}
	}
	return pair, missing
}

// Ontology lists a dataset's links, or those that people decided about.
func (o operations) Ontology(ctx context.Context, r api.OntologyRequestObject) (api.OntologyResponseObject, error) {
	path := datasetPath(r.Username, r.Namespace, r.DatasetName)
	var links []quern.Link
	var err error
	if decision := quern.LinkDecision(r.Params.Decision); decision != quern.LinkUndecided {
		links, err = o.Links.Decided(ctx, principal(ctx), path, decision)
	} else {
		links, err = o.Links.Links(ctx, principal(ctx), path)
	}
	if err == nil && len(links) == 0 {
		return api.Ontology204Response{}, nil
	}
	return api.Ontology200JSONResponse(linkEntries(links)), err
}

// UpdateOntology adds and removes links.
func (o operations) UpdateOntology(ctx context.Context, r api.UpdateOntologyRequestObject) (api.UpdateOntologyResponseObject, error) {
	links, err := o.Links.Change(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName),
		linkPairs(r.Body.Add), linkPairs(r.Body.Remove))
	return api.UpdateOntology200JSONResponse(linkEntries(links)), err
}

// CurateLinks picks the found links that are worth keeping.
func (o operations) CurateLinks(ctx context.Context, r api.CurateLinksRequestObject) (api.CurateLinksResponseObject, error) {
	in := quern.NamespacePath{Owner: quern.Self, Namespace: r.Body.Namespace}
	picked, err := o.Links.Curate(ctx, principal(ctx), in, r.Body.Dataset, r.Body.Activate)
	if err != nil {
		return nil, err
	}
	answer := api.CurateLinks200JSONResponse{DatasetsProcessed: int32(picked.Datasets), TotalSelected: int32(len(picked.Links))}
	if !r.Body.Activate {
		answer.CuratedLinks = linkEntries(picked.Links)
	}
	return answer, nil
}
