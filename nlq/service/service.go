// Package service reads questions with a language model, and with the embedded
// translator when there is no model to be had.
//
// It owns what a model is told of an asker's data, and the way back from its
// words to a query tree. It never runs what a model wrote: text becomes a tree
// that only reads, over datasets that the asker sees, or nothing. The failure it
// is built around is the model that was talked into something, by a row or by a
// name: whatever it answers, the tree is held against the asker's schema.
package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/llm"
	"quern/nlq"
	"quern/tree"
)

const (
	mostQuestion = 10_000 // characters
	mostSQL      = 20_000
	mostChoices  = 4
	mostLabel    = 300
)

// How likely a model's reading is right. Models do not say, so that these are
// what they are on average: a reading that needed repair is worth less.
const (
	confident = 0.85
	repaired  = 0.7
)

// Options says what a Translator works with.
type Options struct {
	Model  llm.Model
	Source Source
	Values bool // whether values out of rows may be sent
}

// Translator reads questions with a language model.
type Translator struct{ o Options }

var _ nlq.Translator = (*Translator)(nil)

// New makes a Translator.
func New(o Options) *Translator { return &Translator{o} }

// Translate asks the model for a query, and once more when the first is none that
// can run.
func (t *Translator) Translate(ctx context.Context, p quern.Principal, q nlq.Question) (nlq.Translation, error) {
	if err := check(q.Text); err != nil {
		return nlq.Translation{}, err
	}
	v, err := t.o.Source.View(ctx, p, q)
	if err != nil {
		return nlq.Translation{}, err
	}
	fence := llm.NewFence()
	request, err := prompt(fence, v, q, t.o.Values)
	if err != nil {
		return nlq.Translation{}, err
	}
	request.For = p.User.ID
	got, err := Repaired(ctx, t.o.Model, Try{request, fence}, v.read)
	if err == nil && got.Again {
		got.Value.Confidence = min(got.Value.Confidence, repaired)
	}
	return got.Value, err
}

// check refuses what is no question.
func check(text string) error {
	wrong := quern.E(quern.Invalid, quern.CodeInvalid, "the question is not valid")
	switch {
	case strings.TrimSpace(text) == "":
		return wrong.With(quern.SubError{Code: "minLength", Message: "query: a question is needed"})
	case utf8.RuneCountInString(text) > mostQuestion:
		return wrong.With(quern.SubError{Code: "maxLength", Message: fmt.Sprintf("query: at most %d characters", mostQuestion)})
	}
	return nil
}

// Got is what was read out of a model's words.
type Got[T any] struct {
	Value T
	Again bool // the first answer was none, and the second was this
}

// Try is a request with the fence that its data are in.
type Try struct {
	llm.Request
	Fence llm.Fence
}

// Repaired asks a model, reads its answer, and asks once more with what was wrong
// when it cannot be read. It fails with llm.Unusable when the second cannot
// either.
func Repaired[T any](ctx context.Context, m llm.Model, try Try, read func(string) (T, error)) (got Got[T], err error) {
	for {
		answer, err := m.Complete(ctx, try.Request)
		if err != nil {
			return Got[T]{}, err
		}
		var wrong error
		if got.Value, wrong = read(answer.Text); wrong == nil {
			return got, nil
		}
		if got.Again {
			return Got[T]{}, llm.Failed(llm.Fault{Reason: llm.Unusable, Err: wrong})
		}
		got.Again = true
		// What is wrong may quote names, and names are data.
		reason, err := try.Fence.Data("That cannot be used, for this reason", short(wrong.Error(), 1_000))
		if err != nil {
			return Got[T]{}, err
		}
		try.Messages = append(slices.Clone(try.Messages),
			llm.Message{Role: llm.Reply, Text: short(answer.Text, mostSQL)},
			llm.Message{Role: llm.Asker, Text: reason + "Answer again, in the same form."})
	}
}

// answer is what a model wrote.
type answer struct {
	Kind     string
	SQL      string
	Question string
	Choices  []struct{ Label, SQL string }
}

// read makes a translation of a model's words.
func (v *View) read(text string) (nlq.Translation, error) {
	a, err := Decode[answer](text)
	if err != nil {
		return nlq.Translation{}, err
	}
	switch a.Kind {
	case "query":
		q, sql, err := v.Query(a.SQL)
		if err != nil {
			return nlq.Translation{}, err
		}
		return nlq.Translation{Query: q, SQL: sql, Reading: tree.English(q), Confidence: confident, Score: 1}, nil
	case "clarify":
		return v.clarify(a)
	}
	return nlq.Translation{}, errors.New(`"kind" is neither "query" nor "clarify"`)
}

// clarify keeps of the readings that a model offers those that could run.
func (v *View) clarify(a answer) (nlq.Translation, error) {
	if strings.TrimSpace(a.Question) == "" {
		return nlq.Translation{}, errors.New(`"question" is empty`)
	}
	c := &quern.Clarification{Question: short(line(a.Question), mostLabel), Choices: []quern.Choice{}}
	var wrong error
	for _, choice := range a.Choices {
		q, _, err := v.Query(choice.SQL)
		if err != nil {
			wrong = err
			continue
		}
		printed, err := tree.Print(q)
		label := short(line(choice.Label), mostLabel)
		if err == nil && label != "" && len(c.Choices) < mostChoices {
			c.Choices = append(c.Choices, quern.Choice{Label: label, Question: label, Query: printed})
		}
	}
	if len(a.Choices) > 0 && len(c.Choices) == 0 {
		return nlq.Translation{}, fmt.Errorf("none of the choices can run: %w", wrong)
	}
	return nlq.Translation{Clarification: c, Score: 1}, nil
}

// Query makes a tree of SQL that somebody else wrote: it parses within the
// subset, its datasets are of the view, and its columns and types fit. The
// error says what is wrong, in the terms of the view.
func (v *View) Query(sql string) (*tree.Query, string, error) {
	if len(sql) > mostSQL {
		return nil, "", errors.New("the query is too long")
	}
	q, err := tree.Parse(sql)
	if err != nil {
		return nil, "", err
	}
	if err := tree.Resolve(q, v.schema, v.links); err != nil {
		return nil, "", err
	}
	if err := tree.Validate(q, v.schema); err != nil {
		return nil, "", err
	}
	printed, err := tree.SQL(q)
	return q, printed, err
}

// Decode reads the JSON object that a model's words are. Services that do not
// hold models to a form let them put it into a block of code, or think aloud
// before it.
func Decode[T any](text string) (value T, err error) {
	if _, after, thought := strings.Cut(text, "</think>"); thought {
		text = after
	}
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "```"); ok {
		inner = strings.TrimPrefix(inner, "json")
		text = strings.TrimSuffix(strings.TrimSpace(inner), "```")
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	if err := decoder.Decode(&value); err != nil {
		return value, fmt.Errorf("the answer is not the JSON object that was asked for: %w", err)
	}
	if decoder.More() {
		return value, errors.New("there is more than one JSON object")
	}
	return value, nil
}

// line makes one line of a text.
func line(text string) string { return strings.Join(strings.Fields(text), " ") }
