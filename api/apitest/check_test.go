package apitest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quern/api"
	"quern/api/apitest"
)

const goodUser = `{"id":"0192f0c0-11d2-7b7a-8a39-5d1f0e6b2c90","username":"ada","created_at":"2030-11-02T08:00:00Z","restricted":false}`

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, method, path string
		status             int
		header             http.Header
		body, want         string
	}{
		{"fits", "GET", "/user/me", 200, jsonHeader(), goodUser, ""},
		{"status not listed", "GET", "/user/me", 418, jsonHeader(), goodUser, "does not list this status"},
		{"content type", "GET", "/user/me", 200, http.Header{"Content-Type": {"text/html"}}, goodUser, "is not listed"},
		{"not JSON", "GET", "/user/me", 200, jsonHeader(), "{", "not JSON"},
		{"member missing", "GET", "/user/me", 200, jsonHeader(), `{"username":"ada"}`, "does not fit"},
		{"member unannounced", "GET", "/user/me", 200, jsonHeader(), strings.Replace(goodUser, "{", `{"x":1,`, 1), "body.x is not in the contract"},
		{"bad format", "GET", "/user/me", 200, jsonHeader(), strings.Replace(goodUser, "2030-11-02T", "yesterday ", 1), "does not fit"},
		{"header missing", "GET", "/user/me", 401, jsonHeader(), `{"error_code":"UNAUTHORIZED","message":"m"}`, "WWW-Authenticate is missing"},
		{"unknown code", "GET", "/user/me", 500, jsonHeader(), `{"error_code":"OOPS","message":"m"}`, "does not fit"},
		{"body after 204", "DELETE", "/user/token/0192f0c0-11d2-7b7a-8a39-5d1f0e6b2c90", 204, nil, "x", "no body"},
		{"no such address", "GET", "/nowhere", 404, jsonHeader(), `{"error_code":"ROUTE_NOT_FOUND","message":"m"}`, ""},
		{"address with a slash too many", "GET", "/user/me/", 200, jsonHeader(), goodUser, "no operation has this address"},
		{"another method", "POST", "/user/me", 200, jsonHeader(), goodUser, "no operation has this address"},
		{"the headers alone", "HEAD", "/user/me", 200, jsonHeader(), "", ""},
		{"no such address, success", "GET", "/nowhere", 200, jsonHeader(), `{}`, "no operation has this address"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), tt.method, api.Base+tt.path, nil)
			resp := &http.Response{StatusCode: tt.status, Header: tt.header}
			got := strings.Join(apitest.Check(r, resp, []byte(tt.body)), "; ")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("Check(%s) = %q, want %q", tt.name, got, tt.want)
			}
		})
	}
}

func jsonHeader() http.Header { return http.Header{"Content-Type": {"application/json"}} }

func TestEventsAreChecked(t *testing.T) {
	t.Parallel()
	const run = "0192f0c0-11d2-7b7a-8a39-5d1f0e6b2c90"
	for _, tt := range []struct{ name, stream, want string }{
		{"fit", "id: 1\nevent: run-started\ndata: {\"runId\":\"" + run + "\",\"conversationId\":\"" + run + "\"}\n\n: still here\n\nid: 2\nevent: planningStarted\ndata: {}\n\n", ""},
		{"member missing", "event: run-started\ndata: {\"runId\":\"" + run + "\"}\n\n", "run-started"},
		{"member unannounced", "event: queryExecuting\ndata: {\"index\":0,\"x\":1}\n\n", "body.x is not in the contract"},
		{"not empty", "event: planningStarted\ndata: {\"x\":1}\n\n", "planningStarted"},
		{"unknown", "event: surprise\ndata: {}\n\n", "no schema"},
		{"not JSON", "event: plan\ndata: {\n\n", "not JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checked := apitest.NewRecorder(answering{tt.stream})
			r := httptest.NewRequestWithContext(t.Context(), "POST", api.Base+"/query/ask", nil)
			resp, err := checked.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if text, err := io.ReadAll(resp.Body); err != nil || string(text) != tt.stream {
				t.Errorf("the stream reads %q, %v, want it unchanged", text, err)
			}
			got := strings.Join(checked.Problems(), "; ")
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("problems = %q, want %q", got, tt.want)
			}
		})
	}
}

// answering is a transport that answers every request with a stream.
type answering struct{ stream string }

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(a.stream))}, nil
}
