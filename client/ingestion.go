package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// maxIngestions is the most of them that one request lists.
const maxIngestions = 100

// Ingestions lists what was ingested into a dataset, newest first, at most limit.
func (c *Client) Ingestions(ctx context.Context, d Dataset, limit int) ([]Ingestion, error) {
	all, q := []Ingestion{}, url.Values{}
	for len(all) < limit {
		q.Set("pageSize", strconv.Itoa(min(limit-len(all), maxIngestions)))
		var page struct {
			Data     []Ingestion `json:"data"`
			Metadata struct {
				Before string `json:"beforeCreatedAt"`
			} `json:"metadata"`
		}
		if err := c.call(ctx, http.MethodGet, d.path()+"/ingest/attempts?"+q.Encode(), nil, &page); err != nil {
			return all, err
		}
		all = append(all, page.Data...)
		if page.Metadata.Before == "" || page.Metadata.Before == q.Get("beforeCreatedAt") {
			break
		}
		q.Set("beforeCreatedAt", page.Metadata.Before)
	}
	return all, nil
}

// IngestionsUnderWay lists the ingestions that the caller asked for and that have not
// ended yet, newest first.
func (c *Client) IngestionsUnderWay(ctx context.Context) (all []Ingestion, err error) {
	return all, c.call(ctx, http.MethodGet, "/ingestionTracking", nil, &all)
}

func ingestionPath(id string) string { return "/ingestionTracking/" + url.PathEscape(id) }

// CancelIngestion stops an ingestion; the dataset stays as it was.
func (c *Client) CancelIngestion(ctx context.Context, id string) (i Ingestion, err error) {
	return i, c.call(ctx, http.MethodPost, ingestionPath(id)+"/cancel", nil, &i)
}

// RetryIngestion queues another ingestion of the same files and returns its id. It is
// asked for once: were an answer lost and the request sent again, rows could be stored
// twice.
func (c *Client) RetryIngestion(ctx context.Context, id string) (string, error) {
	var made struct {
		ID string `json:"id"`
	}
	once := *c
	once.patience = 0
	err := once.call(ctx, http.MethodPost, ingestionPath(id)+"/retry", nil, &made)
	return made.ID, err
}

// RejectedRows writes the rows of an ingestion that could not be read to w: as csv,
// ndjson or json.
func (c *Client) RejectedRows(ctx context.Context, id, format string, w io.Writer) error {
	return c.get(ctx, ingestionPath(id)+"/rejected?"+url.Values{"format": {format}}.Encode(), "*/*", func(resp *http.Response) error {
		if n, err := io.Copy(w, resp.Body); err != nil {
			return final("the rows broke off after %d bytes: %w", n, err)
		}
		return nil
	})
}
