package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quern/config"
)

func load(t *testing.T, flags map[string]string, environ ...string) *config.Config {
	t.Helper()
	c, err := config.Load(config.Inputs{Flags: flags, Environ: environ})
	if err != nil {
		t.Fatalf("Load(%v, %v) = %v, want settings", flags, environ, err)
	}
	return c
}

func problems(t *testing.T, flags map[string]string, environ ...string) []config.Problem {
	t.Helper()
	_, err := config.Load(config.Inputs{Flags: flags, Environ: environ})
	found, ok := errors.AsType[*config.Problems](err)
	if !ok {
		t.Fatalf("Load(%v, %v) = %v, want problems", flags, environ, err)
	}
	return found.List
}

// dataWith makes a data directory that holds a settings file.
func dataWith(t *testing.T, file string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "quern.toml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func setting(t *testing.T, c *config.Config, name string) *config.Setting {
	t.Helper()
	for _, s := range c.Settings() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("Settings() has no %s", name)
	return nil
}

func TestFlagsBeatVariablesBeatFile(t *testing.T) {
	t.Parallel()
	dir := dataWith(t, "query_time = \"1s\"\nquery_rows = 1\nquery_threads = 1\n")
	c := load(t, map[string]string{"data": dir, "query_time": "3s"},
		"QUERN_QUERY_TIME=2s", "QUERN_QUERY_ROWS=2", "HOME=/nowhere")
	if c.Query.Time != 3*time.Second || c.Query.Rows != 2 || c.Query.Threads != 1 || c.Listen != "127.0.0.1:8080" {
		t.Errorf("Load() = %+v, listen %s, want time 3s, rows 2, threads 1, the default listen", c.Query, c.Listen)
	}
	for name, want := range map[string]config.Source{
		"query_time":    {Kind: config.FromFlag, Where: "--query-time"},
		"query_rows":    {Kind: config.FromVariable, Where: "QUERN_QUERY_ROWS"},
		"query_threads": {Kind: config.FromFile, Where: filepath.Join(dir, "quern.toml") + ": query_threads"},
		"listen":        {Kind: config.FromDefault},
	} {
		if got := setting(t, c, name).Source; got != want {
			t.Errorf("source of %s = %+v, want %+v", name, got, want)
		}
	}
}

func TestFileIsFound(t *testing.T) {
	t.Parallel()
	inData := dataWith(t, `log_level = "debug"`)
	named := filepath.Join(dataWith(t, "log_level = \"warn\"\ndata = \"/elsewhere\"\ncors_origins = [\"http://a.test\", \"https://b.test/\"]"), "quern.toml")
	if c := load(t, nil, "QUERN_DATA="+inData); c.LogLevel != "debug" {
		t.Errorf("file of the data directory: log level = %s, want debug", c.LogLevel)
	}
	c := load(t, map[string]string{"config": named}, "QUERN_CONFIG=/missing")
	if c.LogLevel != "warn" || c.Data != "/elsewhere" || strings.Join(c.CORSOrigins, " ") != "http://a.test https://b.test" {
		t.Errorf("named file = %s, %s, %v, want warn, /elsewhere, two origins", c.LogLevel, c.Data, c.CORSOrigins)
	}
	if c := load(t, map[string]string{"data": inData}, "QUERN_CONFIG="+named); c.LogLevel != "warn" || c.Data != inData {
		t.Errorf("named file beside data = %s, %s, want warn from the named one and the flag's data", c.LogLevel, c.Data)
	}
}

