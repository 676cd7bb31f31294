// Package asktest has what tests of agents need instead of model services.
package asktest

import (
	"quern/ask"
	"quern/nlq"
)

// Only returns the models of a server that has none but the embedded one.
func Only(t nlq.Translator, p ask.Planner) ask.Models {
	return only{ask.Model{Name: ask.Embedded, Provider: ask.Embedded, Translator: t, Planner: p}}
}

type only struct{ embedded ask.Model }

// Model implements ask.Models.
func (o only) Model(name, provider string) (ask.Model, error) {
	err := ask.NoModel(name != "" && name != ask.Embedded, provider != "" && provider != ask.Embedded)
	if err != nil {
		return ask.Model{}, err
	}
	return o.embedded, nil
}
