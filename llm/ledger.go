package llm

import (
	"context"
	"log/slog"
	"math"
	"time"

	"quern"
)

// Price is what a million tokens cost, in the operator's currency.
type Price struct {
	Input, Output float64
}

// Cost returns what a usage costs, in millionths of the currency, rounded up.
func (p Price) Cost(u Usage) int64 {
	return int64(math.Ceil(p.Input*float64(u.Input) + p.Output*float64(u.Output)))
}

// Budget is the most that one user may spend in a day; zero means no bound.
type Budget struct {
	Tokens int64
	Cost   int64 // in millionths of the currency
}

// Ledger keeps what every user has spent. Days are in UTC, as 2006-01-02.
type Ledger interface {
	// SpendModel adds to what a user has spent.
	SpendModel(ctx context.Context, user quern.UserID, spent quern.ModelUsage) error
	// SpentModel tells what a user has spent on a day, on all models together.
	SpentModel(ctx context.Context, user quern.UserID, day string) (quern.ModelUsage, error)
}

// Meter says how a model's use is counted and bounded.
type Meter struct {
	Provider, Model string
	Price           Price
	Budget          Budget
	Ledger          Ledger
	Now             func() time.Time
	Log             *slog.Logger
}

// Metered returns a model that counts what is used and refuses users whose budget
// for the day is spent. What is in flight is not counted yet, so a budget may be
// exceeded by the requests that a user has open at once.
func Metered(m Model, o Meter) Model {
	return complete(func(ctx context.Context, r Request) (Response, error) {
		if err := o.allow(ctx, r.For); err != nil {
			return Response{}, err
		}
		answer, err := m.Complete(ctx, r)
		if answer.Usage.Total() > 0 {
			answer.Cost = o.Price.Cost(answer.Usage)
			o.count(ctx, r.For, answer)
		}
		return answer, err
	})
}

func (o Meter) day() string { return o.Now().UTC().Format(time.DateOnly) }

func (o Meter) allow(ctx context.Context, user quern.UserID) error {
	if o.Budget == (Budget{}) {
		return nil
	}
	spent, err := o.Ledger.SpentModel(ctx, user, o.day())
	if err != nil {
		return err
	}
	tokens := spent.InputTokens + spent.OutputTokens
	noTokens := o.Budget.Tokens > 0 && tokens >= o.Budget.Tokens
	noMoney := o.Budget.Cost > 0 && spent.Cost >= o.Budget.Cost
	if noTokens || noMoney {
		now := o.Now().UTC()
		return Failed(Fault{Reason: Spent, After: now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)})
	}
	return nil
}

// count writes down what was used, also when the asker has gone: it was used.
func (o Meter) count(ctx context.Context, user quern.UserID, answer Response) {
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := o.Ledger.SpendModel(ctx, user, quern.ModelUsage{
		At: o.Now(), Day: o.day(), Provider: o.Provider, Model: o.Model, Requests: 1,
		InputTokens: answer.Usage.Input, OutputTokens: answer.Usage.Output, Cost: answer.Cost,
	})
	if err != nil {
		o.Log.Error("the use of a model could not be counted", "model", o.Model, "user", user, "error", err)
	}
}
