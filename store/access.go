package store

import (
	"context"
	"database/sql"
	"strings"

	"quern"
)

// Access is a namespace or dataset together with what a user was granted on it.
// It is the raw material of catalog's policy; this package draws no conclusion.
type Access struct {
	Namespace      quern.Namespace
	Dataset        quern.Dataset // zero when the access is to a namespace
	NamespaceGrant quern.Role
	DatasetGrant   quern.Role
	// Inside is set on a namespace when the user was granted some dataset in it.
	Inside bool
}

const namespaceColumns = `n.id, n.owner_id, u.username, n.name, n.created_at`

const datasetColumns = `d.id, d.name, d.version, d.row_count, d.next_row, d.columns, d.data_description,
	d.schema_definition, d.sort_order, d.link_options, d.created_at, d.data_changed_at, d.draft, d.made_for, d.journal_bytes, d.journal_rows`

func namespaceDest(n *quern.Namespace, created *sql.NullInt64) []any {
	return []any{&n.ID, &n.OwnerID, &n.Owner, &n.Name, created}
}

// datasetRow holds a dataset's columns between the scan and the value.
type datasetRow struct {
	dataset                            quern.Dataset
	columns, definition, order, links  sql.NullString
	description                        *string
	created, changed, namespaceCreated sql.NullInt64
	draft                              int
	cache                              *columnCache // nil: columns are decoded
}

func (r *datasetRow) dest() []any {
	d := &r.dataset
	return append([]any{&d.ID, &d.Name, &d.Version, &d.Rows, &d.NextRow, &r.columns, &r.description,
		&r.definition, &r.order, &r.links, &r.created, &r.changed, &r.draft, &d.MadeFor, &d.Journal.Bytes, &d.Journal.Rows}, namespaceDest(&d.Namespace, &r.namespaceCreated)...)
}

func (r *datasetRow) value() (quern.Dataset, error) {
	d := r.dataset
	d.Draft = r.draft != 0
	d.CreatedAt, d.DataChangedAt, d.Namespace.CreatedAt = instant(r.created), instant(r.changed), instant(r.namespaceCreated)
	d.Definition.DataDescription = r.description
	if err := r.decodeColumns(&d); err != nil {
		return d, err
	}
	if err := decode(r.definition, &d.Definition.SchemaDefinition); err != nil {
		return d, err
	}
	if err := decode(r.links, &d.LinkOptions); err != nil {
		return d, err
	}
	return d, decode(r.order, &d.SortOrder)
}

func (r *datasetRow) decodeColumns(d *quern.Dataset) (err error) {
	if r.cache == nil {
		return decode(r.columns, &d.Columns)
	}
	d.Columns, err = r.cache.decode(d.ID, r.columns)
	return err
}

const datasetAccess = `SELECT ` + datasetColumns + `, ` + namespaceColumns + `,
	coalesce(ng.role, ''), coalesce(dg.role, '')
	FROM datasets d
	JOIN namespaces n ON n.id = d.namespace_id
	JOIN users u ON u.id = n.owner_id
	LEFT JOIN grants ng ON ng.resource_id = n.id AND ng.user_id = $1
	LEFT JOIN grants dg ON dg.resource_id = d.id AND dg.user_id = $1`

func scanDatasetAccess(scan func(...any) error) (Access, error) { return scanCachedAccess(scan, nil) }

// scanCachedAccess is scanDatasetAccess that decodes columns as a cache does.
func scanCachedAccess(scan func(...any) error, cache *columnCache) (Access, error) {
	var a Access
	r := datasetRow{cache: cache}
	if err := scan(append(r.dest(), &a.NamespaceGrant, &a.DatasetGrant)...); err != nil {
		return a, err
	}
	d, err := r.value()
	a.Dataset, a.Namespace = d, d.Namespace
	return a, err
}

// DatasetAccess returns a dataset by its path and the user's grants on it.
// NotFound when the path leads nowhere, or to a draft.
func (tx *Tx) DatasetAccess(ctx context.Context, user quern.UserID, p quern.DatasetPath) (Access, error) {
	return tx.accessAt(ctx, user, p, 0)
}

