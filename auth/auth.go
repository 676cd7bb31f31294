// Package auth owns who a caller is: users and their passwords, the keys that
// tokens are signed with, API tokens, sign-ins at the embedded provider, the
// outside issuer that replaces it, and what each user has asked of the server.
//
// It never decides what a caller may see or do; that is catalog's. It never
// speaks HTTP to a caller; idp does.
//
// The failure it is built around is the token that should not have been
// believed. A token is taken for what its header says only after its signature
// holds under a key that this service already trusts, and every request asks
// the store whether the token, its sign-in and its user are still good, so a
// revocation counts from the moment it is committed.
//
// There are four sorts of tokens, told apart by issuer and type. An API token whose
// audience is a resource of this server is good there only (At), and so is one for
// tables (ForTables):
//
//	issuer          type        proves                        lives
//	quern           api+jwt     a row in tokens               until it expires or is revoked
//	quern           tables+jwt  what another token proved     for minutes, or until that ends
//	the public URL  at+jwt      a row in logins or sessions   for TokenLife, or until sign-out
//	Issuer.URL      (at+)jwt    an account tied to a user     for as long as that issuer says
package auth

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"quern"
	"quern/store"
)

// Options says what a Service works with. Zero durations take the defaults.
type Options struct {
	Store *store.Store
	Now   func() time.Time // nil: time.Now
	Log   *slog.Logger     // nil: slog.Default()
	// PublicURL is the address callers use, and the issuer of the embedded
	// provider. It may be empty where nobody signs in, as on the command line.
	PublicURL string
	// Issuer replaces the embedded provider when its URL is set.
	Issuer Issuer

	TokenLife time.Duration // of a session's access and ID tokens; 1 h
	LoginIdle time.Duration // how long a sign-in may go unused; 24 h
	LoginLife time.Duration // how long a sign-in lasts at most; 7 days
	KeyLife   time.Duration // how long a key signs; 90 days
	UsageLife time.Duration // how long single requests are listed; 90 days
	// Cost is the work put into a password's hash; the zero cost takes the default.
	Cost Cost
}

// Issuer says how to believe an outside OpenID provider.
type Issuer struct {
	URL           string
	Audience      string // what a token's aud must contain
	UsernameClaim string // "preferred_username" when empty
	// AdminClaim is what a token must say to administer, as CLAIM=VALUE; the claim may
	// be a path with dots, and a list that holds the value. Empty: no token does.
	AdminClaim string
	// ClientID and ClientSecret name this server to the provider, so that browsers
	// can sign in; without a secret it is a public client.
	ClientID, ClientSecret string
	CommandLineID          string       // what command lines are to the provider; empty: nothing
	Client                 *http.Client // nil: one with timeouts
}

// Service answers who a caller is. Its methods may be called concurrently.
type Service struct {
	store      *store.Store
	now        func() time.Time
	log        *slog.Logger
	options    Options
	keys       *keyring
	signatures signatures
	issuer     *issuer // nil with the embedded provider
	hasher     *hasher
	recorder   *recorder

	clientMu     sync.Mutex
	clientSecret []byte // nil until it is needed
}

// New makes a service and starts its recorder; Close stops it. It makes no
// network requests.
func New(o Options) (*Service, error) {
	if o.Store == nil {
		return nil, errors.New("auth: a store is needed")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	o.PublicURL = strings.TrimSuffix(o.PublicURL, "/")
	o.TokenLife = or(o.TokenLife, time.Hour)
	o.LoginIdle = or(o.LoginIdle, 24*time.Hour)
	o.LoginLife = or(o.LoginLife, 7*24*time.Hour)
	o.KeyLife = or(o.KeyLife, 90*24*time.Hour)
	o.UsageLife = or(o.UsageLife, 90*24*time.Hour)
	s := &Service{store: o.Store, now: o.Now, log: o.Log, options: o}
	s.keys = newKeyring(o)
	s.hasher = newHasher(o.Cost)
	if o.Issuer.URL != "" {
		var err error
		if s.issuer, err = newIssuer(o); err != nil {
			return nil, err
		}
	}
	s.recorder = startRecorder(o)
	return s, nil
}

func or(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// Close writes what is still to be recorded and stops.
func (s *Service) Close() error {
	if s.issuer != nil {
		s.issuer.client.CloseIdleConnections()
	}
	return s.recorder.close()
}

// Hashing is how many passwords are hashed, and how many may be at once.
func (s *Service) Hashing() quern.Room { return quern.Places(s.hasher.slots) }

// Recording is how many uses of tokens wait to be written.
func (s *Service) Recording() quern.Room {
	return quern.Room{Taken: int64(len(s.recorder.events)), Limit: usageQueue}
}

// Embedded reports whether users sign in at this server.
func (s *Service) Embedded() bool { return s.issuer == nil }

// AuthorizeURL is where people sign in at the outside issuer, as it says; its
// own address until it was reached. Empty with the embedded provider.
func (s *Service) AuthorizeURL() string {
	if s.issuer == nil {
		return ""
	}
	return s.issuer.authorizeURL()
}

// PublicURL is the issuer of the embedded provider, without a slash at its end.
func (s *Service) PublicURL() string { return s.options.PublicURL }

// Ready reports whether tokens can be checked: Unavailable, naming the part that
// is missing, when the outside issuer's keys have never been read. It tries to
// read them, so a probe is all that recovery needs.
func (s *Service) Ready(ctx context.Context) error {
	if s.issuer == nil {
		return nil
	}
	return s.issuer.ready(ctx)
}

// refuse is the answer to a token that is not believed. Its detail tells an
// honest caller what to do and a dishonest one nothing.
func refuse(detail string) *quern.Error {
	return quern.E(quern.Unauthentic, quern.CodeUnauthorized, "%s", detail)
}

const (
	detailMissing  = "a bearer token is required"
	detailInvalid  = "the token is not valid"
	detailExpired  = "the token has expired"
	detailRevoked  = "the token has been revoked"
	detailEnded    = "the sign-in behind the token has ended"
	detailDisabled = "the account is disabled"
	detailAsker    = "who asked for the token is no longer good"
)
