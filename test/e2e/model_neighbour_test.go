//go:build neighbours

package e2e_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"quern/blob/blobtest"
)

// A model service that is none of ours holds a small model to the schema of a query: its
// answers are read, counted and checked, and the question is answered whatever they are worth.
//
//nolint:paralleltest // it wants the whole machine
func TestNeighbourModel(t *testing.T) {
	address := blobtest.FreeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	startNeighbour(t, "http://"+address+"/health", []string{"PORT=" + port},
		absolute(t, "../neighbours/model/.venv/bin/python"), absolute(t, "../neighbours/model/serve.py"))
	h := newHome(t, "QUERN_LLM_PROVIDER=openai", "QUERN_LLM_BASE_URL=http://"+address+"/v1", "QUERN_LLM_MODEL=smollm2",
		"QUERN_LLM_RETRIES=0", "QUERN_LLM_TIMEOUT=15m", "QUERN_LLM_MAX_TOKENS=96", "QUERN_RUN_LIFE=40m")
	s := h.serve("--first-user", "ada")
	s.printed("Data ")
	token := h.must("", "token", "create", "--user", "ada")
	begun := s.call("POST", "/api/v1/a2a/nl2ql", token, rpcBody("SendMessage", strings.TrimSuffix(howMany, "}")+`,"configuration":{"returnImmediately":true}}`))
	var sent struct {
		Result struct{ Task struct{ ID string } }
	}
	if err := json.Unmarshal([]byte(begun.body), &sent); err != nil || sent.Result.Task.ID == "" {
		t.Fatalf("SendMessage = %s, %v, want a task", begun.body, err)
	}
	var task string
	for deadline := time.Now().Add(35 * time.Minute); !strings.Contains(task, `"TASK_STATE_COMPLETED"`); time.Sleep(time.Second) {
		task = s.call("POST", "/api/v1/a2a/nl2ql", token, rpcBody("GetTask", `{"id":"`+sent.Result.Task.ID+`"}`)).body
		if strings.Contains(task, `"TASK_STATE_FAILED"`) || time.Now().After(deadline) {
			t.Fatalf("the task = %s, want it completed", task)
		}
	}
	t.Log(task)
	var used struct {
		Models []struct {
			Provider, Model                     string
			Requests, InputTokens, OutputTokens int64
		}
	}
	r := s.call("GET", "/api/v1/user/usage/by-day", token, "")
	if err := json.Unmarshal([]byte(r.body), &used); err != nil || len(used.Models) != 1 {
		t.Fatalf("the usage = %d %s, %v, want that of one model", r.status, r.body, err)
	}
	m := used.Models[0]
	if m.Provider != "openai" || m.Model != "smollm2" || m.Requests < 1 || m.InputTokens < 100 || m.OutputTokens < 5 {
		t.Errorf("the usage = %+v, want answers of the model in it", m)
	}
	if r := s.call("GET", "/api/v1/query/models", token, ""); !strings.Contains(r.body, `"state":"ready"`) || strings.Contains(r.body, `"away"`) {
		t.Errorf("the models = %s, want all ready", r.body)
	}
}
