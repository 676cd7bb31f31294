package auth

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// maxToken bounds the size of a token that is looked at.
const maxToken = 8 << 10

// maxSubject is the longest subject that OpenID Connect allows.
const maxSubject = 255

// skew is how far another clock may be from ours.
const skew = time.Minute

// algorithms are the signatures that are checked at all: only those where the
// verifier cannot sign.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// The types of our own tokens. An ID token and the proof of a device
// are none that a request may carry, a token for tables only one to their catalog.
const (
	typeAccess = "at+jwt"
	typeAPI    = "api+jwt"
	typeDevice = "device+jwt"
	typeTables = "tables+jwt"
	typeID     = "jwt"
)

// claims are what is read of any token.
type claims struct {
	jwt.Claims
	Login    string          `json:"sid,omitempty"`
	Client   string          `json:"client_id,omitempty"`
	Confirm  json.RawMessage `json:"cnf,omitempty"`
	Verified *bool           `json:"email_verified,omitempty"`
	Scope    json.RawMessage `json:"scope,omitempty"`
	admin    bool            // the token says that its user administers
}

// envelope is a token whose signature has not been checked.
type envelope struct {
	raw    string
	signed *jose.JSONWebSignature
	header jose.Header
	kind   string // the typ header, lowercase
	issuer string // as the token claims
}

// open reads a token without believing it.
func open(raw string) (*envelope, error) {
	if len(raw) > maxToken {
		return nil, errors.New("token too large")
	}
	for part := range strings.SplitSeq(raw, ".") {
		// One spelling per token: the library would skip line breaks and spare bits.
		if _, err := base64.RawURLEncoding.Strict().DecodeString(part); err != nil || strings.ContainsAny(part, "\r\n") {
			return nil, errors.New("token not in the compact form")
		}
	}
	signed, err := jose.ParseSignedCompact(raw, algorithms)
	if err != nil {
		return nil, err
	}
	if len(signed.Signatures) != 1 {
		return nil, errors.New("token without exactly one signature")
	}
	e := &envelope{raw: raw, signed: signed, header: signed.Signatures[0].Protected}
	for _, name := range []jose.HeaderKey{"crit", "b64"} {
		if _, found := e.header.ExtraHeaders[name]; found {
			return nil, fmt.Errorf("token with a %s header", name)
		}
	}
	kind, _ := e.header.ExtraHeaders[jose.HeaderType].(string)
	e.kind = strings.TrimPrefix(strings.ToLower(kind), "application/")
	var claimed struct {
		Issuer string `json:"iss"`
	}
	if err := json.Unmarshal(signed.UnsafePayloadWithoutVerification(), &claimed); err != nil {
		return nil, err
	}
	e.issuer = claimed.Issuer
	return e, nil
}

// verify checks the signature under key and reads the claims into each dest.
func (e *envelope) verify(key any, dest ...any) error {
	payload, err := e.signed.Verify(key)
	if err != nil {
		return err
	}
	return readClaims(payload, dest)
}

// readClaims reads the claims of a token into each dest.
func readClaims(payload []byte, dest []any) error {
	for _, d := range dest {
		if err := json.Unmarshal(payload, d); err != nil {
			return err
		}
	}
	return nil
}

// expectation is what a token must say to be good here and now.
type expectation struct {
	issuer, audience string
	bound            string // another audience that will do; empty: none
	now              time.Time
	skew             time.Duration // allowed past the expiry
	lasting          bool          // an expiry may be missing
}

var errExpired = errors.New("token expired")

// boundTo reports whether a token names a resource as its audience.
func (c claims) boundTo(resource string) bool {
	return resource != "" && slices.Contains(c.Audience, resource)
}

// grants reports whether a token has a scope: a word of its claim of that name.
func (c claims) grants(scope string) bool {
	var words string
	if json.Unmarshal(c.Scope, &words) != nil {
		return false
	}
	return slices.Contains(strings.Fields(words), scope)
}

func (c claims) check(want expectation) error {
	soon := want.now.Add(skew)
	switch {
	case c.Issuer != want.issuer:
		return errors.New("token of another issuer")
	case c.Subject == "" || len(c.Subject) > maxSubject || strings.ContainsRune(c.Subject, 0):
		return errors.New("token without a usable subject")
	case !slices.Contains(c.Audience, want.audience) && !c.boundTo(want.bound):
		return errors.New("token for another audience")
	case c.Expiry == nil && !want.lasting:
		return errors.New("token without an expiry")
	case c.Expiry != nil && !want.now.Before(c.Expiry.Time().Add(want.skew)):
		return errExpired
	case c.NotBefore != nil && soon.Before(c.NotBefore.Time()):
		return errors.New("token not yet valid")
	case c.IssuedAt != nil && soon.Before(c.IssuedAt.Time()):
		return errors.New("token issued in the future")
	case c.Confirm != nil:
		// A token bound to a key proves nothing when it comes without that key.
		return errors.New("token bound to a key")
	}
	return nil
}
