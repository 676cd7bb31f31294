package models

import (
	"context"

	"quern/llm"
	"quern/trace"
)

// traced is a model whose calls stand in the trace of the run that they are for.
// Prompts hold values out of rows, so they are not written down.
type traced struct{ llm.Offered }

// Complete asks the model.
func (t traced) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	ctx, span := trace.StartModel(ctx, t.Provider, t.Name)
	answer, err := t.Offered.Complete(ctx, r)
	if answer.Usage.Total() > 0 {
		span.Usage(answer.Usage.Input, answer.Usage.Output, float64(answer.Cost)/1e6)
		span.Set(trace.A(trace.ResponseModel, answer.Model))
	}
	span.Content("", answer.Text)
	span.End(err)
	return answer, err
}
