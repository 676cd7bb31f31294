// Package otlp sends spans to a collector by OTLP over HTTP, in protobuf.
//
// It owns how a span is written for others: OpenTelemetry's ids, kinds and
// attributes, with the conventions for generative AI. It never decides what is
// recorded. The failure it is built around is the refusal that looks like
// success: an answer that took only some of the spans is an error, and one that
// can be tried again says so.
package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strings"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"quern"
)

const (
	mediaType = "application/x-protobuf"
	// maxAnswer bounds how much of an answer is read.
	maxAnswer = 64 << 10
)

// Options says where spans go and what they say.
type Options struct {
	URL    string      // of the traces, as https://collector.example/v1/traces
	Header http.Header // sent along, for authorization
	// Resource describes this program, by attribute.
	Resource map[string]string
	// Dress adds attributes that the receiver wants beside the conventions'.
	Dress  func(quern.Span) map[string]any
	Client *http.Client // nil means one of its own
}

// Exporter is a trace.Sink.
type Exporter struct{ Options }

// New makes an Exporter.
func New(o Options) *Exporter {
	if o.Client == nil {
		o.Client = NewClient()
	}
	return &Exporter{o}
}

// NewClient makes a client that follows no redirect, for those would take
// credentials elsewhere and turn a POST into a GET.
func NewClient() *http.Client {
	return &http.Client{
		Transport:     http.DefaultTransport.(*http.Transport).Clone(), // the standard library's own
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Close lets the connections go.
func (e *Exporter) Close() error {
	e.Client.CloseIdleConnections()
	return nil
}

// Record sends spans.
func (e *Exporter) Record(ctx context.Context, spans []quern.Span) error {
	body, err := e.encode(spans)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, values := range e.Header {
		r.Header[name] = values
	}
	r.Header.Set("Content-Type", mediaType)
	r.Header.Set("Content-Encoding", "gzip")
	answer, err := e.Client.Do(r)
	if err != nil {
		return unreachable("the collector did not answer").Because(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return unreachable("the collector did not answer whole").Because(err)
	}
	return verdict(answer, data)
}

// encode writes the request, compressed.
func (e *Exporter) encode(spans []quern.Span) ([]byte, error) {
	data, err := proto.Marshal(e.request(spans))
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return body.Bytes(), err
}

// verdict says what an answer means. Which statuses may be tried again is the
// protocol's choice.
func verdict(answer *http.Response, data []byte) error {
	switch answer.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent, http.StatusMultiStatus:
		return partial(answer.Header, data)
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return unreachable("the collector answered %s", answer.Status)
	}
	return quern.E(quern.Invalid, quern.CodeInvalid, "the collector answered %s", answer.Status)
}

// partial finds spans that the collector refused within a success.
func partial(h http.Header, data []byte) error {
	if len(data) == 0 || !strings.HasPrefix(h.Get("Content-Type"), mediaType) {
		return nil
	}
	var said collector.ExportTraceServiceResponse
	if err := proto.Unmarshal(data, &said); err != nil {
		return quern.E(quern.Invalid, quern.CodeInvalid, "the collector's answer cannot be read").Because(err)
	}
	if n := said.GetPartialSuccess().GetRejectedSpans(); n > 0 {
		return quern.E(quern.Invalid, quern.CodeInvalid, "the collector refused %d spans: %.200s", n, said.GetPartialSuccess().GetErrorMessage())
	}
	return nil
}

func unreachable(format string, args ...any) *quern.Error {
	return quern.E(quern.Unreachable, quern.CodeUnreachable, format, args...)
}
