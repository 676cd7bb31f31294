// Package openai keeps the promise of llm with the chat completions of OpenAI,
// and of every service that speaks the same interface.
//
// It owns how a conversation is written for that interface and how its failures
// are told apart. It never reads settings of the library's own from the
// environment, never follows a redirect, and keeps nothing of an answer but the
// text and the count of tokens. The failure it is built around is the service
// that is almost compatible: what is not an answer is refused, not guessed at.
package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

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
	chat openai.ChatCompletionService
	o    Options
}

// New makes a model.
func New(o Options) llm.Model {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	options := []option.RequestOption{
		option.WithBaseURL(o.BaseURL + "/"), option.WithHTTPClient(o.HTTP), option.WithMaxRetries(0),
	}
	if o.APIKey != "" {
		options = append(options, option.WithAPIKey(o.APIKey))
	}
	return &model{openai.NewChatCompletionService(options...), o}
}

// Complete returns the model's next message.
func (m *model) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	var raw *http.Response // also of an answer that the library cannot read
	answer, err := m.chat.New(ctx, m.params(r), option.WithResponseInto(&raw))
	if err != nil || answer == nil {
		return llm.Response{}, m.failure(ctx, raw, err)
	}
	return read(answer)
}

func (m *model) params(r llm.Request) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{
		Model: m.o.Model, MaxCompletionTokens: openai.Int(int64(m.o.MaxTokens)),
	}
	if r.System != "" {
		p.Messages = append(p.Messages, openai.SystemMessage(r.System))
	}
	for _, message := range r.Messages {
		if message.Role == llm.Reply {
			p.Messages = append(p.Messages, openai.AssistantMessage(message.Text))
			continue
		}
		p.Messages = append(p.Messages, openai.UserMessage(message.Text))
	}
	if r.Format != nil {
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: r.Format.Name, Schema: r.Format.Schema, Strict: openai.Bool(true),
		}}
	}
	return p
}

// read takes the text out of an answer, and refuses what is none.
func read(answer *openai.ChatCompletion) (llm.Response, error) {
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

func (m *model) failure(ctx context.Context, raw *http.Response, err error) error {
	if raw == nil || ctx.Err() != nil {
		return llm.Broken(ctx, err)
	}
	kind := ""
	if refused, ok := errors.AsType[*openai.Error](err); ok {
		kind = refused.Type
	}
	return llm.FromStatus(raw.StatusCode, raw.Header, kind, m.o.Now())
}
