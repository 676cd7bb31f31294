package a2a

import (
	"github.com/a2aproject/a2a-go/v2/a2apb/v1"

	"quern"
)

// agent is an agent as clients of the protocol see it. There is one file for
// each; what is listed in agents is served.
type agent struct {
	kind  quern.AgentKind // its name in addresses, too
	title string
	about string
	skill *a2apb.AgentSkill

	// begin returns the first response of a run.
	begin func(t renderer) *a2apb.StreamResponse
	// plan returns the messages that a plan is announced with.
	plan func(t renderer, p quern.Plan) []*a2apb.Message
	// step and answer return the artifacts of a step and of the answer.
	step   func(t renderer, s quern.Step) []*a2apb.Artifact
	answer func(t renderer, r quern.Result) []*a2apb.Artifact
}

// agents are all that are served, in the order of the catalog.
var agents = []*agent{nl2ql, assistant}

func (a *agent) name() string { return string(a.kind) }

func agentNamed(name string) *agent {
	for _, a := range agents {
		if a.name() == name {
			return a
		}
	}
	return nil
}