func TestEverythingWrongIsReportedTogether(t *testing.T) {
	t.Parallel()
	dir := dataWith(t, "query_tyme = \"1s\"\ndata = \"/x\"\nquery_rows = 1.5\n")
	found := problems(t, map[string]string{"data": dir, "listen": "nowhere"},
		"QUERN_LISTN=:80", "QUERN_BODY_LIMIT=big", "QUERN_TLS_CERT=/cert.pem")
	want := map[string]string{
		"QUERN_LISTN":            "did you mean QUERN_LISTEN?",
		"quern.toml: data":       "cannot move it",
		"quern.toml: query_rows": "whole number",
		"quern.toml: query_tyme": "did you mean query_time?",
		"--listen":               `"nowhere" is not HOST:PORT`,
		"QUERN_BODY_LIMIT":       `"big" is not a size`,
		"QUERN_TLS_CERT":         "tls_cert is set without tls_key",
	}
	for _, p := range found {
		where := strings.TrimPrefix(p.Where, dir+string(filepath.Separator))
		if reason, ok := want[where]; !ok || !strings.Contains(p.Reason, reason) {
			t.Errorf("problem %s: %s, want one of %v", where, p.Reason, want)
		}
		delete(want, where)
	}
	for where := range want {
		t.Errorf("Load() does not report %s", where)
	}
	if text := (&config.Problems{List: found}).Error(); !strings.HasPrefix(text, "7 settings cannot be used:\n  ") {
		t.Errorf("Error() = %q, want a counted list", text)
	}
}

func TestRefusedValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ variable, value, reason string }{
		{"QUERN_LISTEN", "127.0.0.1:99999", "not a number from 0 to 65535"},
		{"QUERN_PUBLIC_URL", "ftp://x", "http:// or https://"},
		{"QUERN_PUBLIC_URL", "https://x?y=1", "no meaning"},
		{"QUERN_DATABASE_URL", "mysql://root:hunter2@db/x", "postgres://"},
		{"QUERN_QUERY_TIME", "0s", "too short"},
		{"QUERN_QUERY_TIME", "30", "not a duration"},
		{"QUERN_DRAIN_DELAY", "-1s", "too short"},
		{"QUERN_QUERY_ROWS", "0", "less than 1"},
		{"QUERN_QUERY_ROWS", "many", "not a whole number"},
		{"QUERN_QUERY_MEMORY", "-1", "positive"},
		{"QUERN_QUERY_MEMORY", "9999999TiB", "positive"},
		{"QUERN_QUERY_MEMORY", "1XB", "not a size"},
		{"QUERN_LOG_LEVEL", "loud", "none of debug, info, warn, error"},
		{"QUERN_CORS_ORIGINS", "*,https://a.test", "beside other origins"},
		{"QUERN_CORS_ORIGINS", "https://a.test/path", "has a path"},
		{"QUERN_TRUSTED_PROXIES", "10.0.0.0/8,proxy", "not a network"},
		{"QUERN_REDIRECT_URIS", "https://a.test/cb#x", "without user or fragment"},
		{"QUERN_S3_BUCKET", "b", "without s3_endpoint"},
		{"QUERN_S3_ENDPOINT", "http://s3.test", "without s3_bucket"},
		{"QUERN_OIDC_ISSUER", "https://id.test", "without oidc_audience"},
		{"QUERN_LANGFUSE_PUBLIC_KEY", "pk", "without langfuse_url"},
		{"QUERN_LANGFUSE_URL", "langfuse.test", "http:// or https://"},
		{"QUERN_PHOENIX_API_KEY", "key", "without phoenix_url"},
		{"QUERN_OTLP_HEADERS", "x-key:hunter2", "not a list of name=value"},
		{"QUERN_OTLP_HEADERS", "x-key=hunter2", "without otlp_endpoint"},
		{"QUERN_TRACE_CONTENT", "rows", "none of record, omit"},
		{"QUERN_TRACE_RETENTION", "-1h", "too short"},
		{"QUERN_CONFIG", "/missing/quern.toml", "cannot be read"},
		{"QUERN_Listen", ":80", "no setting has this variable"},
	} {
		t.Run(tt.variable+"="+tt.value, func(t *testing.T) {
			t.Parallel()
			found := problems(t, map[string]string{"data": t.TempDir()}, tt.variable+"="+tt.value)
			if len(found) != 1 || !strings.Contains(found[0].Reason, tt.reason) {
				t.Errorf("problems = %v, want one saying %q", found, tt.reason)
			}
			if strings.Contains(found[0].Reason, "hunter2") {
				t.Errorf("problem %q shows a secret", found[0].Reason)
			}
		})
	}
}

func TestOneTracingStore(t *testing.T) {
	t.Parallel()
	found := problems(t, map[string]string{"data": t.TempDir()}, "QUERN_PHOENIX_URL=http://phoenix.test",
		"QUERN_LANGFUSE_URL=http://langfuse.test", "QUERN_LANGFUSE_PUBLIC_KEY=pk", "QUERN_LANGFUSE_SECRET_KEY=hunter2")
	if len(found) != 1 || !strings.Contains(found[0].Reason, "phoenix_url and langfuse_url are both set") {
		t.Errorf("problems = %v, want one that names both stores", found)
	}
}

