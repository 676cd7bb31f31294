package app_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/app"
	"quern/config"
	"quern/store"
	"quern/store/storetest"
	"quern/trace/langfuse/langfusetest"
	"quern/trace/phoenix/phoenixtest"
)

// signIn returns a token of ada's, the first user.
func signIn(t *testing.T, a *app.App, cfg *config.Config) (token string, ada quern.User) {
	t.Helper()
	_, err := a.FirstUser(t.Context(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	users, closeUsers, err := app.OpenAuth(t.Context(), cfg, true)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := closeUsers(); err != nil {
			t.Error(err)
		}
	}()
	p, err := users.As(t.Context(), "ada")
	if err == nil {
		_, token, err = users.CreateToken(t.Context(), p, quern.TokenSpec{Name: "test"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return token, p.User
}

func post(t *testing.T, url, token, body string) (int, string) {
	t.Helper()
	return callAs(t, http.MethodPost, url, token, body)
}

func TestTracesAndRatingsGoWhereTheSettingsSay(t *testing.T) {
	t.Parallel()
	langfuse := langfusetest.New(t)
	asked := make(chan http.Header, 1000)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/otel/v1/traces" {
			asked <- r.Header
		}
	}))
	t.Cleanup(collector.Close)
	cfg := settings(t, map[string]string{
		"langfuse_url": langfuse.URL, "langfuse_public_key": langfusetest.PublicKey, "langfuse_secret_key": langfusetest.SecretKey,
		"otlp_endpoint": collector.URL + "/otel", "otlp_headers": "X-Key=a%20key",
	})
	a, stop := start(t, cfg, io.Discard)
	token, ada := signIn(t, a, cfg)
	beside, err := store.Open(context.Background(), store.Options{File: filepath.Join(cfg.Data, "quern.db")})
	if err != nil {
		t.Fatal(err)
	}
	run := storetest.Run(t, beside, ada, quern.Run{})
	if err := beside.Close(); err != nil {
		t.Fatal(err)
	}
	if status, body := post(t, a.URL()+"/api/v1/query/runs/"+string(run.ID)+"/feedback", token, `{"thumbsUp":true}`); status != http.StatusNoContent {
		t.Errorf("rating a run = %d %s, want 204", status, body)
	}
	if score, ok := langfuse.Score(run.ID.ScoreID()); !ok || score.Value != 1 {
		t.Errorf("the score there is %+v (%t)", score, ok)
	}
	post(t, a.URL()+"/api/v1/query/autorag", token, `{"username":"self","namespace":"harbour","query":"How many arrivals are there?"}`)
	if _, text := get(t, a.URL()+"/metrics"); !strings.Contains(text, `quern_trace_spans_dropped_total{destination="embedded"} 0`) ||
		!strings.Contains(text, `quern_trace_spans_total{destination="langfuse"}`) || !strings.Contains(text, `quern_trace_spans_total{destination="collector"}`) {
		t.Errorf("/metrics lacks what became of spans: %s", text)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	var told []string
	for _, r := range langfuse.Log() {
		told = append(told, r.String())
	}
	if text := strings.Join(told, "\n"); !strings.Contains(text, "invoke_agent assistant") || !strings.Contains(text, "step 0") {
		t.Errorf("Langfuse was told\n%s\nwant the trace of a run", text)
	}
	if h := <-asked; h.Get("X-Key") != "a key" {
		t.Errorf("the collector was sent %v, want the key", h)
	}
}

// A rating that is given as soon as there is an answer finds its run in Phoenix.
func TestRatingsInPhoenixBringTheirSpans(t *testing.T) {
	t.Parallel()
	phoenix := phoenixtest.New(t)
	phoenix.StoreLate()
	cfg := settings(t, map[string]string{"phoenix_url": phoenix.URL, "phoenix_api_key": phoenixtest.APIKey, "score_timeout": "60s"})
	a, stop := start(t, cfg, io.Discard)
	token, _ := signIn(t, a, cfg)
	status, body := post(t, a.URL()+"/api/v1/query/autorag", token, `{"username":"self","namespace":"harbour","query":"How many arrivals are there?"}`)
	var asked struct{ RunID quern.RunID }
	if err := json.Unmarshal([]byte(body), &asked); err != nil || status != http.StatusOK {
		t.Fatalf("asking = %d %s, %v, want 200", status, body, err)
	}
	if status, body := post(t, a.URL()+"/api/v1/query/runs/"+string(asked.RunID)+"/feedback", token, `{"thumbsUp":false,"comment":"no"}`); status != http.StatusNoContent {
		t.Errorf("rating the run = %d %s, want 204", status, body)
	}
	rating, rated := phoenix.Annotation(asked.RunID.ScoreID())
	if _, traced := phoenix.Span(asked.RunID.TraceID(), string(asked.RunID.SpanID())); !rated || !traced || rating.Score != 0 || rating.Explanation != "no" {
		t.Errorf("Phoenix has the rating %+v (%t) and the span %t, want both", rating, rated, traced)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
