// Package models has the models that an operator has set: a translator and a
// planner each, with the embedded ones behind them.
//
// It owns what a model is told of steps and their rows, and which of its words
// become an answer. It never lets a model answer with a number that has no
// source, with a link, or not at all: the embedded planner then does. The
// failure it is built around is the fluent invention.
package models

import (
	"context"
	"log/slog"

	"quern"
	"quern/ask"
	"quern/llm"
	"quern/nlq"
	"quern/nlq/prompt"
)

// Options says what Models is made of.
type Options struct {
	Offered []llm.Offered // the first is the default; none: the embedded model alone
	Source  prompt.Source
	Values  bool // whether values out of rows may be sent
	// Translator and Planner are the embedded ones, which stand in.
	Translator nlq.Translator
	Planner    ask.Planner
	Log        *slog.Logger
}

// Models are the models that a task may name.
type Models struct {
	o        Options
	embedded ask.Model
	all      []ask.Model // as in Offered
}

var _ ask.Models = (*Models)(nil)

// New makes Models.
func New(o Options) *Models {
	m := &Models{o: o, embedded: ask.Model{Name: ask.Embedded, Provider: ask.Embedded, Translator: o.Translator, Planner: o.Planner}}
	for _, offered := range o.Offered {
		one := traced{offered}
		m.all = append(m.all, ask.Model{
			Name: one.Name, Provider: one.Provider,
			Translator: prompt.Fallback{
				Model:    prompt.New(prompt.Options{Model: one, Source: o.Source, Values: o.Values}),
				Embedded: o.Translator, Log: o.Log,
			},
			Planner: &planner{model: one, source: o.Source, values: o.Values, embedded: o.Planner, log: o.Log},
		})
	}
	return m
}

// Calls is how many calls of models are under way, and how many may be at once.
func (m *Models) Calls() quern.Room {
	if len(m.o.Offered) == 0 {
		return quern.Room{}
	}
	return m.o.Offered[0].Asked()
}

// Model returns the model of a name and a provider, either of which may be empty.
func (m *Models) Model(name, provider string) (ask.Model, error) {
	unnamed := name == "" && provider == ""
	switch {
	case unnamed && len(m.all) > 0:
		return m.all[0], nil
	case unnamed, isOrEmpty(name, ask.Embedded) && isOrEmpty(provider, ask.Embedded):
		return m.embedded, nil
	}
	known := provider == "" || provider == ask.Embedded
	for _, one := range m.all {
		known = known || one.Provider == provider
		if isOrEmpty(name, one.Name) && isOrEmpty(provider, one.Provider) {
			return one, nil
		}
	}
	return ask.Model{}, ask.NoModel(known, !known)
}

// Asked returns the model itself that a name and a provider mean, for steps that
// structure data; its Model is nil where the embedded one is meant. Steps show models
// texts and values: where none may be sent, one that is named is Invalid.
func (m *Models) Asked(name, provider string) (llm.Offered, error) {
	one, err := m.Model(name, provider)
	if err != nil || one.Name == ask.Embedded && one.Provider == ask.Embedded {
		return llm.Offered{}, err
	}
	if !m.o.Values {
		if name == "" && provider == "" {
			return llm.Offered{}, nil
		}
		return llm.Offered{}, quern.E(quern.Invalid, quern.CodeInvalid, "the model cannot be used").
			With(quern.Fault("model", "model", "cannot be used: this server sends no values to models"))
	}
	for _, offered := range m.o.Offered {
		if offered.Name == one.Name && offered.Provider == one.Provider {
			offered.Model = traced{offered}
			return offered, nil
		}
	}
	return llm.Offered{}, nil
}

// isOrEmpty reports whether what was asked for is something, or nothing was.
func isOrEmpty(asked, is string) bool { return asked == "" || asked == is }

// Models lists the models and how they are doing, the embedded one first.
func (m *Models) Models(context.Context) []quern.Model {
	list := []quern.Model{{Name: ask.Embedded, Provider: ask.Embedded, State: quern.ModelReady, Default: len(m.all) == 0}}
	for i, one := range m.o.Offered {
		list = append(list, quern.Model{Name: one.Name, Provider: one.Provider, State: one.Condition().State, Default: i == 0})
	}
	return list
}
