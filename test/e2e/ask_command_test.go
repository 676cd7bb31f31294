package e2e_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAskFromTheCommandLine(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	h.environ = append(h.environ, "QUERN_SERVER="+s.checkedURL(), "QUERN_TOKEN="+token)
	if got := h.must("", "ask", "-n", "harbour", "What data is there?"); !strings.HasPrefix(got, "These are the datasets in harbour:\n\ndataset ") || !strings.Contains(got, "\nships ") || strings.Contains(got, "|") {
		t.Errorf("quern ask = %q, want the datasets", got)
	}
	var first, second struct{ RunID, ConversationID, Response string }
	if err := json.Unmarshal([]byte(h.must("", "ask", "--json", "-n", "ada/harbour", "Hello!")), &first); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(h.must("", "ask", "--json", "-n", "harbour", "--conversation", first.ConversationID, "Thanks!")), &second); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(first.Response, "Hello!") || second.Response != "You are welcome." || second.ConversationID != first.ConversationID || second.RunID == first.RunID {
		t.Errorf("two questions = %+v and %+v, want two runs of one conversation", first, second)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"ask", "-n", "nowhere", "Hello"}, 1, "no such namespace"},
		{[]string{"ask", "-n", "harbour", "--model", "large", "Hello"}, 1, "model: is not one that this server has"},
		{[]string{"ask", "-n", "harbour", "--conversation", "8c1f3c0a-0000-7000-8000-000000000000", "Hello"}, 1, "no such namespace"},
		{[]string{"ask", "Hello"}, 2, "--namespace"},
		{[]string{"ask", "-n", "harbour"}, 2, "the question is missing"},
	} {
		if r := h.run("", c.args...); r.code != c.code || !strings.Contains(r.err, c.says) {
			t.Errorf("quern %v = %d %q, want %d saying %q", c.args, r.code, r.err, c.code, c.says)
		}
	}
}
