package store

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// What looks like damage is looked at again soon, also where looking takes long.
func TestSuspicionIsLookedAtSoon(t *testing.T) {
	t.Parallel()
	const took = 4 * time.Second
	for _, c := range []struct {
		name    string
		suspect func(*Store)
		want    time.Duration
	}{
		{"none", func(*Store) {}, verifyShare * took},
		{"known", func(s *Store) { s.suspect(damaged(errors.New("malformed"))) }, suspectShare * took},
		{"met a minute later", func(s *Store) {
			time.AfterFunc(time.Minute, func() { s.suspect(damaged(errors.New("malformed"))) })
		}, time.Minute + suspectShare*took},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &Store{suspected: make(chan struct{}, 1)}
			c.suspect(s)
			began := time.Now()
			if !s.waitToVerify(t.Context(), took) || time.Since(began) != c.want {
				t.Errorf("damage %s: the next look is after %v, want %v", c.name, time.Since(began), c.want)
			}
		})
	}
}
