package prompt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/llm"
)

// mostReason is how much of what is wrong with an answer its model is told.
const mostReason = 1_000

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
		reason, err := try.Fence.Data("That cannot be used, for this reason", quern.Clip(wrong.Error(), mostReason))
		if err != nil {
			return Got[T]{}, err
		}
		try.Messages = append(slices.Clone(try.Messages),
			llm.Message{Role: llm.Reply, Text: quern.Clip(answer.Text, mostSQL)},
			llm.Message{Role: llm.Asker, Text: reason + "Answer again, in the same form."})
	}
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
