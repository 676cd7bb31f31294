package llm

import (
	"log/slog"
	"slices"
	"strings"
	"time"

	"quern"
)

// Embedded names, as model and as provider, the translator inside the server.
const Embedded = "embedded"

// Options says which models there are and how they are asked.
type Options struct {
	Provider string
	// Names are the models that callers may choose, the first by default; Open
	// makes one of them.
	Names  []string
	Open   func(name string) Model
	Prices map[string]Price
	Budget Budget
	Ledger Ledger

	Timeout     time.Duration // of one answer, repetitions included
	Retries     int
	Concurrency int // of all models together
	Failures    int // in a row, before a model is left alone
	Rest        time.Duration

	Now  func() time.Time
	Rand func() float64
	Log  *slog.Logger
}

// Models is the models that callers may choose from. The zero value has none but
// the embedded one.
type Models struct {
	provider string
	all      []offered
}

type offered struct {
	name    string
	model   Model
	breaker *Breaker
}

// New makes the models, each with patience, a breaker and a meter around it.
func New(o Options) *Models {
	const first, most = 500 * time.Millisecond, 20 * time.Second
	all := &Models{provider: o.Provider}
	turns := make(chan struct{}, max(o.Concurrency, 1))
	for _, name := range o.Names {
		retried := Retried(o.Open(name), Retry{Times: o.Retries, First: first, Most: most, Rand: o.Rand})
		breaker := NewBreaker(retried, Break{Failures: o.Failures, Rest: o.Rest, Now: o.Now})
		metered := Metered(Timed(inTurn(breaker, turns), o.Timeout), Meter{
			Provider: o.Provider, Model: name, Price: o.Prices[name], Budget: o.Budget, Ledger: o.Ledger, Now: o.Now, Log: o.Log,
		})
		all.all = append(all.all, offered{name, metered, breaker})
	}
	return all
}

// Choice is the model that a request is answered with.
type Choice struct {
	Provider, Name string
	Model          Model // nil for the embedded one
	// Named says that the caller asked for this one, and so for no other.
	Named bool
}

// Embedded reports whether the choice is the translator inside the server.
func (c Choice) Embedded() bool { return c.Model == nil }

// Choose gives the model that a request names, or the default where it names
// none. It fails with Invalid when there is no such model.
func (m *Models) Choose(provider, name string) (Choice, error) {
	provider, name = strings.TrimSpace(provider), strings.TrimSpace(name)
	named := provider != "" || name != ""
	switch {
	case !named && len(m.all) == 0,
		provider == Embedded && (name == "" || name == Embedded),
		provider == "" && name == Embedded:
		return Choice{Provider: Embedded, Name: Embedded, Named: named}, nil
	case provider != "" && provider != m.provider && provider != Embedded:
		return Choice{}, unknown("provider", provider, m.providers())
	}
	i := 0
	if name != "" {
		i = slices.IndexFunc(m.all, func(o offered) bool { return o.name == name })
	}
	if i < 0 || i >= len(m.all) || provider == Embedded {
		return Choice{}, unknown("model", name, m.names())
	}
	return Choice{Provider: m.provider, Name: m.all[i].name, Model: m.all[i].model, Named: named}, nil
}

func unknown(field, name string, there []string) error {
	message := field + ": " + name + " is not one of " + strings.Join(there, ", ")
	return quern.E(quern.Invalid, quern.CodeInvalid, "there is no such %s", field).
		With(quern.SubError{Code: "unknown", Message: message})
}

func (m *Models) providers() []string {
	if m.provider == "" {
		return []string{Embedded}
	}
	return []string{Embedded, m.provider}
}

func (m *Models) names() []string {
	names := []string{Embedded}
	for _, o := range m.all {
		names = append(names, o.name)
	}
	return names
}

// Listed is one model that callers may choose, and how it is doing.
type Listed struct {
	Provider, Name string
	Default        bool
	Condition
}

// List tells which models there are, the default first and the embedded one last.
func (m *Models) List() []Listed {
	var list []Listed
	for i, o := range m.all {
		list = append(list, Listed{m.provider, o.name, i == 0, o.breaker.Condition()})
	}
	return append(list, Listed{Embedded, Embedded, len(m.all) == 0, Condition{State: Available}})
}
