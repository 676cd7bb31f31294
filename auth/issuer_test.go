package auth_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
	"quern/store"
	"quern/store/storetest"
)

// provider is an outside issuer that says whatever a test wants.
type provider struct {
	*httptest.Server
	mu       sync.Mutex
	name     string
	document map[string]any
	keys     []jose.JSONWebKey
	down     bool
	reads    atomic.Int64
}

func newProvider(t testing.TB, keys ...jose.JSONWebKey) *provider {
	p := &provider{keys: keys}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	p.name = p.URL
	return p
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.down:
		w.WriteHeader(http.StatusBadGateway)
	case r.URL.Path == "/.well-known/openid-configuration":
		document := map[string]any{"issuer": p.name, "jwks_uri": p.URL + "/keys"}
		for name, value := range p.document {
			document[name] = value
		}
		_ = json.NewEncoder(w).Encode(document)
	case r.URL.Path == "/keys":
		p.reads.Add(1)
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: p.keys})
	default:
		http.NotFound(w, r)
	}
}

func (p *provider) set(change func(*provider)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

const audience = authtest.Audience

func (p *provider) options(o *auth.Options) {
	o.Issuer = auth.Issuer{URL: p.URL, Audience: audience}
}

func (p *provider) claims(now time.Time, subject, username string) map[string]any {
	return map[string]any{
		"iss": p.name, "aud": []string{"other", audience}, "sub": subject, "preferred_username": username,
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	}
}

func public(kid string, key any) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key, KeyID: kid, Use: "sig"}
}

