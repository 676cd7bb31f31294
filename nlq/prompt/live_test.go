//go:build live

package prompt_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"quern/llm"
	"quern/llm/anthropic"
	"quern/llm/llmtest"
	"quern/llm/openai"
	"quern/nlq/prompt"
)

// TestLive asks a real model service, the one of the QUERN_LLM_ variables:
//
//	go test -tags live -run TestLive ./nlq/prompt
func TestLive(t *testing.T) {
	t.Parallel()
	provider, name := os.Getenv("QUERN_LLM_PROVIDER"), os.Getenv("QUERN_LLM_MODEL")
	if provider == "" || name == "" {
		t.Fatal("set QUERN_LLM_PROVIDER, QUERN_LLM_MODEL and what the service needs")
	}
	h := newHouse(t, llmtest.OpenAI) // its double stays unasked
	h.harbour()
	e := llmtest.Endpoint{
		BaseURL: strings.TrimRight(os.Getenv("QUERN_LLM_BASE_URL"), "/"), APIKey: os.Getenv("QUERN_LLM_API_KEY"), Model: name,
		MaxTokens: 4096, HTTP: llm.Client(), Now: time.Now,
	}
	model := openai.New(openai.Options(e))
	if provider == "anthropic" {
		model = anthropic.New(anthropic.Options(e))
	}
	translator := prompt.New(prompt.Options{Model: llm.Timed(model, time.Minute), Source: h.source(), Values: true})
	for question, want := range map[string]string{
		"How often did the Aurora come?":          "2",
		"Which ship lies deepest in the water?":   "Borealis",
		"Which ships came to the North quay?":     "Aurora",
		"How many arrivals were there in March?":  "2",
		"What is the mean draught of the Aurora?": "7.625",
	} {
		got, err := translator.Translate(t.Context(), h.ada, ask(question))
		if err != nil || got.Query == nil {
			t.Errorf("Translate(%s) = %+v, %v, want a query", question, got.Clarification, err)
			continue
		}
		rows := strings.Join(h.rows(got), " ")
		t.Logf("%s\n  %s\n  %s", question, got.SQL, rows)
		if !strings.Contains(rows, want) {
			t.Errorf("Translate(%s) = %s, which gives %s, want %s in it", question, got.SQL, rows, want)
		}
	}
}