func TestFileThatIsNotTOML(t *testing.T) {
	t.Parallel()
	found := problems(t, map[string]string{"data": dataWith(t, "listen = \"a\"\nlisten: b\n")})
	if len(found) != 1 || !strings.Contains(found[0].Reason, "line 2") {
		t.Errorf("problems = %v, want one that names line 2", found)
	}
}

func TestVariablesThatAreNotOurs(t *testing.T) {
	t.Parallel()
	load(t, map[string]string{"data": t.TempDir()}, "QUERN_LISTEN=", "QUERN_SERVICE_HOST=10.0.0.1", "QUERN_SERVICE_PORT_HTTP=80",
		"QUERN_PORT=tcp://10.0.0.1:80", "QUERN_PORT_80_TCP_ADDR=10.0.0.1", "AQUERN_X=1")
}

func TestSizesAndDurationsAreShownAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, given, shown string }{
		{"query_memory", "1073741824", "1GiB"}, {"query_memory", "1 gib", "1GiB"}, {"query_memory", "1500", "1500"},
		{"query_memory", "2KB", "2000"}, {"body_limit", "64kib", "64KiB"},
		{"query_time", "90m", "1h30m"}, {"query_time", "3600s", "1h"}, {"query_time", "100ms", "100ms"}, {"query_time", "10m", "10m"},
		{"trusted_proxies", "10.1.2.3/8, ::1", "10.0.0.0/8,::1/128"}, {"redirect_uris", "https://a.test/cb?x=1,", "https://a.test/cb?x=1"},
		{"public_url", "https://quern.test/", "https://quern.test"},
	} {
		c := load(t, map[string]string{"data": t.TempDir(), tt.name: tt.given})
		if got := setting(t, c, tt.name).Text(); got != tt.shown {
			t.Errorf("%s = %q is shown as %q, want %q", tt.name, tt.given, got, tt.shown)
		}
	}
}

func TestSecretsAreMasked(t *testing.T) {
	t.Parallel()
	c := load(t, map[string]string{"data": t.TempDir()}, "QUERN_DATABASE_URL=postgres://quern:hunter2@db:5432/q?sslpassword=hunter2",
		"QUERN_S3_ENDPOINT=http://s3.test", "QUERN_S3_BUCKET=b", "QUERN_S3_ACCESS_KEY_ID=id", "QUERN_S3_SECRET_ACCESS_KEY=hunter2")
	for _, s := range c.Settings() {
		if strings.Contains(s.Shown(), "hunter2") {
			t.Errorf("%s is shown as %s", s.Name, s.Shown())
		}
	}
	if got, want := setting(t, c, "database_url").Shown(), "postgres://quern:********@db:5432/q?sslpassword=********"; got != want {
		t.Errorf("database_url is shown as %s, want %s", got, want)
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ public, listen, want string }{
		{"", "127.0.0.1:8080", "http://127.0.0.1:8080"}, {"", "0.0.0.0:80", "http://localhost:80"},
		{"", "[::]:80", "http://localhost:80"}, {"", ":80", "http://localhost:80"}, {"https://q.test", ":80", "https://q.test"},
	} {
		c := load(t, map[string]string{"data": t.TempDir(), "public_url": tt.public})
		if got := c.Origin(tt.listen); got != tt.want {
			t.Errorf("Origin(%s) with public_url %q = %s, want %s", tt.listen, tt.public, got, tt.want)
		}
	}
}

func TestEverySettingIsDocumented(t *testing.T) {
	t.Parallel()
	var want strings.Builder
	if err := config.Document(&want); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../docs/configuration.md")
	if err != nil || string(got) != want.String() {
		t.Errorf("docs/configuration.md differs from the definitions (%v): run `make generate`", err)
	}
	for _, s := range config.Definitions() {
		if s.Help == "" || s.Group == "" || s.Type() == "" {
			t.Errorf("%s lacks a help text, a group or a type", s.Name)
		}
	}
}
