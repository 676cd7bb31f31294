package store_test

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

func TestModelUsageAddsUp(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		one := quern.ModelUsage{Day: "2026-05-01", Provider: "openai", Model: "big", Requests: 1, InputTokens: 100, OutputTokens: 20, Cost: 325}
		add := func(user quern.UserID, u quern.ModelUsage) {
			u.At = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
			if err := s.Update(ctx, func(tx *store.Tx) error { return tx.AddModelUsage(ctx, user, u) }); err != nil {
				t.Errorf("AddModelUsage(%s) = %v, want nil", user, err)
			}
		}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { add("ada", one) })
		}
		all.Wait()
		small, later := one, one
		small.Model, later.Day = "small", "2026-05-02"
		add("ada", small)
		add("ada", later)
		add("grace", one)
		ten := quern.ModelUsage{Day: "2026-05-01", Provider: "openai", Model: "big", Requests: 10, InputTokens: 1000, OutputTokens: 200,
			Cost: 3250}
		for _, tt := range []struct {
			user     quern.UserID
			from, to string
			want     []quern.ModelUsage
		}{
			{"ada", "2026-05-01", "2026-05-02", []quern.ModelUsage{ten, small, later}},
			{"ada", "2026-05-01", "2026-05-01", []quern.ModelUsage{ten, small}},
			{"grace", "2026-01-01", "2026-12-31", []quern.ModelUsage{one}},
			{"ada", "2026-05-03", "2026-12-31", nil},
		} {
			var got []quern.ModelUsage
			err := s.View(ctx, func(tx *store.Tx) (err error) {
				got, err = tx.ModelUsage(ctx, tt.user, tt.from, tt.to)
				return err
			})
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("ModelUsage(%s, %s, %s) = %+v, %v, want %+v", tt.user, tt.from, tt.to, got, err, tt.want)
			}
		}
	})
}
