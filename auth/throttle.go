package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"quern"
	"quern/store"
)

// An account or an address may fail this often before it has to wait, twice as
// long after each further failure. An address gets more, for many people can
// share one.
const (
	accountFree = 5
	addressFree = 20
	firstWait   = 2 * time.Second
	longestWait = 15 * time.Minute
	// failuresKept is how long a failure is held against its subject.
	failuresKept = time.Hour
)

// Throttle is the cause of a Throttled error: when to try again.
type Throttle struct{ RetryAfter time.Duration }

func (t *Throttle) Error() string { return fmt.Sprintf("throttled for %s", t.RetryAfter) }

// RetryAfter gives how long a throttled caller has to wait, zero when err is
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

func accountSubject(username string) string { return subject("account", username) }

// addressSubject counts a whole IPv6 network as one, since one caller has it all.
func addressSubject(address string) string {
	if ip, err := netip.ParseAddr(address); err == nil {
		ip = ip.Unmap().WithZone("")
		if ip.Is6() {
			prefix, _ := ip.Prefix(64)
			ip = prefix.Addr()
		}
		address = ip.String()
	}
	return subject("address", address)
}

func subject(sort, name string) string {
	sum := sha256.Sum256([]byte(sort + "\x00" + name))
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

// CheckPassword gives the user that a username and a password prove. Unknown,
// disabled and wrong are one answer, Unauthentic, after the same work; too many
// failures of the account or from the address are Throttled, with a Throttle
// as cause.
func (s *Service) CheckPassword(ctx context.Context, username, password, address string) (quern.User, error) {
	name, known := quern.Username(username)
	if !known {
		name = username
	}
	account, from := accountSubject(name), addressSubject(address)
	if err := s.takeAttempt(ctx, account, from); err != nil {
		return quern.User{}, err
	}
	var u quern.User
	var hash string
	var err error
	if known {
		if u, hash, err = s.userPassword(ctx, name); err != nil {
			return quern.User{}, err
		}
	}
	match, outdated, err := s.hasher.matches(ctx, hash, password)
	if err != nil {
		return quern.User{}, err
	}
	if !match || u.Disabled {
		return quern.User{}, wrongPassword()
	}
	if outdated {
		if hash, err = s.hasher.hash(ctx, password); err != nil {
			return quern.User{}, err
		}
	}
	return u, s.store.Update(ctx, func(tx *store.Tx) error {
		if outdated {
			if err := tx.SetUserPassword(ctx, u.ID, hash); err != nil {
				return err
			}
		}
		if err := tx.ForgetLoginFailures(ctx, account); err != nil {
			return err
		}
		return tx.ReturnLoginFailure(ctx, from)
	})
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
func (s *Service) takeAttempt(ctx context.Context, account, address string) error {
	now := s.now()
	blocked := func(tx *store.Tx) error {
		for _, subject := range []string{account, address} {
			f, err := tx.LoginFailure(ctx, subject)
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
		waits := map[string]time.Duration{}
		for _, c := range []struct {
			subject string
			free    int64
		}{{account, accountFree}, {address, addressFree}} {
			n, err := tx.TakeLoginFailure(ctx, c.subject, now, now.Add(failuresKept))
			if err != nil {
				return err
			}
			waits[c.subject] = wait(n, c.free)
		}
		if err := blocked(tx); err != nil {
			return err
		}
		for subject, wait := range waits {
			if wait == 0 {
				continue
			}
			if err := tx.BlockLogin(ctx, subject, now.Add(wait)); err != nil {
				return err
			}
		}
		return nil
	})
}
