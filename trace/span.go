package trace

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"maps"
	"strings"
	"sync"

	"quern"
)

// maxContent bounds each of a span's input and output, and each text among its
// attributes, in bytes.
const maxContent = 32 << 10

// Span is a piece of work that is going on. All methods of a nil Span do nothing.
type Span struct {
	recorder *Recorder

	mu    sync.Mutex
	data  quern.Span
	ended bool
}

// place is where in a trace the work of a context stands.
type place struct {
	recorder *Recorder
	run      quern.RunID
	span     quern.SpanID
	common   []Attribute
}

type placeKey struct{}

// Start begins a piece of work of the run that ctx belongs to. The work that is
// done with the context it returns stands under it. For work that belongs to no
// run, and where nothing is recorded, the Span is nil.
func Start(ctx context.Context, kind quern.SpanKind, name string, attributes ...Attribute) (context.Context, *Span) {
	p, ok := ctx.Value(placeKey{}).(place)
	if !ok {
		return ctx, nil
	}
	s := &Span{recorder: p.recorder, data: quern.Span{
		Run: p.run, ID: newSpanID(), Parent: p.span, Kind: kind, Name: name, Start: p.recorder.now(),
		Attributes: map[string]any{},
	}}
	s.Set(p.common...)
	s.Set(attributes...)
	p.span = s.data.ID
	return context.WithValue(ctx, placeKey{}, p), s
}

// StartModel begins a call to a model.
func StartModel(ctx context.Context, provider, model string) (context.Context, *Span) {
	return Start(ctx, quern.SpanModel, "chat "+model, A(Provider, provider), A(RequestModel, model))
}

// Usage notes what a call to a model took; a cost below zero means not known.
func (s *Span) Usage(inputTokens, outputTokens int64, cost float64) {
	s.Set(A(InputTokens, inputTokens), A(OutputTokens, outputTokens))
	if cost >= 0 {
		s.Set(A(Cost, cost))
	}
}

// Set notes things to know. What has been noted under a key is replaced.
func (s *Span) Set(attributes ...Attribute) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range attributes {
		value := plain(a.Value)
		if text, ok := value.(string); ok {
			value = clip(text)
		}
		s.data.Attributes[a.Key] = value
	}
}

// Content notes what the work was given and what came of it, never rows. It is
// kept where the settings allow it; an empty text leaves what was noted before.
func (s *Span) Content(input, output string) {
	if s == nil || !s.recorder.content {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if input != "" {
		s.data.Input = clip(input)
	}
	if output != "" {
		s.data.Output = clip(output)
	}
}

// End ends the work and hands the span on; err is what it failed with. A second
// call does nothing.
func (s *Span) End(err error) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	s.data.End = s.recorder.now()
	s.data.Failure = failure(err)
	done := s.data
	done.Attributes = maps.Clone(done.Attributes)
	s.recorder.record(done)
}

// failure names an error without its words, which may hold content.
func failure(err error) quern.Code {
	switch e, ours := errors.AsType[*quern.Error](err); {
	case err == nil:
		return ""
	case ours:
		return e.Code
	case errors.Is(err, context.DeadlineExceeded):
		return quern.CodeTimeout
	case errors.Is(err, context.Canceled):
		return "CANCELLED"
	}
	return quern.CodeInternal
}

func newSpanID() quern.SpanID {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[0] |= 1              // all zeros mean no span
	return quern.SpanID(hex.EncodeToString(b[:]))
}

// clip cuts a long text at a character, and says so. Bytes that are no text are
// replaced: no store takes them.
func clip(text string) string {
	if len(text) > maxContent {
		text = text[:maxContent] + "…"
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "�"), "\x00", "�")
}
