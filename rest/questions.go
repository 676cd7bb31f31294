package rest

import (
	"context"
	"errors"
	"net/http"

	"quern"
	"quern/api"
	"quern/ask"
	"quern/door"
	"quern/run"
)

// asked turns a request into a question for the assistant.
func asked(r *api.AskRequest) run.Ask {
	return run.Ask{
		In:           quern.NamespacePath{Owner: r.Username, Namespace: r.Namespace},
		Conversation: quern.ConversationID(r.ConversationID), Agent: quern.AgentAssistant,
		Task: quern.Task{
			Question: r.Query, HelperPrompt: r.HelperPrompt, Model: r.Model, Provider: r.Provider,
			Stages: quern.StageModels{Plan: quern.ModelName(r.Models.Plan), Query: quern.ModelName(r.Models.Query),
				Answer: quern.ModelName(r.Models.Answer)},
		},
	}
}

// Ask starts a run and streams it.
func (o operations) Ask(ctx context.Context, r api.AskRequestObject) (api.AskResponseObject, error) {
	begun, err := o.Runs.Start(ctx, principal(ctx), asked(r.Body))
	door.SetRun(ctx, string(begun.ID))
	if err != nil {
		return nil, err
	}
	return following{ctx, o, begun.ID, 0, run.FirstEvents(begun)}, nil
}

// Autorag starts a run and answers with its result.
func (o operations) Autorag(ctx context.Context, r api.AutoragRequestObject) (api.AutoragResponseObject, error) {
	begun, err := o.Runs.Start(ctx, principal(ctx), asked(r.Body))
	door.SetRun(ctx, string(begun.ID))
	return awaited{ctx, o, begun.ID}, err
}

// checkModel fails with Invalid when the server does not have a model of a name and
// a provider, either of which may be empty.
func (o operations) checkModel(ctx context.Context, name, provider string) error {
	if name == "" && provider == "" {
		return nil
	}
	knownProvider := provider == ""
	for _, m := range o.Models.Models(ctx) {
		ofProvider := provider == "" || m.Provider == provider
		ofName := name == "" || m.Name == name
		if ofProvider && ofName {
			return nil
		}
		knownProvider = knownProvider || ofProvider
	}
	return ask.NoModel(knownProvider, !knownProvider)
}

// awaited is a run whose end is waited for.
type awaited struct {
	ctx context.Context // a response object outlives its handler's call, not its request
	o   operations
	id  quern.RunID
}

// VisitAutoragResponse waits, for as long as a run may take, and writes the
// answer.
func (a awaited) VisitAutoragResponse(w http.ResponseWriter) error {
	r, err := a.wait(w)
	switch {
	case err != nil:
		return err
	case r.Status != quern.RunCompleted:
		return failure(r)
	}
	return api.Autorag200JSONResponse(answered(r)).VisitAutoragResponse(w)
}

func (a awaited) wait(w http.ResponseWriter) (quern.Run, error) {
	for {
		if err := door.Extend(w, door.StallTime); err != nil {
			return quern.Run{}, err
		}
		ctx, cancel := context.WithTimeout(a.ctx, a.o.KeepAlive)
		r, err := a.o.Runs.Wait(ctx, principal(a.ctx), a.id)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || a.ctx.Err() != nil {
			return r, err
		}
	}
}

// failure is the error that a run has ended with.
func failure(r quern.Run) error {
	if r.Failure == nil {
		return door.ErrInternal
	}
	return quern.E(r.Failure.Kind, r.Failure.Code, "%s", r.Failure.Message)
}

// answered writes the result of a completed run down.
func answered(r quern.Run) api.Answer {
	a := api.Answer{RunID: string(r.ID), ConversationID: string(r.Conversation), Steps: make([]api.AnswerStep, len(r.Steps))}
	if r.Result != nil {
		a.Response, a.Notes, a.Doubt, a.Words = r.Result.Response, r.Result.Notes, r.Result.Doubt, words(r.Result.Words)
		a.Clarification = clarification(r.Result.Clarification)
	}
	for i, s := range r.Steps {
		a.Steps[i] = api.AnswerStep{
			Index: int32(s.Index), Instruction: s.Instruction, Query: s.Query, Reasoning: s.Reasoning, Data: s.Data,
			Truncated: s.Truncated, TotalCount: s.TotalCount, Notes: s.Notes, Words: words(s.Words), Doubt: s.Doubt,
			Chart: drawn(s.Chart), Clarification: clarification(s.Clarification),
		}
	}
	return a
}

// drawn writes down how rows are drawn.
func drawn(c quern.Chart) api.Chart {
	return api.Chart{
		Kind: api.ChartKind(c.Kind), X: c.X, Y: c.Y, Series: c.Series, Unit: c.Unit, Top: int32(c.Top), Summed: c.Summed, Reason: c.Reason,
	}
}

// words writes down what the words of a text were taken for.
func words(all []quern.Word) []api.Word {
	var shown []api.Word
	for _, w := range all {
		word := api.Word{Start: int32(w.Start), End: int32(w.End), Text: w.Text, State: api.WordState(w.State), Means: w.Means}
		for _, m := range w.Instead {
			word.Instead = append(word.Instead, api.Meaning{Means: m.Means, Question: m.Question})
		}
		shown = append(shown, word)
	}
	return shown
}

func clarification(c *quern.Clarification) api.Clarification {
	if c == nil {
		return api.Clarification{}
	}
	shown := api.Clarification{Question: c.Question, Choices: make([]api.Choice, len(c.Choices))}
	for i, choice := range c.Choices {
		shown.Choices[i] = api.Choice{Label: choice.Label, Question: choice.Question}
	}
	return shown
}

// ListModels lists the models that a question may name.
func (o operations) ListModels(ctx context.Context, _ api.ListModelsRequestObject) (api.ListModelsResponseObject, error) {
	list := api.ListModels200JSONResponse{Models: []api.Model{}}
	for _, m := range o.Models.Models(ctx) {
		list.Models = append(list.Models, api.Model{Model: m.Name, Provider: m.Provider, State: api.ModelState(m.State), Default: m.Default})
	}
	return list, nil
}
