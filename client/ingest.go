package client

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Dataset addresses a dataset. An empty Owner is the caller.
type Dataset struct {
	Owner, Namespace, Name string
}

// ParseDataset reads namespace/dataset or owner/namespace/dataset.
func ParseDataset(text string) (Dataset, error) {
	parts := strings.Split(text, "/")
	for _, p := range parts {
		if p == "" {
			parts = nil
		}
	}
	switch len(parts) {
	case 2:
		return Dataset{"", parts[0], parts[1]}, nil
	case 3:
		return Dataset{parts[0], parts[1], parts[2]}, nil
	}
	return Dataset{}, fmt.Errorf("%q is not of the form namespace/dataset or owner/namespace/dataset", text)
}

// String writes the address as ParseDataset reads it.
func (d Dataset) String() string {
	if d.Owner == "" {
		return d.Namespace + "/" + d.Name
	}
	return d.Owner + "/" + d.Namespace + "/" + d.Name
}

func (d Dataset) path() string {
	owner := d.Owner
	if owner == "" {
		owner = "self"
	}
	return "/data/" + url.PathEscape(owner) + "/" + url.PathEscape(d.Namespace) + "/" + url.PathEscape(d.Name)
}

// IngestRequest says which uploaded files to make rows of, and how.
type IngestRequest struct {
	Session    string   `json:"sessionId"`
	Files      []string `json:"fileIds,omitempty"`    // all when empty
	Format     string   `json:"format,omitempty"`     // found out when empty
	OnError    string   `json:"onError,omitempty"`    // "fail" or "quarantine"
	Header     *bool    `json:"header,omitempty"`     // found out when nil
	NullValues []string `json:"nullValues,omitempty"` // the usual ones when empty
	Sheet      string   `json:"sheet,omitempty"`      // of workbooks; all when empty
	Mode       string   `json:"mode,omitempty"`       // "append" or "replace"
	SameFile   string   `json:"sameFile,omitempty"`   // "store" or "refuse"
	Into       string   `json:"into,omitempty"`       // "one" or "each"
	// Lists names the datasets of lists of objects in JSON; an empty name keeps one nested.
	Lists map[string]string `json:"lists,omitempty"`
	// Columns says how columns are to be read, by name.
	Columns map[string]ColumnOption `json:"columns,omitempty"`
}

// ColumnOption says how a column is to be read. Its values decide what is empty.
type ColumnOption struct {
	Type      string `json:"type,omitempty"`
	DateOrder string `json:"dateOrder,omitempty"` // "dmy", "mdy" or "ymd"
	Decimal   string `json:"decimal,omitempty"`   // "." or ","
}

// Ingestion is files on their way into a dataset.
type Ingestion struct {
	ID             string `json:"id"`
	Status         string `json:"status"`
	Aborted        bool   `json:"aborted"` // it has failed because somebody cancelled it
	Message        string `json:"statusMessage"`
	ExpectedBytes  int64  `json:"expectedTotalBytes"`
	ProcessedBytes int64  `json:"processedBytes"`
	ProcessedRows  int64  `json:"processedRows"`
	Attributes     struct {
		Owner        string          `json:"owner"`
		Namespace    string          `json:"namespace"`
		Dataset      string          `json:"dataset"`
		Name         string          `json:"name,omitempty"` // the label that it was given, or its file's name
		CreatedAt    time.Time       `json:"createdAt"`
		EndedAt      time.Time       `json:"endedAt,omitzero"`
		Files        []IngestionFile `json:"files"`
		RejectedRows int64           `json:"rejectedRows"`
		Tables       []IngestedTable `json:"tables"`
	} `json:"attributes"`
}

// IngestedTable is a table that was found in a file.
type IngestedTable struct {
	Filename string   `json:"filename"`
	Member   string   `json:"member"`
	Dataset  string   `json:"dataset"` // in the same namespace
	Format   string   `json:"format"`
	Detail   string   `json:"detail"`
	Rows     int64    `json:"rows"`
	Notes    []string `json:"notes"`
}

