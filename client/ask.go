package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Question is what to ask of a namespace, in words.
type Question struct {
	Owner     string `json:"username"` // "self" or empty: the caller
	Namespace string `json:"namespace"`
	Text      string `json:"query"`
	// Conversation is the one that the question follows up on; empty begins one.
	Conversation string `json:"conversationId,omitempty"`
	// HelperPrompt is advice to a model.
	HelperPrompt string `json:"helperPrompt,omitempty"`
	Model        string `json:"model,omitempty"`
	Provider     string `json:"provider,omitempty"`
}

// Event is one thing that happened in a run.
type Event struct {
	ID   int64 // counted from 1
	Type string
	Data json.RawMessage
}

// Answer is what a run gave.
type Answer struct {
	RunID          string         `json:"runId"`
	ConversationID string         `json:"conversationId"`
	Plan           Plan           `json:"plan"`
	Steps          []Step         `json:"steps"`
	Response       string         `json:"response"`
	Clarification  *Clarification `json:"clarification,omitempty"`
	Notes          []string       `json:"notes,omitempty"`
	Doubt          bool           `json:"doubt,omitempty"` // one of the steps should be doubted
	Words          []Word         `json:"words,omitempty"` // of the step that asked back
}

// Plan is the steps that should answer a question.
type Plan struct {
	Steps     []string `json:"steps"`
	Reasoning string   `json:"reasoning"`
}

// Step is one query of a run.
type Step struct {
	Index       int               `json:"index"`
	Instruction string            `json:"instruction"`
	Query       string            `json:"query"`
	Reasoning   string            `json:"reasoning"`
	Data        []json.RawMessage `json:"data"`
	Truncated   bool              `json:"truncated,omitempty"`
	TotalCount  int64             `json:"totalCount,omitempty"`
	Notes       []string          `json:"notes,omitempty"`
	Words       []Word            `json:"words,omitempty"` // of content, of the instruction
	Doubt       bool              `json:"doubt,omitempty"` // the rows should be doubted; Notes say why
	Chart       *Chart            `json:"chart,omitempty"` // how the rows are drawn, where they can be
}

