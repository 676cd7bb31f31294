package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/app"
	"quern/llm/llmtest"
)

// caller asks a server in ada's name.
type caller struct {
	t          *testing.T
	url, token string
}

func newCaller(t *testing.T, a *app.App, data string) caller {
	t.Helper()
	if _, err := a.FirstUser(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	auth, closeAuth, err := app.OpenAuth(t.Context(), settings(t, map[string]string{"data": data, "public_url": a.URL()}), true)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := closeAuth(); err != nil {
			t.Error(err)
		}
	}()
	p, err := auth.As(t.Context(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	_, token, err := auth.CreateToken(t.Context(), p, quern.TokenSpec{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return caller{t, a.URL() + "/api/v1", token}
}

// do sends a request and reads its answer into value.
func (c caller) do(method, path, body string, value any) (status int, text string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if value != nil {
		if err := json.NewDecoder(bytes.NewReader(raw)).Decode(value); err != nil {
			c.t.Errorf("%s %s = %d %s, which is no answer: %v", method, path, resp.StatusCode, raw, err)
		}
	}
	return resp.StatusCode, string(raw)
}

// The whole server asks a model service for plan, query and answer, and counts
// what that took.
func TestModelsOfTheSettings(t *testing.T) {
	t.Parallel()
	for _, speaks := range []llmtest.Interface{llmtest.OpenAI, llmtest.Anthropic} {
		t.Run(speaks.Name, func(t *testing.T) {
			t.Parallel()
			service := llmtest.New(t, speaks)
			log := &journal{}
			cfg := settings(t, map[string]string{
				"llm_provider": speaks.Name, "llm_base_url": service.BaseURL(), "llm_api_key": service.Key, "llm_model": "big", "llm_models": "small",
				"llm_prices": "big=2/10", "llm_retries": "0",
			})
			a, stop := start(t, cfg, log)
			defer func() {
				if err := stop(); err != nil {
					t.Error(err)
				}
			}()
			c := newCaller(t, a, cfg.Data)
			if status, text := c.do("POST", "/ingest/new/shop/orders", "", nil); status != 201 {
				t.Fatalf("creating a dataset = %d %s", status, text)
			}
			if status, text := c.do("POST", "/ingest/shop/orders", `{"data":[{"city":"Oslo"},{"city":"Bergen"},{"city":"Oslo"}]}`, nil); status != 200 {
				t.Fatalf("ingesting = %d %s", status, text)
			}
			askThroughTheModel(t, c, service)
			listModels(t, c)
			if strings.Contains(log.String(), service.Key) {
				t.Errorf("the log holds the key of the model service")
			}
		})
	}
}

type autorag struct {
	Response string
	Notes    []string
	Steps    []struct{ Query string }
}

func askThroughTheModel(t *testing.T, c caller, service *llmtest.Service) {
	t.Helper()
	service.Will(
		llmtest.Says(`{"reasoning":"One count.","steps":["How many orders are from Oslo?"]}`),
		llmtest.Says(`{"kind":"query","sql":"SELECT count(*) AS n FROM orders WHERE city = 'Oslo'","question":"","choices":[]}`),
		llmtest.Says(`{"answer":"Oslo has sent 2 orders."}`),
	)
	var answer autorag
	if status, text := c.do("POST", "/query/autorag", `{"username":"self","namespace":"shop","query":"How many orders came from Oslo?"}`, &answer); status != 200 || answer.Response != "Oslo has sent 2 orders." {
		t.Errorf("autorag = %d %s, want the model's answer", status, text)
	}
	for _, asked := range service.Asked() {
		if asked.Model != "big" || asked.MaxTokens != 4096 {
			t.Errorf("the service was asked for %d tokens of %q, want the settings' ones", asked.MaxTokens, asked.Model)
		}
	}
	var usage struct {
		Models []struct {
			Provider, Model       string
			Requests, InputTokens int64
			OutputTokens          int64
			Cost                  float64
		}
	}
	if status, text := c.do("GET", "/user/usage/by-day", "", &usage); status != 200 || len(usage.Models) != 1 {
		t.Fatalf("usage = %d %s, want one model", status, text)
	}
	if m := usage.Models[0]; m.Model != "big" || m.Provider != service.Provider() || m.Requests != 3 || m.InputTokens != 300 || m.OutputTokens != 60 || m.Cost != 0.0012 {
		t.Errorf("usage = %+v, want three answers of 100 and 20 tokens", m)
	}
	if status, text := c.do("POST", "/query/autorag", `{"username":"self","namespace":"shop","query":"How many?","model":"huge"}`, nil); status != 422 || !strings.Contains(text, "model") {
		t.Errorf("autorag with a model that is not there = %d %s, want 422", status, text)
	}
	if status, text := c.do("POST", "/query/autorag", `{"username":"self","namespace":"shop","query":"How many?","provider":"http://127.0.0.1/"}`, nil); status != 422 {
		t.Errorf("autorag with an address for a provider = %d %s, want 422", status, text)
	}
}

func listModels(t *testing.T, c caller) {
	t.Helper()
	type model struct {
		Model, Provider, State string
		Default                bool
	}
	var list struct{ Models []model }
	status, text := c.do("GET", "/query/models", "", &list)
	if status != 200 || len(list.Models) != 3 {
		t.Fatalf("models = %d %s, want the embedded one and two of the settings", status, text)
	}
	provider := list.Models[1].Provider
	want := []model{{"embedded", "embedded", "ready", false}, {"big", provider, "ready", true}, {"small", provider, "ready", false}}
	if !slices.Equal(list.Models, want) {
		t.Errorf("models = %+v, want %+v", list.Models, want)
	}
	var answer autorag
	if _, text := c.do("POST", "/query/autorag", `{"username":"self","namespace":"shop","query":"Hello!"}`, &answer); answer.Response == "" || len(answer.Notes) > 0 {
		t.Errorf("a greeting = %s, want an answer without a model", text)
	}
}
