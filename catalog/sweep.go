package catalog

import (
	"context"
	"errors"
	"time"

	"quern/store"
)

// onceLife is how long a request stays known by its Idempotency-Key.
const onceLife = 24 * time.Hour

// clockSkew is by how much replicas' clocks may differ: a commit claims an
// object only before its time, a sweep deletes it only this much after.
const clockSkew = time.Minute

// deleter is what a sweep needs of the object store.
type deleter interface {
	Delete(ctx context.Context, key string) error
}

// Sweep deletes objects whose time has come, and returns how many. One that cannot
// be deleted stays for the next sweep and does not keep the others.
func (s *Service) Sweep(ctx context.Context, objects deleter) (swept int, err error) {
	const batch = 200
	for {
		var keys []string
		err := s.store.View(ctx, func(tx *store.Tx) error {
			keys, err = tx.Garbage(ctx, s.now().Add(-clockSkew), batch)
			return err
		})
		if err != nil {
			return swept, err
		}
		n, err := s.sweep(ctx, objects, keys)
		if swept += n; err != nil {
			return swept, err
		}
		if len(keys) < batch {
			break
		}
	}
	return swept, s.store.Update(ctx, func(tx *store.Tx) error {
		return tx.DeleteIdempotentAnswers(ctx, s.now().Add(-onceLife))
	})
}

// sweep deletes objects. The object goes first: a crash in between leaves an
// entry whose object is already gone, and deleting that again is harmless.
func (s *Service) sweep(ctx context.Context, objects deleter, keys []string) (swept int, err error) {
	for _, key := range keys {
		failed := objects.Delete(ctx, key)
		if failed == nil {
			failed = s.store.Update(ctx, func(tx *store.Tx) error { return tx.DeleteGarbage(ctx, key) })
		}
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		swept++
	}
	return swept, err
}
