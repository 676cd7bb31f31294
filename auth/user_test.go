package auth_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
	"quern/store"
)

func TestAddUser(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		for _, c := range []struct {
			name, password string
			want           quern.Kind
		}{
			{"ADA", authtest.Password, quern.Conflict},
			{"self", authtest.Password, quern.Invalid},
			{"a b", authtest.Password, quern.Invalid},
			{"", authtest.Password, quern.Invalid},
			{"bob", "", quern.Invalid},
			{"bob", "1234567", quern.Invalid},
			{"bob", "ÄÖÜ4567", quern.Invalid},
			{"bob", strings.Repeat("x", 1025), quern.Invalid},
			{"bob", "12345678\xff", quern.Invalid},
		} {
			_, err := b.AddUser(t.Context(), c.name, c.password)
			wantKind(t, "AddUser("+c.name+")", err, c.want)
		}
		if u, err := b.AddUser(t.Context(), "Bob", "ÄÖÜ45678"); err != nil || u.Username != "bob" {
			t.Errorf("AddUser(Bob) = %+v, %v, want bob", u, err)
		}
		all, err := b.Users(t.Context())
		if err != nil || len(all) != 2 || all[0] != b.ada.User {
			t.Errorf("Users() = %+v, %v, want ada and bob", all, err)
		}
	})
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx := t.Context()
		if u, err := b.CheckPassword(ctx, auth.Attempt{Username: "ADA", Password: authtest.Password, Address: "192.0.2.1"}); err != nil || u != b.ada.User {
			t.Fatalf("CheckPassword(right) = %+v, %v, want ada", u, err)
		}
		for _, c := range [][2]string{
			{"ada", "wrong"}, {"ada", ""}, {"ada", authtest.Password + "x"}, {"nobody", authtest.Password},
			{"a b\x00\xff", authtest.Password}, {"", ""}, {"ada", strings.Repeat("x", 1<<20)},
		} {
			_, err := b.CheckPassword(ctx, auth.Attempt{Username: c[0], Password: c[1], Address: ""})
			if e, ok := err.(*quern.Error); !ok || e.Kind != quern.Unauthentic || e.Detail != "the username or the password is wrong" {
				t.Errorf("CheckPassword(%q) = %v, want the one answer", c[0], err)
			}
		}
		_, issued := b.session(t)
		if err := b.SetPassword(ctx, "ada", "another secret"); err != nil {
			t.Fatalf("SetPassword() = %v, want nil", err)
		}
		wantRefused(t, b.Service, "session from before the new password", issued.Access)
		_, err := b.CheckPassword(ctx, auth.Attempt{Username: "ada", Password: authtest.Password, Address: ""})
		wantKind(t, "CheckPassword(old)", err, quern.Unauthentic)
		if _, err := b.CheckPassword(ctx, auth.Attempt{Username: "ada", Password: "another secret", Address: ""}); err != nil {
			t.Errorf("CheckPassword(new) = %v, want nil", err)
		}
	})
}

