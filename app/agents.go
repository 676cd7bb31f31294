package app

import (
	"context"

	"quern"
	"quern/ask"
)

// agents are what answers questions.
func (a *App) agents() map[quern.AgentKind]ask.Agent { return nil }

// models are what a question may name.
type models struct{}

// Models lists the one that is part of the server.
func (models) Models(context.Context) []quern.Model {
	return []quern.Model{{Name: "embedded", Provider: "embedded", State: quern.ModelReady, Default: true}}
}
