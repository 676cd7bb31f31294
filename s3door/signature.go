package s3door

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	algorithm   = "AWS4-HMAC-SHA256"
	unsigned    = "UNSIGNED-PAYLOAD"
	stampLayout = "20060102T150405Z"
	dayLayout   = "20060102"
	// maxSkew is how far a client's clock may be from ours.
	maxSkew = 15 * time.Minute
	// maxLife is how long a presigned URL may hold, in seconds.
	maxLife = 7 * 24 * 3600
)

// signature is what a request says about how it was signed.
type signature struct {
	keyID, token string
	at           time.Time
	life         time.Duration // of a presigned URL; 0 for a header
	scope        string        // day/region/s3/aws4_request
	headers      []string      // the signed ones, in lower case
	payload      string        // the body's hash, as the client says
	value        string        // in hexadecimal
}

// isSigning reports whether a parameter belongs to the signature of a presigned URL.
func isSigning(parameter string) bool { return strings.HasPrefix(parameter, "X-Amz-") }

// parseSignature reads the signature of a request from its header or its query.
func parseSignature(r *http.Request, query url.Values) (signature, error) {
	header, inHeader := r.Header["Authorization"]
	inQuery := query.Has("X-Amz-Signature") || query.Has("X-Amz-Algorithm")
	switch {
	case inHeader && (inQuery || len(header) > 1):
		return signature{}, errTwoSignatures
	case inHeader:
		return signatureOfHeader(r.Header)
	case inQuery:
		return signatureOfQuery(query)
	}
	return signature{}, errDenied
}

func signatureOfHeader(h http.Header) (signature, error) {
	scheme, fields, _ := strings.Cut(h.Get("Authorization"), " ")
	if scheme != algorithm {
		return signature{}, errAlgorithm
	}
	given := map[string]string{}
	for field := range strings.SplitSeq(fields, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(field), "=")
		if _, again := given[name]; !ok || again {
			return signature{}, errHeader
		}
		given[name] = value
	}
	s := signature{
		token: h.Get("X-Amz-Security-Token"), payload: h.Get("X-Amz-Content-Sha256"),
		headers: strings.Split(given["SignedHeaders"], ";"), value: given["Signature"],
	}
	if s.payload == "" {
		return signature{}, errNoPayloadHash
	}
	stamp := h.Get("X-Amz-Date")
	if len(given) != 3 || !s.setScope(given["Credential"], stamp) {
		return signature{}, errHeader
	}
	// What a header adds to a request counts only when it is signed.
	for _, name := range []string{"host", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token"} {
		absent := name == "x-amz-security-token" && s.token == ""
		if !absent && !slices.Contains(s.headers, name) {
			return signature{}, errUnsigned
		}
	}
	return s, nil
}

func signatureOfQuery(query url.Values) (signature, error) {
	for name, values := range query {
		if isSigning(name) && len(values) > 1 {
			return signature{}, errParameters
		}
	}
	if query.Get("X-Amz-Algorithm") != algorithm {
		return signature{}, errAlgorithm
	}
	s := signature{
		token: query.Get("X-Amz-Security-Token"), payload: unsigned,
		headers: strings.Split(query.Get("X-Amz-SignedHeaders"), ";"), value: query.Get("X-Amz-Signature"),
	}
	if hash := query.Get("X-Amz-Content-Sha256"); hash != "" {
		s.payload = hash
	}
	seconds, err := strconv.Atoi(query.Get("X-Amz-Expires"))
	if err != nil || seconds < 1 || seconds > maxLife || !s.setScope(query.Get("X-Amz-Credential"), query.Get("X-Amz-Date")) {
		return signature{}, errParameters
	}
	s.life = time.Duration(seconds) * time.Second
	if !slices.Contains(s.headers, "host") {
		return signature{}, errUnsigned
	}
	return s, nil
}

// setScope takes the key and the scope from a credential, which must be of the day of
// the time stamp. It reports whether they are well-formed.
func (s *signature) setScope(credential, stamp string) bool {
	at, err := time.Parse(stampLayout, stamp)
	parts := strings.Split(credential, "/")
	if err != nil || len(parts) != 5 || parts[0] == "" || parts[2] == "" {
		return false
	}
	s.at, s.keyID, s.scope = at, parts[0], strings.Join(parts[1:], "/")
	return parts[1] == at.Format(dayLayout) && parts[3] == "s3" && parts[4] == "aws4_request"
}

func (s signature) checkTime(now time.Time) error {
	switch {
	case s.life == 0 && now.Sub(s.at).Abs() > maxSkew:
		return errSkewed
	case s.life > 0 && now.Before(s.at.Add(-maxSkew)):
		return errNotYet
	case s.life > 0 && !now.Before(s.at.Add(s.life)):
		return errURLExpired
	}
	return nil
}

// holds reports whether the request was signed with the secret, for the host.
func (s signature) holds(r *http.Request, query url.Values, secret, host string) bool {
	canonical := sha256.Sum256([]byte(s.canonicalRequest(r, query, host)))
	text := algorithm + "\n" + s.at.Format(stampLayout) + "\n" + s.scope + "\n" + hex.EncodeToString(canonical[:])
	key := []byte("AWS4" + secret)
	for part := range strings.SplitSeq(s.scope, "/") {
		key = sum(key, part)
	}
	return hmac.Equal([]byte(hex.EncodeToString(sum(key, text))), []byte(s.value))
}

func sum(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// canonicalRequest is the request in the one spelling that both sides sign. S3 encodes
// a path once, where other services encode it twice.
func (s signature) canonicalRequest(r *http.Request, query url.Values, host string) string {
	var b strings.Builder
	b.WriteString(r.Method + "\n" + escape(r.URL.Path, "/") + "\n" + canonicalQuery(query) + "\n")
	for _, name := range s.headers {
		b.WriteString(name + ":" + signedValue(r, name, host) + "\n")
	}
	b.WriteString("\n" + strings.Join(s.headers, ";") + "\n" + s.payload)
	return b.String()
}

func canonicalQuery(query url.Values) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if name == "X-Amz-Signature" {
			continue
		}
		for _, value := range slices.Sorted(slices.Values(query[name])) {
			pairs = append(pairs, escape(name, "")+"="+escape(value, ""))
		}
	}
	return strings.Join(pairs, "&")
}

// signedValue returns a header as it is signed: its values joined, runs of spaces made
// one.
func signedValue(r *http.Request, name, host string) string {
	switch name {
	case "host":
		return host
	case "content-length":
		return strconv.FormatInt(r.ContentLength, 10)
	}
	var values []string
	for _, value := range r.Header.Values(name) {
		values = append(values, strings.Join(strings.Fields(value), " "))
	}
	return strings.Join(values, ",")
}

// escape encodes all but the characters that S3 leaves as they are, and those in keep.
func escape(text, keep string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if letter || strings.IndexByte("-_.~"+keep, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return b.String()
}
