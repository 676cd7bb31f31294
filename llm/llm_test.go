package llm_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quern"
	"quern/llm"
)

// scripted is a model that does one thing after the other, and the last for good.
type scripted struct {
	mu    sync.Mutex
	steps []func(context.Context) (llm.Response, error)
	calls []time.Time
	now   func() time.Time
}

func (m *scripted) Complete(ctx context.Context, _ llm.Request) (llm.Response, error) {
	m.mu.Lock()
	now := time.Now
	if m.now != nil {
		now = m.now
	}
	m.calls = append(m.calls, now())
	step := m.steps[min(len(m.calls), len(m.steps))-1]
	m.mu.Unlock()
	return step(ctx)
}

func (m *scripted) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.calls)
}

func says(text string) func(context.Context) (llm.Response, error) {
	return func(context.Context) (llm.Response, error) {
		return llm.Response{Text: text, Usage: llm.Usage{Input: 10, Output: 5}}, nil
	}
}

func fails(f llm.Fault) func(context.Context) (llm.Response, error) {
	return func(context.Context) (llm.Response, error) { return llm.Response{}, llm.Failed(f) }
}

func stalls(ctx context.Context) (llm.Response, error) {
	<-ctx.Done()
	return llm.Response{}, llm.Broken(ctx, ctx.Err())
}

func steps(all ...func(context.Context) (llm.Response, error)) *scripted {
	return &scripted{steps: all}
}

func reason(err error) llm.Reason {
	f, _ := llm.FaultOf(err)
	return f.Reason
}

func TestTimed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		_, err := llm.Timed(steps(stalls), time.Minute).Complete(t.Context(), llm.Request{})
		if !quern.Is(err, quern.Timeout) || time.Since(begin) != time.Minute {
			t.Errorf("Complete of a model that stalls = %v after %v, want Timeout after a minute", err, time.Since(begin))
		}
		got, err := llm.Timed(steps(says("hello")), time.Minute).Complete(t.Context(), llm.Request{})
		if got.Text != "hello" || err != nil {
			t.Errorf("Complete = %q, %v, want hello", got.Text, err)
		}
	})
}

func TestRetried(t *testing.T) {
	t.Parallel()
	half := func() float64 { return 0.5 }
	away, busy := fails(llm.Fault{Reason: llm.Away}), fails(llm.Fault{Reason: llm.Busy, After: 7 * time.Second})
	for _, tt := range []struct {
		name   string
		model  *scripted
		reason llm.Reason
		calls  int
		took   time.Duration
	}{
		{"well at once", steps(says("ok")), 0, 1, 0},
		{"away once", steps(away, says("ok")), 0, 2, 750 * time.Millisecond},
		{"away for good", steps(away), llm.Away, 4, (750 + 1500 + 3000) * time.Millisecond},
		{"busy, says when", steps(busy, says("ok")), 0, 2, 7 * time.Second},
		{"busy for longer than anyone waits", steps(fails(llm.Fault{Reason: llm.Busy, After: time.Hour})), llm.Busy, 1, 0},
		{"denied", steps(fails(llm.Fault{Reason: llm.Denied})), llm.Denied, 1, 0},
		{"rejected", steps(fails(llm.Fault{Reason: llm.Rejected})), llm.Rejected, 1, 0},
		{"declined", steps(fails(llm.Fault{Reason: llm.Declined})), llm.Declined, 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := llm.Retried(tt.model, llm.Retry{Times: 3, First: time.Second, Most: 20 * time.Second, Rand: half})
				begin := time.Now()
				_, err := m.Complete(t.Context(), llm.Request{})
				if reason(err) != tt.reason || tt.model.count() != tt.calls || time.Since(begin) != tt.took {
					t.Errorf("Complete = %v after %d calls in %v, want reason %d after %d in %v", err, tt.model.count(), time.Since(begin), tt.reason, tt.calls, tt.took)
				}
			})
		})
	}
}

func TestRetriedStopsAtTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model := steps(fails(llm.Fault{Reason: llm.Busy, After: 10 * time.Second}))
		m := llm.Timed(llm.Retried(model, llm.Retry{Times: 3, First: time.Second, Most: time.Minute, Rand: func() float64 { return 0 }}), 25*time.Second)
		begin := time.Now()
		_, err := m.Complete(t.Context(), llm.Request{})
		if reason(err) != llm.Busy || model.count() != 3 || time.Since(begin) != 20*time.Second {
			t.Errorf("Complete = %v after %d calls in %v, want Busy after 3 calls in 20s: the wait that cannot end in time is not begun", err, model.count(), time.Since(begin))
		}
	})
}

