package config

import (
	"errors"
	"strings"
	"time"
)

// Tracing says where the traces of runs and the ratings of their askers go, and
// what traces tell.
type Tracing struct {
	LangfuseURL, LangfusePublicKey, LangfuseSecretKey string
	PhoenixURL, PhoenixAPIKey                         string
	OTLPEndpoint                                      string
	OTLPHeaders                                       []string // name=value each
	Content                                           string   // record or omit
	Retention, ScoreTimeout                           time.Duration
}

func (c *Config) tracing() []*Setting {
	const group = "Tracing"
	return []*Setting{
		{Name: "langfuse_url", Group: group, value: webURL(&c.Tracing.LangfuseURL),
			Help: "The Langfuse installation that keeps ratings, and traces too. When not set, ratings are kept in the metadata."},
		{Name: "langfuse_public_key", Group: group, value: text(&c.Tracing.LangfusePublicKey),
			Help: "The public key of the Langfuse project."},
		{Name: "langfuse_secret_key", Group: group, value: text(&c.Tracing.LangfuseSecretKey), Secret: true,
			Help: "The secret key of the Langfuse project."},
		{Name: "phoenix_url", Group: group, value: webURL(&c.Tracing.PhoenixURL),
			Help: "The Arize Phoenix installation that keeps ratings, and traces too, instead of a Langfuse."},
		{Name: "phoenix_api_key", Group: group, value: text(&c.Tracing.PhoenixAPIKey), Secret: true,
			Help: "An API key of the Phoenix installation, where it asks for one."},
		{Name: "score_timeout", Group: group, value: duration(&c.Tracing.ScoreTimeout), Default: "5s",
			Help: "How long the tracing store has to accept a rating before the request is answered with 502."},
		{Name: "otlp_endpoint", Group: group, value: webURL(&c.Tracing.OTLPEndpoint),
			Help: "An OpenTelemetry collector that gets the spans of requests and runs, by OTLP over HTTP; /v1/traces is added. When not set, OTEL_EXPORTER_OTLP_ENDPOINT is heeded, and the other variables of its kind."},
		{Name: "otlp_headers", Group: group, value: headers(&c.Tracing.OTLPHeaders), Secret: true,
			Help: "What is sent along to the collector, as name=value, separated by commas."},
		{Name: "trace_content", Group: group, value: word(&c.Tracing.Content, "record", "omit"), Default: "record",
			Help: "Whether traces tell questions, queries and answers, or only what was done and how long it took. Rows are never in them."},
		{Name: "trace_retention", Group: group, value: delay(&c.Tracing.Retention), Default: "720h",
			Help: "How long traces are kept in the metadata, where their askers can read them; 0s means not at all."},
	}
}

// headers is a list of name=value. Values are secrets, so no error repeats them.
func headers(p *[]string) value {
	return parsed(p, "list", func(s string) ([]string, error) {
		var all []string
		for item := range strings.SplitSeq(s, ",") {
			name, _, ok := strings.Cut(item, "=")
			switch {
			case strings.TrimSpace(item) == "":
				continue
			case !ok || strings.TrimSpace(name) == "" || strings.ContainsAny(item, "\r\n"):
				return nil, errors.New("is not a list of name=value")
			}
			all = append(all, strings.TrimSpace(item))
		}
		return all, nil
	}, func(all []string) string { return strings.Join(all, ",") })
}

// checkTracing finds settings of tracing that do not go together.
func (c *Config) checkTracing(problems *Problems, pair func(one, other, why string)) {
	pair("langfuse_url", "langfuse_public_key", "Langfuse knows a project by its keys")
	pair("langfuse_url", "langfuse_secret_key", "Langfuse knows a project by its keys")
	pair("langfuse_public_key", "langfuse_url", "it has no effect alone")
	pair("langfuse_secret_key", "langfuse_url", "it has no effect alone")
	pair("phoenix_api_key", "phoenix_url", "it has no effect alone")
	pair("otlp_headers", "otlp_endpoint", "it has no effect alone")
	if c.Tracing.LangfuseURL != "" && c.Tracing.PhoenixURL != "" {
		problems.add(c.setting("phoenix_url").Source.Where, "phoenix_url and langfuse_url are both set: ratings are kept in one tracing store; unset one of them")
	}
}
