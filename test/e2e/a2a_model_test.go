package e2e_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"quern/llm/llmtest"
)

const (
	aPlan   = `{"reasoning":"One count.","steps":["How many ships are there?"]}`
	aQuery  = `{"kind":"query","sql":"SELECT count(*) AS n FROM ships","question":"","choices":[]}`
	inWords = `{"answer":"The ships are counted in the rows."}`
)

// modelHome is an installation that asks a model service.
func modelHome(t *testing.T, service *llmtest.Service) *home {
	t.Helper()
	return newHome(t, "QUERN_LLM_PROVIDER="+service.Provider(), "QUERN_LLM_BASE_URL="+service.BaseURL(), "QUERN_LLM_API_KEY="+service.Key,
		"QUERN_LLM_MODEL=big", "QUERN_LLM_RETRIES=0")
}

// gist is a word for each event of a stream.
func gist(t *testing.T, stream string) (words []string) {
	t.Helper()
	for line := range strings.Lines(stream) {
		data, isEvent := strings.CutPrefix(line, "data: ")
		if !isEvent {
			continue
		}
		type status struct{ State string }
		var e struct {
			Result struct {
				Task           *struct{ Status status }
				StatusUpdate   *struct{ Status status }
				ArtifactUpdate *struct {
					Artifact struct{ Name string }
				}
			}
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatalf("an event = %s, %v, want JSON", data, err)
		}
		switch {
		case e.Result.Task != nil:
			words = append(words, "task "+e.Result.Task.Status.State)
		case e.Result.StatusUpdate != nil:
			words = append(words, e.Result.StatusUpdate.Status.State)
		case e.Result.ArtifactUpdate != nil:
			words = append(words, e.Result.ArtifactUpdate.Artifact.Name)
		}
	}
	return words
}

func rpcBody(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

const howMany = `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"How many ships are there?"}],"metadata":{"namespace":"harbour"}}}`

func TestBothStreamsOfTheBinary(t *testing.T) {
	t.Parallel()
	service := llmtest.New(t, llmtest.OpenAI)
	h := modelHome(t, service)
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	for _, tt := range []struct {
		agent   string
		replies []llmtest.Reply
		order   []string
	}{
		{"nl2ql", []llmtest.Reply{llmtest.Says(aQuery)},
			[]string{"TASK_STATE_WORKING", "generated-query", "result-data", "TASK_STATE_COMPLETED"}},
		{"assistant", []llmtest.Reply{llmtest.Says(aPlan), llmtest.Says(aQuery), llmtest.Says(inWords)},
			[]string{"task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_WORKING", "step-0", "answer", "TASK_STATE_COMPLETED"}},
	} {
		service.Will(tt.replies...)
		got := s.call("POST", "/api/v1/a2a/"+tt.agent, token, rpcBody("SendStreamingMessage", howMany))
		if words := gist(t, got.body); !slices.Equal(words, tt.order) || !strings.Contains(got.body, `"__metadata"`) {
			t.Errorf("the stream of %s = %q, want %q\n%s", tt.agent, words, tt.order, got.body)
		}
		t.Logf("%s:\n%s", tt.agent, got.body)
	}
}

func TestATaskOfAKilledServerIsFinished(t *testing.T) {
	t.Parallel()
	service := llmtest.New(t, llmtest.OpenAI)
	h := modelHome(t, service)
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	service.Will(llmtest.Says(aPlan), llmtest.Stalls())
	begun := s.call("POST", "/api/v1/a2a/assistant", token,
		rpcBody("SendMessage", strings.TrimSuffix(howMany, "}")+`,"configuration":{"returnImmediately":true}}`))
	var answer struct {
		Result struct{ Task struct{ ID string } }
	}
	if err := json.Unmarshal([]byte(begun.body), &answer); err != nil || answer.Result.Task.ID == "" {
		t.Fatalf("SendMessage = %s, %v, want a task", begun.body, err)
	}
	id := `{"id":"` + answer.Result.Task.ID + `"}`
	for deadline := time.Now().Add(patience); len(service.Asked()) < 2; {
		if got := s.call("POST", "/api/v1/a2a/assistant", token, rpcBody("GetTask", id)); time.Now().After(deadline) {
			t.Fatalf("the step never begins: %s", got.body)
		}
	}
	s.kill()
	service.Will(llmtest.Says(aQuery), llmtest.Says(inWords))
	s = h.serve()
	rest := gist(t, s.call("POST", "/api/v1/a2a/assistant", token, rpcBody("SubscribeToTask", id)).body)
	if len(rest) > 0 && rest[len(rest)-1] != "TASK_STATE_COMPLETED" {
		t.Errorf("the rest of the task = %q, want it completed", rest)
	}
	task := s.call("POST", "/api/v1/a2a/assistant", token, rpcBody("GetTask", id))
	for _, want := range []string{`"state":"TASK_STATE_COMPLETED"`, `"name":"step-0"`, `"name":"answer"`} {
		if !strings.Contains(task.body, want) {
			t.Errorf("the task after the restart = %s, want %s in it", task.body, want)
		}
	}
}
