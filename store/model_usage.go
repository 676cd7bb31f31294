package store

import (
	"context"

	"quern"
)

// AddModelUsage records a call of a model, by itself and in its day's sum.
func (tx *Tx) AddModelUsage(ctx context.Context, user quern.UserID, u quern.ModelUsage) error {
	_, err := tx.exec(ctx, `INSERT INTO model_usage (user_id, day, provider, model, requests, input_tokens, output_tokens, cost)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (user_id, day, provider, model) DO UPDATE SET
			requests = model_usage.requests + excluded.requests,
			input_tokens = model_usage.input_tokens + excluded.input_tokens,
			output_tokens = model_usage.output_tokens + excluded.output_tokens,
			cost = model_usage.cost + excluded.cost`,
		user, u.Day, u.Provider, u.Model, u.Requests, u.InputTokens, u.OutputTokens, u.Cost)
	if err != nil {
		return err
	}
	return tx.insertModelCall(ctx, user, u)
}

// ModelUsage returns what a user has used of models from one day to another, both
// included and written as 2006-01-02, by day, provider and model.
func (tx *Tx) ModelUsage(ctx context.Context, user quern.UserID, from, to string) ([]quern.ModelUsage, error) {
	var all []quern.ModelUsage
	err := tx.each(ctx, `SELECT day, provider, model, requests, input_tokens, output_tokens, cost FROM model_usage
		WHERE user_id = $1 AND day >= $2 AND day <= $3 ORDER BY day, provider, model`,
		[]any{user, from, to}, func(scan func(...any) error) error {
			var u quern.ModelUsage
			err := scan(&u.Day, &u.Provider, &u.Model, &u.Requests, &u.InputTokens, &u.OutputTokens, &u.Cost)
			all = append(all, u)
			return err
		})
	return all, err
}
