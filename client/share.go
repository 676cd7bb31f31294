package client

import (
	"context"
	"net/http"
	"net/url"
)

// Share is the role that a user was granted.
type Share struct {
	Username string `json:"username"`
	Role     string `json:"role"` // viewer or editor
}

func (d Dataset) sharesPath() string {
	return "/permissions/datasets/" + ownerPath(d.Owner) + "/" + url.PathEscape(d.Namespace) + "/" + url.PathEscape(d.Name) + "/shares"
}

func namespaceSharesPath(owner, namespace string) string {
	return "/permissions/namespaces/" + ownerPath(owner) + "/" + url.PathEscape(namespace) + "/shares"
}

// Shares lists who was granted access to a dataset.
func (c *Client) Shares(ctx context.Context, d Dataset) (all []Share, err error) {
	return all, c.call(ctx, http.MethodGet, d.sharesPath(), nil, &all)
}

// Share grants a user a role on a dataset, in place of any that it had.
func (c *Client) Share(ctx context.Context, d Dataset, s Share) (granted Share, err error) {
	return granted, c.call(ctx, http.MethodPost, d.sharesPath(), s, &granted)
}

// Unshare takes a user's access to a dataset away.
func (c *Client) Unshare(ctx context.Context, d Dataset, username string) error {
	return c.call(ctx, http.MethodDelete, d.sharesPath(), map[string]string{"username": username}, nil)
}

// NamespaceShares lists who was granted access to all of a namespace; an empty owner is
// the caller, here and below.
func (c *Client) NamespaceShares(ctx context.Context, owner, namespace string) (all []Share, err error) {
	return all, c.call(ctx, http.MethodGet, namespaceSharesPath(owner, namespace), nil, &all)
}

// ShareNamespace grants a user a role on all datasets of a namespace, those to come
// included.
func (c *Client) ShareNamespace(ctx context.Context, owner, namespace string, s Share) (granted Share, err error) {
	return granted, c.call(ctx, http.MethodPost, namespaceSharesPath(owner, namespace), s, &granted)
}

// UnshareNamespace takes a user's access to a namespace away.
func (c *Client) UnshareNamespace(ctx context.Context, owner, namespace, username string) error {
	return c.call(ctx, http.MethodDelete, namespaceSharesPath(owner, namespace), map[string]string{"username": username}, nil)
}
