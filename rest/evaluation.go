package rest

import (
	"cmp"
	"context"

	"quern"
	"quern/api"
	"quern/evaluate"
)

// EvaluateKnowledge queues an evaluation.
func (o operations) EvaluateKnowledge(ctx context.Context, r api.EvaluateKnowledgeRequestObject) (api.EvaluateKnowledgeResponseObject, error) {
	id, err := o.Evaluations.Start(ctx, principal(ctx), namespacePath(r.Username, r.Namespace))
	return api.EvaluateKnowledge202JSONResponse{ID: string(id)}, err
}

// defaultEvaluations is how many evaluations are listed where nothing is said.
const defaultEvaluations = 50

// ListEvaluations lists evaluations, newest first.
func (o operations) ListEvaluations(ctx context.Context, r api.ListEvaluationsRequestObject) (api.ListEvaluationsResponseObject, error) {
	all, err := o.Evaluations.Evaluations(ctx, principal(ctx), namespacePath(r.Username, r.Namespace), cmp.Or(int(r.Params.Limit), defaultEvaluations))
	list := make(api.ListEvaluations200JSONResponse, len(all))
	for i, e := range all {
		list[i] = evaluation(e)
	}
	return list, err
}

// Evaluation reads how an evaluation went.
func (o operations) Evaluation(ctx context.Context, r api.EvaluationRequestObject) (api.EvaluationResponseObject, error) {
	report, err := o.Evaluations.Evaluation(ctx, principal(ctx), namespacePath(r.Username, r.Namespace), quern.EvaluationID(quern.CanonicalID(r.EvaluationID)))
	if err != nil {
		return nil, err
	}
	made := api.Evaluation200JSONResponse{Evaluation: evaluation(report.Evaluation), Questions: evaluatedQuestions(report.Verdicts)}
	if since := report.Since; since != nil {
		made.Since = evaluationSince(since)
	}
	return made, nil
}

func evaluation(e quern.Evaluation) api.Evaluation {
	return api.Evaluation{
		ID: string(e.ID), Status: api.EvaluationStatus(e.Status), By: e.By, CreatedAt: e.CreatedAt, EndedAt: e.EndedAt, Message: e.Message,
		Total: int32(e.Total), Done: int32(e.Done), Good: int32(e.Good), Bad: int32(e.Bad), Review: int32(e.Review),
		KnowledgeVersion: e.Subject.Knowledge, Release: e.Subject.Release, Model: e.Subject.Model,
	}
}

func evaluationSince(s *evaluate.Since) api.EvaluationSince {
	made := api.EvaluationSince{
		ID: string(s.Evaluation), Changed: []api.EvaluationSinceChanged{}, Broke: evaluatedQuestions(s.Broke), Mended: evaluatedQuestions(s.Mended),
	}
	for _, what := range s.Changed {
		made.Changed = append(made.Changed, api.EvaluationSinceChanged(what))
	}
	return made
}

func evaluatedQuestions(all []quern.Verdict) []api.EvaluatedQuestion {
	made := make([]api.EvaluatedQuestion, len(all))
	for i, v := range all {
		made[i] = api.EvaluatedQuestion{
			Kind: api.EvaluatedQuestionKind(v.Kind), Entry: v.Entry, Question: v.Question,
			Mark: api.EvaluatedQuestionMark(v.Mark), Reason: v.Reason, Query: v.Query,
		}
	}
	return made
}
