package auth

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"quern"
)

const (
	issuerTimeout = 5 * time.Second
	issuerBody    = 1 << 20
	issuerKeys    = 100
	// keysFresh is how long keys are used before they are read again, so that
	// one the issuer withdrew is forgotten.
	keysFresh = 15 * time.Minute
	// keysGap is how often, at most, an unknown kid has the keys read again.
	keysGap = 10 * time.Second
	// issuerGap is how often, at most, an issuer that never answered is asked.
	issuerGap = time.Second
)

// issuer is the outside OpenID provider. Its address and keys are read when
// they are first needed, so that it may be down when the server starts.
type issuer struct {
	url, audience, usernameClaim string
	adminClaim                   string // as CLAIM=VALUE; empty: none makes an administrator
	clientID, clientSecret       string // this server there; empty: browsers do not sign in
	client                       *http.Client
	now                          func() time.Time
	turn                         chan struct{} // held while asking

	mu       sync.Mutex
	found    discovered
	loadedAt time.Time
	triedAt  time.Time
	failure  error // of the last try
}

// discovered is what the issuer says of itself.
type discovered struct {
	name      string // as its discovery document spells it
	authorize string // where people sign in; empty when it does not say
	// token, userinfo and endSession are its other addresses, each empty when it does
	// not say; scopes and clientAuth are the words that it knows for these.
	token, userinfo, endSession string
	scopes, clientAuth          []string
	keys                        []jose.JSONWebKey
}

func newIssuer(o Options) (*issuer, error) {
	u, err := url.Parse(o.Issuer.URL)
	switch {
	case err != nil || !quern.IsWeb(u) || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("auth: the issuer must be an http or https address without query")
	case o.Issuer.Audience == "":
		return nil, errors.New("auth: an issuer needs an audience")
	case strings.TrimSuffix(o.Issuer.URL, "/") == o.PublicURL:
		return nil, errors.New("auth: the issuer cannot be this server")
	}
	i := &issuer{
		url: strings.TrimSuffix(o.Issuer.URL, "/"), audience: o.Issuer.Audience, usernameClaim: o.Issuer.UsernameClaim,
		adminClaim: o.Issuer.AdminClaim,
		clientID:   o.Issuer.ClientID, clientSecret: o.Issuer.ClientSecret,
		client: o.Issuer.Client, now: o.Now, turn: make(chan struct{}, 1),
	}
	if i.usernameClaim == "" {
		i.usernameClaim = "preferred_username"
	}
	if i.client == nil {
		i.client = &http.Client{
			Transport:     http.DefaultTransport.(*http.Transport).Clone(),
			CheckRedirect: sameSecurity,
		}
	}
	return i, nil
}

// sameSecurity follows few redirects, and none from https to http.
func sameSecurity(r *http.Request, via []*http.Request) error {
	downgraded := via[0].URL.Scheme == "https" && r.URL.Scheme != "https"
	if len(via) >= 3 || downgraded {
		return errors.New("redirect refused")
	}
	return nil
}

// claims reports whether a token's iss is this issuer, with or without a slash
// at its end; verify insists on the exact spelling.
func (i *issuer) claims(iss string) bool { return strings.TrimSuffix(iss, "/") == i.url }

// verify checks a token, which may be bound to a resource, and returns the issuer's name,
// the claims and the username.
func (i *issuer) verify(ctx context.Context, e *envelope, bound string) (name string, c claims, username string, err error) {
	if e.kind != "" && e.kind != "jwt" && e.kind != typeAccess {
		return "", c, "", refuse(detailInvalid).Because(fmt.Errorf("token of type %q", e.kind))
	}
	key, err := i.key(ctx, e.header)
	if err != nil {
		return "", c, "", err
	}
	var all map[string]json.RawMessage
	if err := e.verify(key, &c, &all); err != nil {
		return "", c, "", refuse(detailInvalid).Because(err)
	}
	i.mu.Lock()
	name = i.found.name
	i.mu.Unlock()
	want := expectation{issuer: name, audience: i.audience, bound: bound, now: i.now(), skew: skew}
	if err := believe(c.check(want)); err != nil {
		return "", c, "", err
	}
	if username, err = claimed(all, i.usernameClaim, c); err != nil {
		return "", c, "", refuse(detailInvalid).Because(err)
	}
	c.admin = i.adminClaim != "" && grantsAdmin(all, i.adminClaim)
	return name, c, username, nil
}

