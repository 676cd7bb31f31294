package rest

import (
	"context"
	"errors"
	"net/http"

	"quern"
	"quern/api"
	"quern/ask"
	"quern/door"
	"quern/engine"
	"quern/query"
	"quern/run"
	"quern/tree"
)

// answer asks a question, as a run of one query, and answers with its rows.
func (o operations) answer(ctx context.Context, body *api.QueryRequest) (api.QueryResponseObject, error) {
	asked := question{body: body, rows: &ask.Delivery{}, result: o.newResult(ctx, body)}
	begun, err := o.Runs.Start(ctx, principal(ctx), run.Ask{
		In:           quern.NamespacePath{Owner: body.Username, Namespace: body.Namespace},
		Conversation: quern.ConversationID(body.ConversationID), Unlisted: body.ConversationID == "", Agent: quern.AgentNL2QL,
		Task: quern.Task{Question: body.NaturalLanguageQuery, Dataset: body.Dataset, Model: body.Model, Provider: body.Provider},
		Rows: asked.rows,
	})
	door.SetRun(ctx, string(begun.ID))
	asked.awaited = awaited{ctx, o, begun.ID}
	return asked, quern.InField(err, "query", "naturalLanguageQuery")
}

// question is a question whose run is waited for.
type question struct {
	awaited
	body   *api.QueryRequest
	rows   *ask.Delivery
	result queryResult // as far as it is known before
}

// VisitQueryResponse waits for the run and writes its rows, or what it asks back.
func (q question) VisitQueryResponse(w http.ResponseWriter) error {
	r, err := q.wait(w)
	switch {
	case err != nil:
		return err
	case r.Status != quern.RunCompleted:
		return failure(r)
	case len(r.Steps) == 0:
		return errors.New("rest: a run of one query has completed without it")
	}
	if err := q.fill(r); err != nil {
		return err
	}
	return q.result.VisitQueryResponse(w)
}

// fill completes the result with what the run found.
func (q *question) fill(r quern.Run) error {
	step, result := r.Steps[0], &q.result
	result.metadata.OriginalQuery, result.metadata.ExecutedQuery, result.metadata.Notes = r.Task.Question, step.Query, step.Notes
	result.metadata.Words, result.metadata.Doubt, result.metadata.Chart = words(step.Words), step.Doubt, drawn(step.Chart)
	result.metadata.RunID = string(r.ID)
	if q.body.ConversationID != "" {
		result.metadata.ConversationID = string(r.Conversation)
	}
	result.explained.Reading, result.explained.Confidence = step.Reasoning, step.Confidence
	if step.Clarification != nil {
		result.metadata.Clarification, result.kind = clarification(step.Clarification), api.QueryResponseResultTypeClarification
		return nil
	}
	if from := firstOf(step); from.Dataset != "" {
		result.metadata.StartingDataset, result.metadata.FinalDataset = pathText(from), pathText(from)
	}
	rows, err := q.stepRows(r.In, step)
	if err != nil {
		return err
	}
	result.Rows = q.o.sourced(q.ctx, q.body, rows)
	result.encoder = rowEncoder(q.body, rows.Columns(), step.Score)
	return nil
}

// stepRows returns the rows of a step: those that arrived here, or else those of its
// query, run once more.
func (q *question) stepRows(in quern.NamespacePath, step quern.Step) (engine.Rows, error) {
	if here := q.rows.Result(); here != nil {
		return here.Stream(), nil
	}
	request := query.Request{In: in, SQL: step.Query}
	if printed, err := tree.Parse(step.Tree); err == nil {
		request.Tree = printed
	}
	return q.o.Deps.Query.SQL(q.ctx, principal(q.ctx), request)
}

// firstOf returns the dataset whose rows a step has.
func firstOf(s quern.Step) quern.DatasetPath {
	q, err := tree.Parse(s.Tree)
	if err != nil {
		return quern.DatasetPath{}
	}
	for q.Set != nil {
		q = q.Set.Left
	}
	if len(q.Select.From) == 0 {
		return quern.DatasetPath{}
	}
	return q.Select.From[0].Dataset
}
