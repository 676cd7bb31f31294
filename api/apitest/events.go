package apitest

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"quern/api"
)

// eventSchemas returns the schemas of the events of a stream by their names, nil
// when the contract has none for the answer.
func eventSchemas(r *http.Request, resp *http.Response) map[string]*openapi3.Schema {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	op, ok := match(r)
	if err != nil || !ok || media != "text/event-stream" {
		return nil
	}
	ref := op.Spec.Responses.Status(resp.StatusCode)
	if ref == nil || ref.Value.Content[media] == nil {
		return nil
	}
	named, _ := ref.Value.Content[media].Schema.Value.Extensions[api.Events].(map[string]any)
	schemas := map[string]*openapi3.Schema{}
	for event, at := range named {
		reference, _ := at.(map[string]any)
		text, _ := reference["$ref"].(string)
		if schema := api.Contract().Components.Schemas[strings.TrimPrefix(text, "#/components/schemas/")]; schema != nil {
			schemas[event] = schema.Value
		}
	}
	if len(schemas) == 0 {
		return nil
	}
	return schemas
}

// eventChecker is the body of a stream whose events are checked as they are read.
type eventChecker struct {
	io.ReadCloser
	schemas map[string]*openapi3.Schema
	report  func(problem string)
	unread  []byte
}

// Read passes on what is read, and checks the events that end in it.
func (c *eventChecker) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.unread = append(c.unread, p[:n]...)
	for {
		event, rest, whole := bytes.Cut(c.unread, []byte("\n\n"))
		if !whole {
			return n, err
		}
		c.unread = rest
		for _, problem := range checkEvent(c.schemas, string(event)) {
			c.report(problem)
		}
	}
}

// checkEvent lists how an event breaks the contract. Comments break nothing.
func checkEvent(schemas map[string]*openapi3.Schema, event string) []string {
	name, data := "", ""
	for line := range strings.Lines(event) {
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "event":
			name = value
		case "data":
			data = value
		}
	}
	if name == "" && data == "" {
		return nil
	}
	schema, known := schemas[name]
	if !known {
		return []string{fmt.Sprintf("no schema is named for the event %q", name)}
	}
	problems := checkBody(schema, []byte(data))
	for i := range problems {
		problems[i] = "the event " + name + ": " + problems[i]
	}
	return problems
}
