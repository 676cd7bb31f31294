// Package client is the Go client of a Quern server.
//
// It owns the way to a server and back: addresses, tokens, trying again, and
// sending files of any size with Upload. It shares no code with the server, so
// it can be used, and read, alone. It never decides what a failure means beyond
// whether trying again may help.
//
// The failure it is built around is the network: a request that gets no answer
// is sent again, a part whose URL has expired gets a fresh one, and an upload
// that was cut off goes on where it stopped. docs/clients.md says what holds, here and
// in the clients of other languages.
//
//	c, err := client.New(client.Options{Server: "https://quern.example", Token: token})
//	session, err := c.Upload(ctx, files, client.UploadOptions{})
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Options says how to reach a server.
type Options struct {
	// Server is the server's address, such as https://quern.example.
	Server string
	// Token is the access token or API token that requests carry.
	Token string
	// Tokens, unless nil, gives the token of each request, in the place of Token: one
	// that is renewed meanwhile. It is called from several goroutines.
	Tokens func(context.Context) (string, error)
	// HTTP sends the requests; nil means one with timeouts for every stage.
	HTTP *http.Client
	// Patience is how long one request is tried again for; 0 means two minutes.
	Patience time.Duration
	// FirstPatience is how long a server that has not answered yet is tried while there
	// is no connection to it; 0 means as long as Patience.
	FirstPatience time.Duration
	// Retrying, unless nil, is told why a request failed that is about to be sent
	// again. It is called from several goroutines.
	Retrying func(err error)
}

// Client talks to one server in the name of one token. It is safe for
// concurrent use.
type Client struct {
	base     string
	tokens   func(context.Context) (string, error)
	http     *http.Client
	patience time.Duration
	// first is the patience until the server was reached for the first time.
	first    time.Duration
	reached  *atomic.Bool
	retrying func(error)
}

const (
	defaultPatience = 2 * time.Minute
	firstPause      = 100 * time.Millisecond
	longestPause    = 10 * time.Second
	// maxAnswer bounds an answer that is read as a whole.
	maxAnswer = 256 << 20
)

// New makes a client. It does not talk to the server.
func New(o Options) (*Client, error) {
	u, err := url.Parse(strings.TrimRight(o.Server, "/"))
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https"}, u.Scheme) {
		return nil, fmt.Errorf("the server's address %q does not start with http:// or https://", o.Server)
	}
	if o.Token == "" && o.Tokens == nil {
		return nil, errors.New("a token is needed")
	}
	if o.Tokens == nil {
		o.Tokens = func(context.Context) (string, error) { return o.Token, nil }
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{Transport: transport()}
	}
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	if o.FirstPatience == 0 {
		o.FirstPatience = o.Patience
	}
	if o.Retrying == nil {
		o.Retrying = func(error) {}
	}
	base := strings.TrimSuffix(u.String(), "/api/v1") + "/api/v1"
	return &Client{
		base: base, tokens: o.Tokens, http: o.HTTP, patience: o.Patience, first: o.FirstPatience, reached: &atomic.Bool{}, retrying: o.Retrying,
	}, nil
}

func transport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 3 * time.Minute,
		ExpectContinueTimeout: time.Second,
		IdleConnTimeout:       time.Minute,
		MaxIdleConnsPerHost:   64,
	}
}

// Error is a request that the server refused, or a run that failed.
type Error struct {
	Status  int    // of HTTP; 0 for a run that failed
	Code    string // the stable name of the reason
	Message string
	Sub     []SubError
	// RequestID names the request in the server's log; empty where no answer had one.
	RequestID string

	after time.Duration // the pause that the server asks for
}

// SubError is one invalid part of a refused request.
type SubError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Field is the part of the request that is wrong, such as query; empty when it is no one
// part.
func (s SubError) Field() string {
	field, _, found := strings.Cut(s.Message, ": ")
	if !found || strings.Contains(field, " ") {
		return ""
	}
	return field
}

// Field is the first part of the request that is wrong; empty when it is no one part.
func (e *Error) Field() string {
	for _, s := range e.Sub {
		if field := s.Field(); field != "" {
			return field
		}
	}
	return ""
}

func (e *Error) Error() string {
	text := e.Message
	if text == "" {
		text = http.StatusText(e.Status)
	}
	for i, sub := range e.Sub {
		if i == 5 {
			return fmt.Sprintf("%s\n  and %d more", text, len(e.Sub)-i)
		}
		text += "\n  " + sub.Message
	}
	return text
}

// IsStatus reports whether err is a refusal with the status.
func IsStatus(err error, status int) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && refused.Status == status
}

