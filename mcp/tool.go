package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quern"
	"quern/door"
	"quern/llm"
)

// tools are what assistants may call, in the order in which they are listed.
var tools = []tool{
	listDatasets, describeDataset, sampleRows, runQuery, askQuestion, searchRows, prepareUpload, ingestFiles, readKnowledge,
}

// ToolNames returns the names of all tools.
func ToolNames() []string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.name
	}
	return names
}

func toolNamed(name string) bool { return slices.Contains(ToolNames(), name) }

// tool is one thing that an assistant may do.
type tool struct {
	name, title, about string
	// gives is what the result is called in words, and seeks what is not there when the
	// tool fails with NotFound.
	gives, seeks string
	writes       bool
	input        *schema
	output       reflect.Type
	run          func(ctx context.Context, c call, arguments []byte) (any, error)
}

// call is one call of a tool.
type call struct {
	*Service
	principal quern.Principal
	// progress tells the assistant how far the call has got; total may be 0.
	progress func(done, total float64, message string)
}

// define completes a tool with what it does: in is read from arguments that the tool's
// input describes, and what is returned is shown as JSON.
func define[In, Out any](t tool, do func(ctx context.Context, c call, in In) (Out, error)) tool {
	t.output = reflect.TypeFor[Out]()
	t.run = func(ctx context.Context, c call, arguments []byte) (any, error) {
		var in In
		if err := t.input.read(arguments, &in); err != nil {
			return nil, err
		}
		return do(ctx, c, in)
	}
	return t
}

// addTool makes a tool known to the protocol.
func (s *Service) addTool(server *sdk.Server, t tool) error {
	output, err := jsonschema.ForType(t.output, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {}, reflect.TypeFor[row](): {Type: "object", Description: "a row, by the names of its columns"},
	}})
	if err != nil {
		return fmt.Errorf("mcp: the result of %s: %w", t.name, err)
	}
	no := false
	server.AddTool(&sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: t.input, OutputSchema: output,
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: !t.writes, DestructiveHint: &no, OpenWorldHint: &no},
	}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return s.callTool(ctx, t, req), nil
	})
	return nil
}

// callTool calls a tool. What fails is a result too, so that the model reads why.
func (s *Service) callTool(ctx context.Context, t tool, req *sdk.CallToolRequest) *sdk.CallToolResult {
	c := call{Service: s, principal: callerOf(ctx).principal, progress: progressOf(ctx, req)}
	value, err := t.run(ctx, c, req.Params.Arguments)
	if err != nil {
		return failed(ctx, t, err)
	}
	structured, err := json.Marshal(value)
	if err != nil {
		return failed(ctx, t, err)
	}
	text, err := fenced(t.gives, json.RawMessage(structured))
	if err != nil {
		return failed(ctx, t, err)
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: json.RawMessage(structured)}
}

// fenced writes a value for a model: what it is, that it is data, and the value.
func fenced(heading string, value json.RawMessage) (string, error) {
	fence := llm.NewFence()
	data, err := fence.Data(heading, value)
	return fence.Rule() + "\n\n" + data, err
}

// failed is the result of a call that failed: the ErrorResponse that the REST
// interface would answer.
func failed(ctx context.Context, t tool, err error) *sdk.CallToolResult {
	if quern.Is(err, quern.NotFound) {
		err = door.NotFound(t.seeks, err)
	}
	door.SetError(ctx, err)
	body, _ := door.Marshal(door.Body(ctx, err)) // texts
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: string(body)}}}
}

// progressOf returns what tells the caller of a tool how far it has got; nothing where
// it does not want to know.
func progressOf(ctx context.Context, req *sdk.CallToolRequest) func(done, total float64, message string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func(float64, float64, string) {}
	}
	return func(done, total float64, message string) {
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ // the client may be gone
			ProgressToken: token, Progress: done, Total: total, Message: message,
		})
	}
}

// readNumbers reads JSON with its numbers as they are written.
func readNumbers(data []byte, to any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return dec.Decode(to)
}
