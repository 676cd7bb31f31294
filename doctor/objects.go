package doctor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/blob"
	"quern/store"
)

// workers is how many objects are looked at a time.
const workers = 8

// eachNeeded calls fn for every object that the metadata need, some at a time.
func (e *examination) eachNeeded(ctx context.Context, fn func(context.Context, store.Object) error) error {
	var all []store.Object
	err := e.Store.View(ctx, func(tx *store.Tx) error {
		all = nil
		return tx.NeededObjects(ctx, func(o store.Object) error {
			all = append(all, o)
			return nil
		})
	})
	if err != nil {
		return err
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for _, o := range all {
		group.Go(func() error { return fn(inner, o) })
	}
	return group.Wait()
}

// needed looks whether all objects that the metadata name are there, and as large as they should be.
func (e *examination) needed(ctx context.Context, check string) error {
	var mu sync.Mutex
	var missing, wrong list
	gone := map[string]bool{}
	count := 0
	err := e.eachNeeded(ctx, func(ctx context.Context, o store.Object) error {
		info, err := e.Objects.Stat(ctx, o.Key)
		mu.Lock()
		defer mu.Unlock()
		count++
		switch {
		case quern.Is(err, quern.NotFound):
			gone[o.Key] = true
		case err != nil:
			return err
		case o.Bytes >= 0 && info.Size != o.Bytes:
			wrong.add(o.Key, o.Bytes)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(gone) > 0 {
		// Some may have been given up since their names were read.
		err = e.Store.View(ctx, func(tx *store.Tx) error {
			missing = list{}
			return tx.NeededObjects(ctx, func(o store.Object) error {
				if gone[o.Key] {
					missing.add(o.Key, max(0, o.Bytes))
				}
				return nil
			})
		})
		if err != nil {
			return err
		}
	}
	if missing.count > 0 {
		e.add(Finding{Check: check, Level: Problem, Keys: missing.keys, Count: missing.count,
			Text: fmt.Sprintf("%d of %d objects that the metadata name are missing: restore a backup that has them", missing.count, count)})
	}
	if wrong.count > 0 {
		e.add(Finding{Check: check, Level: Problem, Keys: wrong.keys, Count: wrong.count,
			Text: fmt.Sprintf("%d of %d objects do not have the size that the metadata say: restore a backup that has them", wrong.count, count)})
	}
	if missing.count+wrong.count == 0 {
		e.add(Finding{Check: check, Level: OK, Text: fmt.Sprintf("%d objects are there", count), Count: count})
	}
	return nil
}

// checksums reads objects and holds them against what backups found in them.
func (e *examination) checksums(ctx context.Context, check string) error {
	if !e.Checksums {
		e.add(Finding{Check: check, Level: Note, Text: "not looked at: --checksums reads every object"})
		return nil
	}
	var mu sync.Mutex
	var changed list
	unknown, count := 0, 0
	err := e.eachNeeded(ctx, func(ctx context.Context, o store.Object) error {
		same := false
		if o.Digest != "" {
			digest, err := e.digest(ctx, o.Key)
			if quern.Is(err, quern.NotFound) {
				return nil // the check of objects says so
			}
			if err != nil {
				return err
			}
			same = digest == o.Digest
		}
		mu.Lock()
		defer mu.Unlock()
		switch count++; {
		case o.Digest == "":
			unknown++
		case !same:
			changed.add(o.Key, max(0, o.Bytes))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if changed.count > 0 {
		e.add(Finding{Check: check, Level: Problem, Keys: changed.keys, Count: changed.count,
			Text: fmt.Sprintf("%d objects do not hold what a backup found in them: restore a backup that has them", changed.count)})
	}
	text := fmt.Sprintf("%d objects were read", count-unknown)
	if unknown > 0 {
		text += fmt.Sprintf("; of %d others nobody knows what they held: the next backup finds out", unknown)
	}
	e.add(Finding{Check: check, Level: OK, Text: text, Count: count - unknown})
	return nil
}

func (e *examination) digest(ctx context.Context, key string) (string, error) {
	in, err := e.Objects.Open(ctx, key, 0, -1)
	if err != nil {
		return "", err
	}
	defer in.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, in)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// onItsWay is how old an object is at least that nobody names and that is not on its way in.
const onItsWay = 48 * time.Hour

// orphans looks for objects that nobody names. Mended, they are on the list of the sweep.
func (e *examination) orphans(ctx context.Context, check string) error {
	var published map[string]bool
	err := e.Store.View(ctx, func(tx *store.Tx) (err error) {
		published, err = tx.PublishedObjects(ctx)
		return err
	})
	if err != nil {
		return err
	}
	var found list
	for _, prefix := range e.Prefixes {
		var some []blob.Info
		for info, err := range e.Objects.List(ctx, prefix) {
			if err != nil {
				return err
			}
			if published[info.Key] || e.Now().Sub(info.Modified) < onItsWay {
				continue
			}
			if some = append(some, info); len(some) == orphanBatch {
				if err := e.strangers(ctx, some, &found); err != nil {
					return err
				}
				some = some[:0]
			}
		}
		if err := e.strangers(ctx, some, &found); err != nil {
			return err
		}
	}
	if found.count > 0 {
		text := fmt.Sprintf("%d objects of %d bytes are named by nobody", found.count, found.bytes)
		if e.Fix {
			text += fmt.Sprintf(" and will be swept by a server after %v", e.Grace)
		}
		e.add(Finding{Check: check, Level: Problem, Fixable: true, Fixed: e.Fix, Keys: found.keys, Count: found.count, Text: text})
	}
	return nil
}

// orphanBatch is how many keys are looked up together.
const orphanBatch = 500

// strangers adds those of some objects to found that nobody names, and mends that.
func (e *examination) strangers(ctx context.Context, some []blob.Info, found *list) error {
	keys := make([]string, len(some))
	for i, info := range some {
		keys[i] = info.Key
	}
	var known map[string]bool
	err := e.Store.View(ctx, func(tx *store.Tx) (err error) {
		known, err = tx.KnownObjects(ctx, keys)
		return err
	})
	if err != nil {
		return err
	}
	var strange []string
	for _, info := range some {
		if !known[info.Key] {
			found.add(info.Key, info.Size)
			strange = append(strange, info.Key)
		}
	}
	if !e.Fix || len(strange) == 0 {
		return nil
	}
	return e.Store.Update(ctx, func(tx *store.Tx) error {
		for _, key := range strange {
			if err := tx.InsertGarbage(ctx, key, e.Now().Add(e.Grace)); err != nil {
				return err
			}
		}
		return nil
	})
}
