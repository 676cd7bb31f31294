package rest

import (
	"context"
	"strings"

	"quern"
	"quern/api"
	"quern/catalog"
	"quern/nlq"
	"quern/tree"
)

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
	result := o.newResult(ctx, body)
	result.metadata.OriginalQuery, result.metadata.Notes = task.Question, read.Notes
	result.explained.Reading, result.explained.Confidence = read.Reading, read.Confidence
	if read.Clarification != nil {
		result.metadata.Clarification, result.kind = clarification(read.Clarification), api.QueryResponseResultTypeClarification
		return result, nil
	}
	rows, err := o.Querier.Rows(ctx, principal(ctx), in, read)
	if err != nil {
		return nil, err
	}
	result.Rows, result.encoder = rows, rowEncoder(body, rows.Columns(), read.Score)
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

// firstOf returns the dataset whose rows a query has.
func firstOf(q *tree.Query) quern.DatasetPath {
	for q != nil && q.Set != nil {
		q = q.Set.Left
	}
	if q == nil || len(q.Select.From) == 0 {
		return quern.DatasetPath{}
	}
	return q.Select.From[0].Dataset
}
