package mcp

import (
	"context"

	"quern/query"
)

type queryAnswer struct {
	Query string `json:"query" jsonschema:"the SQL that ran"`
	rowList
}

var runQuery = define(tool{
	name: "run_query", title: "Run a query", gives: "The result of the query", seeks: "namespace",
	about: "Runs read-only SQL over the datasets that you may see, and shows the rows. Datasets are named dataset, namespace.dataset or " +
		`"owner/namespace/dataset"; names without a namespace are looked up in the one given. Aggregate and filter in the query: ` +
		"only the first rows of the result are shown.",
	input: object(
		required("namespace", namespaceText()),
		required("query", text(100_000, "one SELECT")),
		optional("limit", limitText()),
	),
}, func(ctx context.Context, c call, in struct {
	Namespace, Query string
	Limit            int64
}) (queryAnswer, error) {
	at, err := namespaceAt(in.Namespace)
	if err != nil {
		return queryAnswer{}, err
	}
	limit := orDefault(in.Limit)
	request := query.Request{In: at, SQL: in.Query, MaxRows: int(limit)}
	plan, err := c.Query.Plan(ctx, c.principal, request)
	if err != nil {
		return queryAnswer{}, err
	}
	request.SQL, request.Tree = plan.SQL, plan.Tree
	rows, err := c.Query.SQL(ctx, c.principal, request)
	if err != nil {
		return queryAnswer{}, err
	}
	shown, err := showPlain(rows, limit)
	return queryAnswer{plan.SQL, shown.of(rows.Total(), 0, "Aggregate or filter in the query for the rest.")}, err
})
