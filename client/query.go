package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// Query is SQL and the namespace in which its unqualified names are looked up.
type Query struct {
	Owner     string `json:"username"` // "self" or empty: the caller
	Namespace string `json:"namespace"`
	SQL       string `json:"query"`
}

// Result is what a query gave.
type Result struct {
	Columns   []string
	Rows      [][]json.RawMessage // one value per column
	Total     int64               // rows of the whole result
	Truncated bool                // whether Rows holds fewer
}

// aboutRow is the member in which the server tells of a row; it is no column.
const aboutRow = "__metadata"

// Query runs a query. Its result has the columns that the query names, internal ones
// such as __row included.
func (c *Client) Query(ctx context.Context, q Query) (Result, error) {
	if q.Owner == "" {
		q.Owner = "self"
	}
	var answer struct {
		Data     []json.RawMessage `json:"data"`
		Metadata struct {
			Total     int64 `json:"totalCount"`
			Truncated bool  `json:"truncated"`
		} `json:"metadata"`
	}
	in := struct {
		Query
		IncludeMetadata bool `json:"includeMetadata"`
	}{q, true}
	if err := c.call(ctx, http.MethodPost, "/query", in, &answer); err != nil {
		return Result{}, err
	}
	result := Result{Total: answer.Metadata.Total, Truncated: answer.Metadata.Truncated}
	for _, raw := range answer.Data {
		names, values, err := members(raw)
		if err != nil {
			return Result{}, fmt.Errorf("the server's answer holds a row that cannot be read: %w", err)
		}
		if at := slices.Index(names, aboutRow); at >= 0 {
			names, values = slices.Delete(names, at, at+1), slices.Delete(values, at, at+1)
		}
		result.Columns = names
		result.Rows = append(result.Rows, values)
	}
	return result, nil
}

// members takes an object apart in the order it is written in, which for rows
// is the order of columns.
func members(object json.RawMessage) (names []string, values []json.RawMessage, err error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return nil, nil, err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, nil, err
		}
		text, _ := name.(string)
		names, values = append(names, text), append(values, value)
	}
	return names, values, nil
}