// DraftAccess is DatasetAccess for a draft.
func (tx *Tx) DraftAccess(ctx context.Context, user quern.UserID, p quern.DatasetPath) (Access, error) {
	return tx.accessAt(ctx, user, p, 1)
}

// The statements that every query of a user begins with.
var (
	accessAt = [...]string{
		steady(datasetAccess + ` WHERE u.username = $2 AND n.name_key = $3 AND d.name_key = $4 AND d.draft = 0`),
		steady(datasetAccess + ` WHERE u.username = $2 AND n.name_key = $3 AND d.name_key = $4 AND d.draft = 1`),
	}
	namespaceAccessAt = steady(namespaceAccess + ` WHERE u.username = $2 AND n.name_key = $3 AND n.draft = 0`)
)

func (tx *Tx) accessAt(ctx context.Context, user quern.UserID, p quern.DatasetPath, draft int) (Access, error) {
	row := tx.row(ctx, accessAt[draft], user, p.Owner, quern.NameKey(p.Namespace), quern.NameKey(p.Dataset))
	return scanCachedAccess(row, tx.columns)
}

// DatasetAccessByID is DatasetAccess for a dataset known by its id.
func (tx *Tx) DatasetAccessByID(ctx context.Context, user quern.UserID, id quern.DatasetID) (Access, error) {
	return scanDatasetAccess(tx.row(ctx, datasetAccess+` WHERE d.id = $2`, user, id))
}

const namespaceAccess = `SELECT ` + namespaceColumns + `, coalesce(ng.role, ''),
	EXISTS (SELECT 1 FROM datasets d JOIN grants dg ON dg.resource_id = d.id AND dg.user_id = $1 WHERE d.namespace_id = n.id)
	FROM namespaces n
	JOIN users u ON u.id = n.owner_id
	LEFT JOIN grants ng ON ng.resource_id = n.id AND ng.user_id = $1`

func scanNamespaceAccess(scan func(...any) error) (Access, error) {
	var a Access
	var created sql.NullInt64
	err := scan(append(namespaceDest(&a.Namespace, &created), &a.NamespaceGrant, &a.Inside)...)
	a.Namespace.CreatedAt = instant(created)
	return a, err
}

// NamespaceAccess returns a namespace by its path and the user's grants on it.
// NotFound when the path leads nowhere, or to a draft.
func (tx *Tx) NamespaceAccess(ctx context.Context, user quern.UserID, p quern.NamespacePath) (Access, error) {
	return scanNamespaceAccess(tx.row(ctx, namespaceAccessAt, user, p.Owner, quern.NameKey(p.Namespace)))
}

// AccessFilter narrows a list. Empty members do not narrow.
type AccessFilter struct {
	Owner     string // username
	Namespace string
	// After is the last entry of the previous page; the list goes on behind it.
	After quern.DatasetPath
	Limit int
}

// where returns the conditions and arguments of f, numbering them from $2. The
// order is owner, namespace, dataset; key lists its columns.
func (f AccessFilter) where(user quern.UserID, key []string, conditions ...string) (string, []any) {
	args := []any{user}
	arg := func(v any) string { args = append(args, v); return "$" + itoa(len(args)) }
	if f.Owner != "" {
		conditions = append(conditions, "u.username = "+arg(f.Owner))
	}
	if f.Namespace != "" {
		conditions = append(conditions, "n.name_key = "+arg(quern.NameKey(f.Namespace)))
	}
	if f.After.Owner != "" {
		after := []any{f.After.Owner, quern.NameKey(f.After.Namespace), quern.NameKey(f.After.Dataset)}[:len(key)]
		marks := make([]string, len(after))
		for i, v := range after {
			marks[i] = arg(v)
		}
		conditions = append(conditions, "("+strings.Join(key, ", ")+") > ("+strings.Join(marks, ", ")+")")
	}
	limit := arg(f.Limit)
	return " WHERE " + strings.Join(conditions, " AND ") + " ORDER BY " + strings.Join(key, ", ") + " LIMIT " + limit, args
}