func TestHashIsMadeAnewAtANewCost(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	hash := func() (h string) {
		err := b.Store.View(t.Context(), func(tx *store.Tx) (err error) {
			_, h, err = tx.UserPassword(t.Context(), "ada")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	dearer := start(t, b.Store, b.clock, func(o *auth.Options) { o.Cost.Memory = 128 })
	for range 2 {
		if _, err := dearer.CheckPassword(t.Context(), auth.Attempt{Username: "ada", Password: authtest.Password, Address: ""}); err != nil {
			t.Fatalf("CheckPassword() = %v, want nil", err)
		}
		if got := hash(); !strings.HasPrefix(got, "$argon2id$v=19$m=128,t=1,p=1$") {
			t.Errorf("stored hash = %s, want one of the new cost", got)
		}
	}
}

func TestFailuresAreHeldAgainstTheirOwnAddress(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx := t.Context()
		try := func(password, from string) error {
			_, err := b.CheckPassword(ctx, auth.Attempt{Username: "Ada", Password: password, Address: from})
			return err
		}
		for range 6 {
			wantKind(t, "free failure", try("wrong", "attacker"), quern.Unauthentic)
		}
		for _, wait := range []time.Duration{2, 4, 8, 16} {
			err := try(authtest.Password, "attacker")
			wantKind(t, "CheckPassword(right) while blocked", err, quern.Throttled)
			if got := auth.RetryAfter(err); got != wait*time.Second {
				t.Errorf("RetryAfter() = %v, want %v", got, wait*time.Second)
			}
			b.clock.Add(wait * time.Second)
			wantKind(t, "failure after the wait", try("wrong", "attacker"), quern.Unauthentic)
		}
		if err := try(authtest.Password, "home"); err != nil {
			t.Fatalf("CheckPassword(right) from elsewhere = %v, want nil", err)
		}
		wantKind(t, "the attacker after somebody's success", try("wrong", "attacker"), quern.Throttled)
		b.clock.Add(32 * time.Second)
		if err := try(authtest.Password, "attacker"); err != nil {
			t.Fatalf("CheckPassword(right) after the wait = %v, want nil", err)
		}
		wantKind(t, "failure after success", try("wrong", "attacker"), quern.Unauthentic)
		wantKind(t, "second failure after success", try("wrong", "attacker"), quern.Unauthentic)
	})
}

// Many addresses that try one account slow each other down, but not the browser
// that its user has signed in with before.
func TestKnownDevicesAreLetThrough(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	ctx := t.Context()
	in, err := b.SignIn(ctx, auth.Attempt{Username: "ada", Password: authtest.Password, Address: "home"})
	if err != nil || in.Device == "" {
		t.Fatalf("SignIn() = %+v, %v, want a device", in, err)
	}
	for i := range 101 {
		_, err := b.CheckPassword(ctx, auth.Attempt{Username: "ada", Password: "wrong", Address: fmt.Sprint("bot", i)})
		wantKind(t, "a failure from its own address", err, quern.Unauthentic)
	}
	attempt := auth.Attempt{Username: "ada", Password: authtest.Password, Address: "home"}
	_, err = b.CheckPassword(ctx, attempt)
	wantKind(t, "CheckPassword(right) of a stranger", err, quern.Throttled)
	_, request := b.NewToken(b.ada, quern.TokenSpec{})
	for name, device := range map[string]string{"another text": "x", "a token for requests": request} {
		attempt.Device = device
		_, err = b.CheckPassword(ctx, attempt)
		wantKind(t, "CheckPassword(right) with "+name+" for a device", err, quern.Throttled)
	}
	attempt.Device = in.Device
	if _, err := b.CheckPassword(ctx, attempt); err != nil {
		t.Errorf("CheckPassword(right) of a known device = %v, want nil", err)
	}
	attempt.Password = "wrong"
	for range 6 {
		_, err = b.CheckPassword(ctx, attempt)
		wantKind(t, "a failure of the device", err, quern.Unauthentic)
	}
	_, err = b.CheckPassword(ctx, attempt)
	wantKind(t, "too many failures of the device", err, quern.Throttled)
	if _, err := b.Authenticate(ctx, in.Device); !quern.Is(err, quern.Unauthentic) {
		t.Errorf("Authenticate(device) = %v, want Unauthentic: it opens nothing", err)
	}
}

// A device is known to the user who signed in with it, and to no other.
func TestADeviceIsItsUsers(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	ctx := t.Context()
	b.Principal("mallory")
	own, err := b.SignIn(ctx, auth.Attempt{Username: "mallory", Password: authtest.Password, Address: "attacker"})
	if err != nil {
		t.Fatal(err)
	}
	for range 6 {
		_, err = b.CheckPassword(ctx, auth.Attempt{Username: "ada", Password: "wrong", Address: "attacker", Device: own.Device})
		wantKind(t, "a failure with another's device", err, quern.Unauthentic)
	}
	_, err = b.CheckPassword(ctx, auth.Attempt{Username: "ada", Password: "wrong", Address: "attacker", Device: own.Device})
	wantKind(t, "too many failures with another's device", err, quern.Throttled)
}

func TestAddressThrottle(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	try := func(name, from string) error {
		_, err := b.CheckPassword(t.Context(), auth.Attempt{Username: name, Password: "wrong", Address: from})
		return err
	}
	for i := range 21 {
		wantKind(t, "spraying", try("user"+string(rune('a'+i)), "2001:db8::1"), quern.Unauthentic)
	}
	wantKind(t, "same network", try("other", "2001:db8::ffff"), quern.Throttled)
	wantKind(t, "another network", try("other", "2001:db8:0:1::1"), quern.Unauthentic)
	b.clock.Add(2 * time.Hour)
	wantKind(t, "long after", try("other", "2001:db8::1"), quern.Unauthentic)
	wantKind(t, "long after, again", try("other", "2001:db8::1"), quern.Unauthentic)
}

func TestManyAtOnceGetNoMoreTries(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		var tried atomic.Int64
		var wg sync.WaitGroup
		for range 30 {
			wg.Go(func() {
				_, err := b.CheckPassword(context.Background(), auth.Attempt{Username: "ada", Password: "wrong", Address: ""})
				switch quern.KindOf(err) {
				case quern.Unauthentic:
					tried.Add(1)
				case quern.Throttled:
				default:
					t.Errorf("CheckPassword() = %v, want a refusal", err)
				}
			})
		}
		wg.Wait()
		if got := tried.Load(); got != 6 {
			t.Errorf("30 at once had %d passwords looked at, want 6", got)
		}
	})
}
