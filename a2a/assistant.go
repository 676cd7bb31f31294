package a2a

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"

	"quern"
)

// assistant plans, makes a query of every step, and answers in words.
//
//	submitted ─► working, the plan ─► working, an instruction … ─► step-0 … ─► answer ─► completed
var assistant = &agent{
	kind:  quern.AgentAssistant,
	title: "Quern assistant",
	about: "Answers a question in words from the datasets of a namespace: it plans, runs a query for each step, and returns the answer " +
		"with the rows that it comes from.",
	skill: &a2apb.AgentSkill{
		Id: "assistant", Name: "Data assistant", Tags: []string{"assistant", "rag", "query"},
		Description: "Plans the steps that a question needs, runs a query for each under the asker's rights, and answers in words with " +
			"numbers taken from the rows. Name the namespace in the message's metadata.",
		Examples: []string{"Compare the number of tankers and ferries.", "Which kind of ship pays the highest average fee?"},
	},
	begin: func(t renderer) *a2apb.StreamResponse {
		return &a2apb.StreamResponse{Payload: &a2apb.StreamResponse_Task{Task: t.submittedTask()}}
	},
	plan: func(t renderer, p quern.Plan) []*a2apb.Message {
		all := []*a2apb.Message{t.message("plan", nil,
			content{text: planText(p), textual: true},
			content{data: map[string]any{"steps": p.Steps, "reasoning": p.Reasoning}})}
		for i, instruction := range p.Steps {
			all = append(all, t.message("instruction-"+strconv.Itoa(i), map[string]any{"index": i},
				content{text: instruction, data: map[string]any{"index": i, "instruction": instruction}, textual: true}))
		}
		return all
	},
	step: func(t renderer, s quern.Step) []*a2apb.Artifact {
		about := aboutStep(map[string]any{"index": s.Index, "instruction": s.Instruction, "reasoning": s.Reasoning}, s)
		data := rows(s)
		if !t.modes.text {
			data["query"] = s.Query
		}
		return []*a2apb.Artifact{t.artifact("step-"+strconv.Itoa(s.Index), about,
			content{text: s.Query, textual: true}, content{data: data})}
	},
	answer: func(t renderer, r quern.Result) []*a2apb.Artifact {
		return []*a2apb.Artifact{t.artifact("answer", aboutResult(nil, r), content{
			text: withNotes(r.Response, r.Notes), data: aboutResult(map[string]any{"response": r.Response}, r), textual: true,
		})}
	},
}

func planText(p quern.Plan) string {
	var b strings.Builder
	if p.Reasoning != "" {
		b.WriteString(p.Reasoning + "\n")
	}
	for i, instruction := range p.Steps {
		fmt.Fprintf(&b, "%d. %s\n", i+1, instruction)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
