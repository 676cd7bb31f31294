package a2a

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"quern"
	"quern/run"
)

// tasks of the protocol are threads of runs: one run, or several where the agent
// asked back.

// task returns the runs of a task of the caller's at this agent.
func (s *Service) task(ctx context.Context, c call, id string) ([]quern.Run, error) {
	runs, err := s.Runs.Thread(ctx, c.principal, quern.RunID(id))
	ofAnother := err == nil && runs[0].Agent != c.agent.kind
	if quern.Is(err, quern.NotFound) || ofAnother {
		return nil, noTask(id)
	}
	return runs, err
}

// last is the run that a task's state is that of.
func last(runs []quern.Run) quern.Run { return runs[len(runs)-1] }

// renderers returns a renderer for each run of a task.
func renderers(a *agent, runs []quern.Run, m modes) []renderer {
	all := make([]renderer, len(runs))
	var history []*a2apb.Message
	for i, r := range runs {
		t := renderer{agent: a, task: runs[0].First(), run: r, modes: m}
		history = append(history, t.question())
		t.history = slices.Clone(history)
		all[i] = t
		if r.AskedBack() {
			history = append(history, t.clarification(*r.Result))
		}
	}
	return all
}

// question is the message that began the run.
func (t renderer) question() *a2apb.Message {
	id := t.run.Message
	if id == "" {
		id = string(t.run.ID) // it was asked otherwise than by a message
	}
	return &a2apb.Message{
		MessageId: id, Role: a2apb.Role_ROLE_USER, TaskId: string(t.task), ContextId: string(t.run.Conversation),
		Parts:    allModes.parts([]content{{text: t.run.Task.Question, textual: true}}),
		Metadata: t.namespaceMetadata(),
	}
}

// namespaceMetadata names the namespace as the message did. A message that
// continues a task may have named none.
func (t renderer) namespaceMetadata() *structpb.Struct {
	sent := t.run.Task.Namespace
	switch {
	case sent != "":
	case t.run.After != "" && t.run.Message != "":
		return nil
	default:
		sent = t.run.In.Owner + "/" + t.run.In.Namespace
	}
	return mustObject(map[string]any{"namespace": sent})
}

// view says how much of a task a client wants to see.
type view struct {
	modes     modes
	history   *int32 // nil: all of it
	artifacts bool
}

var wholeView = view{modes: allModes, artifacts: true}

// snapshot is a task as it is now: its responses, put together.
func snapshot(a *agent, runs []quern.Run, v view) *a2apb.Task {
	all := renderers(a, runs, v.modes)
	latest := all[len(all)-1]
	latest.at = latest.run.UpdatedAt
	made := latest.submittedTask()
	made.Status.State = stateOf(latest.run)
	for _, t := range all {
		for _, e := range t.replay() {
			apply(made, e)
		}
	}
	if !latest.run.Status.Final() {
		made.Status.State = a2apb.TaskState_TASK_STATE_WORKING
		made.Status.Timestamp = timestamppb.New(latest.run.UpdatedAt)
	}
	made.History = latest.history
	if v.history != nil {
		made.History = made.History[max(0, len(made.History)-int(*v.history)):]
	}
	if !v.artifacts {
		made.Artifacts = nil
	}
	return made
}

// apply puts a response into a task.
func apply(t *a2apb.Task, e *a2apb.StreamResponse) {
	switch e := e.GetPayload().(type) {
	case *a2apb.StreamResponse_Task:
		t.Status = e.Task.GetStatus()
	case *a2apb.StreamResponse_StatusUpdate:
		t.Status = e.StatusUpdate.GetStatus()
	case *a2apb.StreamResponse_ArtifactUpdate:
		made := e.ArtifactUpdate.GetArtifact()
		at := slices.IndexFunc(t.GetArtifacts(), func(a *a2apb.Artifact) bool { return a.GetArtifactId() == made.GetArtifactId() })
		if at < 0 {
			t.Artifacts = append(t.Artifacts, made)
		} else {
			t.Artifacts[at] = made
		}
	}
}

// checkHistory checks a historyLength.
func checkHistory(field string, n *int32) []violation {
	if n != nil && *n < 0 {
		return []violation{{field, "must not be negative"}}
	}
	return nil
}

// checkTenant refuses tenants, of which agents here have none.
func checkTenant(tenant string) []violation {
	if tenant != "" {
		return []violation{{"tenant", "must be left out: the agent has no tenants"}}
	}
	return nil
}

func (s *Service) getTask(ctx context.Context, c call, p *a2apb.GetTaskRequest) (*a2apb.Task, error) {
	wrong := append(checkTenant(p.GetTenant()), checkHistory("historyLength", p.HistoryLength)...)
	if p.GetId() == "" {
		wrong = append(wrong, violation{"id", "is required"})
	}
	if len(wrong) > 0 {
		return nil, invalid(wrong...)
	}
	runs, err := s.task(ctx, c, p.GetId())
	if err != nil {
		return nil, err
	}
	return snapshot(c.agent, runs, view{allModes, p.HistoryLength, true}), nil
}

