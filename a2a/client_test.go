package a2a_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quern"
)

// unclear is a question that is asked back.
var unclear = func() *script {
	asks := &quern.Clarification{Question: "Which?", Choices: []quern.Choice{{Label: "this", Question: "this one?", Query: "SELECT 1"}}}
	return &script{
		Plan: quern.Plan{Steps: []string{"guess"}, Reasoning: "it may mean anything"}, Steps: []quern.Step{{Clarification: asks}},
		Result: quern.Result{Response: "Which?\n- this", Clarification: asks},
	}
}()

// The official JavaScript client finds the agents, signs in as their cards ask,
// and uses every method, over both bindings.
func TestJavaScriptClient(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "test", "a2a")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@a2a-js", "sdk")); err != nil {
		t.Fatal("the npm packages of test/a2a are not installed: run `make deps`, or `npm ci` in test/a2a")
	}
	for _, binding := range []string{"JSONRPC", "HTTP+JSON"} {
		t.Run(binding, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.scripts.hold("slow", "step-0", simple)
			h.scripts.set("unclear", unclear)
			ask := map[string]any{
				"plain": "How many ships?", "queries": 1, "slow": "slow",
				"unclear": map[string]string{"question": "unclear", "answer": "this"},
			}
			config, err := json.Marshal(map[string]any{
				"server": h.url, "token": h.tokens["ada"], "namespace": "harbour", "binding": binding,
				"agents": map[string]any{"nl2ql": ask, "assistant": ask},
			})
			must(t, err)
			cmd := exec.CommandContext(t.Context(), "node", "client.mjs", string(config))
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.HasPrefix(string(out), "ok") {
				t.Errorf("the JavaScript client = %v\n%s", err, out)
			}
			t.Log(string(out))
		})
	}
}
