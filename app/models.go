package app

import (
	"math/rand/v2"

	"quern/ask"
	"quern/ask/models"
	"quern/config"
	"quern/llm"
	"quern/llm/anthropic"
	"quern/llm/openai"
	"quern/nlq"
	"quern/nlq/model"
	"quern/nlq/prompt"
)

// models are what a question may name: those of the settings, with the embedded
// ones behind them.
func (a *App) models(t nlq.Translator, p ask.Planner) (*models.Models, error) {
	offered, source := a.offered(a.cfg.LLM), prompt.Source{Schemas: a.parts.schema}
	if len(offered) > 0 { // only they are told anything
		words, err := model.Vectors()
		if err != nil {
			return nil, err
		}
		source.Words = words
	}
	return models.New(models.Options{
		Offered: offered, Source: source,
		Values: a.cfg.LLM.RowValues == "send", Translator: t, Planner: p, Log: a.log,
	}), nil
}

// offered are the models of the settings.
func (a *App) offered(cfg config.LLM) []llm.Offered {
	client := llm.Client()
	a.onClose(func() error { client.CloseIdleConnections(); return nil })
	prices := map[string]llm.Price{}
	for _, p := range cfg.Prices {
		prices[p.Model] = llm.Price{Input: p.Input, Output: p.Output}
	}
	return llm.New(llm.Options{
		Provider: cfg.Provider, Names: cfg.Names(), Prices: prices, Ledger: a.parts.auth,
		Budget: llm.Budget{Tokens: int64(cfg.UserTokens), Cost: int64(cfg.UserCost * 1e6)},
		Open: func(name string) llm.Model {
			if cfg.Provider == "anthropic" {
				return anthropic.New(anthropic.Options{BaseURL: cfg.BaseURL, APIKey: cfg.APIKey, Model: name, MaxTokens: cfg.MaxTokens, HTTP: client, Now: a.now})
			}
			return openai.New(openai.Options{BaseURL: cfg.BaseURL, APIKey: cfg.APIKey, Model: name, MaxTokens: cfg.MaxTokens, HTTP: client, Now: a.now})
		},
		Timeout: cfg.Timeout, Retries: cfg.Retries, Concurrency: cfg.Concurrency, Failures: cfg.Failures, Rest: cfg.Rest,
		Now: a.now, Rand: rand.Float64, Log: a.log,
	})
}