func (s *Service) cancelTask(ctx context.Context, c call, p *a2apb.CancelTaskRequest) (*a2apb.Task, error) {
	wrong := checkTenant(p.GetTenant())
	if p.GetId() == "" {
		wrong = append(wrong, violation{"id", "is required"})
	}
	if len(wrong) > 0 {
		return nil, invalid(wrong...)
	}
	runs, err := s.task(ctx, c, p.GetId())
	if err != nil {
		return nil, err
	}
	switch state := stateOf(last(runs)); {
	case terminal(state):
		return nil, notCancelable(p.GetId(), state)
	case state == a2apb.TaskState_TASK_STATE_INPUT_REQUIRED:
		_, err = s.Runs.Withdraw(ctx, c.principal, last(runs).ID)
	default:
		_, err = s.Runs.Cancel(ctx, c.principal, last(runs).ID)
	}
	if quern.Is(err, quern.Conflict) {
		return nil, fail(taskNotCancelable, "the task has just ended").about("taskId", p.GetId())
	}
	if err == nil {
		runs, err = s.task(ctx, c, p.GetId())
	}
	if err != nil {
		return nil, err
	}
	return snapshot(c.agent, runs, wholeView), nil
}

func notCancelable(id string, state a2apb.TaskState) *failure {
	word := strings.ToLower(strings.TrimPrefix(state.String(), "TASK_STATE_"))
	return fail(taskNotCancelable, "the task has ended: it is %s", word).about("taskId", id).about("state", state.String())
}

const (
	defaultTasks = 50
	maxTasks     = 100
)

func (s *Service) listTasks(ctx context.Context, c call, p *a2apb.ListTasksRequest) (*a2apb.ListTasksResponse, error) {
	f := run.Filter{
		Agent: c.agent.kind, Conversation: quern.ConversationID(p.GetContextId()), After: p.GetPageToken(),
		Limit: defaultTasks, Latest: true, Whole: p.GetIncludeArtifacts(), Outline: true,
	}
	wrong := append(checkTenant(p.GetTenant()), checkHistory("historyLength", p.HistoryLength)...)
	if p.PageSize != nil {
		f.Limit = int(p.GetPageSize())
	}
	if f.Limit < 1 || f.Limit > maxTasks {
		wrong = append(wrong, violation{"pageSize", "must be between 1 and 100"})
	}
	if len(wrong) > 0 {
		return nil, invalid(wrong...)
	}
	if p.GetStatusTimestampAfter() != nil {
		f.Since = p.GetStatusTimestampAfter().AsTime()
	}
	answer := &a2apb.ListTasksResponse{PageSize: int32(f.Limit)}
	if !filterByState(&f, p.GetStatus()) {
		return answer, nil
	}
	page, err := s.Runs.Runs(ctx, c.principal, f)
	if wrong, ok := errors.AsType[*quern.Error](err); ok && wrong.Kind == quern.Malformed {
		return nil, invalid(violation{"pageToken", "is not one that a page gave"})
	}
	if err != nil {
		return nil, err
	}
	answer.NextPageToken, answer.TotalSize = page.Next, int32(min(page.Total, 1<<31-1))
	for _, r := range page.Runs {
		runs, err := s.whole(ctx, c, r, p.GetIncludeArtifacts())
		if err != nil {
			return nil, err
		}
		answer.Tasks = append(answer.Tasks, snapshot(c.agent, runs, view{allModes, p.HistoryLength, p.GetIncludeArtifacts()}))
	}
	return answer, nil
}

// whole returns the runs of the task that a run is the last of. The run is read
// again when more of it is shown than an outline holds: what it is doing, or what
// it asked.
func (s *Service) whole(ctx context.Context, c call, r quern.Run, isWhole bool) ([]quern.Run, error) {
	if r.Thread == "" {
		var err error
		showsMore := r.AskedBack() || !r.Status.Final()
		if !isWhole && showsMore {
			r, err = s.Runs.Run(ctx, c.principal, r.ID)
		}
		return []quern.Run{r}, err
	}
	runs, err := s.Runs.Thread(ctx, c.principal, r.Thread)
	if err == nil || !quern.Is(err, quern.NotFound) {
		return runs, err
	}
	return []quern.Run{r}, nil // what came before is another token's, or gone
}

// filterByState narrows a list to the tasks in a state. It reports whether there can be
// any.
func filterByState(f *run.Filter, state a2apb.TaskState) bool {
	yes, no := true, false
	switch state {
	case a2apb.TaskState_TASK_STATE_UNSPECIFIED:
	case a2apb.TaskState_TASK_STATE_WORKING:
		f.Status = quern.RunRunning
	case a2apb.TaskState_TASK_STATE_COMPLETED:
		f.Status, f.AskedBack = quern.RunCompleted, &no
	case a2apb.TaskState_TASK_STATE_INPUT_REQUIRED:
		f.Status, f.AskedBack = quern.RunCompleted, &yes
	case a2apb.TaskState_TASK_STATE_FAILED:
		f.Failed = true
	case a2apb.TaskState_TASK_STATE_CANCELED:
		f.Status = quern.RunCancelled
	default:
		return false
	}
	return true
}
