package auth_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"quern"
	"quern/auth/authtest"
	"quern/store"
)

// forge signs any claims with any key under any header.
func forge(t testing.TB, alg jose.SignatureAlgorithm, key any, header, claims map[string]any) string {
	t.Helper()
	o := &jose.SignerOptions{}
	for name, value := range header {
		o.WithHeader(jose.HeaderKey(name), value)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, o)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// bare writes a token by hand, for headers that no library would make.
func bare(header, claims map[string]any, signature string) string {
	h, _ := json.Marshal(header)
	c, _ := json.Marshal(claims)
	enc := base64.RawURLEncoding.EncodeToString
	return enc(h) + "." + enc(c) + "." + signature
}

func with(base map[string]any, changes ...any) map[string]any {
	out := maps.Clone(base)
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == nil {
			delete(out, changes[i].(string))
			continue
		}
		out[changes[i].(string)] = changes[i+1]
	}
	return out
}

func newRSA(t testing.TB) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestHostileTokens holds what is refused of tokens that claim to be ours, each
// beside the honest token it was made from.
func TestHostileTokens(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	ctx := t.Context()
	login, issued := b.session(t)
	var stored store.Key
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		stored, err = tx.SigningKey(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(stored.Private)
	if err != nil {
		t.Fatal(err)
	}
	key := parsed.(*rsa.PrivateKey)
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: stored.Public})
	foreign := newRSA(t)
	now := b.clock.Now()
	header := map[string]any{"typ": "at+jwt", "kid": stored.ID}
	claims := map[string]any{
		"iss": authtest.PublicURL, "aud": authtest.PublicURL, "sub": b.ada.User.ID, "sid": login.ID, "jti": "x",
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	}
	honest := forge(t, jose.RS256, key, header, claims)
	if p, err := b.Authenticate(ctx, honest); err != nil || p.User != b.ada.User {
		t.Fatalf("Authenticate(honest) = %+v, %v, want ada", p, err)
	}
	part := strings.Split(honest, ".")
	rs := func(header, claims map[string]any) string { return forge(t, jose.RS256, key, header, claims) }
	for name, token := range map[string]string{
		"nothing":               "",
		"garbage":               "garbage",
		"dots":                  "..",
		"no signature":          part[0] + "." + part[1] + ".",
		"four parts":            honest + ".x",
		"padded":                honest + "==",
		"line break":            honest + "\n",
		"json serialization":    `{"payload":"` + part[1] + `","protected":"` + part[0] + `","signature":"` + part[2] + `"}`,
		"alg none":              bare(with(header, "alg", "none"), claims, ""),
		"alg None signed":       bare(with(header, "alg", "None"), claims, part[2]),
		"alg missing":           bare(header, claims, part[2]),
		"hmac with public pem":  forge(t, jose.HS256, public, header, claims),
		"hmac with public der":  forge(t, jose.HS256, stored.Public, header, claims),
		"hmac with modulus":     forge(t, jose.HS256, key.N.Bytes(), header, claims),
		"another algorithm":     forge(t, jose.PS256, key, header, claims),
		"another key":           forge(t, jose.RS256, foreign, header, claims),
		"tampered claims":       part[0] + "." + strings.Split(rs(header, with(claims, "sub", "x")), ".")[1] + "." + part[2],
		"tampered header":       strings.Split(rs(with(header, "x", 1), claims), ".")[0] + "." + part[1] + "." + part[2],
		"tampered signature":    part[0] + "." + part[1] + "." + strings.Split(rs(header, with(claims, "jti", "y")), ".")[2],
		"unknown kid":           rs(with(header, "kid", quern.NewID[string]()), claims),
		"no kid":                rs(with(header, "kid", nil), claims),
		"kid path":              rs(with(header, "kid", "../../../../dev/null"), claims),
		"kid sql":               rs(with(header, "kid", "' OR '1'='1"), claims),
		"kid with nul":          rs(with(header, "kid", stored.ID+"\x00"), claims),
		"embedded jwk":          forge(t, jose.RS256, foreign, with(header, "jwk", jose.JSONWebKey{Key: &foreign.PublicKey}, "kid", nil), claims),
		"embedded jwk and kid":  forge(t, jose.RS256, foreign, with(header, "jwk", jose.JSONWebKey{Key: &foreign.PublicKey}), claims),
		"jku":                   forge(t, jose.RS256, foreign, with(header, "jku", "https://attacker.example/jwks"), claims),
		"crit unknown":          rs(with(header, "crit", []string{"exp"}, "exp", 1), claims),
		"crit b64":              bare(with(header, "alg", "RS256", "crit", []string{"b64"}, "b64", true), claims, part[2]),
		"b64 false":             rs(with(header, "b64", true), claims),
		"type of an API token":  rs(with(header, "typ", "api+jwt"), claims),
		"type of an ID token":   rs(with(header, "typ", "JWT"), claims),
		"no type":               rs(with(header, "typ", nil), claims),
		"id token":              issued.ID,
		"wrong issuer":          rs(header, with(claims, "iss", "https://attacker.example")),
		"issuer with slash":     rs(header, with(claims, "iss", authtest.PublicURL+"/")),
		"no issuer":             rs(header, with(claims, "iss", nil)),
		"issuer not text":       rs(header, with(claims, "iss", []string{authtest.PublicURL})),
		"wrong audience":        rs(header, with(claims, "aud", "quern-console")),
		"no audience":           rs(header, with(claims, "aud", nil)),
		"audience not text":     rs(header, with(claims, "aud", 7)),
		"expired":               rs(header, with(claims, "exp", now.Add(-time.Second).Unix())),
		"expires now":           rs(header, with(claims, "exp", now.Unix())),
		"no expiry":             rs(header, with(claims, "exp", nil)),
		"expiry not a number":   rs(header, with(claims, "exp", "9999999999")),
		"not yet valid":         rs(header, with(claims, "nbf", now.Add(2*time.Minute).Unix())),
		"issued in the future":  rs(header, with(claims, "iat", now.Add(2*time.Minute).Unix())),
		"no subject":            rs(header, with(claims, "sub", nil)),
		"another subject":       rs(header, with(claims, "sub", quern.NewID[string]())),
		"no sign-in":            rs(header, with(claims, "sid", nil)),
		"unknown sign-in":       rs(header, with(claims, "sid", quern.NewID[string]())),
		"bound to a key":        rs(header, with(claims, "cnf", map[string]any{"jkt": "x"})),
		"API issuer":            rs(with(header, "typ", "api+jwt"), with(claims, "iss", "quern", "aud", "quern")),
		"API issuer, known jti": rs(with(header, "typ", "api+jwt"), with(claims, "iss", "quern", "aud", "quern", "jti", login.ID)),
		"oversized":             rs(header, with(claims, "x", strings.Repeat("x", 8<<10))),
		"enormous":              strings.Repeat("a.", 1<<20),
		"claims not an object":  part[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`[]`)) + "." + part[2],
	} {
		t.Run(name, func(t *testing.T) { wantRefused(t, b.Service, name, token) })
	}
}