// call sends one request of the API, again and again while that may help, and
// decodes the answer into out unless that is nil.
func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	return c.callWith(ctx, method, path, header{}, in, out)
}

// callOnce is call for a request that must not be carried out twice: key names
// it.
func (c *Client) callOnce(ctx context.Context, method, path, key string, in, out any) error {
	return c.callWith(ctx, method, path, header{"Idempotency-Key", key}, in, out)
}

// header is a header of a request; none when its value is empty.
type header struct{ name, value string }

// callWith is call with a header.
func (c *Client) callWith(ctx context.Context, method, path string, extra header, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	return c.retry(ctx, func() error {
		req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
		if err != nil {
			return err
		}
		if err := c.sign(req); err != nil {
			return err
		}
		req.Header.Set("Accept", "application/json")
		if extra.value != "" {
			req.Header.Set(extra.name, extra.value)
		}
		if in != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		resp, err := c.http.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode >= 300 {
			return refusal(resp)
		}
		if out == nil {
			return nil
		}
		if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(out); err != nil {
			return fmt.Errorf("the answer of the server cannot be read: %w", err)
		}
		return nil
	})
}

// retry calls try until it succeeds, fails for good, or patience ends. The
// pauses between grow, and vary so that clients do not come back together.
func (c *Client) retry(ctx context.Context, try func() error) error {
	return c.retryUnheard(ctx, func() time.Time { return time.Time{} }, try)
}

// retryUnheard is retry whose patience begins anew when something is heard from the
// server; heard tells when that was last.
func (c *Client) retryUnheard(ctx context.Context, heard func() time.Time, try func() error) error {
	started, pause := time.Now(), firstPause
	for {
		err := try()
		if err == nil || ctx.Err() != nil {
			c.reached.CompareAndSwap(false, err == nil)
			return errors.Join(ctx.Err(), err)
		}
		if at := heard(); at.After(started) {
			started, pause = at, firstPause
		}
		patience, err := c.judge(err)
		asked, temporary := temporary(err)
		wait := max(asked, pause/2+rand.N(pause))
		if !temporary || time.Since(started)+wait > patience {
			return err
		}
		c.retrying(err)
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(wait):
		}
		pause = min(2*pause, longestPause)
	}
}

// judge tells how long a failed request is tried again for, and marks the failure where
// no request has found the server yet.
func (c *Client) judge(err error) (time.Duration, error) {
	dial, isNetwork := errors.AsType[*net.OpError](err)
	if !isNetwork || dial.Op != "dial" {
		c.reached.Store(true)
	}
	if c.reached.Load() {
		return c.patience, err
	}
	return min(c.patience, c.first), &UnreachedError{err}
}

// UnreachedError is a failure to connect to a server that no request has reached before:
// rather a wrong address, or a server that does not run, than one that is away for a while.
type UnreachedError struct{ Err error }

func (e *UnreachedError) Error() string { return e.Err.Error() }

// Unwrap returns the failure of the network.
func (e *UnreachedError) Unwrap() error { return e.Err }

// temporary reports whether the same request may succeed later, and the pause
// that the server asked for.
func temporary(err error) (time.Duration, bool) {
	if _, ok := errors.AsType[*finalError](err); ok {
		return 0, false
	}
	refused, ok := errors.AsType[*Error](err)
	if !ok {
		return 0, true // no answer, or half of one
	}
	if refused.Code == codeQuotaExceeded {
		return 0, false // there is none before the next day
	}
	switch refused.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return refused.after, true
	}
	return 0, false
}

// codeQuotaExceeded says that the caller has used up what it may use.
const codeQuotaExceeded = "QUOTA_EXCEEDED"

// finalError is a failure on this side that trying again does not mend.
type finalError struct{ error }

func (e *finalError) Unwrap() error { return e.error }

func final(format string, args ...any) error { return &finalError{fmt.Errorf(format, args...)} }

// refusal reads an answer that is no success.
func refusal(resp *http.Response) error {
	e := &Error{Status: resp.StatusCode, RequestID: resp.Header.Get("X-Request-Id")}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.after = min(time.Duration(seconds)*time.Second, time.Minute)
	}
	var body struct {
		Code    string     `json:"error_code"`
		Message string     `json:"message"`
		Sub     []SubError `json:"sub_errors"`
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20)) // a refusal without a readable body is one still
	if json.Unmarshal(text, &body) == nil {
		e.Code, e.Message, e.Sub = body.Code, body.Message, body.Sub
	}
	return e
}