func TestRetriedCountsAllTokens(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		garbled := func(context.Context) (llm.Response, error) {
			return llm.Response{Usage: llm.Usage{Input: 3, Output: 1}}, llm.Failed(llm.Fault{Reason: llm.Garbled})
		}
		m := llm.Retried(steps(garbled, says("ok")), llm.Retry{Times: 1, First: time.Second, Most: time.Second, Rand: func() float64 { return 0 }})
		got, err := m.Complete(t.Context(), llm.Request{})
		if err != nil || got.Usage != (llm.Usage{Input: 13, Output: 6}) {
			t.Errorf("Complete used %+v, %v, want the tokens of both tries", got.Usage, err)
		}
	})
}

func TestBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model := steps(func(context.Context) (llm.Response, error) {
			time.Sleep(time.Second) // the bubble's time, not the machine's
			return llm.Response{Text: "ok"}, nil
		})
		m := llm.Bounded(model, make(chan struct{}, 2))
		begin := time.Now()
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() { _, _ = m.Complete(t.Context(), llm.Request{}) })
		}
		synctest.Wait()
		if model.count() != 2 {
			t.Errorf("%d requests are with the model at once, want 2", model.count())
		}
		all.Wait()
		if took := time.Since(begin); took != 3*time.Second {
			t.Errorf("6 requests of a second took %v, want 3s for two at a time", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		for range 2 {
			all.Go(func() { _, _ = m.Complete(t.Context(), llm.Request{}) })
		}
		synctest.Wait()
		if _, err := m.Complete(ctx, llm.Request{}); !quern.Is(err, quern.Timeout) {
			t.Errorf("Complete in a full queue = %v, want Timeout", err)
		}
		all.Wait()
	})
}

func TestBreaker(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	model := steps(fails(llm.Fault{Reason: llm.Away}))
	b := llm.NewBreaker(model, llm.Break{Failures: 3, Rest: 30 * time.Second, Now: func() time.Time { return now }})
	ask := func() error {
		_, err := b.Complete(t.Context(), llm.Request{})
		return err
	}
	want := func(what string, err error, why llm.Reason, calls int, state quern.ModelState) {
		t.Helper()
		if reason(err) != why || model.count() != calls || b.Condition().State != state {
			t.Errorf("%s: %v, %d calls, %s; want reason %d, %d calls, %s", what, err, model.count(), b.Condition().State, why, calls, state)
		}
	}
	want("first failure", ask(), llm.Away, 1, quern.ModelReady)
	want("second failure", ask(), llm.Away, 2, quern.ModelReady)
	want("third failure", ask(), llm.Away, 3, quern.ModelAway)
	err := ask()
	want("left alone", err, llm.Resting, 3, quern.ModelAway)
	if f, _ := llm.FaultOf(err); f.After != 30*time.Second || !quern.Is(err, quern.Unreachable) {
		t.Errorf("the refusal says to come back after %v, want 30s", f.After)
	}
	if until := b.Condition().Until; !until.Equal(now.Add(30 * time.Second)) {
		t.Errorf("Condition.Until = %v, want in 30s", until)
	}
	now = now.Add(30 * time.Second)
	want("rested", nil, 0, 3, quern.ModelAway)
	want("a probe that fails", ask(), llm.Away, 4, quern.ModelAway)
	now = now.Add(30 * time.Second)
	model.steps = []func(context.Context) (llm.Response, error){says("ok")}
	want("a probe that succeeds", ask(), 0, 5, quern.ModelReady)
	want("well again", ask(), 0, 6, quern.ModelReady)
}

func TestBreakerProbesOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model := steps(fails(llm.Fault{Reason: llm.Busy, After: time.Minute}), stalls)
		b := llm.NewBreaker(model, llm.Break{Failures: 1, Rest: time.Second, Now: time.Now})
		_, _ = b.Complete(t.Context(), llm.Request{})
		time.Sleep(30 * time.Second)
		if _, err := b.Complete(t.Context(), llm.Request{}); reason(err) != llm.Resting {
			t.Errorf("after 30s = %v, want that the minute the service asked for is kept", err)
		}
		time.Sleep(30 * time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		var probe sync.WaitGroup
		probe.Go(func() { _, _ = b.Complete(ctx, llm.Request{}) })
		synctest.Wait()
		if _, err := b.Complete(t.Context(), llm.Request{}); reason(err) != llm.Resting || model.count() != 2 {
			t.Errorf("beside a probe = %v after %d calls, want that only one asks", err, model.count())
		}
		cancel()
		probe.Wait()
		if b.Condition().State != quern.ModelAway {
			t.Errorf("after a probe that its caller gave up, the state is %s, want away", b.Condition().State)
		}
	})
}

