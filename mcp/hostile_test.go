package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quern"
	"quern/mcp"
	"quern/run"
)

// Wrong arguments are refused with what is wrong with each of them.
func TestWrongArguments(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	a := h.connect("ada", "")
	for _, tt := range []struct{ tool, args, want string }{
		{"run_query", `{"namespace":7,"limit":"many","sql":"x"}`, "VALIDATION_FAILED the arguments are not valid; required query: a value is required; " +
			"type limit: must be a whole number; type namespace: must be text; unknown sql: is not an argument of this tool; there are limit, namespace, query"},
		{"run_query", `{"namespace":"a","query":"","limit":0}`, "minimum limit: must be at least 1; minLength query: must not be empty"},
		{"run_query", `{"namespace":"a","query":"x","limit":1.5}`, "type limit: must be a whole number"},
		{"run_query", `{"namespace":"a","query":"x","limit":501}`, "maximum limit: must be at most 500"},
		{"run_query", `{"namespace":"a/b/c","query":"x"}`, "format namespace: must be NAMESPACE or OWNER/NAMESPACE"},
		{"run_query", `{"namespace":"harbour","query":"select * from nothing"}`, "INVALID_QUERY"},
		{"run_query", `{"namespace":"harbour","query":"drop table ships"}`, "INVALID_QUERY"},
		{"run_query", `{"namespace":"harbour","query":"select * from read_csv('/etc/passwd')"}`, "INVALID_QUERY"},
		{"run_query", `{"namespace":"nowhere","query":"select 1"}`, "NOT_FOUND there is no such namespace"},
		{"run_query", `"all of it"`, "type arguments: must be an object"},
		{"run_query", `[1]`, "type arguments: must be an object"},
		{"describe_dataset", `{"dataset":"ships"}`, "format dataset: must be NAMESPACE/DATASET or OWNER/NAMESPACE/DATASET"},
		{"describe_dataset", `{"dataset":null}`, "type dataset: must be text"},
		{"describe_dataset", `{"dataset":"harbour/none"}`, "NOT_FOUND there is no such dataset"},
		{"sample_rows", `{"dataset":"harbour/ships","filter":"flag =="}`, "INVALID_QUERY"},
		{"sample_rows", `{"dataset":"harbour/ships","descending":"yes"}`, "type descending: must be true or false"},
		{"search_rows", `{"words":"x"}`, "give a dataset or a namespace, and not both"},
		{"search_rows", `{"words":"!","namespace":"harbour"}`, "must hold a word"},
		{"list_datasets", `{"cursor":"%%%"}`, "is not one that this server gave"},
		{"ask", `{"namespace":"harbour","question":"   "}`, "question: "},
		{"ask", `{"namespace":"harbour","question":"x","agent":"oracle"}`, "enum agent: must be one of assistant, nl2ql"},
		{"ask", `{"namespace":"harbour","question":"x","model":"none"}`, "model: is not one of this server's"},
		{"ask", `{"namespace":"harbour","question":"x","conversationId":"none"}`, "NOT_FOUND"},
		{"ask", `{"namespace":"harbour","question":"x","dataset":"ships"}`, "goes with the agent nl2ql alone"},
		{"prepare_upload", `{"files":[]}`, "minItems files: must have at least 1"},
		{"prepare_upload", `{"files":[{"filename":"a"},{"size":-1,"filename":5}]}`, "required files[0].size: a value is required; type files[1].filename: must be text; minimum files[1].size"},
		{"ingest", `{"dataset":"harbour/ships"}`, "give dataset and sessionId, or ingestionId alone"},
		{"ingest", `{"dataset":"harbour/ships","sessionId":"none"}`, "there is no such upload session"},
		{"ingest", `{"ingestionId":"none"}`, "NOT_FOUND there is no such dataset or ingestion"},
	} {
		result, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: tt.tool, Arguments: json.RawMessage(tt.args)})
		if err != nil {
			// The library of the client sends nothing but objects.
			if !strings.HasPrefix(tt.args, "{") {
				continue
			}
			t.Fatalf("%s(%s) = %v, want a result", tt.tool, tt.args, err)
		}
		var failure errorBody
		must(t, json.Unmarshal([]byte(textOf(result)), &failure))
		if !result.IsError || !strings.Contains(failure.String(), tt.want) {
			t.Errorf("%s(%s) = %s, want %s", tt.tool, tt.args, failure, tt.want)
		}
	}
}

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

