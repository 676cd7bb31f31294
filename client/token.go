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
}

// Me tells who the client's token acts for.
func (c *Client) Me(ctx context.Context) (u User, err error) {
	return u, c.call(ctx, http.MethodGet, "/user/me", nil, &u)
}
