package a2a

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/protobuf/types/known/emptypb"

	"quern"
	"quern/push"
)

// pushConfig reads a configuration that a client sent.
func pushConfig(c call, p *a2apb.TaskPushNotificationConfig) quern.PushConfig {
	scheme, _ := push.Canonical(p.GetAuthentication().GetScheme())
	return quern.PushConfig{
		ID: p.GetId(), Owner: c.principal.User.ID, ActorToken: c.principal.Proof(), URL: p.GetUrl(), Token: p.GetToken(),
		Scheme: scheme, Credentials: p.GetAuthentication().GetCredentials(),
	}
}

// shownConfig is a configuration as clients see it: without the credentials,
// which are written and never read.
func shownConfig(c quern.PushConfig) *a2apb.TaskPushNotificationConfig {
	shown := &a2apb.TaskPushNotificationConfig{TaskId: string(c.Run), Id: c.ID, Url: c.URL, Token: c.Token}
	if c.Scheme != "" {
		shown.Authentication = &a2apb.AuthenticationInfo{Scheme: c.Scheme}
	}
	return shown
}

// checkTask checks the parameters that all methods over configurations have, and
// that the task is the caller's.
func (s *Service) checkTask(ctx context.Context, c call, tenant, task string, wrong ...violation) error {
	wrong = append(checkTenant(tenant), wrong...)
	if task == "" {
		wrong = append(wrong, violation{"taskId", "is required"})
	}
	if len(wrong) > 0 {
		return invalid(wrong...)
	}
	_, err := s.task(ctx, c, task)
	return err
}

func (s *Service) createPushConfig(
	ctx context.Context, c call, p *a2apb.TaskPushNotificationConfig,
) (*a2apb.TaskPushNotificationConfig, error) {
	config := pushConfig(c, p)
	config.Run = quern.RunID(p.GetTaskId())
	if err := s.Push.Check(config); err != nil {
		return nil, inField("", err)
	}
	if err := s.checkTask(ctx, c, p.GetTenant(), p.GetTaskId()); err != nil {
		return nil, err
	}
	if err := c.principal.MayChange(); err != nil {
		return nil, err
	}
	made, err := s.Push.Put(ctx, config)
	if err != nil {
		return nil, inField("", err)
	}
	return shownConfig(made), nil
}

func (s *Service) getPushConfig(
	ctx context.Context, c call, p *a2apb.GetTaskPushNotificationConfigRequest,
) (*a2apb.TaskPushNotificationConfig, error) {
	if err := s.checkTask(ctx, c, p.GetTenant(), p.GetTaskId(), required("id", p.GetId())...); err != nil {
		return nil, err
	}
	config, err := s.Push.Config(ctx, quern.RunID(p.GetTaskId()), p.GetId())
	if quern.Is(err, quern.NotFound) {
		return nil, fail(taskNotFound, "the task has no such configuration").about("taskId", p.GetTaskId())
	}
	return shownConfig(config), err
}

func (s *Service) listPushConfigs(
	ctx context.Context, c call, p *a2apb.ListTaskPushNotificationConfigsRequest,
) (*a2apb.ListTaskPushNotificationConfigsResponse, error) {
	var wrong []violation
	if p.GetPageToken() != "" { // there is never more than one page
		wrong = append(wrong, violation{"pageToken", "is not one that a page gave"})
	}
	if p.GetPageSize() < 0 {
		wrong = append(wrong, violation{"pageSize", "must not be negative"})
	}
	if err := s.checkTask(ctx, c, p.GetTenant(), p.GetTaskId(), wrong...); err != nil {
		return nil, err
	}
	all, err := s.Push.Configs(ctx, quern.RunID(p.GetTaskId()))
	answer := &a2apb.ListTaskPushNotificationConfigsResponse{}
	for _, config := range all {
		answer.Configs = append(answer.Configs, shownConfig(config))
	}
	return answer, err
}

func (s *Service) deletePushConfig(ctx context.Context, c call, p *a2apb.DeleteTaskPushNotificationConfigRequest) (*emptypb.Empty, error) {
	if err := s.checkTask(ctx, c, p.GetTenant(), p.GetTaskId(), required("id", p.GetId())...); err != nil {
		return nil, err
	}
	if err := c.principal.MayChange(); err != nil {
		return nil, err
	}
	return &emptypb.Empty{}, s.Push.Delete(ctx, quern.RunID(p.GetTaskId()), p.GetId())
}

