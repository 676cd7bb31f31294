package otlp

import (
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"

	"quern"
	"quern/trace"
)

// scope names what made the spans.
const scope = "quern/trace"

func (e *Exporter) request(spans []quern.Span) *collector.ExportTraceServiceRequest {
	list := make([]*traces.Span, len(spans))
	for i, s := range spans {
		list[i] = e.span(s)
	}
	about := map[string]any{}
	for key, text := range e.Resource {
		about[key] = text
	}
	return &collector.ExportTraceServiceRequest{ResourceSpans: []*traces.ResourceSpans{{
		Resource:   &resource.Resource{Attributes: keyValues(about)},
		ScopeSpans: []*traces.ScopeSpans{{Scope: &common.InstrumentationScope{Name: scope}, Spans: list}},
	}}}
}

func (e *Exporter) span(s quern.Span) *traces.Span {
	attributes := Attributes(s)
	if e.Dress != nil {
		maps.Copy(attributes, e.Dress(s))
	}
	return &traces.Span{
		TraceId: octets(s.Run.TraceID()), SpanId: octets(string(s.ID)), ParentSpanId: octets(string(s.Parent)),
		Name: s.Name, Kind: kind(s.Kind), StartTimeUnixNano: nanos(s.Start), EndTimeUnixNano: nanos(s.End),
		Attributes: keyValues(attributes), Status: status(s),
	}
}

func octets(digits string) []byte {
	b, _ := hex.DecodeString(digits) // the ids of spans are hexadecimal
	return b
}

func nanos(t time.Time) uint64 { return uint64(max(t.UnixNano(), 0)) }

func kind(k quern.SpanKind) traces.Span_SpanKind {
	if k == quern.SpanModel {
		return traces.Span_SPAN_KIND_CLIENT
	}
	return traces.Span_SPAN_KIND_INTERNAL
}

func status(s quern.Span) *traces.Status {
	if s.Failure == "" {
		return &traces.Status{}
	}
	return &traces.Status{Code: traces.Status_STATUS_CODE_ERROR, Message: string(s.Failure)}
}

// operations are the conventions' names for what agents do.
var operations = map[quern.SpanKind]string{
	quern.SpanRun: "invoke_agent", quern.SpanModel: "chat", quern.SpanQuery: "execute_tool",
}

// Attributes are a span's own and those that the conventions ask for.
func Attributes(s quern.Span) map[string]any {
	all := map[string]any{"quern.span.kind": string(s.Kind)}
	maps.Copy(all, s.Attributes)
	if name := operations[s.Kind]; name != "" {
		all[trace.Operation] = name
	}
	if s.Failure != "" {
		all[trace.ErrorType] = string(s.Failure)
	}
	switch s.Kind {
	case quern.SpanQuery:
		all["gen_ai.tool.name"], all["gen_ai.tool.type"] = "query", "datastore"
		if s.Input != "" {
			all[trace.QueryText] = s.Input
		}
	case quern.SpanRun, quern.SpanModel, quern.SpanAnswer:
		if s.Input != "" {
			all[trace.InputMessages] = messages("user", s.Input)
		}
		if s.Output != "" {
			all[trace.OutputMessages] = messages("assistant", s.Output)
		}
	}
	return all
}

// message is what the conventions' schema of messages asks for.
type message struct {
	Role         string `json:"role"`
	Parts        []part `json:"parts"`
	FinishReason string `json:"finish_reason,omitempty"`
}

type part struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

func messages(role, text string) string {
	m := message{Role: role, Parts: []part{{"text", text}}}
	if role == "assistant" {
		m.FinishReason = "stop"
	}
	data, _ := json.Marshal([]message{m}) // texts always can be written
	return string(data)
}

func keyValues(attributes map[string]any) []*common.KeyValue {
	var list []*common.KeyValue
	for _, key := range slices.Sorted(maps.Keys(attributes)) {
		list = append(list, &common.KeyValue{Key: key, Value: anyValue(attributes[key])})
	}
	return list
}

func anyValue(value any) *common.AnyValue {
	switch v := value.(type) {
	case string:
		return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: v}}
	case int64:
		return &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: v}}
	case float64:
		return &common.AnyValue{Value: &common.AnyValue_DoubleValue{DoubleValue: v}}
	case bool:
		return &common.AnyValue{Value: &common.AnyValue_BoolValue{BoolValue: v}}
	}
	return &common.AnyValue{}
}
