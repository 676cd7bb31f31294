package app

import (
	"context"

	"quern"
	"quern/ask"
	"quern/nlq"
	"quern/nlq/embedded"
	"quern/nlq/model"
)

func (a *App) addQuerier(context.Context) error {
	p := &a.parts
	translator, err := a.translator()
	if err != nil {
		return err
	}
	p.models = a.models(translator, ask.EmbeddedPlanner(p.catalog))
	p.querier = ask.NewQuerier(ask.QuerierOptions{Query: p.query, Models: p.models, Rows: a.cfg.AskRows, Now: a.now})
	return nil
}

// translator is the one that needs no service.
func (a *App) translator() (nlq.Translator, error) {
	words, err := model.Vectors()
	if err != nil {
		return nil, err
	}
	nets, err := model.Nets()
	return embedded.New(embedded.Options{Schemas: a.parts.schema, Query: a.parts.query, Nets: nets, Vectors: words}), err
}

// agents are what answers questions.
func (a *App) agents() map[quern.AgentKind]ask.Agent {
	return map[quern.AgentKind]ask.Agent{
		quern.AgentNL2QL:     ask.NewNL2QL(a.parts.querier),
		quern.AgentAssistant: ask.NewAssistant(a.parts.querier),
	}
}

// checkTask refuses a task that names a model that is not there.
func (a *App) checkTask(task quern.Task) error {
	_, err := a.parts.querier.Models.Model(task.Model, task.Provider)
	return err
}
