package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"quern"
	"quern/api"
	"quern/door"
)

// Run tells where a run has got to.
func (o operations) Run(ctx context.Context, r api.RunRequestObject) (api.RunResponseObject, error) {
	found, err := o.Runs.Run(ctx, principal(ctx), quern.RunID(r.RunID))
	shown := shownRun(found)
	if err == nil {
		err = o.given(ctx, &shown)
	}
	if err != nil {
		return nil, err
	}
	switch link, err := o.Runs.ShareOf(ctx, principal(ctx), found.ID); {
	case err == nil:
		shown.Share = o.runShare(link)
	case !quern.Is(err, quern.NotFound):
		return nil, err
	}
	return api.Run200JSONResponse(shown), nil
}

// shownRun writes a run down.
func shownRun(r quern.Run) api.Run {
	shown := api.Run{
		RunID: string(r.ID), ConversationID: string(r.Conversation), AgentKind: api.RunAgentKind(r.Agent), Question: r.Task.Question,
		Status: runStatus(r.Status), Cancelled: r.Status == quern.RunCancelled, CanResume: !r.Status.Final(), LastNodeID: lastNode(r),
		ErrorMessage: failureMessage(r),
		CreatedAt:    r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	if r.Status == quern.RunCompleted {
		shown.Result = answered(r)
	}
	return shown
}

// runStatus is a status as callers see it. Clients know four and refuse others,
// so a cancelled run is one that failed, and says beside it that it was cancelled.
func runStatus(s quern.RunStatus) api.RunStatus {
	if s == quern.RunCancelled {
		s = quern.RunFailed
	}
	return api.RunStatus(s)
}

// lastNode names what a run has done last.
func lastNode(r quern.Run) string {
	switch {
	case r.Result != nil:
		return "answer"
	case len(r.Steps) > 0:
		return fmt.Sprintf("step-%d", len(r.Steps)-1)
	case r.Plan != nil:
		return "plan"
	}
	return ""
}

func failureMessage(r quern.Run) string {
	if r.Failure == nil {
		return ""
	}
	return r.Failure.Message
}

// DeleteRun removes a run.
func (o operations) DeleteRun(ctx context.Context, r api.DeleteRunRequestObject) (api.DeleteRunResponseObject, error) {
	return api.DeleteRun204Response{}, o.Runs.Delete(ctx, principal(ctx), quern.RunID(r.RunID))
}

// CancelRun ends a run.
func (o operations) CancelRun(ctx context.Context, r api.CancelRunRequestObject) (api.CancelRunResponseObject, error) {
	if _, err := o.Runs.Cancel(ctx, principal(ctx), quern.RunID(r.RunID)); err != nil {
		return nil, err
	}
	found, err := o.Runs.Run(ctx, principal(ctx), quern.RunID(r.RunID))
	return api.CancelRun200JSONResponse(shownRun(found)), err
}

// ResumeRun streams a run from its last step on.
func (o operations) ResumeRun(ctx context.Context, r api.ResumeRunRequestObject) (api.ResumeRunResponseObject, error) {
	found, after, err := o.Runs.Resume(ctx, principal(ctx), quern.RunID(r.RunID))
	if gone, ok := errors.AsType[*quern.Error](err); ok && gone.Kind == quern.Gone {
		ended := api.ResumeRun410JSONResponse{ErrorCode: string(gone.Code), Message: gone.Detail, Question: found.Task.Question}
		if found.Status == quern.RunCompleted {
			ended.Result = answered(found)
		}
		return ended, nil
	}
	return following{ctx, o, found.ID, after, nil}, err
}

// RunEvents streams a run from any event on.
func (o operations) RunEvents(ctx context.Context, r api.RunEventsRequestObject) (api.RunEventsResponseObject, error) {
	found, err := o.Runs.Run(ctx, principal(ctx), quern.RunID(r.RunID))
	return following{ctx, o, found.ID, r.Params.LastEventID, nil}, err
}

// following is a run that is being followed.
type following struct {
	ctx   context.Context // a response object outlives its handler's call, not its request
	o     operations
	id    quern.RunID
	after int64            // the last event that the reader has
	known []quern.RunEvent // that follow, and need not be looked up
}

// VisitAskResponse streams the run.
func (f following) VisitAskResponse(w http.ResponseWriter) error { return f.follow(w) }

// VisitResumeRunResponse streams the run.
func (f following) VisitResumeRunResponse(w http.ResponseWriter) error { return f.follow(w) }

// VisitRunEventsResponse streams the run.
func (f following) VisitRunEventsResponse(w http.ResponseWriter) error { return f.follow(w) }

// follow writes a run's events until the last one, or until the reader or the
// server has had enough: the reader may come back for the others.
func (f following) follow(w http.ResponseWriter) error {
	living, stop := door.UntilStopping(f.ctx)
	defer stop()
	out := door.OpenStream(w)
	err := f.send(out, f.known)
	for last := false; !last && err == nil; {
		var events []quern.RunEvent
		ctx, cancel := context.WithTimeout(living, f.o.KeepAlive)
		events, last, err = f.o.Runs.Next(ctx, principal(f.ctx), f.id, f.after)
		cancel()
		switch {
		case living.Err() != nil, quern.Is(err, quern.NotFound):
			return nil
		case errors.Is(err, context.DeadlineExceeded):
			err = out.KeepAlive()
		}
		if err == nil {
			err = f.send(out, events)
		}
	}
	return err
}

// send writes events.
func (f *following) send(out door.Stream, events []quern.RunEvent) error {
	for _, e := range events {
		if err := out.Event(strconv.FormatInt(e.Seq, 10), string(e.Type), e.Data); err != nil {
			return err
		}
		f.after = e.Seq
	}
	return nil
}