func TestBreakerIgnoresWhatIsNotTheModels(t *testing.T) {
	t.Parallel()
	b := llm.NewBreaker(steps(
		fails(llm.Fault{Reason: llm.Away}), fails(llm.Fault{Reason: llm.Declined}), fails(llm.Fault{Reason: llm.Away}),
		func(context.Context) (llm.Response, error) { return llm.Response{}, context.Canceled },
	), llm.Break{Failures: 2, Rest: time.Minute, Now: time.Now})
	for range 9 {
		_, _ = b.Complete(t.Context(), llm.Request{})
	}
	if got := b.Condition().State; got != quern.ModelReady {
		t.Errorf("Condition = %s, want ready: no two failures in a row were the service's", got)
	}
}

// ledger keeps spending in memory, or fails.
type ledger struct {
	mu    sync.Mutex
	spent map[quern.UserID]quern.ModelUsage
	days  []string
	err   error
}

func (l *ledger) SpendModel(_ context.Context, user quern.UserID, u quern.ModelUsage) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := l.spent[user]
	sum.Requests += u.Requests
	sum.InputTokens += u.InputTokens
	sum.OutputTokens += u.OutputTokens
	sum.Cost += u.Cost
	l.spent[user] = sum
	l.days = append(l.days, u.Day+" "+u.Provider+" "+u.Model)
	return l.err
}

func (l *ledger) SpentModel(_ context.Context, user quern.UserID, _ string) (quern.ModelUsage, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent[user], l.err
}

func TestMetered(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 23, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		budget llm.Budget
		calls  int // before the refusal; 0: none
	}{
		{"none", llm.Budget{}, 0},
		{"tokens", llm.Budget{Tokens: 31}, 3},
		{"cost", llm.Budget{Cost: 66}, 2},
		{"both", llm.Budget{Tokens: 1, Cost: 1_000_000}, 1},
	} {
		book := &ledger{spent: map[quern.UserID]quern.ModelUsage{}}
		m := llm.Metered(steps(says("ok")), llm.Meter{
			Provider: "openai", Model: "m", Price: llm.Price{Input: 1.25, Output: 4}, Budget: tt.budget,
			Ledger: book, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		})
		for i := range 5 {
			_, err := m.Complete(t.Context(), llm.Request{For: "ada"})
			refused := tt.calls > 0 && i >= tt.calls
			if refused != (reason(err) == llm.Spent) || !refused && err != nil {
				t.Errorf("%s: call %d = %v, want refused %v", tt.name, i, err, refused)
			}
			if f, _ := llm.FaultOf(err); refused && (f.After != time.Hour || !quern.Is(err, quern.Throttled)) {
				t.Errorf("%s: the refusal says %v after %v, want throttled until midnight", tt.name, err, f.After)
			}
		}
		if _, err := m.Complete(t.Context(), llm.Request{For: "grace"}); err != nil {
			t.Errorf("%s: another user = %v, want an answer", tt.name, err)
		}
		if got := book.spent["grace"]; got.InputTokens != 10 || got.OutputTokens != 5 || got.Cost != 33 || book.days[0] != "2026-05-01 openai m" {
			t.Errorf("%s: one answer was counted as %+v on %s, want 10 and 5 tokens at 12.5+20, rounded up", tt.name, got, book.days[0])
		}
	}
}

func TestMeteredCountsFailuresThatCost(t *testing.T) {
	t.Parallel()
	book := &ledger{spent: map[quern.UserID]quern.ModelUsage{}}
	ctx, cancel := context.WithCancel(t.Context())
	cut := func(context.Context) (llm.Response, error) {
		cancel() // the asker leaves; what was used was used
		return llm.Response{Usage: llm.Usage{Input: 7, Output: 9}}, llm.Failed(llm.Fault{Reason: llm.Cut})
	}
	m := llm.Metered(steps(cut), llm.Meter{Ledger: book, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if _, err := m.Complete(ctx, llm.Request{For: "ada"}); reason(err) != llm.Cut {
		t.Errorf("Complete = %v, want the cut", err)
	}
	if got := book.spent["ada"]; got.InputTokens+got.OutputTokens != 16 {
		t.Errorf("counted %+v, want the 16 tokens of the answer that was cut", got)
	}
}

func TestMeteredWithoutALedger(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is full")
	book := &ledger{spent: map[quern.UserID]quern.ModelUsage{}, err: broken}
	var log strings.Builder
	model := steps(says("ok"))
	meter := llm.Meter{Ledger: book, Now: time.Now, Log: slog.New(slog.NewTextHandler(&log, nil))}
	if _, err := llm.Metered(model, meter).Complete(t.Context(), llm.Request{}); err != nil || !strings.Contains(log.String(), "disk is full") {
		t.Errorf("Complete = %v with the log %q, want the answer and a line about what was not counted", err, log.String())
	}
	meter.Budget.Tokens = 5
	if _, err := llm.Metered(model, meter).Complete(t.Context(), llm.Request{}); !errors.Is(err, broken) || model.count() != 1 {
		t.Errorf("Complete under a budget = %v after %d calls, want no call while nobody knows what was spent", err, model.count())
	}
}
