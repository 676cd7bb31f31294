package store

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"math"
	"slices"
	"time"

	"quern"
)

// Usage is one request to be counted for a user.
type Usage struct {
	User  quern.UserID
	Event quern.UsageEvent
}

type usageDay struct {
	user           quern.UserID
	day, operation string
}

func (d usageDay) compare(e usageDay) int {
	return cmp.Or(cmp.Compare(d.user, e.user), cmp.Compare(d.day, e.day), cmp.Compare(d.operation, e.operation))
}

// InsertUsage records requests, each by itself and in its day's count. One that is
// recorded already is not counted again: a commit that was cut off may have happened. Those
// of users who were deleted meanwhile are left out.
func (tx *Tx) InsertUsage(ctx context.Context, all []Usage) error {
	there, err := tx.keepUsers(ctx, all)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(u Usage) bool { return !there[u.User] })
	counts := map[usageDay]int64{}
	for part := range slices.Chunk(all, insertAtOnce) {
		args, days := make([]any, 0, 5*len(part)), map[quern.UsageID]usageDay{}
		for _, u := range part {
			args = append(args, u.Event.ID, u.User, micros(u.Event.At), u.Event.Operation, u.Event.Units)
			days[u.Event.ID] = usageDay{u.User, u.Event.At.UTC().Format(time.DateOnly), u.Event.Operation}
		}
		err := tx.each(ctx, `INSERT INTO usage_events (id, user_id, at, operation, units) VALUES `+rowMarks(len(part), 5)+`
			ON CONFLICT (id) DO NOTHING RETURNING id`, args, func(scan func(...any) error) error {
			var id quern.UsageID
			err := scan(&id)
			counts[days[id]]++
			return err
		})
		if err != nil {
			return err
		}
	}
	// One order for all writers, so that two of them never wait for each other.
	days := slices.SortedFunc(maps.Keys(counts), usageDay.compare)
	for _, d := range days {
		_, err := tx.exec(ctx, `INSERT INTO usage_days (user_id, day, operation, requests) VALUES ($1, $2, $3, $4)
			ON CONFLICT (user_id, day, operation) DO UPDATE SET requests = usage_days.requests + excluded.requests`,
			d.user, d.day, d.operation, counts[d])
		if err != nil {
			return err
		}
	}
	return nil
}

// keepUsers returns which users of usage there are, and keeps them from being deleted
// before the transaction ends.
func (tx *Tx) keepUsers(ctx context.Context, all []Usage) (map[quern.UserID]bool, error) {
	there := map[quern.UserID]bool{}
	for _, u := range all {
		there[u.User] = false
	}
	for part := range slices.Chunk(slices.Sorted(maps.Keys(there)), insertAtOnce) {
		ids := make([]any, len(part))
		for i, id := range part {
			ids[i] = id
		}
		err := tx.each(ctx, `SELECT id FROM users WHERE id IN (`+marks(1, len(ids), "$%")+`) ORDER BY id`+tx.dialect.forKey, ids,
			func(scan func(...any) error) error {
				var id quern.UserID
				err := scan(&id)
				there[id] = true
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	return there, nil
}

// insertModelCall records one call of a model by itself.
func (tx *Tx) insertModelCall(ctx context.Context, user quern.UserID, u quern.ModelUsage) error {
	_, err := tx.exec(ctx, `INSERT INTO usage_events (id, user_id, at, operation, units, provider, model, tokens, cost)
		VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8)`,
		quern.NewID[quern.UsageID](), user, micros(u.At), quern.ModelCall, u.Provider, u.Model, u.InputTokens+u.OutputTokens, u.Cost)
	return err
}

// usageSpan writes a span's bounds as they are compared with times.
func usageSpan(s quern.UsageSpan) (from, to int64) {
	to = math.MaxInt64
	if !s.OnOrAfter.IsZero() {
		from = s.OnOrAfter.UnixMicro()
	}
	if !s.Before.IsZero() {
		to = s.Before.UnixMicro()
	}
	return from, to
}

// Usage lists a user's requests and model calls, newest first.
func (tx *Tx) Usage(ctx context.Context, user quern.UserID, page quern.UsagePage) ([]quern.UsageEvent, error) {
	from, to := usageSpan(page.Span)
	var all []quern.UsageEvent
	err := tx.each(ctx, `SELECT id, at, operation, units, provider, model, tokens, cost FROM usage_events
		WHERE user_id = $1 AND ($2 = '' OR id < $2) AND at >= $3 AND at < $4 ORDER BY id DESC LIMIT $5`,
		[]any{user, string(page.Behind), from, to, page.Limit}, func(scan func(...any) error) error {
			var e quern.UsageEvent
			var at sql.NullInt64
			err := scan(&e.ID, &at, &e.Operation, &e.Units, &e.Provider, &e.Model, &e.Tokens, &e.Cost)
			e.At = instant(at)
			all = append(all, e)
			return err
		})
	return all, err
}

// ModelUsageSums adds up a user's model calls by the days of a time zone, oldest
// first.
func (tx *Tx) ModelUsageSums(ctx context.Context, user quern.UserID, span quern.UsageSpan, zone *time.Location) ([]quern.UsageSum, error) {
	from, to := usageSpan(span)
	var all []quern.UsageSum
	err := tx.each(ctx, `SELECT at, tokens, cost FROM usage_events
		WHERE user_id = $1 AND tokens > 0 AND at >= $2 AND at < $3 ORDER BY at`,
		[]any{user, from, to}, func(scan func(...any) error) error {
			var at sql.NullInt64
			var tokens, cost int64
			if err := scan(&at, &tokens, &cost); err != nil {
				return err
			}
			day := instant(at).In(zone).Format(time.DateOnly)
			if len(all) == 0 || all[len(all)-1].Day != day {
				all = append(all, quern.UsageSum{Day: day})
			}
			all[len(all)-1].Tokens += tokens
			all[len(all)-1].Cost += cost
			return nil
		})
	return all, err
}

// UsageDays returns a user's daily counts from one day to another, both included
// and written as 2006-01-02, by day and operation.
func (tx *Tx) UsageDays(ctx context.Context, user quern.UserID, from, to string) ([]quern.UsageDay, error) {
	var all []quern.UsageDay
	err := tx.each(ctx, `SELECT day, operation, requests FROM usage_days
		WHERE user_id = $1 AND day >= $2 AND day <= $3 ORDER BY day, operation`,
		[]any{user, from, to}, func(scan func(...any) error) error {
			var d quern.UsageDay
			err := scan(&d.Day, &d.Operation, &d.Requests)
			all = append(all, d)
			return err
		})
	return all, err
}

// DeleteUsage removes the single requests before a time. The daily counts stay,
// and so do the model calls, which are few and whose sums are asked for by day.
func (tx *Tx) DeleteUsage(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM usage_events WHERE at < $1 AND tokens = 0`, micros(before))
	return err
}
