package llm

import (
	"log/slog"
	"time"

	"quern"
)

// Options says which models of a service there are and how they are asked.
type Options struct {
	Provider string
	Names    []string
	Open     func(name string) Model // makes the bare model
	Prices   map[string]Price
	Budget   Budget
	Ledger   Ledger

	Timeout     time.Duration // of one answer, repetitions included
	Retries     int
	Concurrency int // of all models together
	Failures    int // in a row, before a model is left alone
	Rest        time.Duration

	Now  func() time.Time
	Rand func() float64
	Log  *slog.Logger
}

// Offered is a model that callers may choose.
type Offered struct {
	Provider, Name string
	Model
	breaker *Breaker
	turns   chan struct{} // of all models together
}

// Condition tells how the model is doing.
func (o Offered) Condition() Condition { return o.breaker.Condition() }

// Asked is how many questions to models are under way, and how many may be at once; all
// models that were made together share it.
func (o Offered) Asked() quern.Room { return quern.Places(o.turns) }

// New makes the models, in the order of their names, each with patience, a
// breaker and a meter around it.
func New(o Options) []Offered {
	const first, most = 500 * time.Millisecond, 20 * time.Second
	var all []Offered
	turns := make(chan struct{}, max(o.Concurrency, 1))
	for _, name := range o.Names {
		retried := Retried(o.Open(name), Retry{Times: o.Retries, First: first, Most: most, Rand: o.Rand})
		breaker := NewBreaker(retried, Break{Failures: o.Failures, Rest: o.Rest, Now: o.Now})
		metered := Metered(Timed(Bounded(breaker, turns), o.Timeout), Meter{
			Provider: o.Provider, Model: name, Price: o.Prices[name], Budget: o.Budget, Ledger: o.Ledger, Now: o.Now, Log: o.Log,
		})
		all = append(all, Offered{o.Provider, name, metered, breaker, turns})
	}
	return all
}
