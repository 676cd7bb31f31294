// Package anthropic keeps the promise of llm with the messages of Anthropic.
//
// It owns how a conversation is written for that interface and how its answers
// are read. It never follows a redirect, and keeps nothing of an answer but the
// text and the count of tokens. The failure it is built around is the answer
// that looks whole and is not: why it ended decides whether it counts.
package anthropic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"quern/llm"
)

// DefaultBaseURL is Anthropic's own service.
const DefaultBaseURL = "https://api.anthropic.com"

// version is that of the interface.
const version = "2023-06-01"

// Options says which model of which service is asked.
type Options struct {
	BaseURL   string // empty means DefaultBaseURL
	APIKey    string
	Model     string
	MaxTokens int // the most tokens of an answer
	HTTP      *http.Client
	Now       func() time.Time
}

type model struct {
	call llm.Call // without what is asked
	o    Options
}

// New makes a model.
func New(o Options) llm.Model {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	call := llm.Call{HTTP: o.HTTP, URL: strings.TrimSuffix(o.BaseURL, "/") + "/v1/messages", Header: http.Header{}, Now: o.Now}
	call.Header.Set("Anthropic-Version", version)
	if o.APIKey != "" {
		call.Header.Set("X-Api-Key", o.APIKey)
	}
	return &model{call, o}
}

// Complete returns the model's next message.
func (m *model) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	var got answer
	call := m.call
	call.Request, call.Answer = m.conversation(r), &got
	if err := call.Send(ctx); err != nil {
		return llm.Response{}, err
	}
	return got.read()
}

func (m *model) conversation(r llm.Request) conversation {
	c := conversation{Model: m.o.Model, MaxTokens: m.o.MaxTokens}
	if r.System != "" {
		c.System = textOf(r.System)
	}
	for _, said := range r.Messages {
		c.Messages = append(c.Messages, message{string(said.Role), textOf(said.Text)})
	}
	if r.Format != nil {
		c.Output = &output{format{"json_schema", r.Format.Schema}}
	}
	return c
}

// read takes the text out of an answer, and refuses what is none.
func (a *answer) read() (llm.Response, error) {
	used := a.Usage
	got := llm.Response{Model: a.Model, Usage: llm.Usage{
		Input: used.InputTokens + used.CacheCreationInputTokens + used.CacheReadInputTokens, Output: used.OutputTokens,
	}}
	fault := llm.Fault{Reason: llm.Garbled}
	switch a.StopReason {
	case "end_turn", "stop_sequence":
		var text strings.Builder
		for _, block := range a.Content {
			if block.Type == "text" {
				text.WriteString(block.Text)
			}
		}
		if got.Text = text.String(); got.Text != "" {
			return got, nil
		}
		fault.Err = errors.New("an empty message")
	case "max_tokens", "model_context_window_exceeded":
		fault.Reason = llm.Cut
	case "refusal":
		fault.Reason = llm.Declined
	default:
		fault.Err = fmt.Errorf("stopped because of %.40q", a.StopReason)
	}
	return got, llm.Failed(fault)
}
