package tracetest

import (
	"compress/gzip"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"quern"
)

// WireSpan is a span as it arrived over OTLP.
type WireSpan struct {
	TraceID, ID, Parent, Name string
	Start, End                time.Time
	Failed                    bool
	Attributes                map[string]any
	// Resource is what the span's program says of itself.
	Resource map[string]any
}

// Kept is the span as the suite looks at it.
func (s WireSpan) Kept() Kept {
	return Kept{Parent: quern.SpanID(s.Parent), Name: s.Name, Start: s.Start, End: s.End, Failed: s.Failed, Attributes: s.Attributes}
}

// Spans returns the spans of a trace, in no order.
func (d *Double) Spans(traceID string) []WireSpan {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []WireSpan
	for _, span := range d.spans {
		if span.TraceID == traceID {
			list = append(list, span)
		}
	}
	return list
}

// Span returns a span of a trace.
func (d *Double) Span(traceID, id string) (s WireSpan, ok bool) {
	d.Locked(func() { s, ok = d.spans[traceID+"/"+id] })
	return s, ok
}

// TakeTraces reads a request by OTLP over HTTP, holds each of its spans against the
// protocol and against check, and keeps them. about tells of them, one line each.
func (d *Double) TakeTraces(r *http.Request, check func(WireSpan) error) (about string, err error) {
	if media := r.Header.Get("Content-Type"); media != "application/x-protobuf" {
		return "", fmt.Errorf("the Content-Type is %q", media)
	}
	data, err := unpacked(r)
	if err != nil {
		return "", fmt.Errorf("the body cannot be read: %w", err)
	}
	var request collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(data, &request); err != nil {
		return "", fmt.Errorf("the body is no ExportTraceServiceRequest: %w", err)
	}
	spans, err := decode(&request, check)
	if err != nil {
		return "", err
	}
	var lines []string
	d.Locked(func() {
		for _, span := range spans {
			d.spans[span.TraceID+"/"+span.ID] = span
			lines = append(lines, fmt.Sprintf("%s %s under %q", span.TraceID, span.Name, span.Parent))
		}
	})
	return strings.Join(lines, "\n"), nil
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

func decode(request *collector.ExportTraceServiceRequest, check func(WireSpan) error) ([]WireSpan, error) {
	if len(request.ProtoReflect().GetUnknown()) > 0 {
		return nil, errors.New("the request has fields that OTLP does not know")
	}
	var spans []WireSpan
	for _, of := range request.GetResourceSpans() {
		about := attributes(of.GetResource().GetAttributes())
		if v := about["service.name"]; v == nil || v == "" {
			return nil, errors.New("the resource has no service.name")
		}
		for _, in := range of.GetScopeSpans() {
			for _, wire := range in.GetSpans() {
				span, err := checked(wire)
				if span.Resource = about; err == nil {
					err = check(span)
				}
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

// checked holds a span against OTLP.
func checked(wire *traces.Span) (WireSpan, error) {
	span := WireSpan{
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
	for name, value := range span.Attributes {
		if value == nil {
			return span, fmt.Errorf("%s has no value, or one of a type that is not used", name)
		}
	}
	return span, nil
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
