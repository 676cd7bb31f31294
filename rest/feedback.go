package rest

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"

	"quern"
	"quern/api"
	"quern/door"
	"quern/feedback"
	"quern/knowledge"
	"quern/trace"
)

// SubmitFeedback rates a run.
func (o operations) SubmitFeedback(ctx context.Context, r api.SubmitFeedbackRequestObject) (api.SubmitFeedbackResponseObject, error) {
	err := o.Feedbacks.Give(ctx, principal(ctx), quern.Feedback{
		Run: quern.RunID(r.RunID), ThumbsUp: r.Body.ThumbsUp, Comment: r.Body.Comment,
	})
	if err != nil {
		return nil, err
	}
	return api.SubmitFeedback204Response{}, o.tellOwner(ctx, quern.RunID(r.RunID), r.Body)
}

// Feedback reads the rating of a run.
func (o operations) Feedback(ctx context.Context, r api.FeedbackRequestObject) (api.FeedbackResponseObject, error) {
	f, err := o.Feedbacks.Feedback(ctx, principal(ctx), quern.RunID(r.RunID))
	return api.Feedback200JSONResponse(runFeedback(f)), err
}

func runFeedback(f quern.Feedback) api.RunFeedback {
	return api.RunFeedback{ThumbsUp: f.ThumbsUp, Comment: f.Comment, GivenAt: f.GivenAt.UTC()}
}

// given adds to a run what was thought of it, if anything.
func (o operations) given(ctx context.Context, to *api.Run) error {
	if to.Status != api.RunStatusCompleted {
		return nil
	}
	f, err := o.Feedbacks.Feedback(ctx, principal(ctx), quern.RunID(to.RunID))
	switch {
	case err == nil:
		to.Feedback = runFeedback(f)
	case quern.Is(err, quern.NotFound):
		return nil
	}
	return err
}

// DeleteFeedback takes a rating back.
func (o operations) DeleteFeedback(ctx context.Context, r api.DeleteFeedbackRequestObject) (api.DeleteFeedbackResponseObject, error) {
	if err := o.Feedbacks.Clear(ctx, principal(ctx), quern.RunID(r.RunID)); err != nil {
		return nil, err
	}
	return api.DeleteFeedback204Response{}, o.tellOwner(ctx, quern.RunID(r.RunID), nil)
}

// tellOwner tells the people who teach about the namespace of a run what its asker
// thinks of it where the asker wants that, and otherwise takes back what was told.
func (o operations) tellOwner(ctx context.Context, id quern.RunID, body *api.AgentRunFeedbackRequest) error {
	run, err := o.Runs.Run(ctx, principal(ctx), id)
	if err != nil {
		return err
	}
	if body == nil || !body.TellOwner {
		return o.Deps.Knowledge.Untell(ctx, run)
	}
	return o.Deps.Knowledge.Tell(ctx, run, knowledge.Told{
		ThumbsUp: body.ThumbsUp, Comment: body.Comment, Meant: body.Meant, CorrectedQuery: body.CorrectedQuery,
	})
}

// ListFeedback lists rated runs.
func (o operations) ListFeedback(ctx context.Context, r api.ListFeedbackRequestObject) (api.ListFeedbackResponseObject, error) {
	f := ratedFilter(string(r.Params.Rating), r.Params.Username, r.Params.Namespace)
	f.After, f.Limit = r.Params.Cursor, int(r.Params.Limit)
	if f.Limit == 0 {
		f.Limit = defaultPage
	}
	page, err := o.Feedbacks.Rated(ctx, principal(ctx), f)
	list := api.ListFeedback200JSONResponse{Data: make([]api.RatedRun, len(page.Rated)), NextCursor: page.Next}
	for i, one := range page.Rated {
		list.Data[i] = ratedRun(one)
	}
	return list, err
}

func ratedFilter(rating, owner, namespace string) feedback.Filter {
	f := feedback.Filter{In: quern.NamespacePath{Owner: owner, Namespace: namespace}}
	if up := rating == "up"; rating != "" {
		f.ThumbsUp = &up
	}
	return f
}

func ratedRun(r feedback.Rated) api.RatedRun {
	one := api.RatedRun{
		RunID: string(r.Run.ID), ConversationID: string(r.Run.Conversation), AgentKind: api.RatedRunAgentKind(r.Run.Agent),
		Owner: r.Run.In.Owner, Namespace: r.Run.In.Namespace, Question: r.Run.Task.Question, AskedAt: r.Run.CreatedAt.UTC(),
		Queries: []string{}, Feedback: runFeedback(r.Feedback),
	}
	for _, step := range r.Run.Steps {
		if step.Query != "" {
			one.Queries = append(one.Queries, step.Query)
		}
	}
	return one
}

// ExportFeedback makes a test set of rated runs.
func (o operations) ExportFeedback(ctx context.Context, r api.ExportFeedbackRequestObject) (api.ExportFeedbackResponseObject, error) {
	f := ratedFilter(string(r.Params.Rating), r.Params.Username, r.Params.Namespace)
	return testSet{o.Feedbacks.Export(ctx, principal(ctx), f)}, nil
}

// testSet is cases on their way out, one a line.
type testSet struct {
	cases iter.Seq2[feedback.Case, error]
}

// VisitExportFeedbackResponse writes the cases as they are read.
func (s testSet) VisitExportFeedbackResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/x-ndjson")
	for c, err := range s.cases {
		if err != nil {
			return err
		}
		line, err := json.Marshal(c)
		if err != nil {
			return err
		}
		if err := door.Extend(w, door.StallTime); err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// RunTrace shows what was done in a run.
func (o operations) RunTrace(ctx context.Context, r api.RunTraceRequestObject) (api.RunTraceResponseObject, error) {
	run, err := o.Runs.Header(ctx, principal(ctx), quern.RunID(r.RunID))
	if err != nil {
		return nil, err
	}
	root, err := o.Traces.Trace(ctx, run)
	return api.RunTrace200JSONResponse{
		RunID: string(run.ID), TraceID: run.ID.TraceID(), Root: traceSpan(root, run.CreatedAt),
	}, err
}

func traceSpan(n trace.Node, since time.Time) api.TraceSpan {
	s := api.TraceSpan{
		SpanID: string(n.ID), Kind: api.TraceSpanKind(n.Kind), Name: n.Name, StartedAt: n.Start.UTC(), OffsetMs: milliseconds(n.Start.Sub(since)),
		Error: string(n.Failure), Input: n.Input, Output: n.Output, Attributes: n.Attributes, Children: make([]api.TraceSpan, len(n.Children)),
	}
	if !n.End.IsZero() {
		took := milliseconds(n.End.Sub(n.Start))
		s.EndedAt, s.DurationMs = n.End.UTC(), &took
	}
	if s.Attributes == nil {
		s.Attributes = map[string]any{}
	}
	for i, child := range n.Children {
		s.Children[i] = traceSpan(child, since)
	}
	return s
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
