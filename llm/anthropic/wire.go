package anthropic

// conversation is the request, as far as it is used:
// https://docs.claude.com/en/api/messages.
type conversation struct {
	Model     string    `json:"model"`
	MaxTokens int       `json:"max_tokens"`
	System    []block   `json:"system,omitempty"`
	Messages  []message `json:"messages"`
	Output    *output   `json:"output_config,omitempty"`
}

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func textOf(text string) []block { return []block{{"text", text}} }

type output struct {
	Format format `json:"format"`
}

type format struct {
	Type   string         `json:"type"`
	Schema map[string]any `json:"schema"`
}

// answer is the answer, as far as it is read. Blocks of other types than text are passed over.
type answer struct {
	Model      string
	Content    []block
	StopReason string `json:"stop_reason"`
	Usage      struct {
		InputTokens              int64 `json:"input_tokens"`
		CacheCreationInputTokens int64 `json:"cache_creation_input_tokens"`
		CacheReadInputTokens     int64 `json:"cache_read_input_tokens"`
		OutputTokens             int64 `json:"output_tokens"`
	}
}
