package openai

// chat is the request, as far as it is used:
// https://platform.openai.com/docs/api-reference/chat/create.
type chat struct {
	Model     string    `json:"model"`
	Messages  []message `json:"messages"`
	MaxTokens int       `json:"max_completion_tokens"`
	Format    *format   `json:"response_format,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type format struct {
	Type   string `json:"type"`
	Schema schema `json:"json_schema"`
}

type schema struct {
	Name   string         `json:"name"`
	Schema map[string]any `json:"schema"`
	Strict bool           `json:"strict"`
}

// completion is the answer, as far as it is read.
type completion struct {
	Model   string
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      struct{ Content, Refusal string }
	}
	Usage struct {
		PromptTokens     int64 `json:"prompt_tokens"`
		CompletionTokens int64 `json:"completion_tokens"`
	}
}
