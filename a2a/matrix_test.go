package a2a_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/a2a"
	"quern/catalog"
	"quern/run"
)

// actors are the columns of the matrix, the same as those of the REST interface.
// Each stands in its own way to a dataset "ds" in the namespace "shared" of the
// owner's.
var actors = strings.Fields("anonymous owner nsEditor dsEditor nsViewer dsViewer stranger former tokenHere tokenElsewhere disabled readOnly")

// matrix states, for every method of the protocol, what each actor gets: ok, 401,
// task (there is no such task), params (there is no such namespace) or readOnly (the
// token may not). {r} is an ended task of the owner's, {w} one that waits.
var matrix = []struct{ method, http, params, outcomes string }{
	//                                        anon own nsE dsE nsV dsV stranger former tokenHere tokenElsewhere disabled readOnly
	{"SendMessage", "POST /message:send", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"How many ships?"}],"metadata":{"namespace":"owner/shared"}}}`,
		"401 ok ok ok ok ok params params ok params 401 ok"},
	{"SendStreamingMessage", "POST /message:stream", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"How many ships?"}],"metadata":{"namespace":"owner/shared"}}}`,
		"401 ok ok ok ok ok params params ok params 401 ok"},
	{"SendMessage", "POST /message:send", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"more"}],"contextId":"{c}","metadata":{"namespace":"owner/shared"}}}`,
		"401 ok params params params params params params params params 401 ok"},
	{"SendMessage", "POST /message:send", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"this"}],"taskId":"{b}"}}`,
		"401 ok task task task task task task task task 401 readOnly"},
	{"SendMessage", "POST /message:send", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"How many ships?"}],"metadata":{"namespace":"owner/shared"}},` +
		`"configuration":{"taskPushNotificationConfig":{"url":"http://127.0.0.1:9/x"}}}`,
		"401 ok ok ok ok ok params params ok params 401 readOnly"},
	{"GetTask", "GET /tasks/{r}", `{"id":"{r}"}`, "                        401 ok task task task task task task task task 401 ok"},
	{"ListTasks", "GET /tasks", `{}`, "                                    401 ok ok ok ok ok ok ok ok ok 401 ok"},
	{"CancelTask", "POST /tasks/{w}:cancel", `{"id":"{w}"}`, "             401 ok task task task task task task task task 401 readOnly"},
	{"SubscribeToTask", "POST /tasks/{w}:subscribe", `{"id":"{w}"}`, "     401 ok task task task task task task task task 401 ok"},
	{"CreateTaskPushNotificationConfig", "POST /tasks/{r}/pushNotificationConfigs", `{"taskId":"{r}","id":"p","url":"http://127.0.0.1:9/x"}`,
		"401 ok task task task task task task task task 401 readOnly"},
	{"GetTaskPushNotificationConfig", "GET /tasks/{r}/pushNotificationConfigs/kept", `{"taskId":"{r}","id":"kept"}`,
		"401 ok task task task task task task task task 401 ok"},
	{"ListTaskPushNotificationConfigs", "GET /tasks/{r}/pushNotificationConfigs", `{"taskId":"{r}"}`,
		"401 ok task task task task task task task task 401 ok"},
	{"DeleteTaskPushNotificationConfig", "DELETE /tasks/{r}/pushNotificationConfigs/kept", `{"taskId":"{r}","id":"kept"}`,
		"401 ok task task task task task task task task 401 readOnly"},
	{"GetExtendedAgentCard", "GET /extendedAgentCard", `{}`, "             401 ok ok ok ok ok ok ok ok ok 401 ok"},
}

func TestAccessMatrix(t *testing.T) {
	t.Parallel()
	stated := map[string]bool{}
	for _, row := range matrix {
		stated[row.method] = true
	}
	if missing := slices.DeleteFunc(a2a.MethodNames(), func(name string) bool { return stated[name] }); len(missing) > 0 {
		t.Errorf("%v have no row in the access matrix: say who may call them", missing)
	}
	for _, agent := range []quern.AgentKind{quern.AgentNL2QL, quern.AgentAssistant} {
		for _, binding := range []string{"JSON-RPC", "HTTP+JSON"} {
			t.Run(string(agent)+" over "+binding, func(t *testing.T) {
				t.Parallel()
				s := newScene(t, agent)
				for i, row := range matrix {
					for j, want := range strings.Fields(row.outcomes) {
						if got := s.cell(i, actors[j], binding == "JSON-RPC"); got != want {
							t.Errorf("%s, row %d, as %s = %s, want %s", row.method, i, actors[j], got, want)
						}
					}
				}
			})
		}
	}
}

// scene is a house with a namespace that everybody stands to in their own way.
type scene struct {
	*house
	agent quern.AgentKind
	owner quern.Principal
}

func newScene(t *testing.T, agent quern.AgentKind) *scene {
	t.Helper()
	s := &scene{house: newHouse(t), agent: agent}
	for _, actor := range actors {
		if actor == "anonymous" || strings.HasPrefix(actor, "token") || actor == "readOnly" {
			continue
		}
		name := strings.ToLower(actor)
		_, err := s.auth.AddUser(t.Context(), name, "a long enough password")
		must(t, err)
		s.tokens[actor] = s.token(name, quern.TokenSpec{Name: "test"})
	}
	s.owner = s.auth.Principal("owner")
	ds := quern.DatasetPath{Owner: "owner", Namespace: "shared", Dataset: "ds"}
	_, err := s.catalog.CreateDataset(t.Context(), s.owner, ds, quern.InferDefinition{})
	must(t, err)
	all := catalog.Target{Owner: "owner", Namespace: "shared"}
	for _, g := range []struct {
		username string
		on       catalog.Target
		role     quern.Role
	}{{"nseditor", all, quern.Editor}, {"dseditor", ds, quern.Editor}, {"nsviewer", all, quern.Viewer}, {"dsviewer", ds, quern.Viewer},
		{"former", all, quern.Editor}, {"disabled", ds, quern.Editor}} {
		_, err := s.catalog.Share(t.Context(), s.owner, g.on, quern.Share{Username: g.username, Role: g.role})
		must(t, err)
	}
	_, err = s.catalog.Revoke(t.Context(), s.owner, all, "former")
	must(t, err)
	s.tokens["tokenHere"] = s.token("owner", quern.TokenSpec{Name: "here", Scopes: []quern.Scope{{Username: "owner", Namespace: "shared", Dataset: "ds"}}})
	s.tokens["tokenElsewhere"] = s.token("owner", quern.TokenSpec{Name: "elsewhere", Scopes: []quern.Scope{{Username: "owner", Namespace: "elsewhere"}}})
	s.tokens["readOnly"] = s.token("owner", quern.TokenSpec{Name: "read", ReadOnly: true})
	must(t, s.auth.DisableUser(t.Context(), "disabled"))
	s.scripts.set("unclear", unclear)
	return s
}

// ask asks a question as the owner and waits for the run where wait says so.
func (s *scene) ask(question string, wait bool) quern.Run {
	s.t.Helper()
	r, err := s.runs.Start(s.t.Context(), s.owner, run.Ask{
		Agent: s.agent, In: quern.NamespacePath{Owner: "owner", Namespace: "shared"}, Task: quern.Task{Question: question},
	})
	must(s.t, err)
	if wait {
		r, err = s.runs.Wait(s.t.Context(), s.owner, r.ID)
		must(s.t, err)
	}
	return r
}

// cell calls row i of the matrix as an actor and says in a word what came of it.
// Whatever that is, only the owner is told of the owner's tasks.
func (s *scene) cell(i int, actor string, rpc bool) string {
	s.t.Helper()
	row := matrix[i]
	fill, waiting, end := s.tasks(row.params)
	defer end()
	user := actor
	if actor == "anonymous" {
		user = ""
	}
	method, path, body := "POST", "/"+string(s.agent), fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, row.method, fill.Replace(row.params))
	if !rpc {
		verb, address, _ := strings.Cut(row.http, " ")
		method, path, body = verb, path+"/v1"+fill.Replace(address), ""
		if method == "POST" {
			body = fill.Replace(row.params)
		}
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	resp := s.open(ctx, method, path, user, body)
	defer resp.Body.Close()
	// The first line of a stream is enough: that of a task that waits has no end.
	text, err := bufio.NewReader(resp.Body).ReadString('\n')
	if err != nil && text == "" && resp.StatusCode >= 300 {
		s.t.Errorf("%s as %s = %d without a body", row.method, actor, resp.StatusCode)
	}
	if actor != "owner" && actor != "readOnly" && row.method == "ListTasks" {
		for _, id := range waiting {
			if strings.Contains(text, string(id)) {
				s.t.Errorf("%s as %s tells of the owner's task: %s", row.method, actor, text)
			}
		}
	}
	return outcome(resp.StatusCode, strings.TrimPrefix(text, "data: "))
}

// tasks makes the tasks that params speak of, and returns what stands for them.
func (s *scene) tasks(params string) (fill *strings.Replacer, ids []quern.RunID, end func()) {
	s.t.Helper()
	named, end := map[string]string{}, func() {}
	if strings.Contains(params, "{r}") || strings.Contains(params, "{c}") || params == "{}" {
		r := s.ask("How many ships?", true)
		named["{r}"], named["{c}"], ids = string(r.ID), string(r.Conversation), append(ids, r.ID)
		_, err := s.push.Put(s.t.Context(), quern.PushConfig{ID: "kept", Run: r.ID, Owner: s.owner.User.ID, URL: "http://127.0.0.1:9/x"})
		must(s.t, err)
	}
	if strings.Contains(params, "{b}") {
		r := s.ask("unclear", true)
		named["{b}"] = string(r.ID)
	}
	if strings.Contains(params, "{w}") {
		held := s.scripts.hold("slow", "step-0", simple)
		r := s.ask("slow", false)
		<-held.came
		named["{w}"], ids = string(r.ID), append(ids, r.ID)
		end = func() {
			if _, err := s.runs.Cancel(context.Background(), s.owner, r.ID); err != nil {
				s.t.Error(err)
			}
		}
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(named)) {
		pairs = append(pairs, name, named[name])
	}
	return strings.NewReplacer(pairs...), ids, end
}

// reason is what a failure says of itself for programs.
type reason struct {
	Reason   string
	Metadata map[string]string
}

// outcome says in a word what an answer means, in either binding.
func outcome(status int, text string) string {
	var answer struct {
		Error *struct {
			Code    int
			Status  string
			Data    []reason
			Details []reason
		}
	}
	_ = json.Unmarshal([]byte(text), &answer) // an empty answer is a success
	if answer.Error == nil {
		if status >= 300 {
			return fmt.Sprint(status)
		}
		return "ok"
	}
	reasons := append(answer.Error.Data, answer.Error.Details...)
	switch {
	case status == 401 && reasons[0].Reason == "UNAUTHENTICATED":
		return "401"
	case reasons[0].Metadata["errorCode"] == string(quern.CodeReadOnly):
		return "readOnly"
	case reasons[0].Reason == "TASK_NOT_FOUND":
		return "task"
	case reasons[0].Reason == "INVALID_PARAMS":
		return "params"
	}
	return fmt.Sprint(status, " ", reasons[0].Reason)
}
