package app

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"

	"quern"
	"quern/ask"
	"quern/config"
	"quern/feedback"
	"quern/server"
	"quern/store"
	"quern/trace"
	"quern/trace/langfuse"
	"quern/trace/otlp"
	"quern/trace/phoenix"
)

// phoenixName is Phoenix's name as a destination.
const phoenixName = "phoenix"

// traces is what the traces and ratings of runs are made of.
type traces struct {
	recorder *trace.Recorder
	embedded *trace.Embedded
	keeper   trace.Keeper // of ratings
	archive  trace.Archive
	feedback *feedback.Service
}

// addTraces says where the spans of runs go, and their ratings.
func (a *App) addTraces(context.Context) error {
	cfg, t := a.cfg.Tracing, &a.parts.traces
	t.embedded = trace.NewEmbedded(a.parts.store, a.now)
	about := map[string]string{"service.name": serviceName.Value.AsString(), "service.version": Version}
	t.keeper = t.embedded
	var to []trace.Destination
	if cfg.Retention > 0 {
		t.archive.Kept = t.embedded
		to = append(to, trace.Destination{Name: trace.EmbeddedName, Sink: t.embedded})
	}
	switch {
	case cfg.LangfuseURL != "":
		l := langfuse.New(langfuse.Options{URL: cfg.LangfuseURL, PublicKey: cfg.LangfusePublicKey, SecretKey: cfg.LangfuseSecretKey, Resource: about})
		a.onClose(l.Close)
		t.keeper = l
		to = append(to, trace.Destination{Name: "langfuse", Sink: l})
	case cfg.PhoenixURL != "":
		p := phoenix.New(phoenix.Options{URL: cfg.PhoenixURL, APIKey: cfg.PhoenixAPIKey, Resource: about, Flush: a.flushPhoenix, Trace: t.archived})
		a.onClose(p.Close)
		t.keeper = p
		to = append(to, trace.Destination{Name: phoenixName, Sink: p})
	}
	if address, header := collector(cfg); address != "" {
		e := otlp.New(otlp.Options{URL: address, Header: header, Resource: about})
		a.onClose(e.Close)
		to = append(to, trace.Destination{Name: "collector", Sink: e})
	}
	t.recorder = trace.New(trace.Options{Destinations: to, Content: cfg.Content == "record", Now: a.now, Log: a.log})
	t.archive.Recorder = t.recorder
	a.onClose(t.recorder.Close)
	return nil
}

// flushPhoenix sends the spans that wait for Phoenix.
func (a *App) flushPhoenix(ctx context.Context) error {
	return a.parts.traces.recorder.Flush(ctx, phoenixName)
}

// archived returns the spans of a run's trace that are kept in the metadata.
func (t *traces) archived(ctx context.Context, run quern.RunID) ([]quern.Span, error) {
	return t.archive.Spans(ctx, run)
}

// addFeedback makes what takes ratings.
func (a *App) addFeedback() {
	a.parts.traces.feedback = feedback.New(feedback.Options{
		Store: a.parts.store, Runs: a.parts.run, Keeper: a.parts.traces.keeper, Timeout: a.cfg.Tracing.ScoreTimeout, Now: a.now, Log: a.log,
	})
}

// collector is the OpenTelemetry collector of the settings or, when they name
// none, of the standard variables.
func collector(cfg config.Tracing) (address string, header http.Header) {
	if cfg.OTLPEndpoint != "" {
		return cfg.OTLPEndpoint + "/v1/traces", headers(cfg.OTLPHeaders)
	}
	if !exporting() {
		return "", nil
	}
	address = os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	if address == "" {
		address = strings.TrimRight(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), "/") + "/v1/traces"
	}
	given := os.Getenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS")
	if given == "" {
		given = os.Getenv("OTEL_EXPORTER_OTLP_HEADERS")
	}
	return address, headers(strings.Split(given, ","))
}

// headers reads name=value pairs, in which values may be written as in URLs.
func headers(pairs []string) http.Header {
	h := http.Header{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			continue
		}
		if plain, err := url.PathUnescape(strings.TrimSpace(value)); err == nil {
			value = plain
		}
		h.Set(strings.TrimSpace(name), value)
	}
	return h
}

// traced makes agents whose work is recorded.
func (a *App) traced(agents map[quern.AgentKind]ask.Agent) map[quern.AgentKind]ask.Agent {
	all := map[quern.AgentKind]ask.Agent{}
	for kind, agent := range agents {
		all[kind] = ask.Traced(kind, agent, a.parts.traces.recorder)
	}
	return all
}

// runEnded records the span of a whole run, and counts what may be worth teaching.
func (a *App) runEnded(ctx context.Context, r quern.Run) {
	ctx = context.WithoutCancel(ctx)
	var user quern.User
	err := a.parts.store.View(ctx, func(tx *store.Tx) (err error) {
		user, err = tx.User(ctx, r.Actor)
		return err
	})
	if err != nil {
		a.log.WarnContext(ctx, "a trace does not name its asker", "run", r.ID, "error", err)
	}
	a.parts.traces.recorder.Ended(r, user)
	if err := errors.Join(a.parts.knowledge.Missed(ctx, r), a.countChoice(ctx, r)); err != nil {
		a.log.WarnContext(ctx, "what may be worth teaching was not counted", "run", r.ID, "error", err)
	}
}

// countChoice counts the reading that a run chose of those that were offered.
func (a *App) countChoice(ctx context.Context, r quern.Run) error {
	before, choice, ok, err := a.parts.run.Chosen(ctx, r)
	if err != nil || !ok {
		return err
	}
	return a.parts.knowledge.Chosen(ctx, before, choice)
}

// keepTraces deletes old traces until ctx ends; where none are kept, those from
// before that was set.
func (a *App) keepTraces(ctx context.Context) {
	a.parts.traces.embedded.Upkeep(ctx, a.cfg.Tracing.Retention, func(err error) { a.log.Warn("old traces are still there", "error", err) })
}

// traceCounts tells what became of spans.
func (a *App) traceCounts() []server.Count {
	count := func(of func(trace.Counts) int64) func() map[string]int64 {
		return func() map[string]int64 {
			all := map[string]int64{}
			for name, c := range a.parts.traces.recorder.Counts() {
				all[name] = of(c)
			}
			return all
		}
	}
	return []server.Count{
		{Name: "quern_trace_spans_total", Label: "destination", Help: "Spans of runs that a destination has taken.",
			Values: count(func(c trace.Counts) int64 { return c.Recorded })},
		{Name: "quern_trace_spans_dropped_total", Label: "destination", Help: "Spans of runs that a destination will never get.",
			Values: count(func(c trace.Counts) int64 { return c.Dropped })},
	}
}
