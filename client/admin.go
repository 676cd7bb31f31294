package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Quota is what a user may use; nil members are not limited, or not said.
type Quota struct {
	Bytes     *int64 `json:"bytes,omitempty"`
	Rows      *int64 `json:"rows,omitempty"`
	Questions *int64 `json:"questions,omitempty"` // a day
}

// ManagedUser is a user as administrators see one.
type ManagedUser struct {
	ID            string    `json:"id"`
	Username      string    `json:"username"`
	CreatedAt     time.Time `json:"createdAt"`
	Disabled      bool      `json:"disabled"`
	Admin         bool      `json:"admin"`
	DeletingSince time.Time `json:"deletingSince,omitzero"` // zero: it is not being deleted
	Usage         struct {
		Bytes          int64 `json:"bytes"`
		Rows           int64 `json:"rows"`
		QuestionsToday int64 `json:"questionsToday"`
	} `json:"usage"`
	Quota  Quota `json:"quota"`  // what was said for this user
	Limits Quota `json:"limits"` // what holds, the server's limits among it
}

// UserChange is what changes of a user; nil members stay.
type UserChange struct {
	Disabled *bool `json:"disabled,omitempty"`
	Admin    *bool `json:"admin,omitempty"`
}

func adminUser(username string) string { return "/admin/users/" + url.PathEscape(username) }

// ManagedUsers lists all users of the server. This and the calls below need the role admin.
func (c *Client) ManagedUsers(ctx context.Context) (all []ManagedUser, err error) {
	for after := ""; ; {
		var page struct {
			Users     []ManagedUser `json:"users"`
			NextAfter string        `json:"nextAfter"`
		}
		err := c.call(ctx, http.MethodGet, "/admin/users?limit=1000&after="+url.QueryEscape(after), nil, &page)
		all = append(all, page.Users...)
		if after = page.NextAfter; err != nil || after == "" {
			return all, err
		}
	}
}

// ManagedUser shows a user.
func (c *Client) ManagedUser(ctx context.Context, username string) (a ManagedUser, err error) {
	return a, c.call(ctx, http.MethodGet, adminUser(username), nil, &a)
}

// ChangeUser disables or enables a user, or gives or takes its role admin.
func (c *Client) ChangeUser(ctx context.Context, username string, change UserChange) (a ManagedUser, err error) {
	return a, c.call(ctx, http.MethodPatch, adminUser(username), change, &a)
}

// DeleteUser begins to delete a user with all that is theirs; it is gone when ManagedUser
// does not find it any more.
func (c *Client) DeleteUser(ctx context.Context, username string) (a ManagedUser, err error) {
	return a, c.call(ctx, http.MethodDelete, adminUser(username), nil, &a)
}

// SetQuota replaces what a user may use.
func (c *Client) SetQuota(ctx context.Context, username string, q Quota) (a ManagedUser, err error) {
	return a, c.call(ctx, http.MethodPut, adminUser(username)+"/quota", q, &a)
}

// ManagedToken is an API token of a user, without its secret.
type ManagedToken struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	CreatedAt  time.Time `json:"created_at"`
	ExpiresAt  time.Time `json:"expires_at"`
	LastUsedAt time.Time `json:"last_used_at,omitzero"`
	ReadOnly   bool      `json:"readOnly,omitempty"`
	Admin      bool      `json:"admin,omitempty"`
	Reach      []Access  `json:"accessRestrictedTo,omitempty"`
}

// ManagedTokens lists the API tokens of a user that are not revoked.
func (c *Client) ManagedTokens(ctx context.Context, username string) (all []ManagedToken, err error) {
	return all, c.call(ctx, http.MethodGet, adminUser(username)+"/tokens", nil, &all)
}

// RevokeManagedToken takes the power of a user's token away at once.
func (c *Client) RevokeManagedToken(ctx context.Context, username, id string) error {
	return c.call(ctx, http.MethodDelete, adminUser(username)+"/tokens/"+url.PathEscape(id), nil, nil)
}

// Work is a run or an ingestion that has not ended.
type Work struct {
	Kind          string    `json:"kind"` // run or ingestion
	ID            string    `json:"id"`
	UserID        string    `json:"userId"`
	Username      string    `json:"username"`
	State         string    `json:"state"` // waiting or working
	Attempt       int       `json:"attempt"`
	CreatedAt     time.Time `json:"createdAt"`
	Bytes         int64     `json:"bytes,omitempty"`
	ExpectedBytes int64     `json:"expectedBytes,omitempty"`
	Rows          int64     `json:"rows,omitempty"`
}

// RunningWork lists the runs and ingestions of all users that have not ended.
func (c *Client) RunningWork(ctx context.Context) ([]Work, error) {
	var list struct {
		Work []Work `json:"work"`
	}
	err := c.call(ctx, http.MethodGet, "/admin/work", nil, &list)
	return list.Work, err
}

// CancelWork ends a run or an ingestion, whoever's it is.
func (c *Client) CancelWork(ctx context.Context, id string) error {
	return c.call(ctx, http.MethodPost, "/admin/work/"+url.PathEscape(id)+"/cancel", nil, nil)
}

// auditPage is how many stretches a page of the audit trail has; one with fewer is the last.
const auditPage = 20

// Audit writes the audit trail, from a stretch on, as the server exports it: one JSON
// object a line.
func (c *Client) Audit(ctx context.Context, from int64, to io.Writer) error {
	for from = max(from, 1); ; {
		var page []byte
		err := c.get(ctx, "/admin/audit?from="+strconv.FormatInt(from, 10), "application/x-ndjson", func(resp *http.Response) (err error) {
			page, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
			return err
		})
		if err != nil {
			return err
		}
		next := from
		for line := range bytes.Lines(page) {
			var l struct {
				Seal *struct {
					Stretch int64 `json:"stretch"`
				} `json:"seal"`
			}
			if err := json.Unmarshal(line, &l); err != nil {
				return err
			}
			if l.Seal != nil {
				next = l.Seal.Stretch + 1
			}
		}
		if _, err := to.Write(page); err != nil {
			return err
		}
		if next < from+auditPage {
			return nil
		}
		from = next
	}
}

// Kept is how long one sort of things is kept.
type Kept struct {
	Kind    string `json:"kind"`
	Seconds int64  `json:"seconds"` // 0: for good, and of traces: not at all
	Source  string `json:"source"`  // settings or administrator
}

// Retention tells how long things are kept.
func (c *Client) Retention(ctx context.Context) ([]Kept, error) {
	return c.retention(ctx, http.MethodGet, nil)
}

// SetRetention replaces how long things are kept, in seconds by kind; kinds that are not
// there are as the server's settings say.
func (c *Client) SetRetention(ctx context.Context, seconds map[string]int64) ([]Kept, error) {
	return c.retention(ctx, http.MethodPut, seconds)
}

func (c *Client) retention(ctx context.Context, method string, in any) ([]Kept, error) {
	var kept struct {
		Retention []Kept `json:"retention"`
	}
	err := c.call(ctx, method, "/admin/retention", in, &kept)
	return kept.Retention, err
}
