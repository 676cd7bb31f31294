package models

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/ask"
	"quern/llm"
	"quern/nlq"
	"quern/nlq/prompt"
)

// planner thinks with a model, and with the embedded planner when there is none
// to be had.
type planner struct {
	model    llm.Model
	source   prompt.Source
	values   bool
	embedded ask.Planner
	log      *slog.Logger
}

const (
	mostSteps       = 8
	mostInstruction = 1_000 // characters
	mostReasoning   = 2_000
	mostEarlier     = 3
)

const planInstructions = `You plan how a question about datasets is answered. Each step of a plan is one instruction in plain language, which somebody else turns into one query that only reads.

Answer with a JSON object: "reasoning" says in one or two sentences why these steps, and "steps" holds the instructions.
- Most questions need one step. Use several only where one query cannot answer, such as for comparisons of different things or for several questions in one. At most eight.
- Each instruction can be understood alone: name the datasets, columns, values and periods that it is about. Never refer to the result of another step.
- Keep the values and names of the question as they are written, and its language.
- Do not answer the question, and do not invent data.

`

var planFormat = &llm.Format{Name: "plan", Schema: map[string]any{
	"type": "object", "additionalProperties": false, "required": []any{"reasoning", "steps"},
	"properties": map[string]any{
		"reasoning": map[string]any{"type": "string"},
		"steps":     map[string]any{"type": "array", "items": map[string]any{"type": "string"}},
	},
}}

// earlier is a turn before the question.
type earlier struct {
	Question string `json:"question"`
	SQL      string `json:"sql,omitempty"`
}

// questionData is a question with what was said before and beside it.
type questionData struct {
	Earlier  []earlier `json:"earlierQuestions,omitempty"`
	Advice   string    `json:"adviceOfTheAsker,omitempty"`
	Question string    `json:"question"`
}

func (p *planner) questionData(w ask.Work) questionData {
	a := questionData{Advice: w.Task.HelperPrompt, Question: w.Task.Question}
	for _, t := range w.Earlier[max(0, len(w.Earlier)-mostEarlier):] {
		e := earlier{Question: t.Question}
		if t.Query != nil {
			e.SQL = prompt.Earlier(t.Query, w.In, p.values)
		}
		a.Earlier = append(a.Earlier, e)
	}
	return a
}

// Plan asks the model for steps. What needs no data needs no model either.
func (p *planner) Plan(ctx context.Context, w ask.Work) (quern.Plan, error) {
	own, err := p.embedded.Plan(ctx, w)
	if err != nil || len(own.Steps) == 0 {
		return own, err
	}
	plan, err := p.plan(ctx, w)
	note, ok := prompt.Without(ctx, err, p.log)
	if !ok {
		return plan, err
	}
	own.Reasoning += " (" + note + "; the embedded planner made this plan.)"
	return own, nil
}

func (p *planner) plan(ctx context.Context, w ask.Work) (quern.Plan, error) {
	brief, err := p.source.Brief(ctx, w.Principal, nlq.Question{In: w.In, Text: w.Task.Question})
	if err != nil {
		return quern.Plan{}, err
	}
	fence := llm.NewFence()
	text, err := fence.Data("The datasets, their links, and the question", struct {
		prompt.Described
		questionData
	}{brief.Describe(p.values), p.questionData(w)})
	if err != nil {
		return quern.Plan{}, err
	}
	got, err := prompt.Repaired(ctx, p.model, prompt.Try{Fence: fence, Request: llm.Request{
		For: w.Principal.User.ID, System: planInstructions + fence.Rule(), Format: planFormat,
		Messages: []llm.Message{{Role: llm.Asker, Text: text + `Plan how the member "question" of the data is answered.`}},
	}}, readPlan)
	return got.Value, err
}

// readPlan makes a plan of a model's words.
func readPlan(text string) (quern.Plan, error) {
	written, err := prompt.Decode[quern.Plan](text)
	if err != nil {
		return quern.Plan{}, err
	}
	plan := quern.Plan{Reasoning: prompt.OneLine(written.Reasoning, mostReasoning)}
	for _, s := range written.Steps {
		step := strings.Join(strings.Fields(s), " ")
		switch {
		case step == "":
			return quern.Plan{}, errors.New("a step is empty")
		case utf8.RuneCountInString(step) > mostInstruction:
			return quern.Plan{}, fmt.Errorf("a step is longer than %d characters", mostInstruction)
		}
		plan.Steps = append(plan.Steps, step)
	}
	switch {
	case len(plan.Steps) == 0:
		return quern.Plan{}, errors.New("there is no step")
	case len(plan.Steps) > mostSteps:
		return quern.Plan{}, fmt.Errorf("there are %d steps, and %d are the most", len(plan.Steps), mostSteps)
	}
	return plan, nil
}