func TestHostileTokensOfAnIssuer(t *testing.T) {
	t.Parallel()
	key, foreign, encryption := newRSA(t), newRSA(t), newRSA(t)
	curve, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, edwards, _ := ed25519.GenerateKey(rand.Reader)
	p := newProvider(t, public("rsa", &key.PublicKey), public("ec", &curve.PublicKey), public("ed", edwards.Public()),
		jose.JSONWebKey{Key: &encryption.PublicKey, KeyID: "enc", Use: "enc"},
		jose.JSONWebKey{Key: []byte("a symmetric key in a public set, of all things"), KeyID: "oct"})
	b := &bench{clock: authtest.StoppedClock()}
	b.Service = start(t, onSQLite(t), b.clock, p.options)
	now := b.clock.Now()
	header := map[string]any{"typ": "JWT", "kid": "rsa"}
	claims := p.claims(now, "1", "ada")
	rs := func(header, claims map[string]any) string { return forge(t, jose.RS256, key, header, claims) }
	honest := rs(header, claims)
	for name, token := range map[string]string{
		"RS256": honest, "PS512": forge(t, jose.PS512, key, header, claims),
		"ES256":          forge(t, jose.ES256, curve, with(header, "kid", "ec"), claims),
		"EdDSA":          forge(t, jose.EdDSA, edwards, with(header, "kid", "ed"), claims),
		"at+jwt":         rs(with(header, "typ", "application/at+jwt"), claims),
		"no type":        rs(with(header, "typ", nil), claims),
		"clock ahead":    rs(header, with(claims, "nbf", now.Add(59*time.Second).Unix(), "iat", now.Add(59*time.Second).Unix())),
		"clock behind":   rs(header, with(claims, "exp", now.Add(-59*time.Second).Unix())),
		"audience alone": rs(header, with(claims, "aud", audience)),
	} {
		if who, err := b.Authenticate(t.Context(), token); err != nil || who.User.Username != "ada" {
			t.Fatalf("Authenticate(%s) = %+v, %v, want ada", name, who, err)
		}
	}
	part := strings.Split(honest, ".")
	for name, token := range map[string]string{
		"alg none":             bare(with(header, "alg", "none"), claims, ""),
		"hmac with modulus":    forge(t, jose.HS256, key.N.Bytes(), header, claims),
		"hmac with set's key":  forge(t, jose.HS256, []byte("a symmetric key in a public set, of all things"), with(header, "kid", "oct"), claims),
		"encryption key":       forge(t, jose.RS256, encryption, with(header, "kid", "enc"), claims),
		"another key":          forge(t, jose.RS256, foreign, header, claims),
		"embedded jwk":         forge(t, jose.RS256, foreign, with(header, "jwk", jose.JSONWebKey{Key: &foreign.PublicKey}), claims),
		"jku":                  forge(t, jose.RS256, foreign, with(header, "jku", "http://127.0.0.1:1/"), claims),
		"unknown kid":          rs(with(header, "kid", "unknown"), claims),
		"kid of another sort":  rs(with(header, "kid", "ec"), claims),
		"no kid, many keys":    rs(with(header, "kid", nil), claims),
		"logout token":         rs(with(header, "typ", "logout+jwt"), claims),
		"our API token type":   rs(with(header, "typ", "api+jwt"), claims),
		"tampered":             part[0] + "." + strings.Split(rs(header, with(claims, "sub", "2")), ".")[1] + "." + part[2],
		"wrong issuer":         rs(header, with(claims, "iss", "https://attacker.example")),
		"issuer with slash":    rs(header, with(claims, "iss", p.name+"/")),
		"wrong audience":       rs(header, with(claims, "aud", []string{"quern-console"})),
		"audience prefix":      rs(header, with(claims, "aud", audience+"/x")),
		"no audience":          rs(header, with(claims, "aud", nil)),
		"expired":              rs(header, with(claims, "exp", now.Add(-time.Minute).Unix())),
		"no expiry":            rs(header, with(claims, "exp", nil)),
		"not yet valid":        rs(header, with(claims, "nbf", now.Add(61*time.Second).Unix())),
		"issued in the future": rs(header, with(claims, "iat", now.Add(61*time.Second).Unix())),
		"no subject":           rs(header, with(claims, "sub", nil)),
		"subject with nul":     rs(header, with(claims, "sub", "a\x00b")),
		"long subject":         rs(header, with(claims, "sub", strings.Repeat("x", 256))),
		"bound to a key":       rs(header, with(claims, "cnf", map[string]any{"jkt": "x"})),
		"oversized":            rs(header, with(claims, "x", strings.Repeat("x", 8<<10))),
		"no username":          rs(header, with(claims, "sub", "2", "preferred_username", nil)),
		"username not text":    rs(header, with(claims, "sub", "2", "preferred_username", 7)),
		"username unusable":    rs(header, with(claims, "sub", "2", "preferred_username", "a b")),
		"username reserved":    rs(header, with(claims, "sub", "2", "preferred_username", "Self")),
		"username of another":  rs(header, with(claims, "sub", "2", "preferred_username", "ADA")),
		"embedded session":     rs(with(header, "typ", "at+jwt"), with(claims, "iss", authtest.PublicURL, "aud", authtest.PublicURL)),
	} {
		t.Run(name, func(t *testing.T) { wantRefused(t, b.Service, name, token) })
	}
}

