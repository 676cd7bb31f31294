package a2a

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"quern"
)

// renderer turns a run into responses of the protocol: the same ones from its
// events as they happen as from the run as it is stored.
type renderer struct {
	agent   *agent
	task    quern.RunID
	run     quern.Run
	history []*a2apb.Message // up to and with the message that began the run
	modes   modes
	at      time.Time
}

// renderEvent returns the responses that an event of the run stands for; most
// have one, some none or several.
func (t renderer) renderEvent(e quern.RunEvent) ([]*a2apb.StreamResponse, error) {
	t.at = e.At
	switch e.Type {
	case quern.EventRunStarted:
		return []*a2apb.StreamResponse{t.agent.begin(t)}, nil
	case quern.EventPlan:
		plan, err := read[quern.Plan](e)
		return t.renderPlan(plan), err
	case quern.EventStep:
		step, err := read[quern.Step](e)
		return t.renderStep(step), err
	case quern.EventAnswer:
		result, err := read[quern.Result](e)
		return t.renderAnswer(result), err
	case quern.EventError:
		failure, err := read[errorEvent](e)
		return t.renderFailure(quern.Failure{Code: failure.Code, Message: failure.Message}), err
	}
	return nil, nil
}

// errorEvent is the data of an error event, under the names on the wire.
type errorEvent struct {
	Code    quern.Code `json:"error_code"`
	Message string     `json:"message"`
}

func read[T any](e quern.RunEvent) (v T, err error) {
	if err = json.Unmarshal(e.Data, &v); err != nil {
		err = fmt.Errorf("a2a: the event %d, %s, cannot be read: %w", e.Seq, e.Type, err)
	}
	return v, err
}

// replay returns the responses of the run as far as it is stored.
func (t renderer) replay() []*a2apb.StreamResponse {
	r := t.run
	t.at = r.CreatedAt
	all := []*a2apb.StreamResponse{t.agent.begin(t)}
	t.at = r.UpdatedAt
	if r.Plan != nil {
		all = append(all, t.renderPlan(*r.Plan)...)
	}
	for _, s := range r.Steps {
		all = append(all, t.renderStep(s)...)
	}
	if !r.EndedAt.IsZero() {
		t.at = r.EndedAt
	}
	switch {
	case r.Result != nil && r.Status == quern.RunCompleted:
		all = append(all, t.renderAnswer(*r.Result)...)
	case r.Failure != nil:
		all = append(all, t.renderFailure(*r.Failure)...)
	case r.Status.Final():
		all = append(all, t.status(stateOf(r), nil))
	}
	return all
}

func (t renderer) renderPlan(p quern.Plan) []*a2apb.StreamResponse {
	var all []*a2apb.StreamResponse
	for _, m := range t.agent.plan(t, p) {
		all = append(all, t.status(a2apb.TaskState_TASK_STATE_WORKING, m))
	}
	return all
}

// renderStep returns nothing for a step that asked back: its question is in the
// response that ends the run.
func (t renderer) renderStep(s quern.Step) []*a2apb.StreamResponse {
	if s.Clarification != nil {
		return nil
	}
	return t.artifacts(t.agent.step(t, s))
}

func (t renderer) renderAnswer(r quern.Result) []*a2apb.StreamResponse {
	if r.Clarification != nil {
		return []*a2apb.StreamResponse{t.status(a2apb.TaskState_TASK_STATE_INPUT_REQUIRED, t.clarification(r))}
	}
	return append(t.artifacts(t.agent.answer(t, r)), t.status(a2apb.TaskState_TASK_STATE_COMPLETED, nil))
}

// clarification is a question to the asker, in words and as data.
func (t renderer) clarification(r quern.Result) *a2apb.Message {
	c := r.Clarification.Shown()
	data := aboutResult(map[string]any{"question": c.Question, "choices": c.Choices}, r)
	return t.message("clarification", nil, content{text: withNotes(r.Response, r.Notes), textual: true}, content{data: data})
}

