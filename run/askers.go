package run

import (
	"context"
	"time"

	"quern"
	"quern/store"
)

// askers are the users whose questions one transaction stores. What it has to know of a user is
// read with the first question, and no other transaction changes it until the end: the user's runs are
// locked. Runs that end in the same one are counted as running in it.
type askers struct {
	all   map[askerDay]*asker
	order []askerDay
}

type askerDay struct {
	user quern.UserID
	day  string
}

// asker is a user who asks.
type asker struct {
	running int   // runs, with those of this transaction
	asked   int64 // questions of the day that are counted
	asking  int64 // that are not yet
	quota   quern.Quota
}

// lock returns a user, whose runs are locked until the transaction ends.
func (a *askers) lock(ctx context.Context, tx *store.Tx, user quern.UserID, now time.Time) (*asker, error) {
	at := askerDay{user, quern.Day(now)}
	if known := a.all[at]; known != nil {
		return known, nil
	}
	if err := tx.LockRuns(ctx, user); err != nil {
		return nil, err
	}
	found := &asker{}
	var err error
	if found.running, err = tx.CountRunning(ctx, user); err != nil {
		return nil, err
	}
	if found.quota, err = tx.Quota(ctx, user); err != nil {
		return nil, err
	}
	if found.asked, err = tx.Questions(ctx, user, at.day); err != nil {
		return nil, err
	}
	if a.all == nil {
		a.all = map[askerDay]*asker{}
	}
	a.all[at], a.order = found, append(a.order, at)
	return found, nil
}

// admit counts a question; Throttled, and nothing counted, when the user has too many running
// or the quota is used up.
func (a *asker) admit(most int, others quern.Quota, now time.Time) error {
	if a.running >= most {
		return quern.E(quern.Throttled, quern.CodeThrottled,
			"you have %d questions running, which is the most: wait for one to end", a.running).Because(busy{})
	}
	if err := a.quota.Or(others).CheckQuestions(a.asked+a.asking, now); err != nil {
		return err
	}
	a.running++
	a.asking++
	return nil
}

// count writes down how many questions users asked.
func (a *askers) count(ctx context.Context, tx *store.Tx) error {
	for _, at := range a.order {
		if n := a.all[at].asking; n > 0 {
			if err := tx.CountQuestions(ctx, at.user, at.day, n); err != nil {
				return err
			}
		}
	}
	return nil
}
