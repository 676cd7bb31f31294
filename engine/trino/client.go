package trino

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// statementPath is where statements are sent, and below which their results lie.
	statementPath = "/v1/statement"
	// maxPage bounds a page of a result; Trino's own are of 16 MiB.
	maxPage = 256 << 20
	// firstWait and lastWait are between two tries, the first and the longest.
	firstWait, lastWait = 50 * time.Millisecond, 2 * time.Second
	// cancelTime is how long the coordinator has to take a cancellation.
	cancelTime = 5 * time.Second
)

// client speaks Trino's client protocol with one coordinator.
type client struct {
	http     *http.Client
	base     *url.URL
	password *url.Userinfo // nil: none
	patience time.Duration
}

// page is one answer about a statement, as far as it is read.
type page struct {
	ID      string              `json:"id"`
	NextURI string              `json:"nextUri"`
	Columns []pageColumn        `json:"columns"`
	Data    [][]json.RawMessage `json:"data"`
	Error   *failure            `json:"error"`
}

type pageColumn struct {
	Type string `json:"type"`
}

// failure is why a statement failed.
type failure struct {
	Message string `json:"message"`
	Name    string `json:"errorName"`
	Type    string `json:"errorType"`
}

func (f *failure) Error() string { return f.Name + " (" + f.Type + "): " + f.Message }

// errProtocol is the error of an answer that is not in Trino's protocol.
var errProtocol = errors.New("the cluster answered in no form of Trino's protocol")

// statusError is an answer without a page.
type statusError struct {
	status int
	body   string
}

func (s *statusError) Error() string { return fmt.Sprintf("status %d: %s", s.status, s.body) }

// start sends a statement.
func (c *client) start(ctx context.Context, sql string, header http.Header) (page, error) {
	return c.send(ctx, http.MethodPost, c.base.JoinPath(statementPath).String(), sql, header)
}

// next asks for the page after one.
func (c *client) next(ctx context.Context, p page, header http.Header) (page, error) {
	at, err := c.follow(p.NextURI)
	if err != nil {
		return page{}, err
	}
	next, err := c.send(ctx, http.MethodGet, at, "", header)
	if err == nil && next.ID != p.ID {
		err = fmt.Errorf("%w: the page of another statement", errProtocol)
	}
	return next, err
}

// cancel ends a statement, even where ctx has ended.
func (c *client) cancel(ctx context.Context, p page, header http.Header) error {
	at, err := c.follow(p.NextURI)
	if err != nil || p.NextURI == "" {
		return err
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer stop()
	r, err := c.request(ctx, http.MethodDelete, at, "", header)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// follow returns where a page lies. Coordinators name it by the address they know
// themselves by; it is asked for where statements are, and nowhere else.
func (c *client) follow(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || uri != "" && !strings.HasPrefix(u.Path, statementPath+"/") {
		return "", fmt.Errorf("%w: a next page at %.200q", errProtocol, uri)
	}
	at := *c.base
	at.Path, at.RawPath, at.RawQuery = u.Path, u.RawPath, u.RawQuery
	return at.String(), nil
}

func (c *client) request(ctx context.Context, method, at, body string, header http.Header) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, at, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = header.Clone()
	if c.password != nil {
		word, _ := c.password.Password()
		r.SetBasicAuth(c.password.Username(), word)
	}
	return r, nil
}

// send makes a request until it is answered or patience ends. A statement that may have
// arrived is not sent again.
func (c *client) send(ctx context.Context, method, at, body string, header http.Header) (page, error) {
	wait, until := firstWait, time.Now().Add(c.patience)
	for {
		p, err, again := c.try(ctx, method, at, body, header)
		if err == nil || !again || ctx.Err() != nil || time.Now().Add(wait).After(until) {
			return p, err
		}
		select {
		case <-ctx.Done():
			return page{}, ctx.Err()
		case <-time.After(wait):
		}
		wait = min(2*wait, lastWait)
	}
}

// try makes a request once; again says whether another try may help.
func (c *client) try(ctx context.Context, method, at, body string, header http.Header) (p page, err error, again bool) { //nolint:revive // the error decides, again qualifies it
	r, err := c.request(ctx, method, at, body, header)
	if err != nil {
		return page{}, err, false
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return page{}, err, method == http.MethodGet
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxPage+1))
	switch {
	case err != nil:
		return page{}, err, method == http.MethodGet // an answer that was cut is asked for anew
	case resp.StatusCode != http.StatusOK:
		return page{}, &statusError{resp.StatusCode, fmt.Sprintf("%.200s", text)}, isBusy(resp.StatusCode)
	case len(text) > maxPage:
		return page{}, fmt.Errorf("%w: a page beyond %d bytes", errProtocol, maxPage), false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&p); err != nil || p.ID == "" {
		return page{}, fmt.Errorf("%w: %.100q", errProtocol, text), false
	}
	return p, nil, false
}

// isBusy reports whether a status means that another try may help.
func isBusy(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout ||
		status == http.StatusTooManyRequests
}

// ready fails unless the coordinator has started.
func (c *client) ready(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.JoinPath("/v1/info").String(), nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	const most = 64 << 10
	var info struct {
		Starting *bool `json:"starting"`
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, most)).Decode(&info)
	switch {
	case resp.StatusCode != http.StatusOK:
		return &statusError{status: resp.StatusCode}
	case err != nil || info.Starting == nil:
		return errProtocol
	case *info.Starting:
		return errors.New("the coordinator is starting")
	}
	return nil
}
