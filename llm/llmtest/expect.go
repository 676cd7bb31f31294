package llmtest

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

//go:embed interfaces.yaml
var interfaces []byte

// Interface is one of the two interfaces that the doubles speak.
type Interface struct {
	Name   string
	path   string
	schema string
	// auth is the header that carries the key, and its value.
	auth    func(key string) (header, value string)
	version http.Header // what else must be in the header
	answer  func(Completion) any
	failure func(kind, message string) any
	read    func([]byte) (Asked, error)
}

// OpenAI is the chat completions of OpenAI.
var OpenAI = Interface{
	Name: "openai", path: "/v1/chat/completions", schema: "ChatCompletionRequest",
	auth:   func(key string) (string, string) { return "Authorization", "Bearer " + key },
	answer: chatCompletion,
	failure: func(kind, message string) any {
		return map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": nil}}
	},
	read: readChat,
}

// Anthropic is the messages of Anthropic.
var Anthropic = Interface{
	Name: "anthropic", path: "/v1/messages", schema: "MessageRequest",
	auth:    func(key string) (string, string) { return "X-Api-Key", key },
	version: http.Header{"Anthropic-Version": {"2023-06-01"}},
	answer:  message,
	failure: func(kind, message string) any {
		return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy"}
	},
	read: readMessage,
}

// check holds a request against the interface; the status is that of the refusal.
func (i Interface) check(r *http.Request, key string, body []byte) (status int, err error) {
	header, value := i.auth(key)
	switch {
	case r.URL.Path != i.path || r.URL.RawQuery != "":
		return 404, fmt.Errorf("the path %s is not %s", r.URL, i.path)
	case r.Method != http.MethodPost:
		return 405, fmt.Errorf("the method %s is not POST", r.Method)
	case r.Header.Get(header) != value:
		return 401, fmt.Errorf("the header %s does not hold the key", header)
	case r.Header.Get("Content-Type") != "application/json":
		return 400, fmt.Errorf("the content type %q is not application/json", r.Header.Get("Content-Type"))
	}
	for name := range i.version {
		if r.Header.Get(name) != i.version.Get(name) {
			return 400, fmt.Errorf("the header %s is %q, not %q", name, r.Header.Get(name), i.version.Get(name))
		}
	}
	doc, err := openapi3.NewLoader().LoadFromData(interfaces)
	if err != nil {
		return 500, err
	}
	var parsed any
	if err := json.Unmarshal(body, &parsed); err != nil {
		return 400, err
	}
	if err := doc.Components.Schemas[i.schema].Value.VisitJSON(parsed, openapi3.MultiErrors()); err != nil {
		return 400, err
	}
	asked, err := i.read(body)
	if err != nil {
		return 400, err
	}
	if err := asked.check(); err != nil {
		return 400, err
	}
	return 200, nil
}

// Asked is a request as a service understood it.
type Asked struct {
	Model     string
	System    string
	Messages  []Said
	MaxTokens int
	Schema    map[string]any // nil when plain text is wanted
}

// Said is one message of a conversation.
type Said struct{ Role, Text string }

// check holds what the schemas do not: the order of roles, and what models can
// be held to.
func (a Asked) check() error {
	for i, m := range a.Messages {
		want := "user"
		if i%2 == 1 {
			want = "assistant"
		}
		if m.Role != want {
			return fmt.Errorf("message %d is of the %s, not of the %s", i, m.Role, want)
		}
	}
	if len(a.Messages)%2 == 0 {
		return errors.New("the last message is not the user's")
	}
	if a.Schema == nil {
		return nil
	}
	if a.Schema["type"] != "object" {
		return errors.New("the schema is not one of an object")
	}
	return strict(a.Schema, "schema")
}

// keywords are those of JSON schema that both services hold a model to.
var keywords = map[string]bool{
	"type": true, "properties": true, "required": true, "additionalProperties": true,
	"items": true, "enum": true, "const": true, "anyOf": true, "description": true,
}

// strict holds a schema to the rules of structured outputs: only the keywords
// above, and objects that require all of their properties and allow no others.
func strict(schema map[string]any, at string) error {
	for _, word := range slices.Sorted(maps.Keys(schema)) {
		if !keywords[word] {
			return fmt.Errorf("%s: models are not held to %q", at, word)
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		if err := strict(items, at+".items"); err != nil {
			return err
		}
	}
	branches, _ := schema["anyOf"].([]any)
	for i, one := range branches {
		branch, _ := one.(map[string]any)
		if err := strict(branch, fmt.Sprintf("%s.anyOf[%d]", at, i)); err != nil {
			return err
		}
	}
	if schema["type"] != "object" {
		return nil
	}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	if schema["additionalProperties"] != false {
		return fmt.Errorf("%s: additionalProperties is not false", at)
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(required, any(name)) {
			return fmt.Errorf("%s: %s is not required", at, name)
		}
		property, _ := properties[name].(map[string]any)
		if err := strict(property, at+"."+name); err != nil {
			return err
		}
	}
	if len(required) != len(properties) {
		return fmt.Errorf("%s: %d properties are required of %d", at, len(required), len(properties))
	}
	return nil
}

// texts reads content that is a string or a list of parts.
func texts(raw json.RawMessage) string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return one
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(raw, &parts)
	var all strings.Builder
	for _, p := range parts {
		all.WriteString(p.Text)
	}
	return all.String()
}

type said struct {
	Role    string
	Content json.RawMessage
}

func readChat(body []byte) (Asked, error) {
	var r struct {
		Model     string
		Messages  []said
		MaxTokens int `json:"max_completion_tokens"`
		Format    struct {
			Schema struct {
				Strict bool
				Schema map[string]any
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	err := json.Unmarshal(body, &r)
	a := Asked{Model: r.Model, MaxTokens: r.MaxTokens, Schema: r.Format.Schema.Schema}
	if a.Schema != nil && !r.Format.Schema.Strict {
		return a, errors.New("the schema is not strict, so the model is not held to it")
	}
	for i, m := range r.Messages {
		if i == 0 && (m.Role == "system" || m.Role == "developer") {
			a.System = texts(m.Content)
			continue
		}
		a.Messages = append(a.Messages, Said{m.Role, texts(m.Content)})
	}
	return a, err
}

func readMessage(body []byte) (Asked, error) {
	var r struct {
		Model     string
		System    json.RawMessage
		Messages  []said
		MaxTokens int `json:"max_tokens"`
		Output    struct {
			Format struct{ Schema map[string]any }
		} `json:"output_config"`
	}
	err := json.Unmarshal(body, &r)
	a := Asked{Model: r.Model, System: texts(r.System), MaxTokens: r.MaxTokens, Schema: r.Output.Format.Schema}
	for _, m := range r.Messages {
		a.Messages = append(a.Messages, Said{m.Role, texts(m.Content)})
	}
	return a, err
}
