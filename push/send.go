package push

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"quern"
)

// refusal is an answer other than success.
type refusal struct {
	status int
	after  time.Duration // when the receiver wants to be asked again; zero: it does not say
}

func (r *refusal) Error() string { return fmt.Sprintf("push: the receiver answered %d", r.status) }

// final reports whether trying again is of no use.
func (r *refusal) final() bool {
	switch r.status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return r.status < 500
}

// SignatureHeader carries the signature of a notification: t=SECONDS,v1=HEX,
// where HEX is the HMAC-SHA256 of "SECONDS.BODY" under the credentials.
const SignatureHeader = "Quern-Signature"

// The headers that carry the receiver's own token; clients know one or the other.
var tokenHeaders = []string{"X-A2A-Notification-Token", "A2A-Notification-Token"}

// send tells one thing.
func (s *Service) send(ctx context.Context, c quern.PushConfig, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", s.agent)
	if c.Token != "" {
		for _, name := range tokenHeaders {
			req.Header.Set(name, c.Token)
		}
	}
	scheme, _ := Canonical(c.Scheme)
	switch {
	case scheme == HMAC:
		req.Header.Set(SignatureHeader, Signature(c.Credentials, s.now(), body))
	case scheme != "":
		req.Header.Set("Authorization", scheme+" "+c.Credentials)
	}
	resp, err := s.http.Do(req)
	if around, ok := errors.AsType[*url.Error](err); ok {
		err = around.Err // the address may hold secrets, and this is logged
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 4<<10)) // so that the connection can be used again
	if resp.StatusCode/100 == 2 {
		return nil
	}
	return &refusal{resp.StatusCode, retryAfter(resp.Header)}
}

// Signature signs a notification.
func Signature(key string, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(key))
	_, _ = io.WriteString(mac, seconds+".")
	_, _ = mac.Write(body)
	return "t=" + seconds + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, maxPause)
}

// hopeless reports whether trying again is of no use.
func hopeless(err error) bool {
	answer, refused := errors.AsType[*refusal](err)
	return errors.Is(err, errNotPublic) || refused && answer.final()
}
