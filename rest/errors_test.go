package rest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/api"
	"quern/rest"
)

func TestStatusesAreListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		token, code, retry string
		status             int
	}{
		{"unclassified", "INTERNAL", "", 500},
		{"panic", "INTERNAL", "", 500},
		{"throttled", "THROTTLED", "2", 429},
		{"unavailable", "UNAVAILABLE", "1", 503},
		{"late", "TIMEOUT", "", 504},
	} {
		got := w.do(ask{method: "GET", path: "/api/v1/user/me", token: tt.token})
		e := got.failure(t)
		if got.StatusCode != tt.status || e.ErrorCode != tt.code || got.Header.Get("Retry-After") != tt.retry {
			t.Errorf("%s: answer = %d %s, Retry-After %q, want %d %s, %q", tt.token, got.StatusCode, e.ErrorCode, got.Header.Get("Retry-After"), tt.status, tt.code, tt.retry)
		}
		if strings.Contains(got.body, "secret") || strings.Contains(got.body, ".go") {
			t.Errorf("%s: answer %s tells the cause", tt.token, got.body)
		}
		if tt.status == http.StatusInternalServerError && e.ErrorMessage != "request "+got.Header.Get("X-Request-Id") {
			t.Errorf("%s: error_message = %q, want the request's id", tt.token, e.ErrorMessage)
		}
	}
	if n := strings.Count(w.log.String(), "a secret in a panic"); n != 1 {
		t.Errorf("the panic is in the log %d times, want once", n)
	}
}

func TestTokenIsNeeded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, op := range api.Operations() {
		if op.Edge != "" || op.Public {
			continue
		}
		path := api.Base + strings.ReplaceAll(op.Path, "{id}", "not-an-id")
		for _, tt := range []struct {
			name, want string
			header     http.Header
		}{
			{"missing", "Bearer", nil},
			{"garbage", `Bearer error="invalid_token"`, http.Header{"Authorization": {"Bearer garbage"}}},
			{"other scheme", `Bearer error="invalid_token"`, http.Header{"Authorization": {"Basic YWRhOmFkYQ=="}}},
			{"empty", `Bearer error="invalid_token"`, http.Header{"Authorization": {"Bearer "}}},
			{"two", `Bearer error="invalid_token"`, http.Header{"Authorization": {"Bearer ada", "Bearer ada"}}},
		} {
			// The body is malformed too: the token comes first.
			got := w.do(ask{method: op.Method, path: path, header: tt.header, body: "{"})
			if e := got.failure(t); got.StatusCode != http.StatusUnauthorized || e.ErrorCode != "UNAUTHORIZED" || got.Header.Get("WWW-Authenticate") != tt.want {
				t.Errorf("%s with token %s = %d %s %q, want 401 UNAUTHORIZED %q", op.ID, tt.name, got.StatusCode, e.ErrorCode, got.Header.Get("WWW-Authenticate"), tt.want)
			}
		}
	}
}

func TestAddressesAndMethods(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		method, path, code, allow string
		status                    int
	}{
		{"GET", "/api/v1/nowhere", "ROUTE_NOT_FOUND", "", 404},
		{"POST", "/api/v1/", "ROUTE_NOT_FOUND", "", 404},
		{"GET", "/api/v1/user/me/", "ROUTE_NOT_FOUND", "", 404},
		{"GET", "/api/v1//user/me", "ROUTE_NOT_FOUND", "", 404},
		{"GET", "/api/v1/x/../user/me", "ROUTE_NOT_FOUND", "", 404},
		{"POST", "/api/v1/user/me", "METHOD_NOT_ALLOWED", "GET, HEAD, OPTIONS", 405},
		{"GET", "/api/v1/user/token", "METHOD_NOT_ALLOWED", "POST, OPTIONS", 405},
		{"BREW", "/api/v1/user/tokens", "METHOD_NOT_ALLOWED", "GET, HEAD, OPTIONS", 405},
	} {
		got := w.do(ask{method: tt.method, path: tt.path})
		if e := got.failure(t); got.StatusCode != tt.status || e.ErrorCode != tt.code || got.Header.Get("Allow") != tt.allow {
			t.Errorf("%s %s = %d %s, Allow %q, want %d %s, %q", tt.method, tt.path, got.StatusCode, e.ErrorCode, got.Header.Get("Allow"), tt.status, tt.code, tt.allow)
		}
	}
	options := w.do(ask{method: "OPTIONS", path: "/api/v1/user/me"})
	if options.StatusCode != http.StatusNoContent || options.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("OPTIONS = %d, Allow %q, want 204 with the methods", options.StatusCode, options.Header.Get("Allow"))
	}
}

