package a2a

import (
	"github.com/a2aproject/a2a-go/v2/a2apb/v1"

	"quern"
)

// nl2ql makes one query of one question.
//
//	working ─► generated-query ─► result-data ─► completed
var nl2ql = &agent{
	kind:  quern.AgentNL2QL,
	title: "Quern nl2ql",
	about: "Turns a question in plain language into one query over the datasets of a namespace, and returns the query and its rows.",
	skill: &a2apb.AgentSkill{
		Id: "nl2ql", Name: "Question to query", Tags: []string{"query", "nl2ql"},
		Description: "Reads one question, writes the query that answers it, runs it under the asker's rights, and returns both. Name the " +
			"namespace in the message's metadata.",
		Examples: []string{"How many ships are there per flag?", "Which berth has the most arrivals?"},
	},
	begin: func(t renderer) *a2apb.StreamResponse {
		return t.status(a2apb.TaskState_TASK_STATE_WORKING, nil)
	},
	plan: func(renderer, quern.Plan) []*a2apb.Message { return nil },
	step: func(t renderer, s quern.Step) []*a2apb.Artifact {
		return []*a2apb.Artifact{
			t.artifact("generated-query", aboutStep(map[string]any{"reasoning": s.Reasoning}, s),
				content{text: s.Query, data: map[string]any{"query": s.Query}, textual: true}),
			t.artifact("result-data", aboutStep(nil, s),
				content{text: rowsText(s), data: rows(s)}, content{text: notesText(s.Notes), textual: true}),
		}
	},
	answer: func(renderer, quern.Result) []*a2apb.Artifact { return nil },
}
