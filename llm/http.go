package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// MaxAnswer is the most bytes of a service's answer that are read.
const MaxAnswer = 8 << 20

var errTooLong = errors.New("the answer is longer than any that is expected")

// Client makes the HTTP client that plugs use: it reads no more than MaxAnswer of
// an answer and follows no redirect, for a key goes to the address that the
// operator named and nowhere else.
func Client() *http.Client {
	transport, _ := http.DefaultTransport.(*http.Transport)
	return &http.Client{
		Transport:     bounded{transport.Clone()},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type bounded struct{ *http.Transport }

// RoundTrip bounds what is read of the answer.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.Transport.RoundTrip(r)
	if err == nil {
		resp.Body = &shortBody{resp.Body, MaxAnswer}
	}
	return resp, err
}

type shortBody struct {
	io.ReadCloser
	left int64
}

// Read fails when there is more than may be read.
func (b *shortBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, errTooLong
	}
	return n, err
}

// Call is one request to a service that speaks JSON, and where its answer goes.
type Call struct {
	HTTP    *http.Client
	URL     string
	Header  http.Header // beside what says that it is JSON
	Request any
	Answer  any // a pointer
	Now     func() time.Time
}

// Send sends the request, once, and reads the answer. It fails as Model does.
func (c Call) Send(ctx context.Context) error {
	body, err := json.Marshal(c.Request)
	if err != nil {
		return fmt.Errorf("llm: request: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return Broken(ctx, err)
	}
	r.Header = c.Header.Clone()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "quern")
	resp, err := c.HTTP.Do(r)
	if err != nil {
		return Broken(ctx, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if ctx.Err() != nil {
		return Broken(ctx, err)
	}
	if err == nil && resp.StatusCode/100 == 2 && json.Unmarshal(text, c.Answer) == nil {
		return nil
	}
	return fromStatus(resp.StatusCode, resp.Header, failureOf(text), c.Now())
}

// failureOf returns what both services call a failure, from the body of one.
func failureOf(body []byte) string {
	var failure struct {
		Error struct{ Type string }
	}
	if json.Unmarshal(body, &failure) != nil {
		return ""
	}
	return failure.Error.Type
}

// fromStatus makes the error of an answer that is none, by its status. kind is
// what the service calls the failure; nothing else of the answer is kept, for
// services repeat keys and prompts in their words.
func fromStatus(status int, header http.Header, kind string, now time.Time) error {
	f := Fault{Reason: reasonOf(status), Err: fmt.Errorf("the service answered %d %.40q", status, kind)}
	if f.Reason == Busy || f.Reason == Away {
		f.After = retryAfter(header, now)
	}
	return Failed(f)
}

func reasonOf(status int) Reason {
	switch {
	case status == http.StatusTooManyRequests || status == statusOverloaded:
		return Busy
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status >= 500:
		return Away
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusNotFound || status == http.StatusPaymentRequired:
		return Denied
	case status >= 400:
		return Rejected
	}
	return Garbled // a redirect, or a success without an answer
}

// statusOverloaded is what Anthropic answers while all of its users are too many.
const statusOverloaded = 529

// retryAfter reads how long a service asks to be left alone: Retry-After in
// seconds or as a time, or retry-after-ms.
func retryAfter(header http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}
