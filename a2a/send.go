package a2a

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"

	"quern"
	"quern/door"
	"quern/run"
)

// sent is a message that has become a run.
type sent struct {
	runs []quern.Run // of its task, the new one last
	view view
}

func (s *Service) sendMessage(ctx context.Context, c call, p *a2apb.SendMessageRequest) (*a2apb.SendMessageResponse, error) {
	begun, err := s.begin(ctx, c, p)
	if err != nil {
		return nil, err
	}
	if !p.GetConfiguration().GetReturnImmediately() {
		if err := s.await(ctx, c, begun.runs); err != nil {
			return nil, err
		}
	}
	task := snapshot(c.agent, begun.runs, begun.view)
	return &a2apb.SendMessageResponse{Payload: &a2apb.SendMessageResponse_Task{Task: task}}, nil
}

// await waits for the last run of a task. A server that stops returns the task as
// it is then: it goes on elsewhere.
func (s *Service) await(ctx context.Context, c call, runs []quern.Run) error {
	waiting, cancel := door.UntilStopping(ctx)
	defer cancel()
	r, err := s.Runs.Wait(waiting, c.principal, last(runs).ID)
	stopping := waiting.Err() != nil || quern.Is(err, quern.Unavailable)
	if err != nil && ctx.Err() == nil && stopping {
		r, err = s.Runs.Run(ctx, c.principal, last(runs).ID)
	}
	if err == nil {
		runs[len(runs)-1] = r
	}
	return err
}

// begin makes a run of a message.
func (s *Service) begin(ctx context.Context, c call, p *a2apb.SendMessageRequest) (sent, error) {
	q, err := readMessage(c, p)
	if err != nil {
		return sent{}, err
	}
	push := p.GetConfiguration().GetTaskPushNotificationConfig()
	if push != nil {
		if err := s.Push.Check(pushConfig(c, push)); err != nil {
			return sent{}, inField("configuration.taskPushNotificationConfig.", err)
		}
	}
	before, err := s.locate(ctx, c, p.GetMessage(), &q)
	if err == nil && push != nil {
		err = c.principal.MayChange()
	}
	if err != nil {
		return sent{}, err
	}
	r, err := s.Runs.Start(ctx, c.principal, q.ask)
	if err != nil {
		return sent{}, startFailure(err, p.GetMessage())
	}
	door.SetRun(ctx, string(r.ID))
	runs := append(before, r)
	if push != nil {
		config := pushConfig(c, push)
		config.Run = runs[0].ID
		if _, err := s.Push.Put(ctx, config); err != nil {
			return sent{}, err
		}
	} else if len(before) > 0 {
		if err := s.Push.Wake(ctx, runs[0].ID); err != nil {
			return sent{}, err
		}
	}
	return sent{runs, q.view}, nil
}

// question is what a message asks for.
type question struct {
	ask       run.Ask
	view      view
	namespace bool // the message names one
}

// readMessage checks a message as far as it can be without looking anything up.
func readMessage(c call, p *a2apb.SendMessageRequest) (question, error) {
	m, config := p.GetMessage(), p.GetConfiguration()
	if config == nil {
		config = &a2apb.SendMessageConfiguration{}
	}
	wrong := append(checkTenant(p.GetTenant()), checkHistory("configuration.historyLength", config.HistoryLength)...)
	if m == nil {
		return question{}, invalid(append(wrong, violation{"message", "is required"})...)
	}
	wrong = append(wrong, checkMessage(m)...)
	q := question{ask: run.Ask{Agent: c.agent.kind, Message: m.GetMessageId()}}
	text, found := firstText(m)
	if found && strings.TrimSpace(text) == "" {
		wrong = append(wrong, violation{"message.parts", "must hold a question in the first text part"})
	}
	q.ask.Task.Question = text
	wrong = append(wrong, q.readMetadata(c, m)...)
	if len(wrong) > 0 {
		return question{}, invalid(wrong...)
	}
	if !found {
		return question{}, fail(contentNotSupported, "the agent reads %s: the question must be a text part", textMode)
	}
	accepted, err := readModes(config.GetAcceptedOutputModes())
	q.view = view{accepted, config.HistoryLength, true}
	return q, err
}

// checkMessage checks the members that every message has.
func checkMessage(m *a2apb.Message) (wrong []violation) {
	const most = 256
	switch n := len(m.GetMessageId()); {
	case n == 0:
		wrong = append(wrong, violation{"message.messageId", "is required"})
	case n > most:
		wrong = append(wrong, violation{"message.messageId", fmt.Sprintf("must have at most %d bytes", most)})
	}
	if m.GetRole() != a2apb.Role_ROLE_USER {
		wrong = append(wrong, violation{"message.role", "must be ROLE_USER"})
	}
	if len(m.GetParts()) == 0 {
		wrong = append(wrong, violation{"message.parts", "must hold a part"})
	}
	for i, part := range m.GetParts() {
		if part.GetContent() == nil {
			wrong = append(wrong, violation{fmt.Sprintf("message.parts[%d]", i), "must hold one of text, raw, url, data"})
		}
	}
	return wrong
}

