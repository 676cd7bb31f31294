package anthropic_test

import (
	"testing"

	"quern/llm"
	"quern/llm/anthropic"
	"quern/llm/llmtest"
)

func TestModel(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.Anthropic, func(e llmtest.Endpoint) llm.Model { return anthropic.New(anthropic.Options(e)) })
}
