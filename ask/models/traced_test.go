package models_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"quern"
	"quern/llm/llmtest"
	"quern/trace"
)

// sink keeps spans in memory.
type sink struct {
	mu    sync.Mutex
	spans []quern.Span
}

func (s *sink) Record(_ context.Context, spans []quern.Span) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spans = append(s.spans, spans...)
	return nil
}

func TestCallsStandInTheTrace(t *testing.T) {
	t.Parallel()
	h := newHouse(t, setup{})
	h.shop()
	h.model.Will(llmtest.Gives(llmtest.Completion{Text: `{"reasoning":"","steps":["a"]}`, Input: 70, Output: 9, Model: "big-2026"}), llmtest.Fails(400, 0))
	kept := &sink{}
	recorder := trace.New(trace.Options{Destinations: []trace.Destination{{Name: "here", Sink: kept}}, Content: true})
	ctx := recorder.In(t.Context(), trace.Run{ID: quern.NewID[quern.RunID](), Agent: quern.AgentAssistant, User: h.ada.User})
	for range 2 {
		_, err := h.agent.Plan(ctx, h.work("How many orders came from Oslo?"))
		must(t, err)
	}
	must(t, recorder.Close())
	var calls []quern.Span
	for _, s := range kept.spans {
		if s.Kind == quern.SpanModel {
			calls = append(calls, s)
		}
	}
	if len(calls) != 2 {
		t.Fatalf("the trace has %d calls of models, want 2", len(calls))
	}
	good, bad := calls[0], calls[1]
	if good.Name != "chat big" || good.Attributes[trace.InputTokens] != int64(70) || good.Attributes[trace.ResponseModel] != "big-2026" || good.Failure != "" {
		t.Errorf("the call is written down as %+v", good)
	}
	if !strings.Contains(good.Output, "steps") || good.Input != "" {
		t.Errorf("the call's content is %q and %q, want the answer and no prompt", good.Input, good.Output)
	}
	if bad.Failure != quern.CodeUnreachable || bad.Attributes[trace.InputTokens] != nil {
		t.Errorf("the failed call is written down as %+v", bad)
	}
}
