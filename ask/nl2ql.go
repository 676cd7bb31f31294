package ask

import (
	"context"

	"quern"
	"quern/ask/prose"
	"quern/english"
	"quern/nlq"
)

// NL2QL is the agent of one question, one query and its rows.
type NL2QL struct{ querier *Querier }

var _ Agent = (*NL2QL)(nil)

// NewNL2QL makes the agent.
func NewNL2QL(q *Querier) *NL2QL { return &NL2QL{q} }

// Plan is one step: the question.
func (a *NL2QL) Plan(_ context.Context, w Work) (quern.Plan, error) {
	return quern.Plan{Steps: []string{w.Task.Question}, Reasoning: "One question, one query."}, nil
}

// Step reads the question and runs its query.
func (a *NL2QL) Step(ctx context.Context, w Work, index int) (quern.Step, error) {
	return a.querier.do(ctx, w, index, w.Plan.Steps[index], lastTurn(w))
}

// Answer says how the question was read, and how much was found.
func (a *NL2QL) Answer(_ context.Context, w Work) (quern.Result, error) {
	if asks, ok := unread(w.Steps); ok {
		return askedBack(asks, w.Steps), nil
	}
	r := quern.Result{Notes: notes(w.Steps), Doubt: inDoubt(w.Steps)}
	for _, s := range w.Steps {
		r.Response = prose.Escape(english.EndSentence(s.Reasoning)) + " " + prose.Summary(s)
	}
	return r, nil
}

// lastTurn is the turn that a follow-up changes; nil when there is none.
func lastTurn(w Work) *nlq.Turn {
	if len(w.Earlier) == 0 {
		return nil
	}
	return &w.Earlier[len(w.Earlier)-1]
}