func TestAccountsAreTiedOnce(t *testing.T) {
	t.Parallel()
	key := newRSA(t)
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newProvider(t, public("k", &key.PublicKey))
		c := authtest.StoppedClock()
		svc := start(t, s, c, p.options)
		ctx := t.Context()
		sign := func(subject, username string) string {
			return forge(t, jose.RS256, key, map[string]any{"kid": "k"}, p.claims(c.Now(), subject, username))
		}
		added, err := svc.AddUser(ctx, "bob", "")
		if err != nil {
			t.Fatalf("AddUser(bob) without a password = %v, want nil", err)
		}
		var wg sync.WaitGroup
		ids := make([]quern.UserID, 6)
		for i := range ids {
			wg.Go(func() {
				who, err := svc.Authenticate(ctx, sign("1", "Ada"))
				if err != nil || who.User.Username != "ada" || who.Restricted() {
					t.Errorf("Authenticate(first sign-in) = %+v, %v, want ada", who, err)
				}
				ids[i] = who.User.ID
			})
		}
		wg.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Errorf("first sign-ins at once gave users %v, want one", ids)
			}
		}
		if who, err := svc.Authenticate(ctx, sign("2", "bob")); err != nil || who.User != added {
			t.Errorf("Authenticate(bob) = %+v, %v, want the user added before", who, err)
		}
		if who, err := svc.Authenticate(ctx, sign("1", "renamed")); err != nil || who.User.Username != "ada" {
			t.Errorf("Authenticate(renamed) = %+v, %v, want ada still", who, err)
		}
		wantRefused(t, svc, "reused username", sign("3", "ada"))
		wantRefused(t, svc, "username of the added user", sign("3", "bob"))
		_, err = svc.CheckPassword(ctx, auth.Attempt{Username: "ada", Password: "", Address: ""})
		wantKind(t, "CheckPassword() of an outside account", err, quern.Unauthentic)
		if err := svc.DisableUser(ctx, "ada"); err != nil {
			t.Fatal(err)
		}
		wantRefused(t, svc, "disabled", sign("1", "ada"))
		token, secret, err := svc.CreateToken(ctx, quern.Principal{User: added}, quern.TokenSpec{Name: "x"})
		if err != nil {
			t.Fatal(err)
		}
		if who, err := svc.Authenticate(ctx, secret); err != nil || who.Token != token.ID {
			t.Errorf("Authenticate(API token beside an issuer) = %+v, %v, want bob", who, err)
		}
	})
}

func TestUsernameClaim(t *testing.T) {
	t.Parallel()
	key := newRSA(t)
	p := newProvider(t, public("k", &key.PublicKey))
	c := authtest.StoppedClock()
	svc := start(t, onSQLite(t), c, p.options, func(o *auth.Options) { o.Issuer.UsernameClaim = "email" })
	claims := p.claims(c.Now(), "1", "ignored")
	sign := func(changes ...any) string {
		return forge(t, jose.RS256, key, map[string]any{"kid": "k"}, with(claims, changes...))
	}
	wantRefused(t, svc, "email not verified", sign("email", "ada@example.com", "email_verified", false))
	if who, err := svc.Authenticate(t.Context(), sign("email", "Ada@Example.com", "email_verified", true)); err != nil || who.User.Username != "ada@example.com" {
		t.Errorf("Authenticate(email) = %+v, %v, want ada@example.com", who, err)
	}
}

func TestIssuerKeysRotate(t *testing.T) {
	t.Parallel()
	first, second := newRSA(t), newRSA(t)
	p := newProvider(t, public("1", &first.PublicKey))
	c := authtest.StoppedClock()
	svc := start(t, onSQLite(t), c, p.options)
	sign := func(kid string, key any) string {
		return forge(t, jose.RS256, key, map[string]any{"kid": kid}, p.claims(c.Now(), "1", "ada"))
	}
	believed := func(what, token string) {
		t.Helper()
		if _, err := svc.Authenticate(t.Context(), token); err != nil {
			t.Errorf("Authenticate(%s) = %v, want nil", what, err)
		}
	}
	believed("first key", sign("1", first))
	p.set(func(p *provider) { p.keys = []jose.JSONWebKey{public("2", &second.PublicKey)} })
	for range 50 {
		wantRefused(t, svc, "unknown kid within the gap", sign("2", second))
	}
	if got := p.reads.Load(); got != 1 {
		t.Errorf("50 unknown kids had the keys read %d times, want 1", got)
	}
	c.Add(10 * time.Second)
	believed("second key", sign("2", second))
	wantRefused(t, svc, "withdrawn key", sign("1", first))
	p.set(func(p *provider) { p.down = true })
	c.Add(time.Hour)
	believed("second key while the issuer is down", sign("2", second))
	if err := svc.Ready(t.Context()); err != nil {
		t.Errorf("Ready() with known keys = %v, want nil", err)
	}
}

