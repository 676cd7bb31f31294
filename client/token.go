package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"
)

// sign puts the token into a request. A token that cannot be had is final, unless only its
// provider did not answer.
func (c *Client) sign(req *http.Request) error {
	token, err := c.tokens(req.Context())
	if err != nil {
		if _, silent := errors.AsType[*url.Error](err); silent {
			return err
		}
		return &finalError{err}
	}
	req.Header.Set("Authorization", "Bearer "+token)
	return nil
}

// User is who a token acts for, and how far it reaches.
type User struct {
	ID         string    `json:"id"`
	Username   string    `json:"username"`
	CreatedAt  time.Time `json:"created_at"`
	Restricted bool      `json:"restricted"`
	TokenID    string    `json:"tokenId,omitempty"` // the API token in use; empty after signing in
	ReadOnly   bool      `json:"readOnly,omitempty"`
	Admin      bool      `json:"admin,omitempty"` // the token may administer the server
}

// Me tells who the client's token acts for.
func (c *Client) Me(ctx context.Context) (u User, err error) {
	return u, c.call(ctx, http.MethodGet, "/user/me", nil, &u)
}

// NewToken is an API token to make.
type NewToken struct {
	Name      string    `json:"name"`
	ExpiresAt time.Time `json:"expires_at,omitzero"` // zero: it works until it is revoked
	ReadOnly  bool      `json:"readOnly,omitempty"`
	Admin     bool      `json:"admin,omitempty"` // only for who may administer
	// Reach is all that the token may reach; empty: what its maker does.
	Reach []Access `json:"accessRestrictedTo,omitempty"`
}

// Access is a namespace, or one dataset of it.
type Access struct {
	Owner     string `json:"username"`
	Namespace string `json:"namespace"`
	Dataset   string `json:"dataset,omitempty"`
}

// CreatedToken is a token that has just been made, with its secret.
type CreatedToken struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
	ReadOnly  bool      `json:"readOnly,omitempty"`
	Token     string    `json:"token"` // the secret, now and never again
}

// CreateToken makes an API token that acts for the caller. When an answer gets lost
// there may be a second one, whose secret nobody has.
func (c *Client) CreateToken(ctx context.Context, n NewToken) (made CreatedToken, err error) {
	return made, c.call(ctx, http.MethodPost, "/user/token", n, &made)
}

// RevokeToken takes a token's power away at once.
func (c *Client) RevokeToken(ctx context.Context, id string) error {
	return c.call(ctx, http.MethodDelete, "/user/token/"+url.PathEscape(id), nil, nil)
}