func TestMalformedIDLooksLikeNoSuchThing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	absent := w.do(ask{method: "DELETE", path: "/api/v1/user/token/" + string(quern.NewID[quern.TokenID]()), token: "ada"})
	if absent.StatusCode != http.StatusNotFound {
		t.Fatalf("revokeToken of none = %d, want 404", absent.StatusCode)
	}
	for _, id := range []string{"x", "..%2f..", "%00", "urn:uuid:0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a11", "0192f0c17a3e7c2b9d540b8f7e0c6a11", strings.Repeat("9", 2000)} {
		got := w.do(ask{method: "DELETE", path: "/api/v1/user/token/" + id, token: "ada"})
		if got.StatusCode != http.StatusNotFound || got.body != absent.body {
			t.Errorf("revokeToken(%.40s) = %d %s, want 404 %s", id, got.StatusCode, got.body, absent.body)
		}
	}
}

// A 404 says what was not found, by the operation alone: denied and absent read
// the same, which the access matrix and others hold.
func TestNotFoundSaysWhat(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.haven("ada")
	id := string(quern.NewID[quern.RunID]())
	for request, want := range map[string]string{
		"GET /data/ada/harbour/none":                 "there is no such dataset",
		"GET /data/ada/none/ds":                      "there is no such dataset",
		"GET /schema/ada/none/datasets":              "there is no such namespace",
		"GET /query/runs/" + id:                      "there is no such run",
		"GET /query/conversations/" + id:             "there is no such conversation",
		"GET /query/conversations/x":                 "there is no such conversation",
		"GET /ingestionTracking/" + id:               "there is no such ingestion",
		"GET /file-upload/" + id:                     "there is no such upload session",
		"DELETE /user/token/" + id:                   "there is no such token",
		"GET /query/conversations?namespace=nowhere": "there is no such namespace",
	} {
		method, path, _ := strings.Cut(request, " ")
		if got := h.want(404, "ada", method, path, "").failure(t).Message; got != want {
			t.Errorf("%s = %q, want %q", request, got, want)
		}
	}
	for _, op := range api.Operations() {
		if op.Edge == "" && op.Spec.Responses.Status(http.StatusNotFound) != nil && rest.SoughtOf(op) == "resource" {
			t.Errorf("%s does not say what it looks for", op.ID)
		}
	}
}

func TestQueryParameters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct{ query, code string }{
		{"pageSize=x", "type"}, {"pageSize=", "type"}, {"pageSize=1.5", "type"}, {"pageSize=0", "minimum"}, {"pageSize=1001", "maximum"},
		{"pageSize=99999999999999999999", "maximum"}, {"pageSize=true", "type"}, {"onOrAfter=", "format"}, {"pageCursor=x", "format"}, {"pageCursor=%7B%7D", "format"},
		{"pageSize=%zz", ""}, {"pageSize=1&pageSize=x", "type"},
	} {
		got := w.do(ask{method: "GET", path: "/api/v1/user/usage/history?" + tt.query, token: "ada"})
		e := got.failure(t)
		if got.StatusCode != http.StatusBadRequest || e.ErrorCode != "MALFORMED_PARAMETER" {
			t.Errorf("usageHistory(%s) = %d %s, want 400 MALFORMED_PARAMETER", tt.query, got.StatusCode, got.body)
		}
		if len(e.SubErrors) > 0 && e.SubErrors[0].Code != tt.code {
			t.Errorf("usageHistory(%s) says %v, want %s", tt.query, e.SubErrors, tt.code)
		}
	}
}

func TestClientGoneIsNoFailureOfOurs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+"/api/v1/user/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer gone")
	go func() {
		<-w.auth.waiting
		cancel()
	}()
	resp, err := w.http.Do(r)
	if err == nil {
		_ = resp.Body.Close()
		t.Fatalf("the request was answered with %d, want it cancelled", resp.StatusCode)
	}
	deadline := time.Now().Add(5 * time.Second)
	for !strings.Contains(w.log.String(), `"status":499`) {
		if time.Now().After(deadline) {
			t.Fatalf("log = %s, want a line with status 499", w.log)
		}
		time.Sleep(5 * time.Millisecond)
	}
	if strings.Contains(w.log.String(), `"level":"ERROR"`) {
		t.Errorf("log = %s, want no error", w.log)
	}
}

func TestContractIsServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.do(ask{method: "GET", path: "/api/v1/openapi.json"})
	if got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("openapi.json = %d %s, want 200 JSON", got.StatusCode, got.Header.Get("Content-Type"))
	}
	for _, want := range []string{`"https://id.example/authorize"`, `"https://quern.example/api/v1"`, `"2.2.3"`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("openapi.json lacks %s", want)
		}
	}
	again := w.do(ask{method: "GET", path: "/api/v1/openapi.json", header: http.Header{"If-None-Match": {got.Header.Get("Etag")}}})
	if again.StatusCode != http.StatusNotModified {
		t.Errorf("openapi.json asked for again = %d, want 304", again.StatusCode)
	}
}
