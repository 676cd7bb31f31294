package a2a_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/a2a"
	"quern/run"
)

var (
	nl2qlOrder     = []string{"working", "generated-query", "result-data", "completed"}
	assistantOrder = []string{"task submitted", "working", "working", "step-0", "answer", "completed"}
)

func wantWords(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s = %q, want %q", what, got, want)
	}
}

func TestEventsComeAsTheyHappen(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	g := h.scripts.hold("slow", "step-0", simple)
	s := h.stream("assistant", "ada", "SendStreamingMessage", message("slow", nil))
	for _, want := range assistantOrder[:3] {
		if got := word(s.next()); got != want {
			t.Fatalf("an event before the step is done = %s, want %s", got, want)
		}
	}
	<-g.came
	close(g.open)
	wantWords(t, "the events once the step is done", s.rest(), assistantOrder[3:]...)
}

func TestSubscribersSeeTheTaskAndThenTheRest(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	g := h.scripts.hold("slow", "answer", simple)
	begun, failure := h.rpc("assistant", "ada", "SendMessage", with(message("slow", nil), "configuration", map[string]any{"returnImmediately": true}))
	if failure != nil {
		t.Fatal(failure)
	}
	id := at(begun, "task", "id")
	if got := at(begun, "task", "status", "state"); got != "TASK_STATE_WORKING" {
		t.Errorf("the state of a task that was just begun = %v, want working", got)
	}
	<-g.came
	var streams []*events
	for range 3 {
		s := h.stream("assistant", "ada", "SubscribeToTask", map[string]any{"id": id})
		first := s.next()
		if word(first) != "task working" || at(first, "task", "artifacts", 0, "name") != "step-0" {
			t.Errorf("the first event of a subscriber = %v, want the task with its first step", first)
		}
		streams = append(streams, s)
	}
	close(g.open)
	for _, s := range streams {
		wantWords(t, "the rest of a subscriber's stream", s.rest(), "answer", "completed")
	}
	if _, failure := h.rpc("assistant", "ada", "SubscribeToTask", map[string]any{"id": id}); failure == nil || failure.Code != -32004 {
		t.Errorf("SubscribeToTask of an ended task = %v, want -32004 in a plain answer", failure)
	}
}

func with(params map[string]any, name string, value any) map[string]any {
	params[name] = value
	return params
}

func TestCancelEndsTheTaskAndItsStreams(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, agent := range []string{"nl2ql", "assistant"} {
		g := h.scripts.hold("slow "+agent, "step-0", simple)
		s := h.stream(agent, "ada", "SendStreamingMessage", message("slow "+agent, nil))
		first := s.next()
		id := at(first, "task", "id")
		if id == nil {
			id = at(first, "statusUpdate", "taskId")
		}
		<-g.came
		if _, failure := h.rpc(agent, "bob", "CancelTask", map[string]any{"id": id}); failure == nil || failure.Code != -32001 {
			t.Errorf("CancelTask of somebody else's task = %v, want -32001", failure)
		}
		task, failure := h.rpc(agent, "ada", "CancelTask", map[string]any{"id": id})
		if failure != nil || at(task, "status", "state") != "TASK_STATE_CANCELED" {
			t.Errorf("CancelTask = %v, %v, want a canceled task", task, failure)
		}
		if words := s.rest(); words[len(words)-1] != "canceled" {
			t.Errorf("the stream of a canceled task = %q, want canceled at its end", words)
		}
		if _, failure := h.rpc(agent, "ada", "CancelTask", map[string]any{"id": id}); failure == nil || failure.Code != -32002 {
			t.Errorf("CancelTask again = %v, want -32002", failure)
		}
	}
}

func TestStrangersReachNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	done, failure := h.rpc("nl2ql", "ada", "SendMessage", message("How many ships?", nil))
	if failure != nil {
		t.Fatal(failure)
	}
	id, in := at(done, "task", "id"), at(done, "task", "contextId")
	for _, user := range []string{"bob", "eve", "narrow"} {
		for method, params := range map[string]map[string]any{
			"GetTask": {"id": id}, "CancelTask": {"id": id}, "SubscribeToTask": {"id": id},
			"CreateTaskPushNotificationConfig": {"taskId": id, "url": "http://127.0.0.1:1/"},
			"GetTaskPushNotificationConfig":    {"taskId": id, "id": "x"},
			"ListTaskPushNotificationConfigs":  {"taskId": id},
			"DeleteTaskPushNotificationConfig": {"taskId": id, "id": "x"},
			"SendMessage":                      message("more", map[string]any{"taskId": id}),
			"SendStreamingMessage":             message("more", map[string]any{"referenceTaskIds": []any{id}}),
		} {
			if _, failure := h.rpc("nl2ql", user, method, params); failure == nil || failure.Code != -32001 {
				t.Errorf("%s as %s = %v, want -32001", method, user, failure)
			}
		}
		list, failure := h.rpc("nl2ql", user, "ListTasks", map[string]any{"contextId": in})
		if failure != nil || at(list, "totalSize") != 0.0 {
			t.Errorf("ListTasks as %s = %v, %v, want none", user, list, failure)
		}
	}
	if _, failure := h.rpc("nl2ql", "bob", "SendMessage", message("more", map[string]any{"contextId": in})); failure == nil || failure.Code != -32602 {
		t.Errorf("SendMessage into somebody else's context = %v, want -32602", failure)
	}
}

func TestReferencedTasksGiveTheContext(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	first, _ := h.rpc("nl2ql", "ada", "SendMessage", message("How many ships?", nil))
	id, in := at(first, "task", "id"), at(first, "task", "contextId")
	second, failure := h.rpc("nl2ql", "ada", "SendMessage", message("And crews?", map[string]any{"referenceTaskIds": []any{id}}))
	if failure != nil || at(second, "task", "contextId") != in {
		t.Errorf("the context of a message that refers to a task = %v, %v, want that of the task, %v", at(second, "task", "contextId"), failure, in)
	}
	third, failure := h.rpc("nl2ql", "ada", "SendMessage", message("Secrets?", map[string]any{"referenceTaskIds": []any{id}, "metadata": map[string]any{"namespace": "secret"}}))
	if failure != nil || at(third, "task", "contextId") == in {
		t.Errorf("the context of a message about another namespace = %v, %v, want one of its own", at(third, "task", "contextId"), failure)
	}
	if _, failure := h.rpc("nl2ql", "ada", "SendMessage", message("Secrets?", map[string]any{"contextId": in, "metadata": map[string]any{"namespace": "secret"}})); failure == nil || failure.Data[1].FieldViolations[0].Field != "message.contextId" {
		t.Errorf("a context of another namespace = %v, want invalid params that name it", failure)
	}
}

func TestClientGoneDoesNotStopTheTask(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	g := h.scripts.hold("slow", "step-0", simple)
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": message("slow", nil)})
	must(t, err)
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url+a2a.Path+"/nl2ql", strings.NewReader(string(body)))
		if err == nil {
			r.Header.Set("Authorization", "Bearer "+h.tokens["ada"])
			_, err = h.http.Do(r) //nolint:bodyclose // it never answers
		}
		gone <- err
	}()
	streaming := h.stream("assistant", "ada", "SendStreamingMessage", message("slow", nil))
	streaming.next()
	<-g.came
	<-g.came
	leave()
	if err := <-gone; err == nil {
		t.Error("a request whose client left = nil, want an error")
	}
	must(t, streaming.body.Close())
	close(g.open)
	for _, agent := range []string{"nl2ql", "assistant"} {
		list, _ := h.rpc(agent, "ada", "ListTasks", map[string]any{})
		id := at(list, "tasks", 0, "id")
		// Following it tells when it is done, without waiting in the dark.
		if got, failure := h.rpc(agent, "ada", "GetTask", map[string]any{"id": id}); failure != nil || at(got, "status", "state") == "TASK_STATE_WORKING" {
			body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "SubscribeToTask", "params": map[string]any{"id": id}})
			must(t, err)
			h.send("POST", "/"+agent, "ada", string(body))
		}
		if got, failure := h.rpc(agent, "ada", "GetTask", map[string]any{"id": id}); failure != nil || at(got, "status", "state") != "TASK_STATE_COMPLETED" {
			t.Errorf("%s: the task of a client that left = %v, %v, want it completed", agent, got, failure)
		}
	}
}

