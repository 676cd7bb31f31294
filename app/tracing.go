package app

import (
	"context"
	"log/slog"
	"os"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"quern/config"
)

// flushTimeout bounds how long a stopping server tries to send its last spans.
const flushTimeout = 3 * time.Second

// exporting reports whether the standard variables name a collector.
func exporting() bool {
	named := os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
	return named && os.Getenv("OTEL_SDK_DISABLED") != "true" && os.Getenv("OTEL_TRACES_EXPORTER") != "none"
}

// newTracing exports the spans of requests when the settings or the standard
// variables name a collector. Spans queue up to a bound and are dropped beyond
// it: no request waits for them.
func newTracing(ctx context.Context, cfg config.Tracing, log *slog.Logger) (trace.TracerProvider, func() error, error) {
	var options []otlptracehttp.Option
	if cfg.OTLPEndpoint != "" {
		with := map[string]string{}
		for name, values := range headers(cfg.OTLPHeaders) {
			with[name] = values[0]
		}
		options = append(options, otlptracehttp.WithEndpointURL(cfg.OTLPEndpoint+"/v1/traces"), otlptracehttp.WithHeaders(with))
	} else if !exporting() {
		return noop.NewTracerProvider(), func() error { return nil }, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("spans were lost", "error", err) }))
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, nil, err
	}
	about, err := resource.New(ctx, resource.WithAttributes(serviceName, serviceVersion()), resource.WithFromEnv(), resource.WithHost())
	if err != nil {
		log.Warn("the resource of spans is incomplete", "error", err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	return provider, func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("the last spans were lost", "error", err)
		}
		return nil
	}, nil
}
