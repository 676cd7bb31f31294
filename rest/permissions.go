package rest

import (
	"context"

	"quern"
	"quern/api"
	"quern/catalog"
)

func share(s quern.Share) api.Share {
	return api.Share{Username: s.Username, Role: api.GrantedRole(s.Role)}
}

func namespaceTarget(owner api.Owner, namespace api.Namespace) catalog.Target {
	return datasetPath(owner, namespace, "")
}

func (o operations) shares(ctx context.Context, t catalog.Target) ([]api.Share, error) {
	shares, err := o.Catalog.Shares(ctx, principal(ctx), t)
	list := make([]api.Share, len(shares))
	for i, s := range shares {
		list[i] = share(s)
	}
	return list, err
}

func (o operations) share(ctx context.Context, t catalog.Target, s *api.Share) (api.Share, error) {
	granted, err := o.Catalog.Share(ctx, principal(ctx), t, quern.Share{Username: s.Username, Role: quern.Role(s.Role)})
	return share(granted), err
}

func (o operations) revoke(ctx context.Context, t catalog.Target, r *api.ShareRevocation) (api.Share, error) {
	revoked, err := o.Catalog.Revoke(ctx, principal(ctx), t, r.Username)
	return share(revoked), err
}

func (o operations) audit(ctx context.Context, t catalog.Target, cursor string, limit int32) (api.ShareAudit, error) {
	if limit == 0 {
		limit = defaultPage
	}
	changes, next, err := o.Catalog.ShareAudit(ctx, principal(ctx), t, cursor, int(limit))
	page := api.ShareAudit{Data: make([]api.ShareChange, len(changes)), NextCursor: next}
	for i, c := range changes {
		page.Data[i] = api.ShareChange{
			At: c.At.UTC(), Actor: c.Actor, Username: c.Username,
			Before: api.GrantedRole(c.Before), After: api.GrantedRole(c.After),
		}
	}
	return page, err
}

// ListDatasetShares lists who has access to a dataset.
func (o operations) ListDatasetShares(
	ctx context.Context, r api.ListDatasetSharesRequestObject,
) (api.ListDatasetSharesResponseObject, error) {
	list, err := o.shares(ctx, datasetPath(r.Username, r.Namespace, r.DatasetName))
	return api.ListDatasetShares200JSONResponse(list), err
}

// ListNamespaceShares lists who has access to a namespace.
func (o operations) ListNamespaceShares(
	ctx context.Context, r api.ListNamespaceSharesRequestObject,
) (api.ListNamespaceSharesResponseObject, error) {
	list, err := o.shares(ctx, namespaceTarget(r.Username, r.Namespace))
	return api.ListNamespaceShares200JSONResponse(list), err
}

// ShareDataset grants access to a dataset.
func (o operations) ShareDataset(ctx context.Context, r api.ShareDatasetRequestObject) (api.ShareDatasetResponseObject, error) {
	granted, err := o.share(ctx, datasetPath(r.Username, r.Namespace, r.DatasetName), r.Body)
	return api.ShareDataset200JSONResponse(granted), err
}

// ShareNamespace grants access to a namespace.
func (o operations) ShareNamespace(ctx context.Context, r api.ShareNamespaceRequestObject) (api.ShareNamespaceResponseObject, error) {
	granted, err := o.share(ctx, namespaceTarget(r.Username, r.Namespace), r.Body)
	return api.ShareNamespace200JSONResponse(granted), err
}

// RevokeDatasetShare takes access to a dataset away.
func (o operations) RevokeDatasetShare(
	ctx context.Context, r api.RevokeDatasetShareRequestObject,
) (api.RevokeDatasetShareResponseObject, error) {
	revoked, err := o.revoke(ctx, datasetPath(r.Username, r.Namespace, r.DatasetName), r.Body)
	return api.RevokeDatasetShare200JSONResponse(revoked), err
}

// RevokeNamespaceShare takes access to a namespace away.
func (o operations) RevokeNamespaceShare(
	ctx context.Context, r api.RevokeNamespaceShareRequestObject,
) (api.RevokeNamespaceShareResponseObject, error) {
	revoked, err := o.revoke(ctx, namespaceTarget(r.Username, r.Namespace), r.Body)
	return api.RevokeNamespaceShare200JSONResponse(revoked), err
}

// AuditDatasetShares lists changes of access to a dataset.
func (o operations) AuditDatasetShares(
	ctx context.Context, r api.AuditDatasetSharesRequestObject,
) (api.AuditDatasetSharesResponseObject, error) {
	page, err := o.audit(ctx, datasetPath(r.Username, r.Namespace, r.DatasetName), r.Params.Cursor, r.Params.Limit)
	return api.AuditDatasetShares200JSONResponse(page), err
}

// AuditNamespaceShares lists changes of access to a namespace.
func (o operations) AuditNamespaceShares(
	ctx context.Context, r api.AuditNamespaceSharesRequestObject,
) (api.AuditNamespaceSharesResponseObject, error) {
	page, err := o.audit(ctx, namespaceTarget(r.Username, r.Namespace), r.Params.Cursor, r.Params.Limit)
	return api.AuditNamespaceShares200JSONResponse(page), err
}
