package config

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// LLM says which language models there are, and what they may cost.
type LLM struct {
	Provider, BaseURL, APIKey, Model string
	Models                           []string
	RowValues                        string
	Timeout, Rest                    time.Duration
	Retries, Failures, Concurrency   int
	MaxTokens                        int
	Prices                           []Price
	UserTokens                       int
	UserCost                         float64
}

// Price is what a million tokens of a model cost.
type Price struct {
	Model         string
	Input, Output float64
}

func (c *Config) models() []*Setting {
	const group = "Models"
	return []*Setting{
		{Name: "llm_provider", Group: group, value: word(&c.LLM.Provider, "none", "openai", "anthropic"), Default: "none",
			Help: "The interface of the model service that helps with questions: openai for every service with chat completions as OpenAI has them, anthropic for Anthropic's messages. With none, the translator inside the server answers alone."},
		{Name: "llm_base_url", Group: group, value: webURL(&c.LLM.BaseURL),
			Help: "The address of the model service. When not set, it is the provider's own."},
		{Name: "llm_api_key", Group: group, value: text(&c.LLM.APIKey), Secret: true,
			Help: "The key that the model service wants; services on your own machines may need none."},
		{Name: "llm_model", Group: group, value: text(&c.LLM.Model),
			Help: "The model that answers requests that name none."},
		{Name: "llm_models", Group: group, value: list(&c.LLM.Models, func(s string) (string, error) { return s, nil }, same),
			Help: "The other models of the service that requests may name, separated by commas."},
		{Name: "llm_row_values", Group: group, value: word(&c.LLM.RowValues, "send", "keep"), Default: "send",
			Help: "Whether values out of rows may be sent to the model service. With keep, prompts hold names, types and descriptions only, and answers are written without the model."},
		{Name: "llm_timeout", Group: group, value: duration(&c.LLM.Timeout), Default: "1m",
			Help: "How long one answer of a model may take, repetitions included."},
		{Name: "llm_max_tokens", Group: group, value: number(&c.LLM.MaxTokens, 1), Default: "4096",
			Help: "The most tokens of one answer of a model."},
		{Name: "llm_retries", Group: group, value: number(&c.LLM.Retries, 0), Default: "2",
			Help: "How often a model is asked again when its service is busy or broken."},
		{Name: "llm_concurrency", Group: group, value: number(&c.LLM.Concurrency, 1), Default: "8",
			Help: "The requests to the model service at the same time; the next ones wait their turn."},
		{Name: "llm_failures", Group: group, value: number(&c.LLM.Failures, 1), Default: "5",
			Help: "The failures in a row after which a model is left alone for a while."},
		{Name: "llm_rest", Group: group, value: duration(&c.LLM.Rest), Default: "30s",
			Help: "How long a model that failed too often is left alone."},
		{Name: "llm_prices", Group: group, value: list(&c.LLM.Prices, parsePrice, showPrice),
			Help: "What a million tokens cost, as model=input/output, separated by commas, in any currency. Models that are not listed count as free."},
		{Name: "llm_user_tokens", Group: group, value: number(&c.LLM.UserTokens, 0), Default: "0",
			Help: "The most tokens that one user's questions may use in a day; 0 means no limit. Then the translator inside the server answers, and says so."},
		{Name: "llm_user_cost", Group: group, value: amount(&c.LLM.UserCost), Default: "0",
			Help: "The most that one user's questions may cost in a day, in the currency of the prices; 0 means no limit."},
	}
}

// parsePrice reads model=input/output.
func parsePrice(s string) (Price, error) {
	wrong := errors.New("is not model=input/output such as small=0.25/2")
	i := strings.LastIndex(s, "=")
	if i <= 0 {
		return Price{}, wrong
	}
	input, output, ok := strings.Cut(s[i+1:], "/")
	in, errIn := parseAmount(input)
	out, errOut := parseAmount(output)
	if !ok || errIn != nil || errOut != nil {
		return Price{}, wrong
	}
	return Price{s[:i], in, out}, nil
}

func showPrice(p Price) string {
	return p.Model + "=" + showAmount(p.Input) + "/" + showAmount(p.Output)
}

// amount is a number of at least zero.
func amount(p *float64) value { return parsed(p, "number", parseAmount, showAmount) }

func parseAmount(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || f < 0 || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, errors.New("is not a number of at least 0")
	}
	return f, nil
}

func showAmount(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Names lists the models that requests may name, the default first.
func (l LLM) Names() []string {
	if l.Provider == "none" {
		return nil
	}
	names := []string{l.Model}
	for _, n := range l.Models {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// checkModels finds settings about models that do not go together.
func (c *Config) checkModels(problems *Problems, pair func(one, other, why string)) {
	if c.LLM.Provider != "none" {
		pair("llm_provider", "llm_model", "a service has many models")
	}
	for _, name := range []string{"llm_base_url", "llm_api_key", "llm_model", "llm_models", "llm_prices"} {
		pair(name, "llm_provider", "it has no effect alone")
	}
	if s := c.setting("llm_provider"); c.LLM.Provider == "anthropic" && c.LLM.APIKey == "" {
		problems.add(s.Source.Where, "anthropic needs llm_api_key")
	}
	for _, n := range c.LLM.Names() {
		if n == "embedded" {
			problems.add(c.setting("llm_model").Source.Where, "embedded is the name of the translator inside the server")
		}
	}
	for _, p := range c.LLM.Prices {
		if s := c.setting("llm_prices"); !slices.Contains(c.LLM.Names(), p.Model) {
			problems.add(s.Source.Where, "%q is a price of none of the models that are set", p.Model)
		}
	}
	if c.LLM.UserCost > 0 && len(c.LLM.Prices) == 0 {
		problems.add(c.setting("llm_user_cost").Source.Where, "llm_user_cost is set without llm_prices: without prices, nothing costs anything")
	}
}