// key returns the key a header asks for, reading the keys again when they are old
// or do not have it.
func (i *issuer) key(ctx context.Context, h jose.Header) (any, error) {
	key, fresh := i.known(h)
	if key != nil && fresh {
		return key, nil
	}
	i.refresh(ctx)
	if key, _ = i.known(h); key != nil {
		return key, nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.loadedAt.IsZero() {
		return nil, i.unavailable()
	}
	return nil, refuse(detailInvalid).Because(errors.New("token with an unknown kid"))
}

func (i *issuer) known(h jose.Header) (key any, fresh bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	fresh = i.now().Sub(i.loadedAt) < keysFresh
	var fits []jose.JSONWebKey
	for _, k := range i.found.keys {
		named := h.KeyID == "" || k.KeyID == h.KeyID
		able := k.Algorithm == "" || k.Algorithm == h.Algorithm
		if named && able {
			fits = append(fits, k)
		}
	}
	// A token without a kid is taken only where no choice is left.
	if len(fits) != 1 {
		return nil, fresh
	}
	return fits[0].Key, fresh
}

// refresh reads the keys, unless that was tried a moment ago. Callers that come
// meanwhile wait for it.
func (i *issuer) refresh(ctx context.Context) {
	select {
	case i.turn <- struct{}{}:
		defer func() { <-i.turn }()
	case <-ctx.Done():
		return
	}
	i.mu.Lock()
	gap := keysGap
	if i.loadedAt.IsZero() {
		gap = issuerGap
	}
	now := i.now()
	wait := !i.triedAt.IsZero() && now.Sub(i.triedAt) < gap
	if !wait {
		i.triedAt = now
	}
	i.mu.Unlock()
	if wait {
		return
	}
	// The keys are for everyone: one caller going away must not spoil the try.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), issuerTimeout)
	defer cancel()
	found, err := i.read(ctx)
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.failure = err; err == nil {
		i.found, i.loadedAt = found, now
	}
}

func (i *issuer) ready(ctx context.Context) error {
	i.mu.Lock()
	loaded := !i.loadedAt.IsZero()
	i.mu.Unlock()
	if !loaded {
		i.refresh(ctx)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.loadedAt.IsZero() {
		return i.unavailable()
	}
	return nil
}

func (i *issuer) unavailable() error {
	return quern.E(quern.Unavailable, quern.CodeUnavailable, "the identity provider does not answer").Because(i.failure)
}

// authorizeURL is where people sign in; the issuer's own address while it has
// not said.
func (i *issuer) authorizeURL() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.found.authorize != "" {
		return i.found.authorize
	}
	return i.url
}

// read asks the issuer for its discovery document and its keys.
func (i *issuer) read(ctx context.Context) (discovered, error) {
	var document struct {
		Issuer     string   `json:"issuer"`
		Authorize  string   `json:"authorization_endpoint"`
		Token      string   `json:"token_endpoint"`
		Userinfo   string   `json:"userinfo_endpoint"`
		EndSession string   `json:"end_session_endpoint"`
		Keys       string   `json:"jwks_uri"`
		Scopes     []string `json:"scopes_supported"`
		ClientAuth []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := i.fetch(ctx, i.url+"/.well-known/openid-configuration", &document); err != nil {
		return discovered{}, err
	}
	if !i.claims(document.Issuer) {
		return discovered{}, fmt.Errorf("discovery names issuer %q", document.Issuer)
	}
	if !i.secure(document.Keys) {
		return discovered{}, fmt.Errorf("discovery names keys at %q", document.Keys)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := i.fetch(ctx, document.Keys, &set); err != nil {
		return discovered{}, err
	}
	found := discovered{name: document.Issuer, keys: usable(set.Keys)}
	if len(found.keys) == 0 {
		return discovered{}, errors.New("no usable keys")
	}
	found.scopes, found.clientAuth = document.Scopes, document.ClientAuth
	found.authorize, found.token = i.ifSecure(document.Authorize), i.ifSecure(document.Token)
	found.userinfo, found.endSession = i.ifSecure(document.Userinfo), i.ifSecure(document.EndSession)
	return found, nil
}

// secure reports whether an address that the issuer names is no less protected
// than the issuer's own.
func (i *issuer) secure(address string) bool {
	at, err := url.Parse(address)
	return err == nil && at.Host != "" && (at.Scheme == "https" || at.Scheme == "http" && !strings.HasPrefix(i.url, "https:"))
}

func (i *issuer) ifSecure(address string) string {
	if !i.secure(address) {
		return ""
	}
	return address
}

// usable picks the public keys that may sign tokens; the others are none of ours.
func usable(raw []json.RawMessage) []jose.JSONWebKey {
	var keys []jose.JSONWebKey
	for _, text := range raw[:min(len(raw), issuerKeys)] {
		var k jose.JSONWebKey
		err := json.Unmarshal(text, &k)
		signs := k.Use == "" || k.Use == "sig"
		if err != nil || !k.IsPublic() || !k.Valid() || !signs {
			continue
		}
		if r, ok := k.Key.(*rsa.PublicKey); ok && r.N.BitLen() < signingBits {
			continue
		}
		keys = append(keys, k)
	}
	return keys
}

func (i *issuer) fetch(ctx context.Context, address string, dest any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	status, body, err := i.ask(r)
	switch {
	case err != nil:
		return err
	case status != http.StatusOK:
		return fmt.Errorf("%s answered %d", address, status)
	}
	return json.Unmarshal(body, dest)
}
