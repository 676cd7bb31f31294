package otlp_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"quern"
	"quern/trace"
	"quern/trace/otlp"
)

// collect is a collector that answers as it is told and keeps the last request.
func collect(t *testing.T, status int, media string, answer []byte) (e *otlp.Exporter, asked func() (*collector.ExportTraceServiceRequest, http.Header)) {
	t.Helper()
	var last collector.ExportTraceServiceRequest
	var header http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		if z, err := gzip.NewReader(r.Body); err == nil {
			if data, err := io.ReadAll(z); err != nil || proto.Unmarshal(data, &last) != nil {
				t.Error("the request is no ExportTraceServiceRequest")
			}
		}
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = w.Write(answer) // the test looks at what arrives
	}))
	t.Cleanup(s.Close)
	e = otlp.New(otlp.Options{
		URL: s.URL + "/v1/traces", Header: http.Header{"X-Key": {"k"}}, Resource: map[string]string{"service.name": "quern"}, Client: s.Client(),
	})
	return e, func() (*collector.ExportTraceServiceRequest, http.Header) { return &last, header }
}

var (
	run  = quern.RunID("019a86b1-0000-7000-8000-0123456789ab")
	noon = time.Date(2030, 12, 1, 12, 0, 0, 0, time.UTC)
	span = quern.Span{
		Run: run, ID: "00000000000000aa", Parent: run.SpanID(), Kind: quern.SpanModel, Name: "chat mill", Start: noon, End: noon.Add(time.Second),
		Failure: quern.CodeTimeout, Output: "a \"tree\"", Attributes: map[string]any{trace.InputTokens: int64(3), trace.Cost: 0.5, "yes": true, "odd": []string{"x"}},
	}
)

func TestASpanOnTheWire(t *testing.T) {
	t.Parallel()
	e, asked := collect(t, 200, "application/x-protobuf", nil)
	if err := e.Record(t.Context(), []quern.Span{span}); err != nil {
		t.Fatalf("Record() = %v, want nil", err)
	}
	request, header := asked()
	if header.Get("Content-Type") != "application/x-protobuf" || header.Get("X-Key") != "k" {
		t.Errorf("the headers are %v", header)
	}
	of := request.GetResourceSpans()[0]
	if a := of.GetResource().GetAttributes()[0]; a.GetKey() != "service.name" || a.GetValue().GetStringValue() != "quern" {
		t.Errorf("the resource is %v", of.GetResource())
	}
	got := of.GetScopeSpans()[0].GetSpans()[0]
	if len(got.GetTraceId()) != 16 || len(got.GetSpanId()) != 8 || len(got.GetParentSpanId()) != 8 || got.GetKind() != traces.Span_SPAN_KIND_CLIENT ||
		got.GetStatus().GetCode() != traces.Status_STATUS_CODE_ERROR || got.GetEndTimeUnixNano()-got.GetStartTimeUnixNano() != 1e9 {
		t.Errorf("the span is %v", got)
	}
	attributes := map[string]string{}
	for _, a := range got.GetAttributes() {
		attributes[a.GetKey()] = a.GetValue().String()
	}
	for key, want := range map[string]string{
		"gen_ai.operation.name": `string_value:"chat"`, "gen_ai.usage.input_tokens": "int_value:3", "quern.usage.cost": "double_value:0.5",
		"yes": "bool_value:true", "odd": "", "error.type": `string_value:"TIMEOUT"`,
		"gen_ai.output.messages": `string_value:"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"a \\\"tree\\\"\"}],\"finish_reason\":\"stop\"}]"`,
	} {
		if attributes[key] != want {
			t.Errorf("%s = %s, want %s", key, attributes[key], want)
		}
	}
}

func TestWhatAnAnswerMeans(t *testing.T) {
	t.Parallel()
	answer := func(n int64) []byte {
		data, err := proto.Marshal(&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{RejectedSpans: n, ErrorMessage: "no"}})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	const protobuf = "application/x-protobuf"
	for name, c := range map[string]struct {
		status int
		media  string
		body   []byte
		want   string
	}{
		"taken": {200, protobuf, nil, ""}, "taken, with a warning": {200, protobuf, answer(0), ""}, "taken, in JSON": {200, "application/json", []byte(`{}`), ""},
		"accepted": {202, "", nil, ""}, "some refused": {200, protobuf, answer(1), "invalid"}, "nonsense": {200, protobuf, []byte("nonsense"), "invalid"},
		"busy": {429, "", nil, "unreachable"}, "away": {502, "", nil, "unreachable"}, "overloaded": {503, "", nil, "unreachable"}, "late": {504, "", nil, "unreachable"},
		"wrong": {400, "", nil, "invalid"}, "denied": {401, "", nil, "invalid"}, "broken": {500, "", nil, "invalid"}, "elsewhere": {307, "", nil, "invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, _ := collect(t, c.status, c.media, c.body)
			err := e.Record(t.Context(), []quern.Span{span})
			if got := quern.KindOf(err).String(); err == nil && c.want != "" || err != nil && got != c.want {
				t.Errorf("Record() = %v, want %q", err, c.want)
			}
		})
	}
}
