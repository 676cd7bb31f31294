// Package openai keeps the promise of llm with the chat completions of OpenAI,
// and of every service that speaks the same interface.
//
// It owns how a conversation is written for that interface and how its answers
// are read. It never follows a redirect, and keeps nothing of an answer but the
// text and the count of tokens. The failure it is built around is the service
// that is almost compatible: what is not an answer is refused, not guessed at.
package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"quern/llm"
)

// DefaultBaseURL is OpenAI's own service.
const DefaultBaseURL = "https://api.openai.com/v1"

// Options says which model of which service is asked.
type Options struct {
	BaseURL string // empty means DefaultBaseURL
	APIKey  string // empty means that the service needs none
	Model   string
	// MaxTokens is the most tokens of an answer.
	MaxTokens int
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
	call := llm.Call{HTTP: o.HTTP, URL: strings.TrimSuffix(o.BaseURL, "/") + "/chat/completions", Header: http.Header{}, Now: o.Now}
	if o.APIKey != "" {
		call.Header.Set("Authorization", "Bearer "+o.APIKey)
	}
	return &model{call, o}
}

// Complete returns the model's next message.
func (m *model) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	var answer completion
	call := m.call
	call.Request, call.Answer = m.chat(r), &answer
	if err := call.Send(ctx); err != nil {
		return llm.Response{}, err
	}
	return answer.read()
}

func (m *model) chat(r llm.Request) chat {
	c := chat{Model: m.o.Model, MaxTokens: m.o.MaxTokens}
	if r.System != "" {
		c.Messages = append(c.Messages, message{"system", r.System})
	}
	for _, said := range r.Messages {
		c.Messages = append(c.Messages, message{string(said.Role), said.Text})
	}
	if r.Format != nil {
		c.Format = &format{"json_schema", schema{r.Format.Name, r.Format.Schema, true}}
	}
	return c
}

// read takes the text out of an answer, and refuses what is none.
func (answer *completion) read() (llm.Response, error) {
	got := llm.Response{Model: answer.Model, Usage: llm.Usage{Input: answer.Usage.PromptTokens, Output: answer.Usage.CompletionTokens}}
	fault := llm.Fault{Reason: llm.Garbled}
	switch {
	case len(answer.Choices) != 1:
		fault.Err = fmt.Errorf("%d choices", len(answer.Choices))
	case answer.Choices[0].Message.Refusal != "" || answer.Choices[0].FinishReason == "content_filter":
		fault.Reason = llm.Declined
	case answer.Choices[0].FinishReason == "length":
		fault.Reason = llm.Cut
	case answer.Choices[0].FinishReason != "stop":
		fault.Err = fmt.Errorf("finished because of %.40q", answer.Choices[0].FinishReason)
	case answer.Choices[0].Message.Content == "":
		fault.Err = errors.New("an empty message")
	default:
		got.Text = answer.Choices[0].Message.Content
		return got, nil
	}
	return got, llm.Failed(fault)
}
