// Package anthropic keeps the promise of llm with the messages of Anthropic.
//
// It owns how a conversation is written for that interface and how its failures
// are told apart. It never reads settings or keys of the library's own from the
// environment, never follows a redirect, and keeps nothing of an answer but the
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

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"quern/llm"
)

// DefaultBaseURL is Anthropic's own service.
const DefaultBaseURL = "https://api.anthropic.com"

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
	messages anthropic.MessageService
	o        Options
}

// New makes a model.
func New(o Options) llm.Model {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	options := []option.RequestOption{
		option.WithBaseURL(o.BaseURL + "/"), option.WithHTTPClient(o.HTTP), option.WithMaxRetries(0),
		// Callers bound the time; the library would refuse long answers by itself.
		option.WithRequestTimeout(24 * time.Hour),
		option.WithoutOpenTelemetry(),
	}
	if o.APIKey != "" {
		options = append(options, option.WithAPIKey(o.APIKey))
	}
	return &model{anthropic.NewMessageService(options...), o}
}

// Complete returns the model's next message.
func (m *model) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	var raw *http.Response // also of an answer that the library cannot read
	answer, err := m.messages.New(ctx, m.params(r), option.WithResponseInto(&raw))
	if err != nil || answer == nil {
		return llm.Response{}, m.failure(ctx, raw, err)
	}
	return read(answer)
}

func (m *model) params(r llm.Request) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{Model: m.o.Model, MaxTokens: int64(m.o.MaxTokens)}
	if r.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: r.System}}
	}
	for _, message := range r.Messages {
		text := anthropic.NewTextBlock(message.Text)
		if message.Role == llm.Reply {
			p.Messages = append(p.Messages, anthropic.NewAssistantMessage(text))
			continue
		}
		p.Messages = append(p.Messages, anthropic.NewUserMessage(text))
	}
	if r.Format != nil {
		p.OutputConfig.Format = anthropic.JSONOutputFormatParam{Schema: r.Format.Schema}
	}
	return p
}

// read takes the text out of an answer, and refuses what is none.
func read(answer *anthropic.Message) (llm.Response, error) {
	used := answer.Usage
	got := llm.Response{Model: answer.Model, Usage: llm.Usage{
		Input: used.InputTokens + used.CacheCreationInputTokens + used.CacheReadInputTokens, Output: used.OutputTokens,
	}}
	fault := llm.Fault{Reason: llm.Garbled}
	switch answer.StopReason {
	case anthropic.StopReasonEndTurn, anthropic.StopReasonStopSequence:
		var text strings.Builder
		for _, block := range answer.Content {
			if block.Type == "text" {
				text.WriteString(block.Text)
			}
		}
		if got.Text = text.String(); got.Text != "" {
			return got, nil
		}
		fault.Err = errors.New("an empty message")
	case anthropic.StopReasonMaxTokens, "model_context_window_exceeded":
		fault.Reason = llm.Cut
	case anthropic.StopReasonRefusal:
		fault.Reason = llm.Declined
	default:
		fault.Err = fmt.Errorf("stopped because of %.40q", answer.StopReason)
	}
	return got, llm.Failed(fault)
}

func (m *model) failure(ctx context.Context, raw *http.Response, err error) error {
	if raw == nil || ctx.Err() != nil {
		return llm.Broken(ctx, err)
	}
	kind := ""
	if refused, ok := errors.AsType[*anthropic.Error](err); ok {
		kind = string(refused.Type())
	}
	return llm.FromStatus(raw.StatusCode, raw.Header, kind, m.o.Now())
}
