// Package llm owns the promise of a language model: a conversation goes in, one
// message comes out, and what it cost is known.
//
// It owns how long a model is waited for, how often it is asked again, when it is
// left alone, and who has spent how much. It never knows what a conversation is
// about, and never believes what comes out of one: a completion is text from
// outside. The failure it is built around is the service that is away, slow or
// dear: callers get a precise error in bounded time, and can go on without it.
//
//	closed ──failures in a row──► open ──a while──► probing ──answer──► closed
//	                               ▲                   │
//	                               └─────failure───────┘
package llm

import (
	"context"

	"quern"
)

// Model completes conversations.
type Model interface {
	// Complete returns the model's next message. It fails with Unreachable when the
	// service is away, refuses us or answers nonsense, with Timeout when it takes
	// too long, and with Throttled when it wants fewer requests; FaultOf tells
	// more. The context ends the call. A Response with an error still says what
	// was used, where the service said so. It may be called at the same time
	// from anywhere.
	Complete(ctx context.Context, r Request) (Response, error)
}

// Request is a conversation and the form that the next message should have.
type Request struct {
	For quern.UserID // who pays
	// System is what the model is told to be and do, before all messages.
	System   string
	Messages []Message // from the asker first, by turns
	// Format is the form of the answer; nil means plain text.
	Format *Format
}

// Message is one message of a conversation.
type Message struct {
	Role Role
	Text string
}

// Role is whose message one is.
type Role string

// The roles.
const (
	Asker Role = "user"
	Reply Role = "assistant"
)

// Format is the form that a completion must have: JSON that fits a schema.
type Format struct {
	Name string // of letters, digits, _ and -
	// Schema is a JSON schema within what both services hold models to: every
	// object lists its properties, requires all of them and allows no others.
	Schema map[string]any
}

// Response is what a model answered.
type Response struct {
	Text  string
	Model string // as the service names it
	Usage Usage
	// Cost is what the usage costs, in millionths of the currency of the prices;
	// Metered sets it.
	Cost int64
}

// Usage is the tokens that a completion took, as the service counts them.
type Usage struct {
	Input, Output int64
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage { return Usage{u.Input + v.Input, u.Output + v.Output} }

// Total is all tokens, whichever way they went.
func (u Usage) Total() int64 { return u.Input + u.Output }

// complete makes a function a Model.
type complete func(context.Context, Request) (Response, error)

func (c complete) Complete(ctx context.Context, r Request) (Response, error) { return c(ctx, r) }