func TestTwoHundredStreams(t *testing.T) {
	t.Parallel()
	const streams = 200
	h := newHouse(t, options{runs: func(o *run.Options) { o.Limits.PerUser = streams }})
	g := h.scripts.hold("slow", "plan", simple)
	var all sync.WaitGroup
	orders := make(chan string, streams)
	for i := range streams {
		agent := []string{"nl2ql", "assistant"}[i%2]
		all.Go(func() {
			body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": i, "method": "SendStreamingMessage", "params": message("slow", map[string]any{"messageId": fmt.Sprint(i)})})
			if err != nil {
				t.Error(err)
				return
			}
			a := h.send("POST", "/"+agent, "ada", string(body))
			var words []string
			for line := range strings.Lines(a.body) {
				data, isEvent := strings.CutPrefix(line, "data: ")
				var answer struct {
					ID     int
					Result map[string]any
				}
				if !isEvent {
					continue
				}
				if err := json.Unmarshal([]byte(data), &answer); err != nil || answer.ID != i {
					t.Errorf("an event of stream %d = %s", i, data)
				}
				words = append(words, word(answer.Result))
			}
			orders <- agent + ": " + strings.Join(words, ", ")
		})
	}
	for range 64 { // all that the server works on at once have come
		<-g.came
	}
	close(g.open)
	all.Wait()
	close(orders)
	count := map[string]int{}
	for order := range orders {
		count[order]++
	}
	for agent, order := range map[string][]string{"nl2ql": nl2qlOrder, "assistant": assistantOrder} {
		if n := count[agent+": "+strings.Join(order, ", ")]; n != streams/2 {
			t.Errorf("%s: %d of %d streams in order; all: %v", agent, n, streams/2, count)
		}
	}
}

func TestTooManyRunsAreThrottled(t *testing.T) {
	t.Parallel()
	h := newHouse(t, options{runs: func(o *run.Options) { o.Limits.PerUser = 1 }})
	g := h.scripts.hold("slow", "plan", simple)
	s := h.stream("nl2ql", "ada", "SendStreamingMessage", message("slow", nil))
	<-g.came
	for path, body := range map[string]string{
		"/nl2ql":                 `{"jsonrpc":"2.0","id":"x","method":"SendStreamingMessage","params":%s}`,
		"/nl2ql/v1/message:send": `%s`,
	} {
		params, err := json.Marshal(message("another", nil))
		must(t, err)
		a := h.send("POST", path, "ada", fmt.Sprintf(body, params))
		if a.status != 429 || a.header.Get("Retry-After") == "" || !strings.Contains(a.body, "RATE_LIMIT_EXCEEDED") || !strings.Contains(a.header.Get("Content-Type"), "json") {
			t.Errorf("POST %s over the limit = %d %v %s, want 429 with Retry-After", path, a.status, a.header, a.body)
		}
	}
	close(g.open)
	s.rest()
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{false, true} {
		h := newHouse(t, options{a2a: func(o *a2a.Options) { o.Strict = strict }})
		for version, want := range map[string]int{"": -32001, "1.0": -32001, "1.0.1": -32001, "0.3": -32009, "1.1": -32009, "2": -32009, "x": -32009} {
			if strict && version == "" {
				want = -32009
			}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url+a2a.Path+"/nl2ql", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x"}}`))
			must(t, err)
			r.Header.Set("Authorization", "Bearer "+h.tokens["ada"])
			if version != "" {
				r.Header.Set("A2A-Version", version)
			}
			resp, err := h.http.Do(r)
			must(t, err)
			var answer struct{ Error rpcError }
			must(t, json.NewDecoder(resp.Body).Decode(&answer))
			resp.Body.Close()
			if answer.Error.Code != want {
				t.Errorf("version %q, strict %v = %d, want %d", version, strict, answer.Error.Code, want)
			}
		}
	}
}

