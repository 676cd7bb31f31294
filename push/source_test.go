package push_test

import (
	"context"
	"testing"
	"time"

	"quern"
	"quern/push"
)

// asked is a source that is a function.
type asked func(quern.PushConfig) (push.Batch, error)

func (f asked) Behind(_ context.Context, c quern.PushConfig, _ string) (push.Batch, error) {
	return f(c)
}

// TestAConfigurationThatIsPutAgain while the one before is found to have nobody
// left to tell: what was put last stays, and is told.
func TestAConfigurationThatIsPutAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		r := newReceiver(t)
		b.put(quern.PushConfig{ID: "mine", URL: r.URL + "/before"})
		took := b.Once(t.Context(), asked(func(quern.PushConfig) (push.Batch, error) {
			b.put(quern.PushConfig{ID: "mine", URL: r.URL})
			return push.Batch{}, quern.E(quern.NotFound, quern.CodeNotFound, "the token was revoked")
		}))
		want(t, "the round that finds nobody", took, true)
		b.news.say(1, true)
		want(t, "the round after it", b.once(), true)
		want(t, "what the receiver got", r.got(), []string{"1"})
	})
}

// TestASourceThatPanics is a failure like any other, which passes.
func TestASourceThatPanics(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		r := newReceiver(t)
		b.put(quern.PushConfig{URL: r.URL})
		took := b.Once(t.Context(), asked(func(quern.PushConfig) (push.Batch, error) { panic("broken") }))
		want(t, "the round that breaks", took, true)
		b.news.say(1, true)
		b.clock.Add(time.Minute)
		want(t, "the round after it", b.once(), true)
		want(t, "what the receiver got", r.got(), []string{"1"})
	})
}
