package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// Knowledge is what is taught about a namespace.
type Knowledge struct {
	Version  int64              `json:"version"`
	Document json.RawMessage    `json:"knowledge"`
	Problems []KnowledgeProblem `json:"problems"`
}

// KnowledgeProblem is what is wrong with an entry.
type KnowledgeProblem struct {
	Entry   string `json:"entry"`
	Message string `json:"message"`
}

func knowledgePath(owner, namespace string) string {
	if owner == "" {
		owner = "self"
	}
	return "/knowledge/" + url.PathEscape(owner) + "/" + url.PathEscape(namespace)
}

// Knowledge reads what is taught about a namespace; an empty owner is the caller.
func (c *Client) Knowledge(ctx context.Context, owner, namespace string) (Knowledge, error) {
	var k Knowledge
	err := c.call(ctx, http.MethodGet, knowledgePath(owner, namespace), nil, &k)
	return k, err
}

// ReplaceKnowledge saves a document in place of a version.
func (c *Client) ReplaceKnowledge(ctx context.Context, owner, namespace string, version int64, document any) (Knowledge, error) {
	var k Knowledge
	match := header{"If-Match", `"` + strconv.FormatInt(version, 10) + `"`}
	err := c.callWith(ctx, http.MethodPut, knowledgePath(owner, namespace), match, document, &k)
	return k, err
}
