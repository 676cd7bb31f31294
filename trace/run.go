package trace

import (
	"context"

	"quern"
)

// Run is what every span of a run tells of it.
type Run struct {
	ID           quern.RunID
	Agent        quern.AgentKind
	Conversation quern.ConversationID
	User         quern.User
}

func (r Run) attributes() []Attribute {
	return []Attribute{
		A(Agent, r.Agent), A(Conversation, r.Conversation), A(Session, r.Conversation),
		A(UserID, r.User.ID), A(UserName, r.User.Username),
	}
}

// In returns a context whose work belongs to a run, whichever server began it.
func (r *Recorder) In(ctx context.Context, run Run) context.Context {
	if r == nil || len(r.queues) == 0 {
		return ctx
	}
	return context.WithValue(ctx, placeKey{}, place{recorder: r, run: run.ID, span: run.ID.SpanID(), common: run.attributes()})
}

// Ended records the span of a whole run, once it has ended. It reaches from when
// the run was asked to its end, also when several servers worked on it.
func (r *Recorder) Ended(run quern.Run, user quern.User) {
	if r == nil || len(r.queues) == 0 {
		return
	}
	s := &Span{recorder: r, data: quern.Span{
		Run: run.ID, ID: run.ID.SpanID(), Kind: quern.SpanRun, Name: runName(run), Start: run.CreatedAt, End: run.EndedAt,
		Attributes: map[string]any{},
	}}
	s.Set(Run{run.ID, run.Agent, run.Conversation, user}.attributes()...)
	s.Set(A(Namespace, run.In.Owner+"/"+run.In.Namespace), A(Status, run.Status))
	s.Content(run.Task.Question, "")
	if run.Result != nil {
		s.Content("", run.Result.Response)
	}
	if run.Failure != nil {
		s.data.Failure = run.Failure.Code
	}
	r.record(s.data)
}

// runName is what the conventions call the span of an agent's work.
func runName(run quern.Run) string { return "invoke_agent " + string(run.Agent) }