func TestRefusalsDoNotTellWhy(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	_, issued := b.session(t)
	part := strings.Split(issued.Access, ".")
	for _, token := range []string{"garbage", part[0] + "." + part[1] + ".AAAA", issued.ID} {
		_, err := b.Authenticate(t.Context(), token)
		if e, ok := err.(*quern.Error); !ok || e.Detail != "the token is not valid" {
			t.Errorf("Authenticate(%.20s…) = %v, want the one detail for tokens that are not valid", token, err)
		}
	}
}

func FuzzAuthenticate(f *testing.F) {
	b := newBench(f, onSQLite(f))
	_, issued := b.session(f)
	_, secret := b.NewToken(b.ada, quern.TokenSpec{})
	for _, seed := range []string{"", ".", "..", "a.b.c", issued.ID, issued.Access[:len(issued.Access)-4], secret + "x"} {
		f.Add(seed)
	}
	good := map[string]bool{issued.Access: true, secret: true}
	f.Fuzz(func(t *testing.T, token string) {
		p, err := b.Authenticate(t.Context(), token)
		if err == nil && !good[token] {
			t.Errorf("Authenticate(%q) = %+v, want a refusal", token, p)
		}
		if err != nil && !quern.Is(err, quern.Unauthentic) {
			t.Errorf("Authenticate(%q) is %v, want %v", token, quern.KindOf(err), quern.Unauthentic)
		}
	})
}
