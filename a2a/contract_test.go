package a2a_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/a2a"
	"quern/api"
	"quern/api/apitest"
)

// Every answer has the form that the contract gives it, in both bindings, and every
// operation of the contract that is served here was a success once.
func TestAnswersKeepTheContract(t *testing.T) {
	t.Parallel()
	h := newHouse(t, options{a2a: func(o *a2a.Options) { o.MaxBody = 1 << 10 }})
	h.tokens["reader"] = h.token("ada", quern.TokenSpec{Name: "read", ReadOnly: true})
	h.http = apitest.Client(t, h.http)
	h.scripts.hold("slow", "step-0", simple)
	const asked = `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"QUESTION"}],"metadata":{"namespace":"harbour"}},"configuration":{"returnImmediately":true}}`
	ask := func(question string) string { return strings.Replace(asked, "QUESTION", question, 1) }
	var begun struct{ Task struct{ ID string } }
	must(t, json.Unmarshal([]byte(h.send("POST", "/nl2ql/v1/message:send", "ada", ask("slow")).body), &begun))
	call := func(method string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + ask("x") + `}`
	}
	card, task, long := "/nl2ql/.well-known/agent-card.json", "/nl2ql/v1/tasks/"+begun.Task.ID, `"`+strings.Repeat("x", 2<<10)+`"`
	config := `{"id":"desk","url":"http://127.0.0.1:9/x"}`
	for _, tt := range []struct {
		method, path, user, body string
		status                   int
	}{
		{"GET", "", "", "", 200},
		{"GET", card, "", "", 200},
		{"GET", "/oracle/.well-known/agent-card.json", "", "", 404},
		{"POST", "/nl2ql", "ada", call("SendMessage"), 200},
		{"POST", "/nl2ql", "ada", call("SendStreamingMessage"), 200},
		{"POST", "/nl2ql", "ada", call("Nonsense"), 200},
		{"POST", "/nl2ql", "ada", "{", 200},
		{"POST", "/nl2ql", "", "{}", 401},
		{"POST", "/nl2ql", "reader", `{"jsonrpc":"2.0","id":1,"method":"CancelTask","params":{"id":"` + begun.Task.ID + `"}}`, 403},
		{"POST", "/oracle", "ada", "{}", 404},
		{"POST", "/nl2ql", "ada", long, 413},
		{"POST", "/nl2ql/v1/message:stream", "ada", ask("x"), 200},
		{"POST", "/nl2ql/v1/message:send", "ada", "{", 400},
		{"POST", "/nl2ql/v1/message:send", "ada", `{"message":{}}`, 400},
		{"POST", "/nl2ql/v1/message:send", "", ask("x"), 401},
		{"POST", "/nl2ql/v1/message:send", "ada", long, 413},
		{"POST", "/oracle/v1/message:send", "ada", ask("x"), 404},
		{"GET", "/nl2ql/v1/tasks?pageSize=1&includeArtifacts=true", "ada", "", 200},
		{"GET", "/nl2ql/v1/tasks?pageSize=none", "ada", "", 400},
		{"GET", task, "ada", "", 200},
		{"GET", task, "eve", "", 404},
		{"GET", task + ":nonsense", "ada", "", 404},
		{"GET", task + ":subscribe", "ada", "", 200},
		{"POST", task + ":subscribe", "ada", "", 200},
		{"POST", task + "/pushNotificationConfigs", "ada", config, 200},
		{"POST", task + "/pushNotificationConfigs", "reader", config, 403},
		{"GET", task + "/pushNotificationConfigs", "ada", "", 200},
		{"GET", task + "/pushNotificationConfigs/desk", "ada", "", 200},
		{"DELETE", task + "/pushNotificationConfigs/desk", "ada", "", 200},
		{"POST", task + ":cancel", "reader", "", 403},
		{"POST", task + ":cancel", "ada", "", 200},
		{"POST", task + ":cancel", "ada", "", 400},
		{"GET", "/nl2ql/v1/extendedAgentCard", "ada", "", 200},
	} {
		if status := h.begin(tt.method, tt.path, tt.user, tt.body); status != tt.status {
			t.Errorf("%s %s %.60s = %d, want %d", tt.method, tt.path, tt.body, status, tt.status)
		}
	}
	h.keepsHeaders(card)
	for _, op := range api.Operations() {
		if op.Edge == "a2a" && !slices.Contains(apitest.Exercised(), op.ID) {
			t.Errorf("%s was never a success", op.ID)
		}
	}
}

// begin sends a request and returns the status of the answer, whose first line it reads:
// the stream of a task that waits has no end.
func (h *house) begin(method, path, user, body string) int {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	defer cancel()
	resp := h.open(ctx, method, path, user, body)
	defer resp.Body.Close()
	_, err := bufio.NewReader(resp.Body).ReadString('\n')
	if err != nil && err != io.EOF {
		h.t.Errorf("%s %s = %v, want a line", method, path, err)
	}
	return resp.StatusCode
}

// keepsHeaders asks for what clients keep, with the tags that it came with, and in media
// that nobody takes.
func (h *house) keepsHeaders(card string) {
	h.t.Helper()
	list, shown := h.send("GET", "", "", "").header.Get("ETag"), h.send("GET", card, "", "").header.Get("ETag")
	for _, tt := range []struct {
		method, path, name, value string
		status                    int
	}{
		{"GET", "", "If-None-Match", list, 304},
		{"GET", card, "If-None-Match", shown, 304},
		{"GET", card, "If-None-Match", list, 200},
		{"POST", "/nl2ql", "Content-Type", "text/plain", 415},
		{"POST", "/nl2ql/v1/message:send", "Content-Type", "text/plain", 415},
	} {
		r, err := http.NewRequestWithContext(h.t.Context(), tt.method, h.url+a2a.Path+tt.path, strings.NewReader("{}"))
		must(h.t, err)
		r.Header.Set("Authorization", "Bearer "+h.tokens["ada"])
		r.Header.Set(tt.name, tt.value)
		resp, err := h.http.Do(r)
		must(h.t, err)
		must(h.t, resp.Body.Close())
		if resp.StatusCode != tt.status {
			h.t.Errorf("%s %s with %s %s = %d, want %d", tt.method, tt.path, tt.name, tt.value, resp.StatusCode, tt.status)
		}
	}
}
