package ask

import (
	"context"
	"errors"

	"quern"
	"quern/nlq"
)

// Planner thinks for the assistant: it makes plans and writes answers. Its
// implementations are the embedded one and a model service.
type Planner interface {
	// Plan says which steps should answer the question. Each instruction can be
	// understood alone. There are none when the answer needs no data.
	Plan(ctx context.Context, w Work) (quern.Plan, error)
	// Answer writes the answer from the steps. None of them asks back.
	Answer(ctx context.Context, w Work) (quern.Result, error)
}

// Embedded names the model that is always there, and its provider.
const Embedded = "embedded"

// Model is one way to read questions and to answer them, which a task may name.
type Model struct {
	Name, Provider string
	Translator     nlq.Translator
	Planner        Planner
}

// Models are the models there are.
type Models interface {
	// Model returns the model of a name and a provider, either of which may be
	// empty: the one to use where a task does not say. Invalid, with a sub error
	// for the member, when there is no such model.
	Model(name, provider string) (Model, error)
}

// ModelFor returns what a task is done with: its model, in whose place the models of
// single stages stand where the task names them. Invalid, with a sub error for each
// member, when one is not there.
func ModelFor(models Models, t quern.Task) (Model, error) {
	whole, err := models.Model(t.Model, t.Provider)
	var wrong []quern.SubError
	if err = collectFaults(&wrong, "", err); err != nil {
		return Model{}, err
	}
	plan, query, answer := whole, whole, whole
	for _, stage := range []struct {
		name  string
		asked quern.ModelName
		model *Model
	}{{"plan", t.Stages.Plan, &plan}, {"query", t.Stages.Query, &query}, {"answer", t.Stages.Answer, &answer}} {
		if stage.asked == (quern.ModelName{}) {
			continue
		}
		*stage.model, err = models.Model(stage.asked.Model, stage.asked.Provider)
		if err = collectFaults(&wrong, "models."+stage.name+".", err); err != nil {
			return Model{}, err
		}
	}
	if wrong != nil {
		return Model{}, errNoModel.With(wrong...)
	}
	query.Planner = stagePlanner{plan.Planner, answer.Planner}
	return query, nil
}

// collectFaults adds the sub errors of a model that is not there to wrong, their
// fields below prefix, and returns any other error.
func collectFaults(wrong *[]quern.SubError, prefix string, err error) error {
	missing, ok := errors.AsType[*quern.Error](err)
	if !ok || missing.Kind != quern.Invalid {
		return err
	}
	for _, sub := range missing.Sub {
		*wrong = append(*wrong, quern.Fault(sub.Code, prefix+sub.Field, sub.Reason()))
	}
	return nil
}

// stagePlanner plans with one planner and answers with another.
type stagePlanner struct{ plan, answer Planner }

// Plan implements Planner.
func (s stagePlanner) Plan(ctx context.Context, w Work) (quern.Plan, error) {
	return s.plan.Plan(ctx, w)
}

// Answer implements Planner.
func (s stagePlanner) Answer(ctx context.Context, w Work) (quern.Result, error) {
	return s.answer.Answer(ctx, w)
}

var errNoModel = quern.E(quern.Invalid, quern.CodeInvalid, "there is no such model")

// NoModel is the error of a task that names a model or a provider that is not
// there; nil when it names neither.
func NoModel(badName, badProvider bool) error {
	wrong := errNoModel
	if badName {
		wrong = wrong.With(quern.Fault("model", "model", "is not one that this server has; embedded always is"))
	}
	if badProvider {
		wrong = wrong.With(quern.Fault("provider", "provider", "is not one that this server has; embedded always is"))
	}
	if wrong.Sub == nil {
		return nil
	}
	return wrong
}
