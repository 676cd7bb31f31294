package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
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

// usageRows bounds the rows of one INSERT, well under both databases' limits on
// placeholders.
const usageRows = 200

// InsertUsage records requests, each by itself and in its day's count.
func (tx *Tx) InsertUsage(ctx context.Context, all []Usage) error {
	counts := map[usageDay]int64{}
	for start := 0; start < len(all); start += usageRows {
		part := all[start:min(start+usageRows, len(all))]
		values, args := make([]string, 0, len(part)), make([]any, 0, 5*len(part))
		for _, u := range part {
			n := len(args)
			values = append(values, fmt.Sprintf("($%d, $%d, $%d, $%d, $%d)", n+1, n+2, n+3, n+4, n+5))
			args = append(args, u.Event.ID, u.User, micros(u.Event.At), u.Event.Operation, u.Event.Units)
			counts[usageDay{u.User, u.Event.At.UTC().Format(time.DateOnly), u.Event.Operation}]++
		}
		if _, err := tx.exec(ctx, `INSERT INTO usage_events (id, user_id, at, operation, units) VALUES `+strings.Join(values, ", "), args...); err != nil {
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

// Usage lists a user's requests, newest first, starting behind the event named
// by before when that is not empty.
func (tx *Tx) Usage(ctx context.Context, user quern.UserID, before quern.UsageID, limit int) ([]quern.UsageEvent, error) {
	var all []quern.UsageEvent
	err := tx.each(ctx, `SELECT id, at, operation, units FROM usage_events
		WHERE user_id = $1 AND ($2 = '' OR id < $2) ORDER BY id DESC LIMIT $3`,
		[]any{user, string(before), limit}, func(scan func(...any) error) error {
			var e quern.UsageEvent
			var at sql.NullInt64
			err := scan(&e.ID, &at, &e.Operation, &e.Units)
			e.At = instant(at)
			all = append(all, e)
			return err
		})
	return all, err
}

// UsageDays gives a user's daily counts from one day to another, both included
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

// DeleteUsage removes the single requests before a time; the daily counts stay.
func (tx *Tx) DeleteUsage(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM usage_events WHERE at < $1`, micros(before))
	return err
}
