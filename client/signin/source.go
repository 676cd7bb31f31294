package signin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// early is how long before its end an access token is renewed.
const early = time.Minute

// ErrEnded is a sign-in that cannot be renewed any more.
type ErrEnded struct{ Server string }

func (e *ErrEnded) Error() string {
	return fmt.Sprintf("the sign-in at %s has ended: 'quern login %s' signs in again", e.Server, e.Server)
}

// Source gives the access token of a sign-in, renewing it. It is safe for concurrent use,
// also by several processes.
type Source struct {
	file   File
	server string
	client *http.Client
	agent  string

	mu    sync.Mutex
	login Login
}

// Open returns the source of the sign-in at a server; ErrNone when there is none.
func (f File) Open(server string, client *http.Client, agent string) (*Source, error) {
	l, err := f.Login(server)
	if err != nil {
		return nil, err
	}
	return &Source{file: f, server: server, client: client, agent: agent, login: l}, nil
}

// Login is the sign-in as it is known now.
func (s *Source) Login() Login {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.login
}

// Token returns an access token that is good for a while. ErrEnded when there is none to
// be had.
func (s *Source) Token(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.login.good() {
		return s.login.Access, nil
	}
	// What is on its way must arrive: a refresh token that was used is worth nothing.
	ctx = context.WithoutCancel(ctx)
	err := s.file.change(func(c *content) error {
		i := c.find(s.server)
		if i < 0 {
			return &ErrEnded{s.server}
		}
		if s.login = c.Logins[i]; s.login.good() {
			return nil // another process was faster
		}
		if s.login.Refresh == "" {
			return &ErrEnded{s.server}
		}
		renewed, err := s.login.trade(ctx, s.client, s.agent, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {s.login.Refresh}})
		switch {
		case errors.Is(err, errEnded):
			return &ErrEnded{s.server}
		case err != nil:
			return fmt.Errorf("the sign-in at %s cannot be renewed at the moment: %w", s.server, err)
		}
		s.login, c.Logins[i] = renewed, renewed
		return nil
	})
	return s.login.Access, err
}

// good reports whether the access token lasts for a while.
func (l Login) good() bool {
	return l.Access != "" && (l.ExpiresAt.IsZero() || time.Until(l.ExpiresAt) > early)
}
