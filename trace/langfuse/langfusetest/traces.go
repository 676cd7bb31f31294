package langfusetest

import (
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Span is a span as it is kept.
type Span struct {
	TraceID, ID, Parent, Name string
	Start, End                time.Time
	Failed                    bool
	Attributes                map[string]any
}

// Spans returns the spans of a trace, in no order.
func (s *Server) Spans(traceID string) []Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Span
	for _, span := range s.spans {
		if span.TraceID == traceID {
			list = append(list, span)
		}
	}
	return list
}

// takeTraces is the OTLP endpoint.
func (s *Server) takeTraces(r *http.Request) (int, any, string) {
	if media := r.Header.Get("Content-Type"); media != "application/x-protobuf" {
		return s.refuse(r, "the Content-Type is %q", media)
	}
	if v := r.Header.Get("X-Langfuse-Ingestion-Version"); v != "4" {
		return s.refuse(r, "the ingestion version is %q", v)
	}
	data, err := unpacked(r)
	if err != nil {
		return s.refuse(r, "the body cannot be read: %v", err)
	}
	var request collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(data, &request); err != nil {
		return s.refuse(r, "the body is no ExportTraceServiceRequest: %v", err)
	}
	spans, err := decode(&request)
	if err != nil {
		return s.refuse(r, "%v", err)
	}
	var lines []string
	s.locked(func() {
		for _, span := range spans {
			s.spans[span.TraceID+"/"+span.ID] = span
			lines = append(lines, fmt.Sprintf("%s %s under %q", span.TraceID, span.Name, span.Parent))
		}
	})
	return http.StatusOK, map[string]any{}, strings.Join(lines, "\n")
}

func unpacked(r *http.Request) ([]byte, error) {
	if r.Header.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(r.Body)
	}
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func decode(request *collector.ExportTraceServiceRequest) ([]Span, error) {
	if len(request.ProtoReflect().GetUnknown()) > 0 {
		return nil, errors.New("the request has fields that OTLP does not know")
	}
	var spans []Span
	for _, of := range request.GetResourceSpans() {
		if v := attributes(of.GetResource().GetAttributes())["service.name"]; v == nil || v == "" {
			return nil, errors.New("the resource has no service.name")
		}
		for _, in := range of.GetScopeSpans() {
			for _, wire := range in.GetSpans() {
				span, err := check(wire)
				if err != nil {
					return nil, fmt.Errorf("span %q: %w", wire.GetName(), err)
				}
				spans = append(spans, span)
			}
		}
	}
	if len(spans) == 0 {
		return nil, errors.New("there are no spans in it")
	}
	return spans, nil
}

// check holds a span against OTLP and the attributes against their page.
func check(wire *traces.Span) (Span, error) {
	span := Span{
		TraceID: hex.EncodeToString(wire.GetTraceId()), ID: hex.EncodeToString(wire.GetSpanId()), Parent: hex.EncodeToString(wire.GetParentSpanId()),
		Name: wire.GetName(), Start: at(wire.GetStartTimeUnixNano()), End: at(wire.GetEndTimeUnixNano()),
		Failed: wire.GetStatus().GetCode() == traces.Status_STATUS_CODE_ERROR, Attributes: attributes(wire.GetAttributes()),
	}
	switch {
	case len(wire.GetTraceId()) != 16 || len(wire.GetSpanId()) != 8:
		return span, fmt.Errorf("trace id %q or span id %q has not the right length", span.TraceID, span.ID)
	case len(wire.GetParentSpanId()) != 0 && len(wire.GetParentSpanId()) != 8:
		return span, fmt.Errorf("parent id %q has not the right length", span.Parent)
	case span.Name == "" || wire.GetStartTimeUnixNano() == 0 || span.End.Before(span.Start):
		return span, fmt.Errorf("it has no name, or ends (%v) before it starts (%v)", span.End, span.Start)
	case len(wire.GetAttributes()) != len(span.Attributes):
		return span, errors.New("an attribute is there twice")
	}
	for _, name := range everySpan {
		if span.Attributes[name] == nil {
			return span, fmt.Errorf("%s is missing", name)
		}
	}
	return span, checkAttributes(span.Attributes)
}

func at(nanos uint64) time.Time { return time.Unix(0, int64(nanos)).UTC() }

func attributes(list []*common.KeyValue) map[string]any {
	all := map[string]any{}
	for _, a := range list {
		switch v := a.GetValue().GetValue().(type) {
		case *common.AnyValue_StringValue:
			all[a.GetKey()] = v.StringValue
		case *common.AnyValue_IntValue:
			all[a.GetKey()] = v.IntValue
		case *common.AnyValue_DoubleValue:
			all[a.GetKey()] = v.DoubleValue
		case *common.AnyValue_BoolValue:
			all[a.GetKey()] = v.BoolValue
		default:
			all[a.GetKey()] = nil
		}
	}
	return all
}

func checkAttributes(all map[string]any) error {
	for name, value := range all {
		if value == nil {
			return fmt.Errorf("%s has no value, or one of a type that is not used", name)
		}
		if strings.HasPrefix(name, "langfuse.") && !fits(name, value) {
			return fmt.Errorf("%s = %v is no attribute of Langfuse's, or of the wrong type", name, value)
		}
	}
	if kind := all["langfuse.observation.type"]; !slices.Contains(observationTypes, fmt.Sprint(kind)) {
		return fmt.Errorf("there is no observation of type %v", kind)
	}
	if level, ok := all["langfuse.observation.level"]; ok && !slices.Contains(levels, fmt.Sprint(level)) {
		return fmt.Errorf("there is no level %v", level)
	}
	return nil
}

func fits(name string, value any) bool {
	want := attributeTypes[name]
	for prefix, t := range attributeTypes {
		if strings.HasSuffix(prefix, ".") && strings.HasPrefix(name, prefix) {
			want = t
		}
	}
	text, isText := value.(string)
	switch want {
	case "string":
		return isText
	case "json":
		var members map[string]float64
		return isText && json.Unmarshal([]byte(text), &members) == nil
	case "bool":
		_, ok := value.(bool)
		return ok
	case "int":
		_, ok := value.(int64)
		return ok
	}
	return false
}
