package rest

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"quern"
	"quern/api"
	"quern/catalog"
	"quern/door"
	"quern/engine"
	"quern/nlq"
	"quern/query"
	"quern/tree"
)

// Query runs a query, or reads a question and runs that, and answers with the
// rows.
func (o operations) Query(ctx context.Context, r api.QueryRequestObject) (api.QueryResponseObject, error) {
	switch {
	case r.Body.Query != "" && r.Body.NaturalLanguageQuery != "":
		return nil, errInvalid.With(quern.SubError{Code: "naturalLanguageQuery", Message: "naturalLanguageQuery: is not taken together with query"})
	case r.Body.Query == "" && r.Body.NaturalLanguageQuery == "":
		return nil, errInvalid.With(quern.SubError{Code: "required", Message: "query: a value is required, or naturalLanguageQuery instead"})
	case r.Body.Query == "":
		return o.answer(ctx, r.Body)
	}
	request := query.Request{In: quern.NamespacePath{Owner: r.Body.Username, Namespace: r.Body.Namespace}, SQL: r.Body.Query}
	plan, err := o.Deps.Query.Plan(ctx, principal(ctx), request)
	if err != nil {
		return nil, err
	}
	request.SQL = plan.SQL
	rows, err := o.Deps.Query.SQL(ctx, principal(ctx), request)
	if err != nil {
		return nil, err
	}
	result := queryResult{Rows: rows, encoder: query.NewEncoder(rows.Columns()), dir: o.Temp}
	result.metadata = api.QueryMetadata{OriginalQuery: r.Body.Query, ExecutedQuery: plan.SQL, StartingDataset: r.Body.Dataset}
	if plan.Final.Dataset != "" {
		result.metadata.StartingDataset, result.metadata.FinalDataset = pathText(plan.Start), pathText(plan.Final)
	}
	if q, err := tree.Parse(plan.SQL); r.Body.ExplainRequested {
		result.explained = &api.QueryExplanation{}
		if err == nil {
			result.explained.Reading = tree.English(q)
		}
	}
	return result, nil
}

// answer reads a question and answers with its rows, or asks back.
func (o operations) answer(ctx context.Context, body *api.QueryRequest) (api.QueryResponseObject, error) {
	if strings.TrimSpace(body.NaturalLanguageQuery) == "" {
		return nil, errInvalid.With(quern.SubError{Code: "required", Message: "naturalLanguageQuery: a question is required"})
	}
	task := quern.Task{Question: body.NaturalLanguageQuery, Model: body.Model, Provider: body.Provider}
	if _, err := o.Querier.Models.Model(task.Model, task.Provider); err != nil {
		return nil, err
	}
	in := quern.NamespacePath{Owner: body.Username, Namespace: body.Namespace}
	if err := o.visible(ctx, in, body.Dataset); err != nil {
		return nil, err
	}
	read, err := o.Querier.Read(ctx, principal(ctx), task, nlq.Question{In: in, Dataset: body.Dataset, Text: task.Question, Now: o.Now()})
	if err != nil {
		return nil, err
	}
	result := queryResult{dir: o.Temp, metadata: api.QueryMetadata{OriginalQuery: task.Question, StartingDataset: body.Dataset, Notes: read.Notes}}
	if body.ExplainRequested {
		result.explained = &api.QueryExplanation{Reading: read.Reading, Confidence: read.Confidence}
	}
	if read.Clarification != nil {
		result.metadata.Clarification = clarification(read.Clarification)
		return result, nil
	}
	rows, err := o.Querier.Rows(ctx, principal(ctx), in, read)
	if err != nil {
		return nil, err
	}
	result.Rows, result.encoder = rows, query.NewEncoder(rows.Columns()).Scored(read.Score)
	result.metadata.ExecutedQuery = read.SQL
	if from := firstOf(read.Query); from.Dataset != "" {
		result.metadata.StartingDataset, result.metadata.FinalDataset = pathText(from), pathText(from)
	}
	return result, nil
}

// visible checks that the caller sees the namespace, and the dataset if one is named.
func (o operations) visible(ctx context.Context, in quern.NamespacePath, dataset string) error {
	if dataset == "" {
		_, err := o.Catalog.Namespace(ctx, principal(ctx), in)
		return err
	}
	_, err := o.Catalog.Dataset(ctx, principal(ctx), quern.DatasetPath{Owner: in.Owner, Namespace: in.Namespace, Dataset: dataset}, catalog.Read)
	return err
}

// firstOf is the dataset whose rows a query gives.
func firstOf(q *tree.Query) quern.DatasetPath {
	for q != nil && q.Set != nil {
		q = q.Set.Left
	}
	if q == nil || len(q.Select.From) == 0 {
		return quern.DatasetPath{}
	}
	return q.Select.From[0].Dataset
}

func pathText(p quern.DatasetPath) string { return p.Owner + "/" + p.Namespace + "/" + p.Dataset }

// queryResult is the result of a query.
type queryResult struct {
	engine.Rows // nil when a question was asked back
	encoder     *query.Encoder
	metadata    api.QueryMetadata
	explained   *api.QueryExplanation
	dir         string
}

// VisitQueryResponse writes the result once it is whole.
func (q queryResult) VisitQueryResponse(w http.ResponseWriter) error {
	out := newRowWriter(q.dir, q.encoder)
	defer out.close()
	var err error
	if q.Rows != nil {
		err = errors.Join(q.write(out), q.Close())
	}
	if err != nil {
		return err
	}
	tail, err := q.tail()
	if err != nil {
		return err
	}
	return out.send(w, tail)
}

// write writes the rows, and counts them into the metadata.
func (q *queryResult) write(out *rowWriter) error {
	for q.Next() {
		if err := out.row(q.Row(), ""); err != nil {
			return err
		}
	}
	if err := q.Err(); err != nil {
		return err
	}
	q.metadata.Count, q.metadata.TotalCount, q.metadata.Truncated = out.count, q.Total(), q.Total() > out.count
	return nil
}

// tail is what follows the rows.
func (q *queryResult) tail() (string, error) {
	metadata, err := door.Marshal(q.metadata)
	tail := `,"metadata":` + string(metadata)
	if q.explained == nil || err != nil {
		return tail, err
	}
	explained, err := door.Marshal(q.explained)
	return tail + `,"explainResults":` + string(explained), err
}