func required(field, value string) []violation {
	if value == "" {
		return []violation{{field, "is required"}}
	}
	return nil
}

const (
	// busyPause is how long a run that goes on is left alone before its news are
	// sent.
	busyPause = 250 * time.Millisecond
	// quietPause and maxQuiet bound how often a task that waits for its asker is
	// looked at; the longer it waits, the less often. A message wakes it anyway.
	quietPause = 5 * time.Second
	maxQuiet   = 5 * time.Minute
)

// Behind returns what a receiver is to be sent of a task after a cursor, as the
// owner of the configuration may see it now. It looks whether they still may once more
// when it is read: nothing that came after a token was revoked is sent.
func (s *Service) Behind(ctx context.Context, config quern.PushConfig, after string) (push.Batch, error) {
	p, err := s.receives(ctx, config)
	if err != nil {
		return push.Batch{}, err
	}
	batch, err := s.behind(ctx, p, config, after)
	if err != nil || len(batch.Messages) == 0 {
		return batch, err
	}
	if _, err := s.receives(ctx, config); err != nil {
		return push.Batch{}, err
	}
	return batch, nil
}

var errGone = quern.E(quern.NotFound, quern.CodeNotFound, "not found")

// receives returns who is told by a configuration; NotFound when they may not be any more.
func (s *Service) receives(ctx context.Context, config quern.PushConfig) (quern.Principal, error) {
	p, err := s.Still(ctx, config.Owner, config.ActorToken)
	if quern.Is(err, quern.Forbidden) {
		err = errGone.Because(err)
	}
	return p, err
}

func (s *Service) behind(ctx context.Context, p quern.Principal, config quern.PushConfig, after string) (push.Batch, error) {
	runs, err := s.Runs.Thread(ctx, p, config.Run)
	if err != nil {
		return push.Batch{}, err
	}
	a := agentNamed(string(runs[0].Agent))
	if a == nil {
		return push.Batch{}, errGone
	}
	at := readCursor(after)
	for i, t := range renderers(a, runs, allModes) {
		readToEnd := i == at.run && at.event >= t.run.Last
		if i < at.run || readToEnd {
			continue
		}
		if i > at.run {
			at = cursor{run: i}
		}
		messages, err := s.messagesBehind(ctx, call{a, p}, t, at)
		if err != nil || len(messages) > 0 {
			return push.Batch{Messages: messages}, err
		}
		at.event = t.run.Last
	}
	return push.Batch{Pause: pause(last(runs), s.Now())}, nil
}

// pause is how long to wait for news of a task whose last run this is.
func pause(r quern.Run, now time.Time) time.Duration {
	switch state := stateOf(r); {
	case terminal(state):
		return 0
	case state == a2apb.TaskState_TASK_STATE_INPUT_REQUIRED:
		return min(max(now.Sub(r.EndedAt)/10, quietPause), maxQuiet)
	}
	return busyPause
}

// cursor is how far a receiver was sent: which run of the task, which of its
// events, and how many messages of the one behind.
type cursor struct {
	run   int
	event int64
	part  int // messages of the event behind that were sent already
}

func (p cursor) String() string {
	return strconv.Itoa(p.run) + "." + strconv.FormatInt(p.event, 10) + "." + strconv.Itoa(p.part)
}

func readCursor(text string) (p cursor) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return cursor{}
	}
	p.run, _ = strconv.Atoi(parts[0]) // written by String
	p.event, _ = strconv.ParseInt(parts[1], 10, 64)
	p.part, _ = strconv.Atoi(parts[2])
	return p
}

// messagesBehind returns the messages for a run's stored events after a cursor.
func (s *Service) messagesBehind(ctx context.Context, c call, t renderer, at cursor) ([]push.Message, error) {
	var all []push.Message
	for len(all) == 0 && at.event < t.run.Last {
		events, _, err := s.Runs.Next(ctx, c.principal, t.run.ID, at.event)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			said, err := t.renderEvent(e)
			if err != nil {
				return nil, err
			}
			for i := at.part; i < len(said); i++ {
				body, err := encode(said[i])
				if err != nil {
					return nil, err
				}
				next := cursor{at.run, at.event, i + 1}
				if i == len(said)-1 {
					next = cursor{at.run, e.Seq, 0}
				}
				all = append(all, push.Message{Body: body, Cursor: next.String()})
			}
			at.event, at.part = e.Seq, 0
		}
	}
	return all, nil
}
