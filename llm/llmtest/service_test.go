package llmtest_test

import (
	"net/http"
	"strings"
	"testing"

	"quern/llm/llmtest"
)

// A double that takes everything would prove nothing about a plug.
func TestServiceRefusesWhatTheDocumentsDoNotAllow(t *testing.T) {
	t.Parallel()
	const (
		chat    = `{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}],"max_completion_tokens":5}`
		message = `{"model":"m","max_tokens":5,"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":[{"type":"text","text":"u"}]}]}`
		form    = `"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":{"type":"string"}}}}}`
	)
	for _, tt := range []struct {
		name             string
		speaks           llmtest.Interface
		method, path     string
		header, from, to string
		status           int
		wrong            string // in what the double says; empty when the request is good
	}{
		{"chat", llmtest.OpenAI, "POST", "", "", "", "", 200, ""},
		{"chat with a form", llmtest.OpenAI, "POST", "", "", `"model":"m"`, `"model":"m",` + form, 200, ""},
		{"chat by GET", llmtest.OpenAI, "GET", "", "", "", "", 405, "method"},
		{"chat elsewhere", llmtest.OpenAI, "POST", "/v1/completions", "", "", "", 404, "path"},
		{"chat with a query", llmtest.OpenAI, "POST", "/v1/chat/completions?x=1", "", "", "", 404, "path"},
		{"chat without a key", llmtest.OpenAI, "POST", "", "Authorization", "", "", 401, "key"},
		{"chat without a type", llmtest.OpenAI, "POST", "", "Content-Type", "", "", 400, "content type"},
		{"chat, no JSON", llmtest.OpenAI, "POST", "", "", `{"model"`, `{"model`, 400, "invalid character"},
		{"chat, unknown member", llmtest.OpenAI, "POST", "", "", `"model":"m"`, `"model":"m","max_token":1`, 400, "max_token"},
		{"chat, no model", llmtest.OpenAI, "POST", "", "", `"model":"m",`, "", 400, "model"},
		{"chat, wrong type", llmtest.OpenAI, "POST", "", "", `"model":"m"`, `"model":7`, 400, "model"},
		{"chat, unknown role", llmtest.OpenAI, "POST", "", "", `"role":"user"`, `"role":"human"`, 400, "role"},
		{"chat, no user", llmtest.OpenAI, "POST", "", "", `"role":"user"`, `"role":"assistant"`, 400, "assistant"},
		{"chat, a form that holds nothing", llmtest.OpenAI, "POST", "", "", `"model":"m"`, `"model":"m",` + strings.Replace(form, `"strict":true,`, "", 1), 400, "strict"},
		{"chat, an open form", llmtest.OpenAI, "POST", "", "", `"model":"m"`, `"model":"m",` + strings.Replace(form, `"additionalProperties":false,`, "", 1), 400, "additionalProperties"},
		{"chat, an optional property", llmtest.OpenAI, "POST", "", "", `"model":"m"`, `"model":"m",` + strings.Replace(form, `"required":["a"]`, `"required":[]`, 1), 400, "required"},
		{"chat, a rule that no model is held to", llmtest.OpenAI, "POST", "", "", `"model":"m"`, `"model":"m",` + strings.Replace(form, `{"type":"string"}`, `{"type":"string","minLength":1}`, 1), 400, "minLength"},
		{"message", llmtest.Anthropic, "POST", "", "", "", "", 200, ""},
		{"message without a version", llmtest.Anthropic, "POST", "", "Anthropic-Version", "", "", 400, "Anthropic-Version"},
		{"message without a key", llmtest.Anthropic, "POST", "", "X-Api-Key", "", "", 401, "key"},
		{"message, no limit", llmtest.Anthropic, "POST", "", "", `"max_tokens":5,`, "", 400, "max_tokens"},
		{"message, a system role", llmtest.Anthropic, "POST", "", "", `"role":"user"`, `"role":"system"`, 400, "role"},
		{"message, empty text", llmtest.Anthropic, "POST", "", "", `"text":"u"`, `"text":""`, 400, "text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, tt.speaks)
			s.Will(llmtest.Says("fine"))
			path, body := "/v1/chat/completions", chat
			if tt.speaks.Name == "anthropic" {
				path, body = "/v1/messages", message
			}
			if tt.path != "" {
				path = tt.path
			}
			r, err := http.NewRequestWithContext(t.Context(), tt.method, s.URL+path, strings.NewReader(strings.Replace(body, tt.from, tt.to, 1)))
			if err != nil {
				t.Fatal(err)
			}
			r.Header = http.Header{
				"Content-Type": {"application/json"}, "Authorization": {"Bearer " + s.Key},
				"X-Api-Key": {s.Key}, "Anthropic-Version": {"2023-06-01"},
			}
			r.Header.Del(tt.header)
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			problems := s.Problems()
			if resp.StatusCode != tt.status || len(problems) != 1 && tt.status != 200 || len(problems) > 0 && !strings.Contains(problems[0].Error(), tt.wrong) {
				t.Errorf("status %d, problems %v, want %d and one about %q", resp.StatusCode, problems, tt.status, tt.wrong)
			}
		})
	}
}
