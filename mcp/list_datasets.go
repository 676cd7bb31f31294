package mcp

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"quern"
	"quern/catalog"
)

const (
	defaultListed = 100
	mostListed    = 500
)

type datasetList struct {
	Datasets   []listedDataset `json:"datasets"`
	NextCursor string          `json:"nextCursor,omitempty" jsonschema:"the cursor of the next page; left out at the end of the list"`
}

type listedDataset struct {
	Dataset string `json:"dataset" jsonschema:"OWNER/NAMESPACE/DATASET, as other tools take it"`
	Role    string `json:"role" jsonschema:"what the caller is to it: owner, editor or viewer"`
}

var listDatasets = define(tool{
	name: "list_datasets", title: "List datasets", gives: "The datasets", seeks: "namespace",
	about: "Lists the datasets that you may see: your own and those shared with you, a page at a time.",
	input: object(
		optional("namespace", namespaceText()),
		optional("limit", integer(1, mostListed, fmt.Sprintf("the most to list; %d where it is left out", defaultListed))),
		optional("cursor", text(512, "nextCursor of the page before")),
	),
}, func(ctx context.Context, c call, in struct {
	Namespace, Cursor string
	Limit             int
}) (datasetList, error) {
	page := datasetList{Datasets: []listedDataset{}}
	f := catalog.Filter{Limit: in.Limit}
	if f.Limit == 0 {
		f.Limit = defaultListed
	}
	var err error
	if f.After, err = readCursor(in.Cursor); err != nil {
		return page, err
	}
	if in.Namespace != "" {
		at, err := namespaceAt(in.Namespace)
		if err != nil {
			return page, err
		}
		n, err := c.Catalog.Namespace(ctx, c.principal, at)
		if err != nil {
			return page, err
		}
		f.Owner, f.Namespace = n.Owner, n.Name
	}
	listed, more, err := c.Catalog.Datasets(ctx, c.principal, f)
	for _, l := range listed {
		page.Datasets = append(page.Datasets, listedDataset{pathText(l.Path), string(l.Role)})
	}
	if more {
		page.NextCursor = cursor(listed[len(listed)-1].Path)
	}
	return page, err
})

// cursor is the place behind a dataset in a list.
func cursor(p quern.DatasetPath) string {
	return base64.RawURLEncoding.EncodeToString([]byte(pathText(p)))
}

func readCursor(cursor string) (quern.DatasetPath, error) {
	if cursor == "" {
		return quern.DatasetPath{}, nil
	}
	said, err := base64.RawURLEncoding.DecodeString(cursor)
	parts := strings.Split(string(said), "/")
	if err != nil || len(parts) != 3 {
		return quern.DatasetPath{}, invalid(quern.Fault("cursor", "cursor", "is not one that this server gave"))
	}
	return quern.DatasetPath{Owner: parts[0], Namespace: parts[1], Dataset: parts[2]}, nil
}
