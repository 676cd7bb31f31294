package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"
)

// Agent is an agent of the server's, as its catalog and its card describe it.
type Agent struct {
	Name        string   `json:"name"`
	URL         string   `json:"url"`
	Card        string   `json:"agentCard"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
}

// Agents lists the server's agents.
func (c *Client) Agents(ctx context.Context) ([]Agent, error) {
	var all []Agent
	if err := c.call(ctx, http.MethodGet, "/a2a", nil, &all); err != nil {
		return nil, err
	}
	for i, a := range all {
		var card struct {
			Name, Description string
			Skills            []struct{ Tags []string }
		}
		if err := c.call(ctx, http.MethodGet, agentPath(a.Name)+"/.well-known/agent-card.json", nil, &card); err != nil {
			return nil, err
		}
		all[i].Title, all[i].Description = card.Name, card.Description
		for _, s := range card.Skills {
			all[i].Tags = append(all[i].Tags, s.Tags...)
		}
	}
	return all, nil
}

func agentPath(name string) string { return "/a2a/" + url.PathEscape(name) }

// Message is a question to an agent.
type Message struct {
	Text string
	// Namespace is what the question is about, as NAME or OWNER/NAME.
	Namespace string
	Model     string // of those that the server has; empty: the server chooses
	// Context goes on with a conversation, and Task with a task that wants input.
	Context, Task string
}

// TaskUpdate is one thing that an agent tells of a task: a new state, something
// that it made, or, where Whole is set, all of it.
type TaskUpdate struct {
	Task, Context string
	State         string  // such as TASK_STATE_WORKING; empty where something was made
	Says          []Piece // what comes with the state
	Made          []Artifact
	Whole         bool
	JSON          json.RawMessage // as the server sent it
}

// Ended reports whether nothing follows until the next message.
func (u TaskUpdate) Ended() bool {
	switch u.State {
	case "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED", "TASK_STATE_INPUT_REQUIRED":
		return true
	}
	return false
}

// Artifact is something that an agent made.
type Artifact struct {
	Name     string                     `json:"name"`
	Parts    []Piece                    `json:"parts"`
	Metadata map[string]json.RawMessage `json:"metadata"`
}

// Piece is a piece of what an agent says or makes: words, or data.
type Piece struct {
	Text string          `json:"text"`
	Data json.RawMessage `json:"data"`
}

// Send asks an agent and returns what it tells, until the task ends or wants input.
// A connection that is lost is made again, and the task as it is then is told as
// a whole.
func (c *Client) Send(ctx context.Context, agent string, m Message) iter.Seq2[TaskUpdate, error] {
	return func(yield func(TaskUpdate, error) bool) {
		var task string
		told := func(u TaskUpdate) bool {
			task = u.Task
			return yield(u, nil)
		}
		var done bool
		body := m.body()
		err := c.retry(ctx, func() (err error) {
			done, err = c.streamOnce(ctx, http.MethodPost, agentPath(agent)+"/v1/message:stream", body, told)
			return unlessSent(err)
		})
		for !done && err == nil {
			err = c.retry(ctx, func() (err error) {
				done, err = c.streamOnce(ctx, http.MethodGet, agentPath(agent)+"/v1/tasks/"+task+":subscribe", nil, told)
				return err
			})
			if refused, ok := errors.AsType[*Error](err); ok && refused.Code == "UNSUPPORTED_OPERATION" {
				done, err = true, c.tellWhole(ctx, agent, task, told)
			}
		}
		if err != nil {
			yield(TaskUpdate{}, err)
		}
	}
}

func (m Message) body() []byte {
	metadata := map[string]string{}
	for name, value := range map[string]string{"namespace": m.Namespace, "model": m.Model} {
		if value != "" {
			metadata[name] = value
		}
	}
	body, err := json.Marshal(map[string]any{"message": map[string]any{
		"messageId": uuid.NewString(), "role": "ROLE_USER", "contextId": m.Context, "taskId": m.Task,
		"parts": []any{map[string]string{"text": m.Text}}, "metadata": metadata,
	}})
	if err != nil {
		panic(err) // strings always have a JSON form
	}
	return body
}

// tellWhole tells of a task that has ended.
func (c *Client) tellWhole(ctx context.Context, agent, task string, told func(TaskUpdate) bool) error {
	var whole json.RawMessage
	if err := c.call(ctx, http.MethodGet, agentPath(agent)+"/v1/tasks/"+task, nil, &whole); err != nil {
		return err
	}
	u, err := readUpdate([]byte(`{"task":` + string(whole) + `}`))
	if err == nil {
		told(u)
	}
	return err
}

// streamOnce reads a stream to its end. done says that there is nothing left to
// follow; otherwise the connection was lost after the task was known.
func (c *Client) streamOnce(ctx context.Context, method, path string, body []byte, told func(TaskUpdate) bool) (done bool, err error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	if err := c.sign(req); err != nil {
		return false, err
	}
	for name, value := range map[string]string{
		"Accept": "text/event-stream", "Content-Type": "application/json", "A2A-Version": "1.0",
	} {
		req.Header.Set(name, value)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return false, agentRefusal(resp)
	}
	known := method == http.MethodGet
	for data, err := range eventData(resp.Body) {
		if err != nil {
			if !known || ctx.Err() != nil {
				return false, errors.Join(ctx.Err(), err)
			}
			return false, nil
		}
		u, err := readUpdate(data)
		if err != nil {
			return false, err
		}
		known = true
		if !told(u) || u.Ended() {
			return true, nil
		}
	}
	if !known {
		return false, errors.New("the agent said nothing")
	}
	return false, nil
}

// eventData returns the data of server-sent events.
func eventData(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		lines := bufio.NewReader(r)
		for {
			line, err := lines.ReadBytes('\n')
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok && err == nil && !yield(bytes.TrimSpace(data), nil) {
				return
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// readUpdate reads an event of a stream.
func readUpdate(data []byte) (TaskUpdate, error) {
	type status struct {
		State   string
		Message struct{ Parts []Piece }
	}
	var e struct {
		Task *struct {
			ID, ContextID string
			Status        status
			Artifacts     []Artifact
		}
		StatusUpdate *struct {
			TaskID, ContextID string
			Status            status
		}
		ArtifactUpdate *struct {
			TaskID, ContextID string
			Artifact          Artifact
		}
		Error *struct{ Message string }
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return TaskUpdate{}, fmt.Errorf("the agent said something that cannot be read: %w", err)
	}
	u := TaskUpdate{JSON: bytes.Clone(data)}
	switch {
	case e.Task != nil:
		u.Task, u.Context, u.State, u.Says, u.Made, u.Whole = e.Task.ID, e.Task.ContextID, e.Task.Status.State, e.Task.Status.Message.Parts, e.Task.Artifacts, true
	case e.StatusUpdate != nil:
		u.Task, u.Context, u.State, u.Says = e.StatusUpdate.TaskID, e.StatusUpdate.ContextID, e.StatusUpdate.Status.State, e.StatusUpdate.Status.Message.Parts
	case e.ArtifactUpdate != nil:
		u.Task, u.Context, u.Made = e.ArtifactUpdate.TaskID, e.ArtifactUpdate.ContextID, []Artifact{e.ArtifactUpdate.Artifact}
	case e.Error != nil:
		return u, final("%s", e.Error.Message)
	default:
		return u, final("the agent said something that this client does not know")
	}
	return u, nil
}

// agentRefusal reads a failure as agents write it.
func agentRefusal(resp *http.Response) error {
	e := &Error{Status: resp.StatusCode}
	var body struct {
		Message string // of an answer that is not an agent's
		Error   struct {
			Message string
			Details []struct {
				Reason          string
				FieldViolations []struct{ Field, Description string }
			}
		}
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20)) // a refusal without a readable body is one still
	if json.Unmarshal(text, &body) != nil {
		return e
	}
	e.Message = strings.TrimSpace(body.Error.Message + body.Message)
	for _, d := range body.Error.Details {
		if d.Reason != "" {
			e.Code = d.Reason
		}
		if len(d.FieldViolations) < 2 {
			continue // the message says it
		}
		for _, v := range d.FieldViolations {
			e.Sub = append(e.Sub, SubError{Code: v.Field, Message: v.Field + ": " + v.Description})
		}
	}
	return e
}