func TestIssuerDownAtStart(t *testing.T) {
	t.Parallel()
	key := newRSA(t)
	for name, broken := range map[string]func(*provider){
		"down":              func(p *provider) { p.down = true },
		"another issuer":    func(p *provider) { p.document = map[string]any{"issuer": "https://attacker.example"} },
		"no keys address":   func(p *provider) { p.document = map[string]any{"jwks_uri": ""} },
		"keys in a file":    func(p *provider) { p.document = map[string]any{"jwks_uri": "file:///etc/passwd"} },
		"no keys":           func(p *provider) { p.keys = nil },
		"endless discovery": func(p *provider) { p.document = map[string]any{"x": strings.Repeat("x", 1<<20)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProvider(t, public("k", &key.PublicKey))
			p.set(broken)
			c := authtest.StoppedClock()
			svc := start(t, onSQLite(t), c, p.options)
			token := forge(t, jose.RS256, key, map[string]any{"kid": "k"}, p.claims(c.Now(), "1", "ada"))
			wantKind(t, "Ready()", svc.Ready(t.Context()), quern.Unavailable)
			_, err := svc.Authenticate(t.Context(), token)
			wantKind(t, "Authenticate()", err, quern.Unavailable)
			p.set(func(p *provider) {
				p.down, p.document, p.keys = false, nil, []jose.JSONWebKey{public("k", &key.PublicKey)}
			})
			c.Add(time.Second)
			if _, err := svc.Authenticate(t.Context(), token); err != nil {
				t.Errorf("Authenticate() once the issuer is up = %v, want nil", err)
			}
			if err := svc.Ready(t.Context()); err != nil {
				t.Errorf("Ready() once the issuer is up = %v, want nil", err)
			}
		})
	}
}

func TestIssuerNameMayEndWithASlash(t *testing.T) {
	t.Parallel()
	key := newRSA(t)
	p := newProvider(t, public("k", &key.PublicKey))
	p.set(func(p *provider) { p.name += "/" })
	c := authtest.StoppedClock()
	svc := start(t, onSQLite(t), c, p.options)
	token := forge(t, jose.RS256, key, map[string]any{"kid": "k"}, p.claims(c.Now(), "1", "ada"))
	if _, err := svc.Authenticate(t.Context(), token); err != nil {
		t.Errorf("Authenticate() = %v, want nil", err)
	}
}

func TestBadIssuersAreRefused(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	for _, i := range []auth.Issuer{
		{URL: "https://id.example"}, {URL: "id.example", Audience: "x"}, {URL: "ftp://id.example", Audience: "x"},
		{URL: "https://id.example?x=1", Audience: "x"}, {URL: authtest.PublicURL + "/", Audience: "x"},
	} {
		svc, err := auth.New(auth.Options{Store: s, PublicURL: authtest.PublicURL, Issuer: i})
		if err == nil {
			_ = svc.Close()
			t.Errorf("New(%+v) = nil, want an error", i)
		}
	}
}

// TestSlowIssuerDoesNotHoldOthers shows that a caller whose key is known is not
// kept waiting by one whose key is not.
func TestSlowIssuerDoesNotHoldOthers(t *testing.T) {
	t.Parallel()
	key := newRSA(t)
	p := newProvider(t, public("k", &key.PublicKey))
	c := authtest.StoppedClock()
	svc := start(t, onSQLite(t), c, p.options)
	token := forge(t, jose.RS256, key, map[string]any{"kid": "k"}, p.claims(c.Now(), "1", "ada"))
	if _, err := svc.Authenticate(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	c.Add(time.Minute)
	p.mu.Lock() // the issuer does not answer
	waiting := make(chan struct{})
	go func() {
		defer close(waiting)
		unknown := forge(t, jose.RS256, key, map[string]any{"kid": "other"}, p.claims(c.Now(), "1", "ada"))
		_, _ = svc.Authenticate(context.Background(), unknown)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if _, err := svc.Authenticate(ctx, token); err != nil {
		t.Errorf("Authenticate(known key) beside a slow issuer = %v, want nil", err)
	}
	p.mu.Unlock()
	<-waiting
}