// Chart is how rows are drawn, by the names of their columns. Kind is numbers, table,
// shares, calendarBars, line, bars, groupedBars, stackedBars, heat, histogram, scatter
// or binnedScatter.
type Chart struct {
	Kind   string   `json:"kind"`
	X      string   `json:"x,omitempty"`
	Y      []string `json:"y,omitempty"`
	Series string   `json:"series,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Top    int      `json:"top,omitempty"` // how many are drawn by themselves; 0: all
	Summed bool     `json:"summed,omitempty"`
	Reason string   `json:"reason"`
}

// Word is a word of content and what it was taken for. Its place is counted in
// characters; State is matched, guessed or unknown.
type Word struct {
	Start   int       `json:"start"`
	End     int       `json:"end"`
	Text    string    `json:"text"`
	State   string    `json:"state"`
	Means   string    `json:"means,omitempty"`
	Instead []Meaning `json:"instead,omitempty"`
}

// Meaning is what else a word could mean, and the question that asks for it.
type Meaning struct {
	Means    string `json:"means"`
	Question string `json:"question"`
}

// Clarification is a question back.
type Clarification struct {
	Question string   `json:"question"`
	Choices  []Choice `json:"choices"`
}

// Choice is one reading of an unclear question.
type Choice struct {
	Label    string `json:"label"`
	Question string `json:"question"`
}

// places are columns that queries can ask for by name: where rows stand and came from.
var places = map[string]bool{"__row": true, "__file": true, "__sheet": true, "__page": true}

// Rows takes the rows of a step apart, without what rows tell of themselves.
func (s Step) Rows() (Result, error) {
	r := Result{Total: max(s.TotalCount, int64(len(s.Data))), Truncated: s.Truncated}
	for _, raw := range s.Data {
		names, values, err := members(raw)
		if err != nil {
			return Result{}, fmt.Errorf("the server's answer holds a row that cannot be read: %w", err)
		}
		var columns []string
		var row []json.RawMessage
		for i, name := range names {
			if !strings.HasPrefix(name, "__") || places[name] {
				columns, row = append(columns, name), append(row, values[i])
			}
		}
		r.Columns = columns
		r.Rows = append(r.Rows, row)
	}
	return r, nil
}

// take lays an event over what is known so far.
func (a *Answer) take(e Event) error {
	switch e.Type {
	case "run-started":
		return json.Unmarshal(e.Data, a)
	case "plan":
		return json.Unmarshal(e.Data, &a.Plan)
	case "step":
		var s Step
		err := json.Unmarshal(e.Data, &s)
		a.Steps = append(a.Steps, s)
		return err
	case "answer":
		return json.Unmarshal(e.Data, a)
	case "error":
		refused := &Error{}
		var body struct {
			Code    string `json:"error_code"`
			Message string `json:"message"`
		}
		err := json.Unmarshal(e.Data, &body)
		refused.Code, refused.Message = body.Code, body.Message
		return errors.Join(err, refused)
	}
	return nil
}

// Ask asks a question, tells each event of its run as it comes unless each is
// nil, and returns the answer. The question is sent once: when the connection is
// lost after that, the run is followed from the last event on. A run that fails
// is an Error without a status. When each fails, Ask stops and returns that with what
// has come of the answer; the run goes on, and FollowRun finds it again.
func (c *Client) Ask(ctx context.Context, q Question, each func(Event) error) (Answer, error) {
	if q.Owner == "" {
		q.Owner = "self"
	}
	f := newFollower(c, each)
	body, err := json.Marshal(q)
	if err != nil {
		return f.answer, err
	}
	err = c.retry(ctx, func() error {
		err := f.stream(ctx, http.MethodPost, "/query/ask", body)
		if f.last == 0 {
			return unlessSent(err)
		}
		if _, passing := temporary(err); err != nil && passing && !f.ended {
			return nil // the server took it: the run is followed from here on
		}
		return err
	})
	if err == nil {
		err = f.follow(ctx)
	}
	return f.answer, err
}

// FollowRun tells the events of a run from its first one, those that are still to come
// included, and returns the answer: of a question whose asker went away, or that another
// program asked in the same user's name.
func (c *Client) FollowRun(ctx context.Context, id string, each func(Event) error) (Answer, error) {
	f := newFollower(c, each)
	f.answer.RunID = id
	err := f.follow(ctx)
	return f.answer, err
}

// unlessSent makes the failure of a question final unless the server cannot have
// taken it: it refused it, or there was no connection.
func unlessSent(err error) error {
	_, refused := errors.AsType[*Error](err)
	failed, network := errors.AsType[*net.OpError](err)
	unconnected := network && failed.Op == "dial"
	if err == nil || refused || unconnected {
		return err
	}
	return final("the connection was lost before the server said that it took the question: %w", err)
}

// idle is how long a stream may be silent: servers send a line much more often.
const idle = 90 * time.Second

// maxEvent bounds one line of a stream.
const maxEvent = 64 << 20

// follower is a run that is being followed.
type follower struct {
	client *Client
	each   func(Event) error
	answer Answer
	last   int64     // the last event that was taken
	heard  time.Time // when the server last sent a line
	ended  bool
}

func newFollower(c *Client, each func(Event) error) *follower {
	return &follower{client: c, each: each, answer: Answer{Plan: Plan{Steps: []string{}}, Steps: []Step{}}}
}

// follow takes the events of the run behind the last one, to its end. Patience is for a
// server that says nothing: a run may take longer.
func (f *follower) follow(ctx context.Context) error {
	if f.ended {
		return nil
	}
	return f.client.retryUnheard(ctx, func() time.Time { return f.heard }, func() error {
		return f.stream(ctx, http.MethodGet, "/query/runs/"+url.PathEscape(f.answer.RunID)+"/events", nil)
	})
}

// stream sends a request and takes the events that it is answered with. It
// fails unless the last of them ended the run.
func (f *follower) stream(ctx context.Context, method, path string, body []byte) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(idle, func() { cancel(errors.New("the server has been silent for too long")) })
	defer silence.Stop()
	req, err := http.NewRequestWithContext(ctx, method, f.client.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if err := f.client.sign(req); err != nil {
		return err
	}
	req.Header.Set("Accept", "text/event-stream")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if f.last > 0 {
		req.Header.Set("Last-Event-ID", strconv.FormatInt(f.last, 10))
	}
	resp, err := f.client.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return refusal(resp)
	}
	return f.read(bufio.NewReader(resp.Body), func() {
		f.heard = time.Now()
		silence.Reset(idle)
	})
}

// read takes the events of a stream.
func (f *follower) read(from *bufio.Reader, heard func()) error {
	var e Event
	for {
		line, err := readLine(from)
		if err != nil {
			return err
		}
		heard()
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && e.Type != "":
			if err := f.take(e); err != nil || f.ended {
				return err
			}
			e = Event{}
		case name == "id":
			e.ID, _ = strconv.ParseInt(value, 10, 64) // an id that is no number is none
		case name == "event":
			e.Type = value
		case name == "data":
			e.Data = append(e.Data, value...)
		}
	}
}

// take takes one event, once.
func (f *follower) take(e Event) error {
	if e.ID > 0 && e.ID <= f.last {
		return nil
	}
	f.last, f.ended = max(f.last, e.ID), e.Type == "answer" || e.Type == "error"
	failed := f.answer.take(e)
	if f.each != nil {
		if err := f.each(e); err != nil {
			return &finalError{err}
		}
	}
	if failed != nil && !f.ended {
		return final("an event of the server cannot be read: %w", failed)
	}
	return failed
}

func readLine(from *bufio.Reader) (string, error) {
	var line []byte
	for {
		piece, more, err := from.ReadLine()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return "", err
		}
		if line = append(line, piece...); !more {
			return string(line), nil
		}
		if len(line) > maxEvent {
			return "", final("an event of the server is too long")
		}
	}
}
