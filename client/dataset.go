package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// DatasetEntry is a dataset that the caller sees.
type DatasetEntry struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	Owner     string `json:"owner"`
	Role      string `json:"role"` // owner, editor or viewer
}

// Dataset is the entry's address.
func (e DatasetEntry) Dataset() Dataset { return Dataset{e.Owner, e.Namespace, e.Name} }

// DatasetDescription is a dataset and what it holds.
type DatasetDescription struct {
	Dataset  DatasetEntry    `json:"dataset"`
	Metadata DatasetMetadata `json:"metadata"`
}

// DatasetMetadata is what a dataset holds.
type DatasetMetadata struct {
	ColumnNames []string            `json:"columnNames"` // in display order
	RowCount    int64               `json:"rowCount"`
	Version     int64               `json:"version"`
	Description string              `json:"dataDescription,omitempty"`
	Schema      map[string]string   `json:"schemaDefinition,omitempty"`
	Columns     []ColumnDescription `json:"columns"`
}

// ColumnDescription is a column and what is known of its values.
type ColumnDescription struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Unit     string   `json:"unit,omitempty"`
	Nullable bool     `json:"nullable"`
	Nulls    int64    `json:"nulls"`
	Distinct int64    `json:"distinct"` // an estimate
	Min      string   `json:"min,omitempty"`
	Max      string   `json:"max,omitempty"`
	Examples []string `json:"examples"`
}

// listPage is how many entries of a list are asked for at a time.
const listPage = "1000"

// Datasets lists the datasets that the caller sees, by owner, namespace and name.
func (c *Client) Datasets(ctx context.Context) ([]DatasetEntry, error) {
	return c.datasets(ctx, "/data")
}

// DatasetsIn lists the datasets that the caller sees in a namespace; an empty owner is
// the caller.
func (c *Client) DatasetsIn(ctx context.Context, owner, namespace string) ([]DatasetEntry, error) {
	return c.datasets(ctx, "/schema/"+ownerPath(owner)+"/"+url.PathEscape(namespace)+"/datasets")
}

func (c *Client) datasets(ctx context.Context, path string) ([]DatasetEntry, error) {
	all := []DatasetEntry{}
	for cursor := ""; ; {
		q := url.Values{"limit": {listPage}}
		if cursor != "" {
			q.Set("cursor", cursor)
		}
		var page []DatasetEntry
		next := ""
		err := c.get(ctx, path+"?"+q.Encode(), "application/json", func(resp *http.Response) error {
			page, next = nil, resp.Header.Get("X-Next-Cursor")
			return json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&page)
		})
		all = append(all, page...)
		if err != nil || next == "" || next == cursor {
			return all, err
		}
		cursor = next
	}
}

func ownerPath(owner string) string {
	if owner == "" {
		owner = "self"
	}
	return url.PathEscape(owner)
}

// Describe tells what a dataset holds.
func (c *Client) Describe(ctx context.Context, d Dataset) (about DatasetDescription, err error) {
	return about, c.call(ctx, http.MethodGet, d.path(), nil, &about)
}

// ExportFormats are the forms in which all rows of a dataset can be had.
func ExportFormats() []string { return []string{"csv", "json", "ndjson", "parquet", "arrow"} }

// ExportOptions says how rows are written.
type ExportOptions struct {
	Format string // one of ExportFormats; empty: csv
	// Formulas leaves text of CSV that a spreadsheet would run as a formula as it is.
	Formulas bool
}

// Export writes all rows of a dataset to w and returns how many bytes it wrote. It asks
// again while the server has answered nothing; what breaks off later fails, and what was
// written then is not whole.
func (c *Client) Export(ctx context.Context, d Dataset, o ExportOptions, w io.Writer) (n int64, err error) {
	if o.Format == "" {
		o.Format = "csv"
	}
	if !slices.Contains(ExportFormats(), o.Format) {
		return 0, fmt.Errorf("a dataset cannot be exported as %q, only as %s", o.Format, strings.Join(ExportFormats(), ", "))
	}
	q := url.Values{"format": {o.Format}}
	if o.Formulas {
		q.Set("escapeFormulas", "false")
	}
	err = c.get(ctx, d.path()+"/export?"+q.Encode(), "*/*", func(resp *http.Response) error {
		var failed error
		if n, failed = io.Copy(w, resp.Body); failed != nil {
			return final("the export broke off after %d bytes: %w", n, failed)
		}
		return nil
	})
	return n, err
}

// get sends a request that changes nothing, again while that may help, and hands a good
// answer to read.
func (c *Client) get(ctx context.Context, path, accept string, read func(*http.Response) error) error {
	return c.retry(ctx, func() error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
		if err != nil {
			return err
		}
		if err := c.sign(req); err != nil {
			return err
		}
		req.Header.Set("Accept", accept)
		resp, err := c.http.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode >= 300 {
			return refusal(resp)
		}
		return read(resp)
	})
}

// DeleteDataset removes a dataset with its rows, definition and shares, for good.
func (c *Client) DeleteDataset(ctx context.Context, d Dataset) error {
	return c.call(ctx, http.MethodDelete, d.path()+"/balefire", nil, nil)
}

// DeleteNamespace removes a namespace, for good; one that holds datasets only when they
// are to be deleted, too. An empty owner is the caller.
func (c *Client) DeleteNamespace(ctx context.Context, owner, namespace string, datasets bool) error {
	path := "/data/" + ownerPath(owner) + "/" + url.PathEscape(namespace) + "/balefire"
	if datasets {
		path += "?deleteDatasets=true"
	}
	return c.call(ctx, http.MethodDelete, path, nil, nil)
}