const (
	// isSeen holds for a dataset that a user owns or was granted.
	isSeen = `(n.owner_id = $1 OR ng.role IS NOT NULL OR dg.role IS NOT NULL)`
	// isAmongSeen says the same by a list of them, so that no other dataset is looked at.
	isAmongSeen = `d.id IN (SELECT own.id FROM datasets own WHERE own.namespace_id IN (
			SELECT id FROM namespaces WHERE owner_id = $1 UNION ALL SELECT resource_id FROM grants WHERE user_id = $1)
		UNION ALL SELECT resource_id FROM grants WHERE user_id = $1)`
)

// datasets is where for datasets that the user owns or was granted. Those of one namespace
// are few and looked at one by one; others are found by who sees them.
func (f AccessFilter) datasets(user quern.UserID, conditions ...string) (string, []any) {
	seen := isAmongSeen
	if f.Owner != "" && f.Namespace != "" {
		seen = isSeen
	}
	return f.where(user, []string{"u.username", "n.name_key", "d.name_key"}, append(conditions, seen, `d.draft = 0`)...)
}

// namespaces is where for namespaces that the user owns, was granted, or was granted a
// dataset in.
func (f AccessFilter) namespaces(user quern.UserID) (string, []any) {
	const seen = `n.id IN (SELECT id FROM namespaces WHERE owner_id = $1 UNION ALL SELECT resource_id FROM grants WHERE user_id = $1
		UNION ALL SELECT d.namespace_id FROM datasets d JOIN grants dg ON dg.resource_id = d.id WHERE dg.user_id = $1)`
	return f.where(user, []string{"u.username", "n.name_key"}, seen, `n.draft = 0`)
}

// DatasetAccesses lists the datasets a user owns or was granted, in the order
// of owner, namespace and name.
func (tx *Tx) DatasetAccesses(ctx context.Context, user quern.UserID, f AccessFilter) ([]Access, error) {
	tail, args := f.datasets(user)
	return tx.accesses(ctx, datasetAccess+tail, args, scanDatasetAccess)
}

// headAccess is datasetAccess without the columns, which are most of a dataset.
var headAccess = strings.Replace(datasetAccess, "d.columns", "NULL", 1)

// DatasetHeads is DatasetAccesses with datasets that lack their columns.
func (tx *Tx) DatasetHeads(ctx context.Context, user quern.UserID, f AccessFilter) ([]Access, error) {
	tail, args := f.datasets(user)
	return tx.accesses(ctx, headAccess+tail, args, scanDatasetAccess)
}

// TableHeads is DatasetHeads of the datasets that have or had a column.
func (tx *Tx) TableHeads(ctx context.Context, user quern.UserID, f AccessFilter) ([]Access, error) {
	tail, args := f.datasets(user, `(d.columns <> '[]' OR d.fields IS NOT NULL)`)
	return tx.accesses(ctx, headAccess+tail, args, scanDatasetAccess)
}

// DatasetVersion returns the current version of a dataset. NotFound when it is gone.
func (tx *Tx) DatasetVersion(ctx context.Context, id quern.DatasetID) (version int64, err error) {
	err = tx.row(ctx, `SELECT version FROM datasets WHERE id = $1`, id)(&version)
	return version, err
}

// NamespaceAccesses lists the namespaces a user owns, was granted, or was
// granted a dataset in, in the order of owner and name.
func (tx *Tx) NamespaceAccesses(ctx context.Context, user quern.UserID, f AccessFilter) ([]Access, error) {
	tail, args := f.namespaces(user)
	return tx.accesses(ctx, namespaceAccess+tail, args, scanNamespaceAccess)
}

func (tx *Tx) accesses(ctx context.Context, query string, args []any, scanOne func(func(...any) error) (Access, error)) ([]Access, error) {
	var all []Access
	err := tx.each(ctx, query, args, func(scan func(...any) error) error {
		a, err := scanOne(scan)
		all = append(all, a)
		return err
	})
	return all, err
}
