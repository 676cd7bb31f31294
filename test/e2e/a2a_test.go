package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quern/llm/llmtest"
)

func TestAgentsFromTheCommandLine(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	h.environ = append(h.environ, "QUERN_SERVER="+s.checkedURL(), "QUERN_TOKEN="+token)
	var agents []struct{ Name, URL, AgentCard string }
	if err := json.Unmarshal([]byte(h.must("", "a2a", "agents", "--json")), &agents); err != nil || len(agents) != 2 {
		t.Fatalf("quern a2a agents --json = %+v, %v, want two agents", agents, err)
	}
	for _, a := range agents {
		card := s.call("GET", strings.TrimPrefix(a.AgentCard, s.url), "", "")
		if card.status != 200 || card.header.Get("ETag") == "" || !strings.Contains(card.body, `"url":"`+a.URL+`"`) {
			t.Errorf("GET %s = %d %s, want the card of %s", a.AgentCard, card.status, card.body, a.Name)
		}
	}
	if got := h.must("", "a2a", "agents"); !strings.Contains(got, "nl2ql") || !strings.Contains(got, "assistant rag query") {
		t.Errorf("quern a2a agents = %s, want both with their tags", got)
	}
	if got := h.must("", "a2a", "ask", "assistant", "-n", "harbour", "What data is there?"); !strings.Contains(got, "arrivals") {
		t.Errorf("quern a2a ask = %s, want what is in the namespace", got)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"a2a", "ask", "nl2ql", "-n", "nowhere", "how many?"}, 1, "no such namespace"},
		{[]string{"a2a", "ask", "oracle", "-n", "harbour", "how many?"}, 1, "no such"},
		{[]string{"a2a", "ask", "nl2ql", "how many?"}, 2, "--namespace"},
		{[]string{"a2a", "ask", "nl2ql", "-n", "harbour"}, 2, "question"},
		{[]string{"a2a", "nonsense"}, 2, "no command"},
	} {
		if r := h.run("", c.args...); r.code != c.code || !strings.Contains(r.err, c.says) {
			t.Errorf("quern %v = %d %q, want %d saying %q", c.args, r.code, r.err, c.code, c.says)
		}
	}
}

// The official JavaScript client asks both agents of the binary real questions,
// over both bindings: rows, a question back and its answer, subscribing,
// cancelling, notifications. The model inside answers; one outside stalls, so that
// there is something to cancel.
func TestTheJavaScriptClientAgainstTheBinary(t *testing.T) {
	t.Parallel()
	service := llmtest.New(t, llmtest.OpenAI)
	service.Always(llmtest.Stalls())
	h := modelHome(t, service)
	h.environ = append(h.environ, "QUERN_PUSH_PRIVATE=true")
	s := h.serveChecked("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	ask := map[string]any{
		"plain": "How many ships are there per flag?", "queries": 1, "rows": []any{map[string]any{"flag": "Norway", "count": 2}},
		"model": "embedded", "slow": "How many ships are there?", "slowModel": "big",
		"unclear": map[string]any{"question": "What is the average draught of the ships?"},
	}
	for _, binding := range []string{"JSONRPC", "HTTP+JSON"} {
		config, err := json.Marshal(map[string]any{
			"server": s.url, "token": token, "namespace": "harbour", "binding": binding,
			"agents": map[string]any{"nl2ql": ask, "assistant": ask},
		})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "node", "client.mjs", string(config))
		cmd.Dir = "../a2a"
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), "ok") {
			t.Errorf("the JavaScript client over %s = %v\n%s", binding, err, out)
		}
		t.Log(string(out))
	}
	s.checker.wantAnswers(t)
}

// A row of an answer tells the file and row that it came from through every door.
func TestAnswersTellTheirSource(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	h.environ = append(h.environ, "QUERN_SERVER="+s.checkedURL(), "QUERN_TOKEN="+token)
	path := filepath.Join(t.TempDir(), "boats.csv")
	if err := os.WriteFile(path, []byte("boat,flag\nAriadne,Norway\nBoreas,Greece\nCalypso,Malta\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.must("", "upload", "--to", "marina/boats", path)
	const question, want = "Which boats have the flag Greece?", `"source":{"file":"boats.csv","row":2}`
	asked := `{"username":"self","namespace":"marina","query":"` + question + `"}`
	sent := `{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"` + question + `"}],"metadata":{"namespace":"marina"}}}`
	for door, body := range map[string][2]string{
		"fluent":          {"/api/v1/query", `{"username":"self","namespace":"marina","query":"Ontology(\"boats\").filter(flag == \"Greece\")"}`},
		"SQL":             {"/api/v1/query", `{"username":"self","namespace":"marina","query":"select boat, __row from boats where flag = 'Greece'"}`},
		"question":        {"/api/v1/query", `{"username":"self","namespace":"marina","naturalLanguageQuery":"` + question + `"}`},
		"ask":             {"/api/v1/query/ask", asked},
		"autorag":         {"/api/v1/query/autorag", asked},
		"A2A's nl2ql":     {"/api/v1/a2a/nl2ql", `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":` + sent + `}`},
		"A2A's assistant": {"/api/v1/a2a/assistant", `{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":` + sent + `}`},
	} {
		got := s.call("POST", body[0], token, body[1])
		if got.status != 200 || !strings.Contains(strings.ReplaceAll(got.body, " ", ""), want) { // proto-JSON has spaces at random
			t.Errorf("%s = %d %s, want a row with %s", door, got.status, got.body, want)
		}
	}
}

func TestA2AOverTheRunningServer(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, h *home) {
		s := h.serve("--first-user", "ada")
		token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
		send := func(method, params string) reply {
			return s.call("POST", "/api/v1/a2a/assistant", token, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)
		}
		begun := send("SendStreamingMessage", `{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"What data is there?"}],"metadata":{"namespace":"harbour"}}}`)
		first, _, _ := strings.Cut(begun.body, "\n")
		if begun.status != 200 || begun.header.Get("Content-Type") != "text/event-stream" || !strings.HasPrefix(first, `data: {"jsonrpc":"2.0","id":1,"result":{"task":`) {
			t.Fatalf("SendStreamingMessage = %d %s, want a stream that begins with the task", begun.status, begun.body)
		}
		var event struct {
			Result struct{ Task struct{ ID string } }
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(first, "data: ")), &event); err != nil {
			t.Fatal(err)
		}
		task := send("GetTask", `{"id":"`+event.Result.Task.ID+`"}`)
		if task.status != 200 || !strings.Contains(task.body, `"state":"TASK_STATE_COMPLETED"`) || !strings.Contains(task.body, "arrivals") {
			t.Errorf("GetTask = %d %s, want it completed, with what is in the namespace", task.status, task.body)
		}
		s.stop()
		s = h.serve()
		again := send("GetTask", `{"id":"`+event.Result.Task.ID+`"}`)
		if again.body != task.body {
			t.Errorf("GetTask after a restart = %s, want %s", again.body, task.body)
		}
		none := s.call("POST", "/api/v1/a2a/assistant", "", `{}`)
		if none.status != 401 || none.header.Get("WWW-Authenticate") == "" || !strings.Contains(none.body, `"jsonrpc":"2.0"`) {
			t.Errorf("POST without a token = %d %s, want 401 in JSON-RPC", none.status, none.body)
		}
	})
}
