package app

import (
	"context"

	"quern"
	"quern/ask"
	"quern/nlq/embedded"
	"quern/nlq/model"
	"quern/nlq/net"
	"quern/nlq/schema"
)

func (a *App) addQuerier(context.Context) error {
	p := &a.parts
	translator, err := a.translator(p.schema)
	if err != nil {
		return err
	}
	if p.models, err = a.models(translator, ask.EmbeddedPlanner(p.catalog)); err != nil {
		return err
	}
	p.querier = ask.NewQuerier(ask.QuerierOptions{Query: p.query, Models: p.models, Rows: a.cfg.AskRows, Now: a.now})
	return nil
}

// translator reads questions of namespaces that schemas knows.
func (a *App) translator(schemas schema.Source) (*embedded.Translator, error) {
	nets, err := networks(a.weights)
	if err != nil {
		return nil, err
	}
	return embedded.New(embedded.Options{Schemas: schemas, Query: a.parts.query, Nets: nets})
}

// networks reads weights; nil means those of this program.
func networks(weights [][]byte) (net.Ensemble, error) {
	if weights == nil {
		return nil, nil
	}
	vectors, err := model.Vectors()
	if err != nil {
		return nil, err
	}
	all := net.Ensemble{}
	for _, data := range weights {
		one, err := net.Load(data, vectors)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
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
