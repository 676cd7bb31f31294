package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/ask"
	"quern/ask/check"
	"quern/llm"
	"quern/nlq/prompt"
)

const (
	mostAnswer = 20_000 // characters
	// mostShown is the most characters of rows that a model is shown.
	mostShown = 60_000
)

const answerInstructions = `You answer questions about datasets. The queries have run; their rows are all you know.

Answer with a JSON object whose member "answer" is the answer in Markdown, in the language of the question.
- Answer the question first, in a sentence. Add a short table or list only where it helps.
- Every number, date and name comes from the rows, as it is written there; you may round and use thousands separators. Where you compute something from the rows, such as a difference or a share, say so in the sentence. Never use what you know from elsewhere.
- A row holds its values in the order of "columns".
- When rows are missing ("rowsInAll" is more than the rows shown), say that the answer covers only a part.
- When there are no rows, say that nothing was found.
- No links, no images, no HTML, no code.

`

var answerFormat = &llm.Format{Name: "answer", Schema: map[string]any{
	"type": "object", "additionalProperties": false, "required": []any{"answer"},
	"properties": map[string]any{"answer": map[string]any{"type": "string"}},
}}

// shownStep is a step as a model is shown it: rows are their values, in the order of
// the columns.
type shownStep struct {
	Instruction string              `json:"instruction"`
	Reading     string              `json:"reading"`
	Columns     []string            `json:"columns"`
	Rows        [][]json.RawMessage `json:"rows"`
	InAll       int64               `json:"rowsInAll"`
}

// Answer has the model write the answer, if it may see rows, and holds what it
// wrote against them. The embedded answer is there all along: it is what stands
// when the model's cannot.
func (p *planner) Answer(ctx context.Context, w ask.Work) (quern.Result, error) {
	own, err := p.embedded.Answer(ctx, w)
	if err != nil || !p.values || len(w.Steps) == 0 {
		return own, err
	}
	text, err := p.answer(ctx, w)
	if err == nil {
		own.Response = text
		return own, nil
	}
	note, ok := prompt.Without(ctx, err, p.log)
	if !ok {
		return quern.Result{}, err
	}
	if _, unsourced := errors.AsType[*unsourcedError](err); unsourced {
		note = "the model's answer had numbers that are in no row"
	}
	own.Notes = append(own.Notes, note+"; the answer was written without it")
	return own, nil
}

func (p *planner) answer(ctx context.Context, w ask.Work) (string, error) {
	fence := llm.NewFence()
	text, err := fence.Data("The question, and the steps that were done for it", struct {
		questionData
		Steps []shownStep `json:"steps"`
	}{p.questionData(w), showSteps(w.Steps)})
	if err != nil {
		return "", err
	}
	got, err := prompt.Repaired(ctx, p.model, prompt.Try{Fence: fence, Request: llm.Request{
		For: w.Principal.User.ID, System: answerInstructions + fence.Rule(), Format: answerFormat,
		Messages: []llm.Message{{Role: llm.Asker, Text: text + `Answer the member "question" of the data from the rows of the steps.`}},
	}}, func(text string) (string, error) { return readAnswer(text, w) })
	return got.Value, err
}

// showSteps returns the steps with as many of their rows as there is room for, each
// step the same room.
func showSteps(steps []quern.Step) []shownStep {
	all := make([]shownStep, len(steps))
	for i, s := range steps {
		one := shownStep{
			Instruction: s.Instruction, Reading: s.Reasoning, Columns: []string{}, Rows: [][]json.RawMessage{},
			InAll: max(s.TotalCount, int64(len(s.Data))),
		}
		for _, c := range s.Columns {
			one.Columns = append(one.Columns, c.Name)
		}
		room := mostShown / len(steps)
		for _, row := range s.Data {
			if room -= len(row); room < 0 {
				break
			}
			one.Rows = append(one.Rows, rowValues(row, one.Columns))
		}
		all[i] = one
	}
	return all
}

// rowValues returns a row's values in the order of the columns.
func rowValues(row json.RawMessage, columns []string) []json.RawMessage {
	var named map[string]json.RawMessage
	_ = json.Unmarshal(row, &named) // a row of ours is an object
	list := make([]json.RawMessage, len(columns))
	for i, c := range columns {
		if list[i] = named[c]; list[i] == nil {
			list[i] = json.RawMessage("null")
		}
	}
	return list
}

// unsourcedError says that an answer has numbers that are in no row.
type unsourcedError struct{ numbers []string }

func (e *unsourcedError) Error() string {
	return "these are in none of the rows, and no sentence says how they were computed: " + strings.Join(e.numbers, ", ")
}

// readAnswer makes an answer of a model's words, unless they say what no row
// says or lead elsewhere.
func readAnswer(text string, w ask.Work) (string, error) {
	written, err := prompt.Decode[struct{ Answer string }](text)
	if err != nil {
		return "", err
	}
	answer := strings.TrimSpace(written.Answer)
	switch {
	case answer == "":
		return "", errors.New("the answer is empty")
	case utf8.RuneCountInString(answer) > mostAnswer:
		return "", fmt.Errorf("the answer is longer than %d characters", mostAnswer)
	}
	if found := linkPattern.FindString(answer); found != "" {
		return "", fmt.Errorf("the answer holds %q: no links, images or HTML", quern.Clip(found, 60))
	}
	if missing := check.Unsourced(answer, w.Steps, w.Task.Question); len(missing) > 0 {
		return "", &unsourcedError{missing[:min(len(missing), 10)]}
	}
	return answer, nil
}

// linkPattern finds what would make a reader's browser go elsewhere: Markdown's links
// and images, HTML, and addresses that programs turn into links by themselves.
var linkPattern = regexp.MustCompile(`(?i)\]\s*[(\[:]|<[a-z/!?]|[a-z][a-z0-9+.-]*://|\bwww\.|\b(?:javascript:|mailto:|data:[a-z]+/)`)
