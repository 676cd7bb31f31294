package a2a_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"quern/client"
	"quern/client/clienttest"
)

// connect makes a client of this repository's own kind.
func (h *house) connect(server, user string) *client.Client {
	h.t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	c, err := client.New(client.Options{Server: server, Token: h.tokens[user], HTTP: &http.Client{Transport: transport}, Patience: 20 * time.Second})
	must(h.t, err)
	return c
}

// follow collects what a client is told.
func follow(t *testing.T, c *client.Client, agent string, m client.Message) (words []string, latest client.TaskUpdate) {
	t.Helper()
	for u, err := range c.Send(t.Context(), agent, m) {
		must(t, err)
		name := strings.ToLower(strings.TrimPrefix(u.State, "TASK_STATE_"))
		for _, a := range u.Made {
			name += " " + a.Name
		}
		words, latest = append(words, strings.TrimSpace(name)), u
	}
	return words, latest
}

func TestGoClient(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.scripts.set("unclear", unclear)
	c := h.connect(h.url, "ada")
	agents, err := c.Agents(t.Context())
	must(t, err)
	if len(agents) != 2 || agents[0].Name != "nl2ql" || agents[1].Title != "Quern assistant" || len(agents[1].Tags) != 3 {
		t.Errorf("Agents() = %+v, want both with what their cards say", agents)
	}
	words, _ := follow(t, c, "nl2ql", client.Message{Text: "How many ships?", Namespace: "harbour"})
	wantWords(t, "Send() to nl2ql", words, nl2qlOrder...)
	words, asked := follow(t, c, "assistant", client.Message{Text: "unclear", Namespace: "harbour"})
	if asked.State != "TASK_STATE_INPUT_REQUIRED" || !asked.Ended() || len(asked.Says) != 2 {
		t.Errorf("Send() of an unclear question = %q, %+v, want a question back", words, asked)
	}
	words, done := follow(t, c, "assistant", client.Message{Text: "this", Task: asked.Task})
	if done.State != "TASK_STATE_COMPLETED" || done.Task != asked.Task {
		t.Errorf("Send() of the answer = %q, %+v, want the same task completed", words, done)
	}
	for _, err := range c.Send(t.Context(), "nl2ql", client.Message{Text: "x", Namespace: "nowhere"}) {
		if !client.IsStatus(err, 400) || !strings.Contains(err.Error(), "no such namespace") {
			t.Errorf("Send() about no namespace = %v, want 400 that says so", err)
		}
	}
	for _, err := range c.Send(t.Context(), "oracle", client.Message{Text: "x", Namespace: "harbour"}) {
		if !client.IsStatus(err, 404) {
			t.Errorf("Send() to no agent = %v, want 404", err)
		}
	}
}

func TestGoClientOverABadNetwork(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	proxy := clienttest.StartProxy(t, strings.TrimPrefix(h.url, "http://"))
	c := h.connect(proxy.URL(), "ada")
	g := h.scripts.hold("slow", "step-0", simple)
	var words []string
	for u, err := range c.Send(t.Context(), "assistant", client.Message{Text: "slow", Namespace: "harbour"}) {
		must(t, err)
		words = append(words, u.State)
		switch len(words) {
		case 3: // the plan and its instruction are told, the step is at work
			<-g.came
			proxy.CutAll()
		case 4:
			if !u.Whole {
				t.Errorf("what is told once the connection is there again = %s, want the whole task", u.JSON)
			}
			close(g.open)
		}
	}
	want := "TASK_STATE_SUBMITTED TASK_STATE_WORKING TASK_STATE_WORKING TASK_STATE_WORKING   TASK_STATE_COMPLETED"
	if got := strings.Join(words, " "); got != want {
		t.Errorf("what is told over a connection that was cut = %q, want %q", got, want)
	}
}
