package auth

import (
	"context"
	"time"

	"quern"
	"quern/store"
)

// SpendModel adds to what a user has used of a model. Unlike requests it is
// written at once, for budgets depend on it.
func (s *Service) SpendModel(ctx context.Context, user quern.UserID, spent quern.ModelUsage) error {
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.AddModelUsage(ctx, user, spent) })
}

// SpentModel tells what a user has used on a day, of all models together.
func (s *Service) SpentModel(ctx context.Context, user quern.UserID, day string) (sum quern.ModelUsage, err error) {
	all, err := s.modelUsage(ctx, user, day, day)
	sum.Day = day
	for _, u := range all {
		sum.Requests += u.Requests
		sum.InputTokens += u.InputTokens
		sum.OutputTokens += u.OutputTokens
		sum.Cost += u.Cost
	}
	return sum, err
}

// ModelUsageSums adds up what the principal's user has used of models by the days
// of a time zone, oldest first.
func (s *Service) ModelUsageSums(
	ctx context.Context, p quern.Principal, span quern.UsageSpan, zone *time.Location,
) (sums []quern.UsageSum, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		sums, err = tx.ModelUsageSums(ctx, p.User.ID, span, zone)
		return err
	})
	return sums, err
}

// ModelUsageByDay tells what the principal's user has used of models, from one
// day to another (in UTC, as 2006-01-02), both included.
func (s *Service) ModelUsageByDay(ctx context.Context, p quern.Principal, from, to string) ([]quern.ModelUsage, error) {
	return s.modelUsage(ctx, p.User.ID, from, to)
}

func (s *Service) modelUsage(ctx context.Context, user quern.UserID, from, to string) (all []quern.ModelUsage, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		all, err = tx.ModelUsage(ctx, user, from, to)
		return err
	})
	return all, err
}