func TestWhoIsLetIn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.tokens["wrong"] = h.tokens["ada"] + "x"
	for _, tt := range []struct {
		name, user string
		headers    []string
		status     int
		code       string
	}{
		{"good", "ada", nil, 200, ""},
		{"no token", "", nil, 401, "UNAUTHORIZED"},
		{"wrong token", "wrong", nil, 401, "UNAUTHORIZED"},
		{"basic", "", []string{"Authorization", "Basic YTpi"}, 401, "UNAUTHORIZED"},
		{"own page", "ada", []string{"Origin", "http://quern.example"}, 200, ""},
		{"listed page", "ada", []string{"Origin", "https://page.example"}, 200, ""},
		{"other page", "ada", []string{"Origin", "http://evil.example"}, 403, "FORBIDDEN"},
		{"no page", "ada", []string{"Origin", "null"}, 403, "FORBIDDEN"},
		{"own host", "ada", []string{"Host", "quern.example"}, 200, ""},
		{"this machine", "ada", []string{"Host", "localhost:1"}, 200, ""},
		{"rebound name", "ada", []string{"Host", "evil.example"}, 403, "FORBIDDEN"},
		{"no stream", "ada", []string{"Accept", "application/json"}, 400, "MALFORMED_PARAMETER"},
		{"anything", "ada", []string{"Accept", "*/*"}, 200, ""},
		{"a form", "ada", []string{"Content-Type", "text/plain"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
	} {
		got := h.post(tt.user, listTools, tt.headers...)
		if got.status != tt.status || !strings.Contains(got.body, tt.code) {
			t.Errorf("%s = %d %s, want %d %s", tt.name, got.status, got.body, tt.status, tt.code)
		}
		if challenge := got.header.Get("WWW-Authenticate"); (challenge != "") != (tt.status == 401) {
			t.Errorf("%s has the challenge %q", tt.name, challenge)
		}
	}
}

func TestWrongMessages(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, tt := range []struct {
		name, body string
		status     int
		says       string
	}{
		{"empty", "", 400, "MALFORMED_JSON"},
		{"no JSON", "{", 400, "MALFORMED_JSON"},
		{"twice", `{"jsonrpc":"2.0","jsonrpc":"2.0"}`, 400, "MALFORMED_JSON"},
		{"a batch", "[" + listTools + "]", 400, "one JSON-RPC message"},
		{"deep", strings.Repeat(`{"a":`, 1000) + "1" + strings.Repeat("}", 1000), 400, "MALFORMED_JSON"},
		{"large", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", mcp.DefaultMaxBody) + `"}`, 413, "BODY_TOO_LARGE"},
		{"no such method", `{"jsonrpc":"2.0","id":1,"method":"tools/steal"}`, 400, "tools/steal"},
		{"no such tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steal"}}`, 200, "steal"},
		{"arguments that are a list", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_datasets","arguments":[1]}}`, 200, "must be an object"},
		{"arguments that are text", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_datasets","arguments":"x"}}`, 200, "must be an object"},
		{"a bad cursor", `{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"%"}}`, 200, "-32602"},
	} {
		if got := h.post("ada", tt.body); got.status != tt.status || !strings.Contains(got.body, tt.says) {
			t.Errorf("%s = %d %.300s, want %d saying %s", tt.name, got.status, got.body, tt.status, tt.says)
		}
	}
	for _, method := range []string{"GET", "DELETE", "PUT"} {
		r, err := http.NewRequestWithContext(t.Context(), method, h.url+mcp.Path, nil)
		must(t, err)
		resp, err := h.http.Do(r)
		must(t, err)
		resp.Body.Close()
		if resp.StatusCode != 405 || resp.Header.Get("Allow") == "" {
			t.Errorf("%s = %d, Allow %q, want 405", method, resp.StatusCode, resp.Header.Get("Allow"))
		}
	}
}

// Failures of ours and of runs tell no cause.
func TestFailuresTellNoCause(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.scripts.set("broken", script{fails: fmt.Errorf("secret cause")})
	h.scripts.set("late", script{fails: quern.E(quern.Timeout, quern.CodeTimeout, "the query took longer than it may")})
	a := h.connect("ada", "")
	for question, want := range map[string]string{"broken": "INTERNAL", "late": "TIMEOUT the query took longer than it may"} {
		_, failure := a.call("ask", map[string]any{"namespace": "harbour", "question": question})
		if !strings.Contains(failure.String(), want) || strings.Contains(failure.String(), "secret") {
			t.Errorf("ask %s = %s, want %s", question, failure, want)
		}
	}
}

// A token that is revoked is refused at the next message; nothing is kept of it.
func TestRevokedTokenInMidSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	a := h.connect("ada", "")
	if _, failure := a.call("list_datasets", nil); failure.ErrorCode != "" {
		t.Fatalf("list_datasets = %s, want datasets", failure)
	}
	must(t, h.Auth.RevokeToken(t.Context(), h.User("ada"), h.ids["ada"]))
	if _, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_datasets"}); err == nil {
		t.Error("list_datasets with a revoked token = a result, want a refusal")
	}
	if got := h.post("ada", listTools); got.status != 401 {
		t.Errorf("tools/list with a revoked token = %d %s, want 401", got.status, got.body)
	}
}

// A client that vanishes leaves its run to the server, and nothing that waits for it.
func TestClientThatVanishes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	came := make(chan struct{}, 10)
	h.scripts.set("slow", script{steps: []quern.Step{{}}, came: came})
	ctx, leave := context.WithCancel(t.Context())
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"namespace":"harbour","question":"slow"},"_meta":{"progressToken":1}}}`
	r, err := http.NewRequestWithContext(ctx, "POST", h.url+mcp.Path, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+h.tokens["ada"])
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := h.http.Do(r)
	must(t, err)
	defer resp.Body.Close()
	<-came
	var id string
	lines := bufio.NewReader(resp.Body)
	for !strings.Contains(id, "started") { // events come as they happen, before the answer
		id, err = lines.ReadString('\n')
		must(t, err)
	}
	leave()
	page, err := h.runs.Runs(t.Context(), h.User("ada"), run.Filter{Agent: quern.AgentAssistant, Limit: 10})
	must(t, err)
	if len(page.Runs) != 1 || page.Runs[0].Status != quern.RunRunning {
		t.Fatalf("runs = %+v, want the one that goes on", page)
	}
	_, err = h.runs.Cancel(t.Context(), h.User("ada"), page.Runs[0].ID)
	must(t, err)
}
