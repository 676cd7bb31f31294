package auth_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"quern"
	"quern/store"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx, bob := t.Context(), b.Principal("bob")
		day := time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)
		for i := range 450 {
			b.RecordUsage(t.Context(), b.ada.User.ID, fmt.Sprintf("op%d", i%2), day.Add(time.Duration(i)*time.Minute))
		}
		b.RecordUsage(t.Context(), bob.User.ID, "op0", day)
		if err := b.Flush(ctx); err != nil {
			t.Fatalf("Flush() = %v, want nil", err)
		}
		var all []quern.UsageEvent
		var pages int
		for before := quern.UsageID(""); ; pages++ {
			page, err := b.Usage(ctx, b.ada, quern.UsagePage{Behind: before, Limit: 200})
			if err != nil {
				t.Fatalf("Usage(%q) = %v, want a page", before, err)
			}
			if len(page) == 0 {
				break
			}
			all, before = append(all, page...), page[len(page)-1].ID
		}
		newestFirst := slices.IsSortedFunc(all, func(a, b quern.UsageEvent) int { return b.At.Compare(a.At) })
		if len(all) != 450 || pages != 3 || !newestFirst || all[449].Operation != "op0" || all[449].Units != 1 {
			t.Errorf("Usage() = %d events on %d pages, want 450 on 3, newest first", len(all), pages)
		}
		days, err := b.UsageByDay(ctx, b.ada, "2026-03-01", "2026-03-02")
		want := []quern.UsageDay{
			{Day: "2026-03-01", Operation: "op0", Requests: 30}, {Day: "2026-03-01", Operation: "op1", Requests: 30},
			{Day: "2026-03-02", Operation: "op0", Requests: 195}, {Day: "2026-03-02", Operation: "op1", Requests: 195},
		}
		if err != nil || !slices.Equal(days, want) {
			t.Errorf("UsageByDay() = %v, %v, want %v", days, err, want)
		}
		_, err = b.Usage(ctx, b.ada, quern.UsagePage{Behind: "'; --", Limit: 10})
		wantKind(t, "Usage(bad cursor)", err, quern.Malformed)
		err = b.Store.Update(ctx, func(tx *store.Tx) error { return tx.DeleteUsage(ctx, day.Add(time.Minute)) })
		if left, _ := b.Usage(ctx, b.ada, quern.UsagePage{Limit: 1000}); err != nil || len(left) != 449 {
			t.Errorf("DeleteUsage() left %d events, %v, want 449", len(left), err)
		}
	})
}

// TestUsageThatWasStoredAlready stores a request twice, the second time beside another
// one, as after a commit whose end was not heard of.
func TestUsageThatWasStoredAlready(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx, day := t.Context(), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		var all []store.Usage
		for range 2 {
			all = append(all, store.Usage{User: b.ada.User.ID, Event: quern.UsageEvent{
				ID: quern.NewID[quern.UsageID](), At: day, Operation: "op", Units: 1,
			}})
			if err := b.Store.Update(ctx, func(tx *store.Tx) error { return tx.InsertUsage(ctx, all) }); err != nil {
				t.Fatalf("InsertUsage() of %d = %v, want nil", len(all), err)
			}
		}
		days, err := b.UsageByDay(ctx, b.ada, "2026-03-01", "2026-03-01")
		if want := []quern.UsageDay{{Day: "2026-03-01", Operation: "op", Requests: 2}}; err != nil || !slices.Equal(days, want) {
			t.Errorf("UsageByDay() = %v, %v, want %v", days, err, want)
		}
	})
}

