package mcp

import (
	"context"

	"quern/query"
)

var sampleRows = define(tool{
	name: "sample_rows", title: "Look at rows", gives: "The rows", seeks: "dataset",
	about: "Shows some rows of a dataset, in the order in which they were stored or sorted and filtered.",
	input: object(
		required("dataset", datasetText()),
		optional("limit", limitText()),
		optional("offset", integer(0, 1<<53, "how many rows to pass over")),
		optional("filter", text(10_000, `which rows: column names compared with values, such as country == "Norway" && year >= 2020`)),
		optional("sortBy", text(256, "the column to sort by")),
		optional("descending", &schema{Type: "boolean", Description: "the greatest first"}),
	),
}, func(ctx context.Context, c call, in struct {
	Dataset, Filter, SortBy string
	Limit, Offset           int64
	Descending              bool
}) (rowList, error) {
	path, err := datasetAt(in.Dataset)
	if err != nil {
		return rowList{}, err
	}
	limit := orDefault(in.Limit)
	w := query.Window{Offset: in.Offset, Limit: limit, Filter: in.Filter}
	if in.SortBy != "" {
		w.Sort = []query.Sort{{Column: in.SortBy, Descending: in.Descending}}
	}
	page, err := c.Query.Window(ctx, c.principal, path, w)
	if err != nil {
		return rowList{}, err
	}
	shown, err := showPlain(page.Rows, limit)
	return shown.of(page.Total, in.Offset, "Use offset for those that follow."), err
})