func TestBodiesThatAreNotTaken(t *testing.T) {
	t.Parallel()
	h := newHouse(t, options{a2a: func(o *a2a.Options) { o.MaxBody = 1 << 20 }})
	large := `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"` + strings.Repeat("x", 1<<20) + `"}}`
	many := `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[` + strings.Repeat("0,", 200_000) + `0]}`
	deep := `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + `}`
	for name, tt := range map[string]struct {
		body, media string
		status      int
		code        string
	}{
		"too large":  {large, "application/json", 413, "-32600"},
		"too deep":   {deep, "application/json", 200, "-32700"},
		"many":       {many, "application/json", 200, "-32602"},
		"form":       {"a=b", "application/x-www-form-urlencoded", 415, "-32600"},
		"a2a's own":  {`{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x"}}`, "application/a2a+json", 200, "-32001"},
		"not UTF-8":  {"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"}", "application/json", 200, "-32700"},
		"a NUL":      {`{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"a\u0000"}}`, "application/json", 200, "-32602"},
		"a huge int": {`{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x","historyLength":1e300}}`, "application/json", 200, "-32602"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url+a2a.Path+"/nl2ql", strings.NewReader(tt.body))
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+h.tokens["ada"])
		r.Header.Set("Content-Type", tt.media)
		resp, err := h.http.Do(r)
		must(t, err)
		var answer struct {
			Error struct{ Code json.Number }
		}
		must(t, json.NewDecoder(resp.Body).Decode(&answer))
		resp.Body.Close()
		if resp.StatusCode != tt.status || answer.Error.Code.String() != tt.code {
			t.Errorf("%s = %d %s, want %d %s", name, resp.StatusCode, answer.Error.Code, tt.status, tt.code)
		}
	}
}

func TestListsArePaged(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for i := range 5 {
		if _, failure := h.rpc("nl2ql", "ada", "SendMessage", message(fmt.Sprint("question ", i), nil)); failure != nil {
			t.Fatal(failure)
		}
	}
	h.rpc("assistant", "ada", "SendMessage", message("of another agent", nil))
	var seen []string
	token := ""
	for range 3 {
		page, failure := h.rpc("nl2ql", "ada", "ListTasks", map[string]any{"pageSize": 2, "pageToken": token})
		if failure != nil || at(page, "totalSize") != 5.0 || at(page, "pageSize") != 2.0 {
			t.Fatalf("ListTasks = %v, %v, want a page of 2 of 5", page, failure)
		}
		list, _ := at(page, "tasks").([]any)
		for _, task := range list {
			if at(task, "artifacts") != nil {
				t.Error("a list has artifacts that nobody asked for")
			}
			seen = append(seen, fmt.Sprint(at(task, "history", 0, "parts", 0, "text")))
		}
		token, _ = at(page, "nextPageToken").(string)
	}
	wantWords(t, "the pages together", seen, "question 4", "question 3", "question 2", "question 1", "question 0")
	if token != "" {
		t.Errorf("the token of the last page = %q, want none", token)
	}
	later := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	if page, _ := h.rpc("nl2ql", "ada", "ListTasks", map[string]any{"statusTimestampAfter": later}); at(page, "totalSize") != 0.0 {
		t.Errorf("tasks that changed in an hour = %v, want none", page)
	}
}

func TestEveryKindHasAFault(t *testing.T) {
	t.Parallel()
	for _, kind := range quern.Kinds() {
		if code, reason := a2a.FaultOf(kind); code == 0 || reason == "" {
			t.Errorf("the kind %v has no fault", kind)
		}
	}
}