// Done reports whether the ingestion has come to its end.
func (i Ingestion) Done() bool {
	return i.Status == "completed" || i.Status == "failed"
}

// Ingest queues uploaded files for a dataset and returns the ingestion's id. The
// same request is carried out once, however often it is made.
func (c *Client) Ingest(ctx context.Context, d Dataset, r IngestRequest) (id string, err error) {
	var out struct {
		ID string `json:"id"`
	}
	asked, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	key := fmt.Sprintf("ingest-%x", sha256.Sum256(append([]byte(d.path()), asked...)))
	err = c.callOnce(ctx, http.MethodPost, d.path()+"/ingest", key, r, &out)
	return out.ID, err
}

// IngestPreview is what an ingestion would make of files.
type IngestPreview struct {
	Complete bool            `json:"complete"`
	Files    []IngestionFile `json:"files"`
	Tables   []PreviewTable  `json:"tables"`
}

// IngestionFile is a file of an ingestion.
type IngestionFile struct {
	FileID   string `json:"fileId"`
	Filename string `json:"filename"`
	Size     int64  `json:"size"`
	// SameAs is an earlier ingestion of the same content into the dataset.
	SameAs string `json:"sameAs,omitempty"`
}

// PreviewTable is a table as it would be stored.
type PreviewTable struct {
	Filename     string `json:"filename"`
	Member       string `json:"member,omitempty"`
	Dataset      string `json:"dataset,omitempty"`
	Format       string `json:"format"`
	Detail       string `json:"detail,omitempty"`
	Header       bool   `json:"header"`
	Complete     bool   `json:"complete"`
	Rows         int64  `json:"rows"`
	RejectedRows int64  `json:"rejectedRows"`
	Rejected     []struct {
		Row    int64  `json:"row"`
		Line   int64  `json:"line,omitempty"`
		Reason string `json:"reason"`
		Text   string `json:"text,omitempty"`
	} `json:"rejected"`
	Columns []PreviewColumn `json:"columns"`
	Sample  [][]any         `json:"sample"`
	Notes   []string        `json:"notes"`
}

// PreviewColumn is a column as it would be stored.
type PreviewColumn struct {
	Original   string `json:"original"`
	Name       string `json:"name"`
	Type       string `json:"type"`
	Unit       string `json:"unit,omitempty"`
	Added      bool   `json:"added"`
	FormerType string `json:"formerType,omitempty"`
	Misfits    *struct {
		Type     string `json:"type"`
		Cells    int64  `json:"cells"`
		Examples []struct {
			Row  int64  `json:"row"`
			Line int64  `json:"line,omitempty"`
			Text string `json:"text"`
		} `json:"examples"`
	} `json:"misfits,omitempty"`
}

// PreviewIngest tells what Ingest would make of uploaded files.
func (c *Client) PreviewIngest(ctx context.Context, d Dataset, r IngestRequest) (p IngestPreview, err error) {
	return p, c.call(ctx, http.MethodPost, d.path()+"/ingest/preview", r, &p)
}

// Ingestion tells where an ingestion has got to.
func (c *Client) Ingestion(ctx context.Context, id string) (i Ingestion, err error) {
	return i, c.call(ctx, http.MethodGet, "/ingestionTracking/"+url.PathEscape(id), nil, &i)
}

// Follow asks for an ingestion until it is done, telling see of every answer.
func (c *Client) Follow(ctx context.Context, id string, see func(Ingestion)) (Ingestion, error) {
	pause := 100 * time.Millisecond
	for {
		i, err := c.Ingestion(ctx, id)
		if err != nil {
			return i, err
		}
		if see != nil {
			see(i)
		}
		if i.Done() {
			return i, nil
		}
		select {
		case <-ctx.Done():
			return i, ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, 2*time.Second)
	}
}
