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

func (a *App) addModels(context.Context) error {
	p := &a.parts
	translator, err := a.translator(p.schema)
	if err != nil {
		return err
	}
	if p.models, err = a.models(translator, ask.EmbeddedPlanner(p.catalog)); err != nil {
		return err
	}
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
	querier := ask.NewQuerier(ask.QuerierOptions{Query: a.parts.query, Rows: a.cfg.AskRows, Now: a.now})
	return map[quern.AgentKind]ask.Agent{quern.AgentNL2QL: ask.NewNL2QL(querier), quern.AgentAssistant: ask.NewAssistant(querier)}
}
