package openai_test

import (
	"testing"

	"quern/llm"
	"quern/llm/llmtest"
	"quern/llm/openai"
)

func TestModel(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.OpenAI, func(e llmtest.Endpoint) llm.Model { return openai.New(openai.Options(e)) })
}
