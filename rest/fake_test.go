package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/api"
	"quern/api/apitest"
	"quern/rest"
	"quern/server"
)

func TestMain(m *testing.M) { apitest.Main(m) }

var noon = time.Date(2030, 12, 1, 12, 0, 0, 0, time.UTC)

// service is a whole identity service in memory: the tokens "ada" and
// "ada-restricted" sign in, others fail as their names say.
type service struct {
	mu     sync.Mutex
	tokens []quern.Token
	spec   quern.TokenSpec
	events []quern.UsageEvent
	days   [2]string
	// waiting is closed when the token "gone" waits for its client to go.
	waiting chan struct{}
}

var (
	ada         = quern.User{ID: quern.NewID[quern.UserID](), Username: "ada", CreatedAt: noon}
	errBadToken = quern.E(quern.Unauthentic, quern.CodeUnauthorized, "The token is not valid.")
)

type throttled struct{}

func (throttled) Error() string             { return "secret cause" }
func (throttled) RetryAfter() time.Duration { return 1500 * time.Millisecond }

func (s *service) Authenticate(ctx context.Context, bearer string) (quern.Principal, error) {
	switch bearer {
	case "ada":
		return quern.Principal{User: ada}, nil
	case "ada-restricted":
		return quern.Principal{User: ada, Token: quern.NewID[quern.TokenID](), Scopes: []quern.Scope{{Username: "ada", Namespace: "harbour"}}}, nil
	case "panic":
		panic("a secret in a panic")
	case "unclassified":
		return quern.Principal{}, io.ErrNoProgress
	case "throttled":
		return quern.Principal{}, quern.E(quern.Throttled, quern.CodeThrottled, "Too many requests.").Because(throttled{})
	case "unavailable":
		return quern.Principal{}, quern.E(quern.Unavailable, quern.CodeUnavailable, "Not now.")
	case "late":
		return quern.Principal{}, context.DeadlineExceeded
	case "gone":
		close(s.waiting)
		<-ctx.Done()
		return quern.Principal{}, ctx.Err()
	}
	return quern.Principal{}, errBadToken
}

func (s *service) CreateToken(_ context.Context, p quern.Principal, spec quern.TokenSpec) (quern.Token, string, error) {
	if p.Restricted() {
		return quern.Token{}, "", quern.E(quern.Forbidden, quern.CodeForbidden, "A restricted token may not manage tokens.")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spec = spec
	t := quern.Token{ID: quern.NewID[quern.TokenID](), Name: spec.Name, ExpiresAt: spec.ExpiresAt, Scopes: spec.Scopes, CreatedAt: noon}
	s.tokens = append(s.tokens, t)
	return t, "secret", nil
}

func (s *service) Tokens(context.Context, quern.Principal) ([]quern.Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]quern.Token(nil), s.tokens...), nil
}

func (s *service) Token(_ context.Context, _ quern.Principal, id quern.TokenID) (quern.Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tokens {
		if t.ID == id {
			return t, nil
		}
	}
	return quern.Token{}, quern.E(quern.NotFound, quern.CodeNotFound, "There is no token %s.", id)
}

func (s *service) RevokeToken(ctx context.Context, p quern.Principal, id quern.TokenID) error {
	if _, err := s.Token(ctx, p, id); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.tokens {
		if s.tokens[i].ID == id {
			s.tokens[i].RevokedAt = noon
		}
	}
	return nil
}

func (s *service) RecordUsage(_ context.Context, _ quern.UserID, operation string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := quern.UsageEvent{ID: quern.NewID[quern.UsageID](), At: at, Operation: operation, Units: 1}
	s.events = append([]quern.UsageEvent{e}, s.events...)
}

func (s *service) Usage(_ context.Context, _ quern.Principal, page quern.UsagePage) ([]quern.UsageEvent, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var listed []quern.UsageEvent
	for _, e := range s.events {
		if (page.Behind == "" || e.ID < page.Behind) && len(listed) < page.Limit {
			listed = append(listed, e)
		}
	}
	return listed, nil
}

func (s *service) ModelUsageSums(context.Context, quern.Principal, quern.UsageSpan, *time.Location) ([]quern.UsageSum, error) {
	return nil, nil
}

func (s *service) UsageByDay(_ context.Context, _ quern.Principal, from, to string) ([]quern.UsageDay, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.days = [2]string{from, to}
	return []quern.UsageDay{{Day: to, Operation: "currentUser", Requests: int64(len(s.events))}}, nil
}

func (s *service) ModelUsageByDay(context.Context, quern.Principal, string, string) ([]quern.ModelUsage, error) {
	return nil, nil
}

// world is the edge behind a real listener.
type world struct {
	t    *testing.T
	auth *service
	url  string
	http *http.Client
	log  *syncBuffer
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, auth: &service{waiting: make(chan struct{})}, log: &syncBuffer{}}
	s, err := server.New(server.Options{
		Handler: rest.New(rest.Deps{
			Auth: w.auth, Tokens: w.auth, Usage: w.auth, Now: func() time.Time { return noon },
			MaxBody: 1 << 16, PublicURL: "https://quern.example",
			AuthorizationURL: func() string { return "https://id.example/authorize" },
		}),
		Log: slog.New(slog.NewJSONHandler(w.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(s)
	t.Cleanup(listening.Close)
	w.url, w.http = listening.URL, apitest.Client(t, listening.Client())
	return w
}

type ask struct {
	method, path, token, body string
	header                    http.Header
	reader                    io.Reader // in place of body, sent in chunks
}

type answer struct {
	*http.Response
	body string
}

func (w *world) do(a ask) answer {
	w.t.Helper()
	var body io.Reader
	if a.reader != nil {
		body = struct{ io.Reader }{a.reader}
	} else if a.body != "" {
		body = strings.NewReader(a.body)
	}
	r, err := http.NewRequestWithContext(w.t.Context(), a.method, w.url+a.path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	for name, values := range a.header {
		r.Header[name] = values
	}
	if a.token != "" {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	resp, err := w.http.Do(r)
	if err != nil {
		w.t.Fatalf("%s %s: %v", a.method, a.path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatalf("%s %s: %v", a.method, a.path, err)
	}
	return answer{resp, string(all)}
}

// failure reads an ErrorResponse.
func (a answer) failure(t *testing.T) api.ErrorResponse {
	t.Helper()
	var e api.ErrorResponse
	if err := json.Unmarshal([]byte(a.body), &e); err != nil {
		t.Fatalf("answer %d %q is no ErrorResponse: %v", a.StatusCode, a.body, err)
	}
	return e
}

func into[T any](t *testing.T, a answer) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Fatalf("answer %d %q: %v", a.StatusCode, a.body, err)
	}
	return v
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
