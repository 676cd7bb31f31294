package rest

import (
	"context"
	"strings"

	"quern"
	"quern/api"
)

// answersPath is where the console shows shared answers.
const answersPath = "/answers/"

// ShareRun makes a link to an answer.
func (o operations) ShareRun(ctx context.Context, r api.ShareRunRequestObject) (api.ShareRunResponseObject, error) {
	link, err := o.Runs.Share(ctx, principal(ctx), quern.RunID(r.RunID))
	return api.ShareRun200JSONResponse(o.runShare(link)), err
}

func (o operations) runShare(link quern.RunShare) api.RunShare {
	return api.RunShare{
		ShareID: link.ID, URL: strings.TrimSuffix(o.PublicURL, "/") + answersPath + link.ID, CreatedAt: link.CreatedAt,
	}
}

// UnshareRun takes a link back.
func (o operations) UnshareRun(ctx context.Context, r api.UnshareRunRequestObject) (api.UnshareRunResponseObject, error) {
	return api.UnshareRun204Response{}, o.Runs.Unshare(ctx, principal(ctx), quern.RunID(r.RunID))
}

// SharedAnswer shows what a link leads to: nothing of the conversation, and nothing of
// what else the words of the question could have meant, which may be of other datasets.
func (o operations) SharedAnswer(ctx context.Context, r api.SharedAnswerRequestObject) (api.SharedAnswerResponseObject, error) {
	found, asker, err := o.Runs.Shared(ctx, principal(ctx), r.ShareID)
	if err != nil {
		return nil, err
	}
	whole := answered(found)
	for i := range whole.Steps {
		whole.Steps[i].Words = nil
	}
	return api.SharedAnswer200JSONResponse{
		ShareID: r.ShareID, Question: found.Task.Question, Username: asker.Username, Owner: found.In.Owner, Namespace: found.In.Namespace,
		AskedAt: found.CreatedAt, Response: whole.Response, Notes: whole.Notes, Doubt: whole.Doubt, Steps: whole.Steps,
	}, nil
}
