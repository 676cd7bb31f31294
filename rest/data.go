package rest

import (
	"context"
	"encoding/base64"
	"strings"

	"quern"
	"quern/api"
	"quern/catalog"
)

// mostListed is how many entries a list has where no limit is given.
const mostListed = 10_000

func datasetPath(owner api.Owner, namespace api.Namespace, dataset api.Dataset) quern.DatasetPath {
	return quern.DatasetPath{Owner: owner, Namespace: namespace, Dataset: dataset}
}

func datasetEntry(path quern.DatasetPath, role quern.Role) api.DatasetEntry {
	return api.DatasetEntry{
		Name: path.Dataset, Namespace: path.Namespace, Owner: path.Owner,
		Visibility: api.DatasetEntryVisibilityPrivate, Role: api.Role(role),
	}
}

func namespaceEntry(path quern.NamespacePath, role quern.Role) api.NamespaceEntry {
	return api.NamespaceEntry{Name: path.Namespace, Owner: path.Owner, Role: api.Role(role)}
}

// A list's cursor is the path of its last entry.
func encodeCursor(path quern.DatasetPath) string {
	return base64.RawURLEncoding.EncodeToString([]byte(path.Owner + "/" + path.Namespace + "/" + path.Dataset))
}

func decodeCursor(cursor string) (quern.DatasetPath, error) {
	if cursor == "" {
		return quern.DatasetPath{}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	parts := strings.Split(string(text), "/")
	if err != nil || len(parts) != 3 || parts[0] == "" {
		return quern.DatasetPath{}, badParameter("cursor").With(quern.SubError{Code: "cursor", Message: "cursor: is not one that this server gave"})
	}
	return quern.DatasetPath{Owner: parts[0], Namespace: parts[1], Dataset: parts[2]}, nil
}

func filter(limit int32, cursor string) (catalog.Filter, error) {
	after, err := decodeCursor(cursor)
	if limit == 0 {
		limit = mostListed
	}
	return catalog.Filter{After: after, Limit: int(limit)}, err
}

func nextCursor(page []catalog.Listed, more bool) string {
	if !more {
		return ""
	}
	return encodeCursor(page[len(page)-1].Path)
}

// datasets lists datasets, with the cursor of the next page.
func (o operations) datasets(ctx context.Context, f catalog.Filter) ([]api.DatasetEntry, string, error) {
	page, more, err := o.Catalog.Datasets(ctx, principal(ctx), f)
	entries := make([]api.DatasetEntry, len(page))
	for i, l := range page {
		entries[i] = datasetEntry(l.Path, l.Role)
	}
	return entries, nextCursor(page, more), err
}

// ListDatasets lists what the caller sees.
func (o operations) ListDatasets(ctx context.Context, r api.ListDatasetsRequestObject) (api.ListDatasetsResponseObject, error) {
	f, err := filter(r.Params.Limit, r.Params.Cursor)
	if err != nil {
		return nil, err
	}
	entries, next, err := o.datasets(ctx, f)
	return api.ListDatasets200JSONResponse{Body: entries, Headers: api.ListDatasets200ResponseHeaders{XNextCursor: next}}, err
}

// ListAllDatasets is ListDatasets under its other address.
func (o operations) ListAllDatasets(ctx context.Context, r api.ListAllDatasetsRequestObject) (api.ListAllDatasetsResponseObject, error) {
	f, err := filter(r.Params.Limit, r.Params.Cursor)
	if err != nil {
		return nil, err
	}
	entries, next, err := o.datasets(ctx, f)
	return api.ListAllDatasets200JSONResponse{Body: entries, Headers: api.ListAllDatasets200ResponseHeaders{XNextCursor: next}}, err
}

// ListNamespaceDatasets lists the datasets of namespaces of one name.
func (o operations) ListNamespaceDatasets(ctx context.Context, r api.ListNamespaceDatasetsRequestObject) (api.ListNamespaceDatasetsResponseObject, error) {
	f, err := filter(r.Params.Limit, r.Params.Cursor)
	if err != nil {
		return nil, err
	}
	f.Namespace = r.Namespace
	named, _, err := o.Catalog.Namespaces(ctx, principal(ctx), catalog.Filter{Namespace: r.Namespace, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		return nil, errNotFound
	}
	entries, next, err := o.datasets(ctx, f)
	return api.ListNamespaceDatasets200JSONResponse{Body: entries, Headers: api.ListNamespaceDatasets200ResponseHeaders{XNextCursor: next}}, err
}

// ListDatasetsIn lists the datasets of one namespace.
func (o operations) ListDatasetsIn(ctx context.Context, r api.ListDatasetsInRequestObject) (api.ListDatasetsInResponseObject, error) {
	f, err := filter(r.Params.Limit, r.Params.Cursor)
	if err != nil {
		return nil, err
	}
	n, err := o.Catalog.Namespace(ctx, principal(ctx), quern.NamespacePath{Owner: r.Username, Namespace: r.Namespace})
	if err != nil {
		return nil, err
	}
	f.Owner, f.Namespace = n.Owner, n.Name
	entries, next, err := o.datasets(ctx, f)
	return api.ListDatasetsIn200JSONResponse{Body: entries, Headers: api.ListDatasetsIn200ResponseHeaders{XNextCursor: next}}, err
}

// ListNamespaces lists a user's namespaces.
func (o operations) ListNamespaces(ctx context.Context, r api.ListNamespacesRequestObject) (api.ListNamespacesResponseObject, error) {
	f, err := filter(r.Params.Limit, r.Params.Cursor)
	if err != nil {
		return nil, err
	}
	f.Owner = r.Username
	page, more, err := o.Catalog.Namespaces(ctx, principal(ctx), f)
	entries := make([]api.NamespaceEntry, len(page))
	for i, l := range page {
		entries[i] = namespaceEntry(l.Path.In(), l.Role)
	}
	return api.ListNamespaces200JSONResponse{Body: entries, Headers: api.ListNamespaces200ResponseHeaders{XNextCursor: nextCursor(page, more)}}, err
}

// CreateNamespace makes an empty namespace.
func (o operations) CreateNamespace(ctx context.Context, r api.CreateNamespaceRequestObject) (api.CreateNamespaceResponseObject, error) {
	n, err := o.Catalog.CreateNamespace(ctx, principal(ctx), r.Namespace)
	return api.CreateNamespace201JSONResponse(namespaceEntry(quern.NamespacePath{Owner: n.Owner, Namespace: n.Name}, quern.Owner)), err
}

// CreateDataset makes an empty dataset.
func (o operations) CreateDataset(ctx context.Context, r api.CreateDatasetRequestObject) (api.CreateDatasetResponseObject, error) {
	var def quern.InferDefinition
	if r.Body != nil {
		def = quern.InferDefinition(*r.Body)
	}
	d, err := o.Catalog.CreateDataset(ctx, principal(ctx), datasetPath(quern.Self, r.Namespace, r.DatasetName), def)
	return api.CreateDataset201JSONResponse(datasetEntry(d.Path(), quern.Owner)), err
}

// RenameDataset gives a dataset another name.
func (o operations) RenameDataset(ctx context.Context, r api.RenameDatasetRequestObject) (api.RenameDatasetResponseObject, error) {
	path, err := o.Catalog.RenameDataset(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), *r.Body)
	return api.RenameDataset200JSONResponse(datasetEntry(path, quern.Owner)), err
}

// RenameNamespace gives a namespace another name.
func (o operations) RenameNamespace(ctx context.Context, r api.RenameNamespaceRequestObject) (api.RenameNamespaceResponseObject, error) {
	path, err := o.Catalog.RenameNamespace(ctx, principal(ctx), quern.NamespacePath{Owner: r.Username, Namespace: r.Namespace}, *r.Body)
	return api.RenameNamespace200JSONResponse(namespaceEntry(path, quern.Owner)), err
}

// ClearDataset removes all rows.
func (o operations) ClearDataset(ctx context.Context, r api.ClearDatasetRequestObject) (api.ClearDatasetResponseObject, error) {
	cleared, err := o.Catalog.Clear(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName))
	return api.ClearDataset200JSONResponse(datasetEntry(cleared.Path, cleared.Role)), err
}

// DeleteDataset removes a dataset.
func (o operations) DeleteDataset(ctx context.Context, r api.DeleteDatasetRequestObject) (api.DeleteDatasetResponseObject, error) {
	path, err := o.Catalog.DeleteDataset(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName))
	return api.DeleteDataset200JSONResponse(datasetEntry(path, quern.Owner)), err
}

// DeleteNamespace removes a namespace.
func (o operations) DeleteNamespace(ctx context.Context, r api.DeleteNamespaceRequestObject) (api.DeleteNamespaceResponseObject, error) {
	path, err := o.Catalog.DeleteNamespace(ctx, principal(ctx), quern.NamespacePath{Owner: r.Username, Namespace: r.Namespace}, r.Params.DeleteDatasets)
	return api.DeleteNamespace200JSONResponse(namespaceEntry(path, quern.Owner)), err
}
