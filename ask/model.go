package ask

import (
	"context"

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

// NoModel is the error of a task that names a model or a provider that is not
// there; nil when it names neither.
func NoModel(badName, badProvider bool) error {
	wrong := quern.E(quern.Invalid, quern.CodeInvalid, "there is no such model")
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
