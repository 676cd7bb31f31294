package a2a_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"quern"
	"quern/a2a"
)

// hook is an address that hands on what it is told, a word for each.
func hook(t *testing.T) (address string, told chan string) {
	t.Helper()
	told = make(chan string, 100)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var event map[string]any
		if err != nil || json.Unmarshal(body, &event) != nil {
			t.Errorf("a notification = %s, %v, want JSON", body, err)
		}
		told <- word(event)
	}))
	t.Cleanup(s.Close)
	return s.URL, told
}

func hear(told chan string, n int) (words []string) {
	for range n {
		words = append(words, <-told)
	}
	return words
}

func TestReceiversAreToldWhatStreamsTell(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	address, told := hook(t)
	for agent, order := range map[string][]string{"nl2ql": nl2qlOrder, "assistant": assistantOrder} {
		params := with(message("How many ships?", nil), "configuration", map[string]any{
			"returnImmediately": true, "taskPushNotificationConfig": map[string]any{"url": address, "id": "mine"},
		})
		begun, failure := h.rpc(agent, "ada", "SendMessage", params)
		if failure != nil {
			t.Fatal(failure)
		}
		wantWords(t, agent+": what the receiver is told", hear(told, len(order)), order...)
		id := at(begun, "task", "id")
		if got, failure := h.rpc(agent, "ada", "GetTaskPushNotificationConfig", map[string]any{"taskId": id, "id": "mine"}); failure != nil || got["url"] != address {
			t.Errorf("the configuration of a message = %v, %v, want it kept", got, failure)
		}
		// One that comes late is told everything too.
		if _, failure := h.rpc(agent, "ada", "CreateTaskPushNotificationConfig", map[string]any{"taskId": id, "url": address}); failure != nil {
			t.Fatal(failure)
		}
		wantWords(t, agent+": what a late receiver is told", hear(told, len(order)), order...)
	}
}

func TestReceiversAreToldOfTheAnswerToWhatWasAsked(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	asks := &quern.Clarification{Question: "Which?", Choices: []quern.Choice{{Label: "this", Question: "this one?"}}}
	h.scripts.set("unclear", &script{
		Plan: quern.Plan{Steps: []string{"guess"}}, Steps: []quern.Step{{Clarification: asks}},
		Result: quern.Result{Response: "Which?", Clarification: asks},
	})
	address, told := hook(t)
	begun, failure := h.rpc("nl2ql", "ada", "SendMessage", with(message("unclear", nil), "configuration", map[string]any{
		"taskPushNotificationConfig": map[string]any{"url": address},
	}))
	if failure != nil || at(begun, "task", "status", "state") != "TASK_STATE_INPUT_REQUIRED" {
		t.Fatalf("SendMessage = %v, %v, want a task that waits for input", begun, failure)
	}
	wantWords(t, "what the receiver is told", hear(told, 2), "working", "input_required")
	if _, failure := h.rpc("nl2ql", "ada", "SendMessage", message("this", map[string]any{"taskId": at(begun, "task", "id")})); failure != nil {
		t.Fatal(failure)
	}
	wantWords(t, "what it is told of the answer", hear(told, 4), nl2qlOrder...)
}

// revokeNarrow revokes the token of "narrow".
func (h *house) revokeNarrow() {
	h.t.Helper()
	tokens, err := h.auth.Tokens(h.t.Context(), h.auth.Principal("ada"))
	must(h.t, err)
	for _, token := range tokens {
		if token.Name == "narrow" {
			must(h.t, h.auth.RevokeToken(h.t.Context(), h.auth.Principal("ada"), token.ID))
		}
	}
}

func TestReceiversOfARevokedTokenAreToldNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	address, told := hook(t)
	g := h.scripts.hold("slow", "step-0", simple)
	_, failure := h.rpc("nl2ql", "narrow", "SendMessage", with(message("slow", nil), "configuration", map[string]any{
		"returnImmediately": true, "taskPushNotificationConfig": map[string]any{"url": address},
	}))
	if failure != nil {
		t.Fatal(failure)
	}
	wantWords(t, "what the receiver is told at first", hear(told, 1), "working")
	<-g.came
	h.revokeNarrow()
	close(g.open)
	// Another receiver of another token is told all of a later task, by which
	// time the first would have been told, too.
	other, heard := hook(t)
	for range 3 {
		if _, failure := h.rpc("nl2ql", "ada", "SendMessage", with(message("How many ships?", nil), "configuration", map[string]any{
			"taskPushNotificationConfig": map[string]any{"url": other},
		})); failure != nil {
			t.Fatal(failure)
		}
		hear(heard, 4)
	}
	for len(told) > 0 {
		// The query was generated before the token was revoked: word of it may have left.
		if word := <-told; word != "generated-query" {
			t.Errorf("the receiver of a revoked token is told %s, want nothing", word)
		}
	}
}

// TestTokensAreRevokedWhileNewsAreRead revokes a token behind the look at it, so that what
// is read then came after it was revoked.
func TestTokensAreRevokedWhileNewsAreRead(t *testing.T) {
	t.Parallel()
	var behindLook atomic.Pointer[func()]
	h := newHouse(t, options{a2a: func(o *a2a.Options) {
		still := o.Still
		o.Still = func(ctx context.Context, user quern.UserID, token quern.TokenID) (quern.Principal, error) {
			p, err := still(ctx, user, token)
			if then := behindLook.Swap(nil); then != nil {
				(*then)()
			}
			return p, err
		}
	}})
	address, told := hook(t)
	g := h.scripts.hold("slow", "step-0", simple)
	begun, failure := h.rpc("nl2ql", "narrow", "SendMessage", with(message("slow", nil), "configuration", map[string]any{
		"returnImmediately": true, "taskPushNotificationConfig": map[string]any{"url": address},
	}))
	if failure != nil {
		t.Fatal(failure)
	}
	wantWords(t, "what the receiver is told at first", hear(told, 1), "working")
	<-g.came
	over := make(chan struct{})
	then := func() {
		defer close(over)
		h.revokeNarrow()
		close(g.open)
		for state := any("TASK_STATE_WORKING"); state == "TASK_STATE_WORKING"; {
			got, failure := h.rpc("nl2ql", "ada", "GetTask", map[string]any{"id": at(begun, "task", "id")})
			if failure != nil {
				t.Error(failure)
			}
			state = at(got, "status", "state")
		}
	}
	behindLook.Store(&then)
	<-over
	other, heard := hook(t)
	if _, failure := h.rpc("nl2ql", "ada", "SendMessage", with(message("How many ships?", nil), "configuration", map[string]any{
		"taskPushNotificationConfig": map[string]any{"url": other},
	})); failure != nil {
		t.Fatal(failure)
	}
	hear(heard, 4)
	for len(told) > 0 {
		if word := <-told; word != "generated-query" {
			t.Errorf("the receiver is told %s of what came after its token was revoked, want nothing", word)
		}
	}
}
