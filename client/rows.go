package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/google/uuid"
)

// Create makes an empty dataset of the caller's, and its namespace when it is the
// first in it.
func (c *Client) Create(ctx context.Context, d Dataset) (made DatasetEntry, err error) {
	return made, c.call(ctx, http.MethodPost, "/ingest/new/"+url.PathEscape(d.Namespace)+"/"+url.PathEscape(d.Name), nil, &made)
}

// Append appends rows to a dataset, all of them or none, and returns how many there
// were. Rows is a slice of what encodes as JSON objects. They are stored once, however
// often the request has to be sent. A dataset of the caller's that does not exist is
// made.
func (c *Client) Append(ctx context.Context, d Dataset, rows any) (int64, error) {
	path := "/ingest/" + url.PathEscape(d.Namespace) + "/" + url.PathEscape(d.Name)
	if d.Owner != "" && d.Owner != "self" {
		path = "/ingest/" + url.PathEscape(d.Owner) + "/" + url.PathEscape(d.Namespace) + "/" + url.PathEscape(d.Name)
	}
	in := struct {
		Data any `json:"data"`
	}{rows}
	var out struct {
		Indexed int64 `json:"indexed"`
	}
	err := c.callOnce(ctx, http.MethodPost, path, "rows-"+uuid.NewString(), in, &out)
	return out.Indexed, err
}

// Run is a question on its way to an answer, or past it.
type Run struct {
	ID      string  `json:"runId"`
	Status  string  `json:"status"` // running, completed, failed or expired
	Message string  `json:"errorMessage,omitempty"`
	Result  *Answer `json:"result,omitempty"` // of a run that has completed
}

// Run tells where a run has got to.
func (c *Client) Run(ctx context.Context, id string) (r Run, err error) {
	return r, c.call(ctx, http.MethodGet, "/query/runs/"+url.PathEscape(id), nil, &r)
}
