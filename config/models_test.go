package config_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestModelSettings(t *testing.T) {
	t.Parallel()
	if c := load(t, nil); c.LLM.Names() != nil || c.LLM.RowValues != "send" || c.LLM.Timeout != time.Minute {
		t.Errorf("defaults = %+v, want no models", c.LLM)
	}
	dir := dataWith(t, "llm_provider = \"openai\"\nllm_model = \"big\"\nllm_models = [\"small\", \"big\"]\nllm_prices = [\"big=1.25/10\", \"small=0/0.5\"]\nllm_user_cost = 0.75\n")
	c := load(t, map[string]string{"data": dir}, "QUERN_LLM_API_KEY=sk-secret")
	if got := c.LLM.Names(); !slices.Equal(got, []string{"big", "small"}) {
		t.Errorf("Names() = %v, want big first and each once", got)
	}
	if p := c.LLM.Prices; len(p) != 2 || p[0].Model != "big" || p[0].Input != 1.25 || p[0].Output != 10 || p[1].Output != 0.5 || c.LLM.UserCost != 0.75 {
		t.Errorf("prices = %+v, cost %v, want those of the file", p, c.LLM.UserCost)
	}
	if shown := setting(t, c, "llm_api_key").Shown(); strings.Contains(shown, "secret") {
		t.Errorf("the key is shown as %q", shown)
	}
	if shown := setting(t, c, "llm_prices").Shown(); shown != "big=1.25/10,small=0/0.5" {
		t.Errorf("the prices are shown as %q, want as a flag gives them", shown)
	}
	if c := load(t, map[string]string{"llm_provider": "none", "llm_model": "big"}); c.LLM.Names() != nil {
		t.Errorf("Names() = %v, want none from a provider that is turned off", c.LLM.Names())
	}
}

func TestModelSettingsThatDoNotGoTogether(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ settings, reason string }{
		{"llm_provider=openai", "llm_provider is set without llm_model"},
		{"llm_model=big", "llm_model is set without llm_provider"},
		{"llm_base_url=http://127.0.0.1:1/v1", "llm_base_url is set without llm_provider"},
		{"llm_provider=gemini", "is none of none, openai, anthropic"},
		{"llm_provider=anthropic llm_model=big", "needs llm_api_key"},
		{"llm_provider=openai llm_model=embedded", "translator inside the server"},
		{"llm_provider=openai llm_model=big llm_prices=small=1/2", `"small" is a price of none`},
		{"llm_provider=openai llm_model=big llm_prices=big=1", "is not model=input/output"},
		{"llm_provider=openai llm_model=big llm_prices=big=1/-2", "is not model=input/output"},
		{"llm_provider=openai llm_model=big llm_user_cost=2", "without llm_prices"},
		{"llm_provider=openai llm_model=big llm_user_cost=NaN", "is not a number"},
		{"llm_provider=openai llm_model=big llm_base_url=http://u:p@h/", "carries a user"},
		{"llm_provider=openai llm_model=big llm_row_values=no", "is none of send, keep"},
	} {
		flags := map[string]string{}
		for pair := range strings.FieldsSeq(tt.settings) {
			name, value, _ := strings.Cut(pair, "=")
			flags[name] = value
		}
		found := problems(t, flags)
		if len(found) != 1 || !strings.Contains(found[0].Reason, tt.reason) {
			t.Errorf("Load(%s) = %+v, want one problem with %q", tt.settings, found, tt.reason)
		}
	}
}
