package app

import (
	"context"

	"quern"
	"quern/ask"
	"quern/nlq/embedded"
)

func (a *App) addQuerier(context.Context) error {
	p := &a.parts
	translator, err := embedded.New(embedded.Options{Schemas: p.schema, Query: p.query})
	if err != nil {
		return err
	}
	p.models = a.models(translator, ask.EmbeddedPlanner(p.catalog))
	p.querier = ask.NewQuerier(ask.QuerierOptions{Query: p.query, Models: p.models, Rows: a.cfg.AskRows, Now: a.now})
	return nil
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