// Requests that are counted while their user is deleted, or after, leave nothing of it.
func TestUsageOfDeletedUsers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx, bob := t.Context(), b.Principal("bob")
		day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		of := func(p quern.Principal) store.Usage {
			return store.Usage{User: p.User.ID, Event: quern.UsageEvent{ID: quern.NewID[quern.UsageID](), At: day, Operation: "op", Units: 1}}
		}
		deleted := make(chan error, 1)
		err := b.Store.Update(ctx, func(tx *store.Tx) error {
			if err := tx.InsertUsage(ctx, []store.Usage{of(bob), of(b.ada)}); err != nil {
				return err
			}
			go func() {
				deleted <- b.Store.Update(ctx, func(tx *store.Tx) error { return tx.DeleteUser(ctx, bob.User) })
			}()
			time.Sleep(50 * time.Millisecond) // so that it has begun, where it can
			return nil
		})
		if err := errors.Join(err, <-deleted); err != nil {
			t.Fatalf("InsertUsage() beside DeleteUser() = %v, want nil", err)
		}
		if err := b.Store.Update(ctx, func(tx *store.Tx) error { return tx.InsertUsage(ctx, []store.Usage{of(bob), of(b.ada)}) }); err != nil {
			t.Fatalf("InsertUsage() of a deleted user = %v, want nil", err)
		}
		for p, want := range map[*quern.Principal]int{&bob: 0, &b.ada: 2} {
			events, err := b.Usage(ctx, *p, quern.UsagePage{Limit: 10})
			days, errDays := b.UsageByDay(ctx, *p, "2026-03-01", "2026-03-01")
			if err := errors.Join(err, errDays); err != nil || len(events) != want || len(days) != min(want, 1) {
				t.Errorf("%s has %d events and %d days, %v, want %d", p.User.Username, len(events), len(days), err, want)
			}
		}
	})
}

func TestUsageIsBoundedAndCounted(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	const sent = 50_000
	for range sent {
		b.RecordUsage(t.Context(), b.ada.User.ID, "op", b.clock.Now())
	}
	if err := b.Flush(t.Context()); err != nil {
		t.Fatalf("Flush() = %v, want nil", err)
	}
	today := b.clock.Now().UTC().Format(time.DateOnly)
	days, err := b.UsageByDay(t.Context(), b.ada, today, today)
	if err != nil || len(days) != 1 || days[0].Requests+b.Dropped() != sent {
		t.Errorf("UsageByDay() = %v, %v with %d dropped, want %d in all", days, err, b.Dropped(), sent)
	}
}

func TestCloseWritesWhatIsLeft(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	first := start(t, b.Store, b.clock)
	first.RecordUsage(t.Context(), b.ada.User.ID, "op", b.clock.Now())
	for range 2 {
		if err := first.Close(); err != nil {
			t.Fatalf("Close() = %v, want nil", err)
		}
	}
	if page, err := b.Usage(t.Context(), b.ada, quern.UsagePage{Limit: 10}); err != nil || len(page) != 1 {
		t.Errorf("Usage() after Close() = %v, %v, want one event", page, err)
	}
}

func TestModelUsage(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx, bob := t.Context(), b.Principal("bob")
		for i, model := range []string{"big", "small", "big"} {
			err := b.SpendModel(ctx, b.ada.User.ID, quern.ModelUsage{
				At: b.clock.Now(), Day: "2026-03-01", Provider: "openai", Model: model, Requests: 1, InputTokens: 100, OutputTokens: int64(i), Cost: 7,
			})
			if err != nil {
				t.Fatalf("SpendModel() = %v, want nil", err)
			}
		}
		want := quern.ModelUsage{Day: "2026-03-01", Requests: 3, InputTokens: 300, OutputTokens: 3, Cost: 21}
		if got, err := b.SpentModel(ctx, b.ada.User.ID, "2026-03-01"); err != nil || got != want {
			t.Errorf("SpentModel() = %+v, %v, want the sum of both models %+v", got, err, want)
		}
		if got, err := b.SpentModel(ctx, b.ada.User.ID, "2026-03-02"); err != nil || got.Requests != 0 {
			t.Errorf("SpentModel(the next day) = %+v, %v, want nothing", got, err)
		}
		if got, err := b.ModelUsageByDay(ctx, b.ada, "2026-03-01", "2026-03-31"); err != nil || len(got) != 2 || got[0].Requests != 2 {
			t.Errorf("ModelUsageByDay() = %+v, %v, want two models", got, err)
		}
		if got, err := b.ModelUsageByDay(ctx, bob, "2026-03-01", "2026-03-31"); err != nil || got != nil {
			t.Errorf("ModelUsageByDay(bob) = %+v, %v, want none", got, err)
		}
	})
}