// firstText is the first text part of a message: the question.
func firstText(m *a2apb.Message) (string, bool) {
	for _, part := range m.GetParts() {
		if text, ok := part.GetContent().(*a2apb.Part_Text); ok {
			return text.Text, true
		}
	}
	return "", false
}

// readMetadata reads what a message says about its question beside the words.
func (q *question) readMetadata(c call, m *a2apb.Message) (wrong []violation) {
	members := m.GetMetadata().AsMap()
	text := func(name string) string {
		value, given := members[name]
		said, ok := value.(string)
		if given && value != nil && !ok {
			wrong = append(wrong, violation{"message.metadata." + name, "must be text"})
		}
		return said
	}
	q.ask.Task.Model, q.ask.Task.Provider = text("model"), text("provider")
	namespace := text("namespace")
	q.ask.Task.Namespace, q.namespace = namespace, namespace != ""
	if !q.namespace && m.GetTaskId() == "" && len(wrong) == 0 {
		wrong = append(wrong, violation{"message.metadata.namespace", "is required"})
	}
	q.ask.In = quern.NamespacePath{Owner: c.principal.User.Username, Namespace: namespace}
	if owner, name, named := strings.Cut(namespace, "/"); named {
		q.ask.In.Namespace = name
		if owner != quern.Self {
			q.ask.In.Owner = owner
		}
	}
	return wrong
}

// locate finds where a message belongs: the task that it goes on, with its runs so
// far, or the conversation that it is part of.
func (s *Service) locate(ctx context.Context, c call, m *a2apb.Message, q *question) ([]quern.Run, error) {
	for _, id := range m.GetReferenceTaskIds() {
		runs, err := s.task(ctx, c, id)
		if err != nil {
			return nil, err
		}
		if sameNamespace(last(runs).In, q.ask.In) || m.GetTaskId() != "" {
			q.ask.Conversation = last(runs).Conversation
		}
	}
	if m.GetTaskId() != "" {
		return s.continueTask(ctx, c, m, q)
	}
	if m.GetContextId() == "" {
		return nil, nil
	}
	q.ask.Conversation = quern.ConversationID(m.GetContextId())
	return nil, nil
}

func sameNamespace(a, b quern.NamespacePath) bool {
	return strings.EqualFold(a.Owner, b.Owner) && quern.NameKey(a.Namespace) == quern.NameKey(b.Namespace)
}

// continueTask checks a message that continues a task, and returns the runs of
// the task so far.
func (s *Service) continueTask(ctx context.Context, c call, m *a2apb.Message, q *question) ([]quern.Run, error) {
	runs, err := s.task(ctx, c, m.GetTaskId())
	if err != nil {
		return nil, err
	}
	latest := last(runs)
	switch {
	case m.GetContextId() != "" && m.GetContextId() != string(latest.Conversation):
		return nil, invalid(violation{"message.contextId", "is not the context of the task"})
	case q.namespace && !sameNamespace(q.ask.In, latest.In):
		return nil, invalid(violation{"message.metadata.namespace", "is not the namespace of the task"})
	}
	if state := stateOf(latest); state != a2apb.TaskState_TASK_STATE_INPUT_REQUIRED {
		reason := "the task has ended: ask again in its context, without taskId"
		if !terminal(state) {
			reason = "the task is being worked on and waits for no message"
		}
		return nil, fail(unsupportedOperation, "%s", reason).about("taskId", m.GetTaskId()).about("state", state.String())
	}
	q.ask.After = latest.ID
	return runs, nil
}

// startFailure says in the protocol's words why a run was not started.
func startFailure(err error, m *a2apb.Message) error {
	e, ours := errors.AsType[*quern.Error](err)
	switch {
	case !ours:
		return err
	case e.Kind == quern.NotFound && errors.Is(err, run.ErrNoConversation):
		return invalid(violation{"message.contextId", "there is no such context"})
	case e.Kind == quern.NotFound:
		return invalid(violation{"message.metadata.namespace", "there is no such namespace"})
	case e.Kind == quern.Conflict:
		return fail(unsupportedOperation, "the task waits for no message").about("taskId", m.GetTaskId())
	case e.Kind != quern.Invalid:
		return err
	}
	var wrong []violation
	for _, sub := range e.Sub {
		wrong = append(wrong, violation{askFields[sub.Field], sub.Reason()})
	}
	if len(wrong) == 0 {
		return err
	}
	return invalid(wrong...)
}

// askFields are the members of a message that the parts of a question come from.
var askFields = map[string]string{
	"query": "message.parts", "model": "message.metadata.model", "provider": "message.metadata.provider",
	"conversationId": "message.contextId",
}

// inField puts the fields of an error under the member that they belong to.
func inField(prefix string, err error) error {
	e, ours := errors.AsType[*quern.Error](err)
	if !ours || e.Kind != quern.Invalid {
		return err
	}
	var wrong []violation
	for _, sub := range e.Sub {
		wrong = append(wrong, violation{prefix + sub.Code, sub.Message})
	}
	return invalid(wrong...)
}