func (t renderer) renderFailure(f quern.Failure) []*a2apb.StreamResponse {
	state := a2apb.TaskState_TASK_STATE_FAILED
	if f.Code == quern.CodeCancelled {
		state = a2apb.TaskState_TASK_STATE_CANCELED
	}
	return []*a2apb.StreamResponse{t.status(state, t.message("failure", map[string]any{"errorCode": string(f.Code)},
		content{text: f.Message, data: map[string]any{"message": f.Message, "errorCode": string(f.Code)}, textual: true}))}
}

func (t renderer) artifacts(all []*a2apb.Artifact) []*a2apb.StreamResponse {
	updates := make([]*a2apb.StreamResponse, len(all))
	for i, a := range all {
		updates[i] = &a2apb.StreamResponse{Payload: &a2apb.StreamResponse_ArtifactUpdate{ArtifactUpdate: &a2apb.TaskArtifactUpdateEvent{
			TaskId: string(t.task), ContextId: string(t.run.Conversation), Artifact: a, LastChunk: true,
		}}}
	}
	return updates
}

func (t renderer) status(state a2apb.TaskState, m *a2apb.Message) *a2apb.StreamResponse {
	return &a2apb.StreamResponse{Payload: &a2apb.StreamResponse_StatusUpdate{StatusUpdate: &a2apb.TaskStatusUpdateEvent{
		TaskId: string(t.task), ContextId: string(t.run.Conversation),
		Status: &a2apb.TaskStatus{State: state, Message: m, Timestamp: timestamppb.New(t.at)},
	}}}
}

// submitted is the task as it was when the run began.
func (t renderer) submittedTask() *a2apb.Task {
	return &a2apb.Task{
		Id: string(t.task), ContextId: string(t.run.Conversation), History: t.history,
		Status: &a2apb.TaskStatus{State: a2apb.TaskState_TASK_STATE_SUBMITTED, Timestamp: timestamppb.New(t.at)},
	}
}

// message is one of the agent's. Its id follows from what it is, so that it is
// the same whenever it is sent.
func (t renderer) message(what string, about map[string]any, all ...content) *a2apb.Message {
	space, err := uuid.Parse(string(t.run.ID))
	if err != nil {
		space = uuid.NameSpaceOID
	}
	return &a2apb.Message{
		MessageId: uuid.NewSHA1(space, []byte(what)).String(), Role: a2apb.Role_ROLE_AGENT,
		TaskId: string(t.task), ContextId: string(t.run.Conversation),
		Parts: t.modes.parts(all), Metadata: mustObject(about),
	}
}

func (t renderer) artifact(name string, about map[string]any, all ...content) *a2apb.Artifact {
	return &a2apb.Artifact{ArtifactId: name, Name: name, Parts: t.modes.parts(all), Metadata: mustObject(about)}
}

// mustValue is value for what is made of strings, numbers and rows that were
// stored as JSON, which cannot fail.
func mustValue(v map[string]any) *structpb.Value {
	made, err := value(v)
	if err != nil {
		panic(err)
	}
	return made
}

func mustObject(v map[string]any) *structpb.Struct {
	if v == nil {
		return nil
	}
	return mustValue(v).GetStructValue()
}

// stateOf is the state of a task whose last run this is.
func stateOf(r quern.Run) a2apb.TaskState {
	switch r.Status {
	case quern.RunRunning:
		return a2apb.TaskState_TASK_STATE_WORKING
	case quern.RunCompleted:
		if r.AskedBack() {
			return a2apb.TaskState_TASK_STATE_INPUT_REQUIRED
		}
		return a2apb.TaskState_TASK_STATE_COMPLETED
	case quern.RunCancelled:
		return a2apb.TaskState_TASK_STATE_CANCELED
	}
	return a2apb.TaskState_TASK_STATE_FAILED
}

// terminal reports whether a task in this state stays in it.
func terminal(s a2apb.TaskState) bool {
	switch s {
	case a2apb.TaskState_TASK_STATE_COMPLETED, a2apb.TaskState_TASK_STATE_FAILED,
		a2apb.TaskState_TASK_STATE_CANCELED, a2apb.TaskState_TASK_STATE_REJECTED:
		return true
	}
	return false
}
