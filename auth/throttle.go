package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"quern"
	"quern/store"
)

// How often sign-ins may fail before they have to wait, twice as long after each
// further failure. What counts is the pair of account and address, so that nobody
// locks anybody else out. An address gets more, for many people can share one; so
// does an account from everywhere, which slows many addresses down. A device that
// its user has signed in with before is counted by itself.
const (
	pairFree    = 5
	deviceFree  = 5
	addressFree = 20
	accountFree = 100
	firstWait   = 2 * time.Second
	longestWait = 15 * time.Minute
	// failuresKept is how long a failure is held against its subject.
	failuresKept = time.Hour
)

// Throttle is the cause of a Throttled error: when to try again.
type Throttle struct{ RetryAfter time.Duration }

func (t *Throttle) Error() string { return fmt.Sprintf("throttled for %s", t.RetryAfter) }

// RetryAfter reports how long a throttled caller has to wait, zero when err is
// something else.
func RetryAfter(err error) time.Duration {
	if t, ok := errors.AsType[*Throttle](err); ok {
		return t.RetryAfter
	}
	return 0
}

func throttled(wait time.Duration) error {
	return quern.E(quern.Throttled, quern.CodeThrottled, "too many failed sign-ins; try again later").
		Because(&Throttle{RetryAfter: wait})
}

func wrongPassword() *quern.Error {
	return quern.E(quern.Unauthentic, quern.CodeUnauthorized, "the username or the password is wrong")
}

// network counts a whole IPv6 network as one, since one caller has it all.
func network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		prefix, _ := ip.Prefix(64)
		ip = prefix.Addr()
	}
	return ip.String()
}

func subject(names ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(names, "\x00")))
	return hex.EncodeToString(sum[:])
}

func wait(failures int64, free int64) time.Duration {
	over := failures - free
	switch {
	case over <= 0:
		return 0
	case over > 16:
		return longestWait
	}
	return min(firstWait<<(over-1), longestWait)
}

// Attempt is somebody's try to sign in.
type Attempt struct {
	Username, Password string
	Address            string // the network address that it comes from
	Device             string // the proof that SignedIn gave this browser, if any
}

// limit is a subject whose failures are counted, and how many are free.
type limit struct {
	subject string
	free    int64
	forget  bool // success clears the count; otherwise it takes one failure back
}

// limits are what an attempt at an account is counted under.
func (s *Service) limits(ctx context.Context, a Attempt, account string, user quern.UserID) []limit {
	if device := s.deviceID(ctx, a.Device, user); device != "" {
		return []limit{{subject("device", device), deviceFree, true}}
	}
	from := network(a.Address)
	return []limit{
		{subject("pair", account, from), pairFree, true},
		{subject("address", from), addressFree, false},
		{subject("account", account), accountFree, false},
	}
}

// CheckPassword returns the user that an attempt proves. Unknown, disabled and
// wrong are one answer, Unauthentic, after the same work; after too many failures
// it is Throttled, with a Throttle as cause.
func (s *Service) CheckPassword(ctx context.Context, a Attempt) (quern.User, error) {
	name, known := quern.Username(a.Username)
	if !known {
		name = a.Username
	}
	var u quern.User
	var hash string
	var err error
	if known {
		if u, hash, err = s.userPassword(ctx, name); err != nil {
			return quern.User{}, err
		}
	}
	limits := s.limits(ctx, a, name, u.ID)
	if err := s.takeAttempt(ctx, limits); err != nil {
		return quern.User{}, err
	}
	match, outdated, err := s.hasher.matches(ctx, hash, a.Password)
	if err != nil {
		return quern.User{}, err
	}
	if !match || u.Disabled {
		return quern.User{}, s.refuseSignIn(ctx, u)
	}
	if outdated {
		if hash, err = s.hasher.hash(ctx, a.Password); err != nil {
			return quern.User{}, err
		}
	}
	return u, s.store.Update(ctx, func(tx *store.Tx) error {
		if outdated {
			if err := tx.SetUserPassword(ctx, u.ID, hash); err != nil {
				return err
			}
		}
		return returnAttempt(ctx, tx, limits)
	})
}

// refuseSignIn tells the audit trail of a sign-in that failed, where the user exists:
// people type passwords into the wrong field, so no name is kept.
func (s *Service) refuseSignIn(ctx context.Context, u quern.User) error {
	if u.ID == "" {
		return wrongPassword()
	}
	failed := quern.AuditEntry{At: s.now(), Action: quern.AuditSignInFailed, User: u.ID}
	if err := s.store.Update(ctx, func(tx *store.Tx) error { return tx.Audit(ctx, failed) }); err != nil {
		return err
	}
	return wrongPassword()
}

// returnAttempt takes back what takeAttempt counted, after success.
func returnAttempt(ctx context.Context, tx *store.Tx, limits []limit) error {
	for _, l := range limits {
		change := tx.ReturnLoginFailure
		if l.forget {
			change = tx.ForgetLoginFailures
		}
		if err := change(ctx, l.subject); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) userPassword(ctx context.Context, name string) (u quern.User, hash string, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		u, hash, err = tx.UserPassword(ctx, name)
		return err
	})
	if quern.Is(err, quern.NotFound) {
		return quern.User{}, "", nil
	}
	return u, hash, err
}

// takeAttempt counts an attempt as failed before its password is looked at, so
// that many at once get no more tries than one after the other. Success takes
// it back.
func (s *Service) takeAttempt(ctx context.Context, limits []limit) error {
	now := s.now()
	blocked := func(tx *store.Tx) error {
		for _, l := range limits {
			f, err := tx.LoginFailure(ctx, l.subject)
			if err != nil {
				return err
			}
			if left := f.BlockedUntil.Sub(now); left > 0 {
				return throttled(left)
			}
		}
		return nil
	}
	if err := s.store.View(ctx, blocked); err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx *store.Tx) error {
		waits := make([]time.Duration, len(limits))
		for i, l := range limits {
			n, err := tx.TakeLoginFailure(ctx, l.subject, now, now.Add(failuresKept))
			if err != nil {
				return err
			}
			waits[i] = wait(n, l.free)
		}
		if err := blocked(tx); err != nil {
			return err
		}
		for i, l := range limits {
			if waits[i] == 0 {
				continue
			}
			if err := tx.BlockLogin(ctx, l.subject, now.Add(waits[i])); err != nil {
				return err
			}
		}
		return nil
	})
}
