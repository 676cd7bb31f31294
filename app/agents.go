package app

import (
	"context"

	"quern"
	"quern/ask"
	"quern/nlq/embedded"
	"quern/nlq/model"
	"quern/nlq/schema"
)

func (a *App) addModels(context.Context) (err error) {
	p := &a.parts
	if p.reader, err = a.translator(p.schema); err != nil {
		return err
	}
	p.models, err = a.models(p.reader, ask.EmbeddedPlanner(p.catalog))
	return err
}

// translator reads questions of namespaces that schemas knows.
func (a *App) translator(schemas schema.Source) (*embedded.Translator, error) {
	o := embedded.Options{Schemas: schemas, Query: a.parts.query, Without: a.without}
	if a.weights != nil {
		o.Nets = a.parts.networks.Nets
	}
	if a.weights != nil && a.parts.networks.Encoder != nil {
		o.Encoder = a.parts.networks.Encoder
	}
	return embedded.New(o)
}

// addNetworks reads the weights that were given; those of this program are read when they
// are first needed.
func (a *App) addNetworks(context.Context) (err error) {
	if a.weights != nil {
		a.parts.networks, err = model.Read(a.weights)
	}
	return err
}

// agents are what answers questions.
func (a *App) agents() map[quern.AgentKind]ask.Agent {
	querier := ask.NewQuerier(ask.QuerierOptions{Query: a.parts.query, Rows: a.cfg.AskRows, Now: a.now})
	return map[quern.AgentKind]ask.Agent{quern.AgentNL2QL: ask.NewNL2QL(querier), quern.AgentAssistant: ask.NewAssistant(querier)}
}
