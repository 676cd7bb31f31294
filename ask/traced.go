package ask

import (
	"context"
	"fmt"
	"strings"

	"quern"
	"quern/trace"
)

// Traced is an agent whose work is recorded in the trace of its run.
func Traced(kind quern.AgentKind, a Agent, r *trace.Recorder) Agent { return traced{kind, a, r} }

type traced struct {
	kind     quern.AgentKind
	agent    Agent
	recorder *trace.Recorder
}

func (t traced) in(ctx context.Context, w Work) context.Context {
	return t.recorder.In(ctx, trace.Run{ID: w.Run, Agent: t.kind, Conversation: w.Conversation, User: w.Principal.User})
}

// Plan has the agent plan.
func (t traced) Plan(ctx context.Context, w Work) (plan quern.Plan, err error) {
	ctx, span := trace.Start(t.in(ctx, w), quern.SpanPlan, "plan")
	defer func() { span.End(err) }()
	plan, err = t.agent.Plan(ctx, w)
	if err == nil {
		span.Set(trace.A(trace.PlanSteps, len(plan.Steps)))
	}
	span.Content(w.Task.Question, strings.Join(plan.Steps, "\n"))
	return plan, err
}

// Step has the agent do a step.
func (t traced) Step(ctx context.Context, w Work, index int) (step quern.Step, err error) {
	ctx, span := trace.Start(t.in(ctx, w), quern.SpanStep, fmt.Sprintf("step %d", index), trace.A(trace.StepIndex, index))
	defer func() { span.End(err) }()
	step, err = t.agent.Step(ctx, w, index)
	if err == nil {
		span.Set(trace.A(trace.ReturnedRows, len(step.Data)), trace.A(trace.AskedBack, step.Clarification != nil))
	}
	span.Content(step.Instruction, step.Query)
	return step, err
}

// Answer has the agent answer.
func (t traced) Answer(ctx context.Context, w Work) (result quern.Result, err error) {
	ctx, span := trace.Start(t.in(ctx, w), quern.SpanAnswer, "answer")
	defer func() { span.End(err) }()
	result, err = t.agent.Answer(ctx, w)
	if err == nil {
		span.Set(trace.A(trace.AskedBack, result.Clarification != nil))
	}
	span.Content(w.Task.Question, result.Response)
	return result, err
}
