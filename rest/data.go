package rest

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"

	"quern"
	"quern/api"
	"quern/catalog"
	"quern/door"
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
	if err != nil || !isCursor(parts) {
		return quern.DatasetPath{}, badParameter("cursor").With(quern.SubError{Code: "cursor",
			Message: "cursor: is not one that this server gave"})
	}
	return quern.DatasetPath{Owner: parts[0], Namespace: parts[1], Dataset: parts[2]}, nil
}

func isCursor(parts []string) bool {
	if len(parts) != 3 {
		return false
	}
	_, owner := quern.Username(parts[0])
	dataset := parts[2] == "" || quern.ValidName(parts[2])
	return owner && quern.ValidName(parts[1]) && dataset
}

func filter(limit int32, cursor string) (catalog.Filter, error) {
	after, err := decodeCursor(cursor)
	if limit == 0 {
		limit = mostListed
	}
	return catalog.Filter{After: after, Limit: int(limit)}, err
}

func nextCursor(listed []catalog.Listed, more bool) string {
	if !more {
		return ""
	}
	return encodeCursor(listed[len(listed)-1].Path)
}

// page is one page of a list. The generated answers would name an empty cursor
// on the last page.
type page struct {
	entries any
	next    string
}

func (p page) write(w http.ResponseWriter) error {
	body, err := door.Marshal(p.entries)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", door.JSONType)
	if p.next != "" {
		w.Header().Set("X-Next-Cursor", p.next)
	}
	_, err = w.Write(append(body, '\n'))
	return err
}

// VisitListDatasetsResponse writes the page.
func (p page) VisitListDatasetsResponse(w http.ResponseWriter) error { return p.write(w) }

// VisitListAllDatasetsResponse writes the page.
func (p page) VisitListAllDatasetsResponse(w http.ResponseWriter) error { return p.write(w) }

// VisitListNamespaceDatasetsResponse writes the page.
func (p page) VisitListNamespaceDatasetsResponse(w http.ResponseWriter) error { return p.write(w) }

// VisitListDatasetsInResponse writes the page.
func (p page) VisitListDatasetsInResponse(w http.ResponseWriter) error { return p.write(w) }

// VisitListNamespacesResponse writes the page.
func (p page) VisitListNamespacesResponse(w http.ResponseWriter) error { return p.write(w) }

// datasets lists datasets, with the cursor of the next page.
func (o operations) datasets(ctx context.Context, f catalog.Filter) ([]api.DatasetEntry, string, error) {
	listed, more, err := o.Catalog.Datasets(ctx, principal(ctx), f)
	entries := make([]api.DatasetEntry, len(listed))
	for i, l := range listed {
		entries[i] = datasetEntry(l.Path, l.Role)
	}
	return entries, nextCursor(listed, more), err
}

// ListDatasets lists what the caller sees.
func (o operations) ListDatasets(ctx context.Context, r api.ListDatasetsRequestObject) (api.ListDatasetsResponseObject, error) {
	f, err := filter(r.Params.Limit, r.Params.Cursor)
	if err != nil {
		return nil, err
	}
	entries, next, err := o.datasets(ctx, f)
	return page{entries, next}, err
}

// ListAllDatasets is ListDatasets under its other address.
func (o operations) ListAllDatasets(ctx context.Context, r api.ListAllDatasetsRequestObject) (api.ListAllDatasetsResponseObject, error) {
	f, err := filter(r.Params.Limit, r.Params.Cursor)
	if err != nil {
		return nil, err
	}
	entries, next, err := o.datasets(ctx, f)
	return page{entries, next}, err
}

// ListNamespaceDatasets lists the datasets of namespaces of one name.
func (o operations) ListNamespaceDatasets(
	ctx context.Context, r api.ListNamespaceDatasetsRequestObject,
) (api.ListNamespaceDatasetsResponseObject, error) {
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
		return nil, door.ErrNotFound
	}
	entries, next, err := o.datasets(ctx, f)
	return page{entries, next}, err
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
	return page{entries, next}, err
}

// ListNamespaces lists a user's namespaces.
func (o operations) ListNamespaces(ctx context.Context, r api.ListNamespacesRequestObject) (api.ListNamespacesResponseObject, error) {
	f, err := filter(r.Params.Limit, r.Params.Cursor)
	if err != nil {
		return nil, err
	}
	f.Owner = r.Username
	listed, more, err := o.Catalog.Namespaces(ctx, principal(ctx), f)
	entries := make([]api.NamespaceEntry, len(listed))
	for i, l := range listed {
		entries[i] = namespaceEntry(l.Path.In(), l.Role)
	}
	return page{entries, nextCursor(listed, more)}, err
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

// RenameDataset renames a dataset.
func (o operations) RenameDataset(ctx context.Context, r api.RenameDatasetRequestObject) (api.RenameDatasetResponseObject, error) {
	path, err := o.Catalog.RenameDataset(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), *r.Body)
	return api.RenameDataset200JSONResponse(datasetEntry(path, quern.Owner)), err
}

// RenameNamespace renames a namespace.
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
	path, err := o.Catalog.DeleteNamespace(ctx, principal(ctx), quern.NamespacePath{Owner: r.Username, Namespace: r.Namespace},
		r.Params.DeleteDatasets)
	return api.DeleteNamespace200JSONResponse(namespaceEntry(path, quern.Owner)), err
}
