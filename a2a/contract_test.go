package a2a_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quern/a2a"
	"quern/api"
	"quern/api/apitest"
)

// Every answer has the form that the contract gives it, and every operation of
// the contract that is served here was a success once.
func TestAnswersKeepTheContract(t *testing.T) {
	t.Parallel()
	h := newHouse(t, options{a2a: func(o *a2a.Options) { o.MaxBody = 1 << 10 }})
	checked := apitest.Client(t, h.http)
	send := func(method, path, user, media, etag, body string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), method, h.url+a2a.Path+path, strings.NewReader(body))
		must(t, err)
		r.Header.Set("Content-Type", media)
		r.Header.Set("If-None-Match", etag)
		if user != "" {
			r.Header.Set("Authorization", "Bearer "+h.tokens[user])
		}
		resp, err := checked.Do(r)
		must(t, err)
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		must(t, err)
		return resp
	}
	const question = `{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}],"metadata":{"namespace":"harbour"}}}}`
	card := "/nl2ql/.well-known/agent-card.json"
	etag := send("GET", card, "", "", "", "").Header.Get("ETag")
	list := send("GET", "", "", "", "", "").Header.Get("ETag")
	for _, tt := range []struct {
		method, path, user, media, etag, body string
		status                                int
	}{
		{"GET", "", "", "", list, "", 304},
		{"GET", card, "", "", etag, "", 304},
		{"GET", card, "", "", list, "", 200},
		{"GET", "/oracle/.well-known/agent-card.json", "", "", "", "", 404},
		{"POST", "/nl2ql", "ada", "application/json", "", strings.Replace(question, "METHOD", "SendMessage", 1), 200},
		{"POST", "/nl2ql", "ada", "application/json", "", strings.Replace(question, "METHOD", "SendStreamingMessage", 1), 200},
		{"POST", "/nl2ql", "ada", "application/json", "", strings.Replace(question, "METHOD", "Nonsense", 1), 200},
		{"POST", "/nl2ql", "ada", "application/json", "", "{", 200},
		{"POST", "/nl2ql", "", "application/json", "", "{}", 401},
		{"POST", "/oracle", "ada", "application/json", "", "{}", 404},
		{"POST", "/nl2ql", "ada", "application/json", "", `"` + strings.Repeat("x", 2<<10) + `"`, 413},
		{"POST", "/nl2ql", "ada", "text/plain", "", "{}", 415},
	} {
		if resp := send(tt.method, tt.path, tt.user, tt.media, tt.etag, tt.body); resp.StatusCode != tt.status {
			t.Errorf("%s %s %.60s = %d, want %d", tt.method, tt.path, tt.body, resp.StatusCode, tt.status)
		}
	}
	for _, op := range api.Operations() {
		if op.Edge == "a2a" && !slices.Contains(apitest.Exercised(), op.ID) {
			t.Errorf("%s was never a success", op.ID)
		}
	}
}
